"""The command `docs`.

Reads arguments, has the site made and puts it in its place in one step. Never writes into a folder that holds something else.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from codegen import VERSION, arguments, output
from codegen.arguments import Commands
from codegen.errors import Finding, SpecError
from codegen.pipeline import Clock, resolved
from codegen.progress import doing

STAMP = "SITE.json"
"""The file that says that a folder is ours, and which files in it are."""
FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "docs",
        run,
        "build the reference as a static site",
        "Build the reference as a static site that needs no server and no network: pages of streams, events, payload models and "
        "dialects from the specification, and those that other commands have written. Needs the extra [docs].",
        ["codegen docs", "codegen docs --stream chat --out /tmp/chat-docs"],
        "0 built, 2 MkDocs is missing, a link leads nowhere, or something else stands in the folder.",
        json_keys="path, pages (their number), bytes, streams (names).",
    )
    arguments.spec_to_read(one)
    arguments.streams(one)
    one.add_argument(
        "--out",
        type=Path,
        default=Path("build/docs"),
        metavar="DIR",
        help="the folder that gets the site; default: %(default)s",
    )
    one.add_argument(
        "--measured",
        type=Path,
        default=Path("generated/reference"),
        metavar="DIR",
        help="where conformance.md, performance.md and history.md lie; default: %(default)s",
    )
    arguments.format_(one)


def run(options: argparse.Namespace) -> int:
    """Build the site."""
    from codegen import docs_nav
    from codegen.docs import build_site

    before = _stamped(options.out)
    _, catalogue = resolved(options, Clock())
    pages, assets = docs_nav.measured(options.measured)
    pages |= docs_nav.pages_of(catalogue)
    doing(f"building {len(pages)} pages")
    site = build_site(pages, assets, docs_nav.navigation(catalogue))
    _put(site, before, options.out)
    size = sum(map(len, site.values()))
    count = sum(path.endswith(".html") for path in site)
    if options.format == "json":
        streams = [stream.name for stream in catalogue.streams]
        value = {"path": str(options.out), "pages": count, "bytes": size, "streams": streams}
        output.print_json(value)
        return FINE
    first = options.out / "index.html"
    output.say(options, f"{options.out}: {count} pages, {size / 1e6:.1f} MB; open {first}")
    return FINE


def _stamped(out: Path) -> list[str]:
    """The files of the site that is there. SpecError where something else is."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return []
    try:
        stamp = json.loads((out / STAMP).read_text(encoding="utf-8"))
        return [str(path) for path in stamp["files"]]
    except (OSError, ValueError, KeyError, TypeError):
        what = "is not a site that codegen docs built"
        raise SpecError([Finding(str(out), what, "Name another --out.")]) from None


def _put(site: dict[str, bytes], before: list[str], out: Path) -> None:
    from codegen.swap import change, exclusive

    stamp = {"generator": VERSION, "files": sorted(site)}
    new = {**site, STAMP: (json.dumps(stamp, indent=1) + "\n").encode()}
    try:
        with exclusive(out):
            change(out, {**dict.fromkeys(before), **new})
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        action = "Free it, or name another --out."
        raise SpecError([Finding(str(error.filename or out), what, action)]) from error
