"""The command `vendor`.

Reads arguments, calls the copying, prints what it returns. Never ends with 0 where a copy is not what it should be.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import arguments, output
from codegen.arguments import Commands
from codegen.errors import Finding, SpecError
from codegen.installed import own
from codegen.vendor_imports import NAME

if TYPE_CHECKING:
    from codegen.vendor import Copy

FINE, FOUND = 0, 1


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "vendor",
        run,
        "copy the package into another project",
        "Copy the generated package into a folder of another project, with a stamp (VENDORED.json) and the licence; "
        "again to bring the copy up to date. Files that somebody edited or that are not of the copy are never written over.",
        [
            "codegen vendor --into ../client/src/client/_vendor --stream responses --stream chat",
            "codegen vendor --into ../client/src/client/_vendor --check",
        ],
        "0 copied or current, 1 the copy is behind or was edited (--check), 2 there is no copy, or something stands in its way.",
        json_keys="path, streams; without --check: files (their number), changed (paths), removed (streams); with it: edited (what, by "
        "path), behind (sentences).",
    )
    one.add_argument(
        "--into",
        type=Path,
        required=True,
        metavar="DIR",
        help=f"the folder that gets, or has, the folder {NAME}",
    )
    arguments.streams(
        one,
        "only this stream and what it needs (repeatable); default: those of the copy that is there, otherwise all",
    )
    one.add_argument(
        "--check",
        action="store_true",
        help="write nothing; tell whether the copy is current, behind, or edited by hand",
    )
    arguments.out_to_read(one)
    arguments.format_(one)


def run(options: argparse.Namespace) -> int:
    """Copy the package, or tell how a copy stands."""
    from codegen.vendor import make_copy, read_package

    if options.into.exists() and not options.into.is_dir():
        raise SpecError([Finding(f"--into {options.into}", "is no folder", "Name a folder.")])
    copy = make_copy(read_package(options.out, own("LICENSE")), _names(options))
    return _check(copy, options) if options.check else _write(copy, options)


def _names(options: argparse.Namespace) -> list[str] | None:
    """The streams to copy: as asked, otherwise as in the copy that is there; None for all."""
    from codegen.vendor_stamp import read_stamp

    if options.stream:
        return list(options.stream)
    stamp = read_stamp(options.into / NAME)
    return list(stamp.chosen) if stamp is not None and stamp.chosen is not None else None


def _write(copy: Copy, options: argparse.Namespace) -> int:
    from codegen.vendor import write
    from codegen.vendor_stamp import read_stamp

    folder = options.into / NAME
    before = read_stamp(folder)
    changed = write(copy, options.into)
    files = len(copy.texts) + 1
    streams = list(copy.stamp.streams)
    gone = sorted(set(before.streams) - set(streams)) if before is not None else []
    if options.format == "json":
        value = {"path": str(folder), "streams": streams, "files": files, "changed": changed}
        output.print_json({**value, "removed": gone})
        return FINE
    told = f"{len(changed)} changed" if changed else "no file changed"
    output.say(options, f"{folder}: {files} files, {told}")
    output.say(options, "streams: " + ", ".join(streams))
    if gone:
        output.say(options, f"removed: {', '.join(gone)}, which --stream did not name")
    return FINE


def _check(copy: Copy, options: argparse.Namespace) -> int:
    from codegen.vendor import check

    folder = options.into / NAME
    verdict = check(copy, options.into)
    code = FOUND if verdict.edited or verdict.behind else FINE
    streams = list(copy.stamp.streams)
    if options.format == "json":
        found = {"edited": dict(verdict.edited), "behind": list(verdict.behind)}
        output.print_json({"path": str(folder), "streams": streams, **found})
        return code
    for path, what in verdict.edited.items():
        print(f"{folder / path}: {what}")
    for what in verdict.behind:
        print(f"{folder} is behind: {what}")
    if verdict.behind:
        named = "".join(f" --stream {name}" for name in copy.stamp.chosen or ())
        print(f"Run: codegen vendor --into {options.into}{named}")
    if code == FINE:
        output.say(options, f"{folder} is current: {', '.join(streams)}")
    return code
