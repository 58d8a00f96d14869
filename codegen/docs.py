"""The reference as a static site.

Reads pages as Markdown; returns the files of the site, made by MkDocs with its Material theme in a folder that is gone afterwards. Never
lets a page load anything from the network, and never imports MkDocs before a site is wanted.
"""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from codegen.emit.render import TEMPLATES, Files
from codegen.errors import Finding, SpecError

STYLE, WORKER = "reference.css", "iframe-worker.js"
"""What `templates/docs` adds to the theme."""
_LEFT_OUT = ("404.html", "sitemap.xml", "sitemap.xml.gz", "assets/javascripts/lunr/")
"""What a server would need, and languages of the search other than English."""
_SEPARATOR = r"[\s\-_.,:;()\"/`|\[\]]+"
"""What the search splits at: tags and names fall into words."""
_FIELDS = {"title": {"boost": 1000}, "text": {"boost": 1}, "tags": {"boost": 1}}
"""What the search weighs: the label of a stream is half a tag, and is not to beat titles."""
_SCHEMES = (
    ("(prefers-color-scheme)", "", "brightness-auto", "light"),
    ("(prefers-color-scheme: light)", "default", "weather-sunny", "dark"),
    ("(prefers-color-scheme: dark)", "slate", "weather-night", "the system's"),
)
_FEATURES = (
    "content.code.copy",
    "navigation.footer",
    "navigation.indexes",
    "navigation.prune",
    "navigation.tabs",
    "navigation.top",
    "search.highlight",
    "search.suggest",
    "toc.follow",
)


def build_site(pages: Files, assets: Mapping[str, bytes], nav: list[Any]) -> dict[str, bytes]:
    """The files of the site by path.

    pages   Markdown by path
    assets  other files by path, such as pictures
    nav     the pages in order, as MkDocs takes them: one-entry mappings of a title to a path or to a list of the same
    Raises SpecError where MkDocs is not installed, and for each thing that it warns of, such as a link that leads nowhere.
    """
    _require_mkdocs()
    with tempfile.TemporaryDirectory(prefix="codegen-") as name:
        folder = Path(name)
        own = {name: (TEMPLATES / "docs" / name).read_bytes() for name in (STYLE, WORKER)}
        texts = {path: text.encode() for path, text in pages.items()}
        for path, data in {**texts, **assets, **own}.items():
            target = folder / "pages" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        config = folder / "mkdocs.yml"
        config.write_text(json.dumps(_config(folder, nav)), encoding="utf-8")
        _build(config)
        site = folder / "site"
        made = sorted(path for path in site.rglob("*") if path.is_file())
        files = {path.relative_to(site).as_posix(): path.read_bytes() for path in made}
    return {
        path: data
        for path, data in files.items()
        if not path.startswith(_LEFT_OUT) and not path.endswith(".map")
    }


def _require_mkdocs() -> None:
    if find_spec("mkdocs") is None or find_spec("material") is None:
        what = "needs MkDocs with the Material theme, which is not installed"
        action = (
            "Run: python -m pip install 'stream-events-codegen[docs]'; in a checkout '.[docs]'."
        )
        raise SpecError([Finding("codegen docs", what, action)])


class _Warnings(logging.Handler):
    """Keeps what MkDocs warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


def _build(config: Path) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    warnings = _Warnings()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(warnings)
    logger.propagate, propagated = False, logger.propagate
    try:
        loaded = load_config(str(config))
        loaded.plugins.on_startup(command="build", dirty=False)
        build(loaded)
        loaded.plugins.on_shutdown()
    except MkDocsException as error:
        warnings.texts.append(str(error))
    finally:
        logger.removeHandler(warnings)
        logger.propagate = propagated
    if warnings.texts:
        action = "Mend the page, or run: codegen generate"
        raise SpecError(Finding("codegen docs", text, action) for text in warnings.texts)


def _config(folder: Path, nav: list[Any]) -> dict[str, Any]:
    return {
        "site_name": "stream_events",
        "docs_dir": str(folder / "pages"),
        "site_dir": str(folder / "site"),
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "language": "en",
            "font": False,
            "icon": {"logo": "material/waves-arrow-right"},
            "palette": [_scheme(*each) for each in _SCHEMES],
            "features": list(_FEATURES),
        },
        "plugins": [
            {"search": {"lang": ["en"], "separator": _SEPARATOR, "fields": _FIELDS}},
            "offline",
        ],
        "markdown_extensions": [
            "tables",
            "md_in_html",
            {"toc": {"permalink": True, "toc_depth": "2-3"}},
            "pymdownx.superfences",
            {"pymdownx.highlight": {"use_pygments": True}},
        ],
        "extra_css": [STYLE],
        "extra": {"polyfills": [WORKER], "generator": False},
        "validation": {"links": {"anchors": "info", "unrecognized_links": "warn"}},
        "nav": nav,
    }


def _scheme(media: str, scheme: str, icon: str, follows: str) -> dict[str, Any]:
    """One step of the switch between the system's colours, light ones and dark ones."""
    switch = {"icon": f"material/{icon}", "name": f"Change to {follows} colours"}
    colours = {"scheme": scheme, "primary": "indigo", "accent": "indigo"} if scheme else {}
    return {"media": media, "toggle": switch, **colours}
