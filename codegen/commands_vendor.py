"""The command `vendor`.

Reads arguments, calls the copying, prints what it returns. Never ends with 0 where a copy is not what it should be.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codegen.errors import Finding, SpecError
from codegen.installed import own
from codegen.vendor import Copy, check, make_copy, read_package, write
from codegen.vendor_imports import NAME
from codegen.vendor_stamp import read_stamp

FINE, FOUND = 0, 1


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    one = commands.add_parser(
        "vendor",
        help="copy the package into another project",
        description="Copy the generated package into a folder of another project, with a stamp (VENDORED.json) and the licence; "
        "again to bring the copy up to date. Files that somebody edited or that are not of the copy are never written over.",
        epilog="example: codegen vendor --into ../client/src/client/_vendor --stream responses --stream chat. Exit codes: 0 copied "
        "or current, 1 the copy is behind or was edited (--check), 2 there is no copy, or something stands in its way.",
    )
    one.set_defaults(run=vendor)
    one.add_argument(
        "--into",
        type=Path,
        required=True,
        metavar="DIR",
        help=f"the folder that gets, or has, the folder {NAME}",
    )
    one.add_argument(
        "--stream",
        action="append",
        default=[],
        metavar="NAME",
        help="only this stream and what it needs (repeatable); default: those of the copy that is there, otherwise all",
    )
    one.add_argument(
        "--check",
        action="store_true",
        help="write nothing; tell whether the copy is current, behind, or edited by hand",
    )
    one.add_argument(
        "--out",
        type=Path,
        default=Path("generated"),
        metavar="DIR",
        help="where the package lies; default: %(default)s",
    )


def vendor(options: argparse.Namespace) -> int:
    """Copy the package, or tell how a copy stands."""
    if options.into.exists() and not options.into.is_dir():
        raise SpecError([Finding(f"--into {options.into}", "is no folder", "Name a folder.")])
    copy = make_copy(read_package(options.out, own("LICENSE")), _names(options))
    return _check(copy, options.into) if options.check else _write(copy, options.into)


def _names(options: argparse.Namespace) -> list[str] | None:
    """The streams to copy: as asked, otherwise as in the copy that is there; None for all."""
    if options.stream:
        return list(options.stream)
    stamp = read_stamp(options.into / NAME)
    return list(stamp.chosen) if stamp is not None and stamp.chosen is not None else None


def _write(copy: Copy, into: Path) -> int:
    before = read_stamp(into / NAME)
    changed = write(copy, into)
    told = f"{len(changed)} changed" if changed else "no file changed"
    print(f"{into / NAME}: {len(copy.texts) + 1} files, {told}")
    print("streams: " + ", ".join(copy.stamp.streams))
    gone = set(before.streams) - set(copy.stamp.streams) if before is not None else set()
    if gone:
        print(f"removed: {', '.join(sorted(gone))}, which --stream did not name")
    return FINE


def _check(copy: Copy, into: Path) -> int:
    verdict = check(copy, into)
    for path, what in verdict.edited.items():
        print(f"{into / NAME / path}: {what}")
    for what in verdict.behind:
        print(f"{into / NAME} is behind: {what}")
    if verdict.behind:
        named = "".join(f" --stream {name}" for name in copy.stamp.chosen or ())
        print(f"Run: codegen vendor --into {into}{named}")
    if verdict.edited or verdict.behind:
        return FOUND
    print(f"{into / NAME} is current: {', '.join(copy.stamp.streams)}")
    return FINE
