"""Which of the committed snapshots is meant.

Reads the heads of the files in spec/snapshots/; returns paths. Never passes over a file that cannot be read.
"""

from __future__ import annotations

from pathlib import Path

from codegen.align import PACKAGE_URL
from codegen.documents import parse, read_bytes, shown
from codegen.errors import Finding, SpecError
from codegen.load import Faults
from codegen.snapshot_text import FORMAT, OWN


def snapshot_paths(folder: Path) -> list[Path]:
    """The snapshots in a folder, by name."""
    return sorted(folder.glob("*.json"))


def newest_snapshot(spec: Path) -> str:
    """The path of the snapshot that `spec` is best compared with; SpecError where there is none.

    That is the newest of the working tree itself; where there is none, the newest of a document; and of a client only where there
    is nothing else.
    """
    paths = snapshot_paths(spec / "snapshots")
    if not paths:
        action = "Write one with codegen snapshot, or name both sides."
        raise SpecError([Finding(shown(spec / "snapshots"), "there is no snapshot", action)])
    faults = Faults()
    ranked = []
    for path in paths:
        with faults.kept():
            ranked.append((*_rank(path), path.name, path))
    if faults.findings:
        action = "Mend or remove this snapshot, or name both sides."
        raise SpecError(Finding(each.where, each.what, action) for each in faults.findings)
    return str(max(ranked)[-1])


def is_own(path: Path) -> bool:
    """Whether a file is a snapshot of a working tree; False for one that cannot be read."""
    try:
        return parse(read_bytes(path), shown(path)).get("of") == OWN
    except SpecError:
        return False


def _rank(path: Path) -> tuple[bool, bool, str]:
    """Whether a snapshot is of the working tree, whether it is of no client, and its day."""
    tree = parse(read_bytes(path), shown(path))
    try:
        is_client = any(each["url"].startswith(PACKAGE_URL) for each in tree["sources"])
        if tree["snapshot"] == FORMAT:
            return tree.get("of") == OWN, not is_client, str(tree["date"])
        what = f"the snapshot's format is {tree['snapshot']!r} and not {FORMAT}"
    except (AttributeError, KeyError, TypeError) as error:
        what = f"the snapshot is damaged ({type(error).__name__}: {error})"
    raise SpecError([Finding(shown(path), what, "")])
