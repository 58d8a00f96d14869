"""The machine-readable catalogue, one file per stream's package.

Reads the catalogue; returns JSON text. Never leaves a fact out: `codegen.catalogue.from_json` reads it back.
"""

from __future__ import annotations

import json

from codegen.catalogue import Catalogue, to_json
from codegen.emit.render import Files


def emit(catalogue: Catalogue) -> Files:
    """catalogue/catalogue.json (everything) and catalogue/<stream>.json (one stream with its events)."""
    files: Files = {}
    for stream in catalogue.streams:
        files[f"catalogue/{stream.name}.json"] = _text(to_json(stream))
    for package in catalogue.packages:
        models = {"models": to_json(package.models), "aliases": to_json(package.aliases)}
        files[f"catalogue/models/{package.name}.json"] = _text(models)
    return files


def _text(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=False) + "\n"
