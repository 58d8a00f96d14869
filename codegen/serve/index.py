"""The page of all that can be played.

Reads the library; returns HTML for a browser and JSON for anybody else, by the Accept header. Never plays anything.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from codegen import VERSION
from codegen.serve.faults import FAULTS, usage
from codegen.serve.library import Library

TEMPLATE = Path(__file__).with_name("index.html.jinja")
TITLES = {
    "responses": "Responses",
    "chat": "Chat completions",
    "completions": "Completions",
    "messages": "Messages",
    "images-generations": "Images",
    "images-edits": "Edited images",
}

NOTES = [
    "A model that no scenario is named for plays the first one of its endpoint; an unknown name in X-Play gets 404.",
    "Beta forms of the APIs are answered as the others are: no header for a beta changes what is played.",
]
"""What may surprise, in sentences."""


def index(request: Request, library: Library, endpoints: Mapping[str, str]) -> Response:
    """The answer to GET /."""
    content = contents(str(request.base_url).rstrip("/"), library, endpoints)
    if "text/html" not in request.headers.get("Accept", ""):
        return JSONResponse(content)
    text = TEMPLATE.read_text("utf-8")
    page = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(text)
    return HTMLResponse(page.render(content))


def contents(base: str, library: Library, endpoints: Mapping[str, str]) -> dict[str, Any]:
    """Everything that the page shows: endpoints with their scenarios, faults, recordings, each with a curl line."""
    paths: dict[str, list[str]] = {}
    for path, stream in endpoints.items():
        paths.setdefault(stream, []).append(path)
    shown = [
        {
            "stream": stream,
            "title": TITLES[stream],
            "paths": own,
            "plays": [
                {"name": each.name, "about": each.about, "curl": curl(base + own[0], each.name)}
                for each in library.scenarios
                if each.stream == stream
            ],
        }
        for stream, own in paths.items()
    ]
    first = base + next(iter(endpoints))
    faults = [
        {
            "name": usage(name),
            "about": kind.about,
            "curl": curl(first, "", "X-Fault: " + usage(name)),
        }
        for name, kind in FAULTS.items()
    ]
    recordings = []
    for name in library.recordings():
        own = paths.get(
            name.split("/")[0], paths["responses"]
        )  # a folder may be named for a stream
        recordings.append({"name": name, "curl": curl(base + own[0], "", f"X-Play: {name}")})
    resume = f"curl -N {shlex.quote(first + '/resp_text?stream=true&starting_after=5')}"
    return {
        "version": VERSION,
        "notes": NOTES,
        "streams": shown,
        "faults": faults,
        "recordings": recordings,
        "vectors": library.vectors,
        "resume": resume,
        "vector": curl(first, "", f"X-Play: {next(iter(library.vectors), 'ID')}"),
        "websocket": "ws" + first.removeprefix("http"),
    }


def curl(url: str, model: str, *headers: str) -> str:
    """A command that plays it; the server takes a body for JSON whatever its type says."""
    body = json.dumps(
        {**({"model": model} if model else {}), "stream": True}, separators=(",", ":")
    )
    given = "".join(f" -H {shlex.quote(header)}" for header in headers)
    return f"curl -N {url}{given} -d {shlex.quote(body)}"
