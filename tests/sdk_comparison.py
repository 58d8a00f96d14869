"""A small client against a small document, as changes.

Reads texts of both; returns changes. Never installs anything.
"""

from __future__ import annotations

from pathlib import Path

from codegen.align import align
from codegen.changes import Change
from codegen.diff import diff
from codegen.sides import read_side
from tests.small_client import NAME, client_side
from tests.small_spec import fragment, write_spec

SPEC = Path(__file__).resolve().parent.parent / "spec"


def changes(tmp_path: Path, document: str, client: str) -> list[Change]:
    """What the client, the text of a module, says otherwise than the document."""
    spec = write_spec(tmp_path, document, [fragment(client=f"{NAME}.types.Ev")])
    side = client_side(tmp_path / "client", spec, client)
    return diff(*align(read_side("spec", spec).catalogue, side.catalogue))
