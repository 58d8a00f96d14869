"""Copying the generated package into another project, and telling whether a copy is current.

Reads the package, the licence and the copy; writes below one folder, each file whole or not at all. Never writes over or removes a
file that is not of the copy or that somebody edited, and never follows a link.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from codegen import VERSION
from codegen.errors import Finding, SpecError
from codegen.vendor_imports import NAME, ROOT, Texts, chosen, sources_of, streams_of
from codegen.vendor_stamp import STAMP, Stamp, digest, read_stamp

LICENCE = "LICENSE"
COMPILED = "__pycache__"
_MOVE = "Move it away, or name another --into."


@dataclass(frozen=True)
class Copy:
    """What a copy holds: texts by path, licence included, and the stamp that belongs to them."""

    texts: Texts
    stamp: Stamp


@dataclass(frozen=True)
class Verdict:
    """What a check says of a copy. Both may be the case, and neither.

    edited  sentence by path for each file that is not what was copied
    behind  sentences that say how the package went on since
    """

    edited: Mapping[str, str]
    behind: tuple[str, ...]


def read_package(out: Path, licence: Path) -> Texts:
    """The generated package below `out` and its licence. SpecError where there is no package."""
    folder = out / NAME
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".py", ".typed") and COMPILED not in path.parts
    ]
    texts = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    if ROOT not in texts:
        raise SpecError([Finding(str(out), "holds no generated package", "Run: codegen generate")])
    return {**texts, LICENCE: licence.read_bytes()}


def make_copy(package: Texts, names: Collection[str] | None) -> Copy:
    """The copy for the named streams, in any order; for all of them with None."""
    texts = package
    if names is not None:
        texts = {**chosen(package, names), LICENCE: package[LICENCE]}
    modules = {path.removesuffix(f"/{ROOT}").replace("/", ".") for path in texts}
    streams = tuple(each.name for each in streams_of(texts[ROOT]) if each.module in modules)
    wanted = None if names is None else tuple(sorted(set(names)))
    files = {path: digest(data) for path, data in texts.items()}
    return Copy(texts, Stamp(VERSION, tuple(sources_of(texts[ROOT])), wanted, streams, files))


def check(copy: Copy, into: Path) -> Verdict:
    """What is to be said of the copy below `into`. SpecError where there is none."""
    folder = into / NAME
    _require_no_links(folder, [STAMP])
    stamp = read_stamp(folder)
    if stamp is None:
        action = f"Run: codegen vendor --into {into}"
        raise SpecError([Finding(str(folder), f"holds no copy with a {STAMP}", action)])
    edited = {path: what for path, sha in stamp.files.items() if (what := _edit(folder, path, sha))}
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if name not in stamp.files:
            edited[name] = "was added"
    return Verdict(dict(sorted(edited.items())), tuple(_news(stamp, copy.stamp)))


def write(copy: Copy, into: Path) -> list[str]:
    """Make the folder below `into` hold the copy; the paths that changed, sorted. SpecError, with nothing written, where a file
    stands in the way that is not of the copy or that was edited."""
    folder = into / NAME
    old = _stamped(folder)
    new = {**copy.texts, STAMP: copy.stamp.text()}
    gone = [path for path in old if path not in new and os.path.lexists(folder / path)]
    _require_no_links(folder, [*new, *gone])
    _require_ours(folder, old, copy.texts, gone)
    changed = [path for path in new if _read(folder / path) != new[path]]
    try:
        _replace(folder, {path: new[path] for path in changed})
        for path in gone:
            (folder / path).unlink()
            _drop_empty(folder, path)
    except OSError as error:
        raise SpecError([_refused(folder, error)]) from error
    return sorted([*changed, *gone])


def _stamped(folder: Path) -> Mapping[str, str]:
    stamp = read_stamp(folder) if not folder.is_symlink() else None
    return stamp.files if stamp is not None else {}


def _read(path: Path) -> bytes | None:
    """The bytes of a file; None where there is none that can be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def _edit(folder: Path, path: str, sha256: str) -> str:
    """How a file differs from what was copied; "" where it does not."""
    data = _read(folder / path)
    if data is None:
        return "was removed"
    return "" if digest(data) == sha256 else "was edited by hand"


def _news(old: Stamp, new: Stamp) -> list[str]:
    """How the package went on since a copy was made."""
    said = []
    if old.generator != new.generator:
        said.append(f"the generator is {new.generator}, the copy is of {old.generator}")
    had = {source.name: source for source in old.sources}
    for source in new.sources:
        if had.get(source.name) != source:
            newer = " ".join(filter(None, [source.version, source.date])) or source.sha256[:12]
            said.append(f"the document {source.name} is now {newer}")
    if old.chosen != new.chosen or old.streams != new.streams:
        said.append(f"it has {', '.join(old.streams)}; wanted are {', '.join(new.streams)}")
    files = [
        path for path in {**old.files, **new.files} if old.files.get(path) != new.files.get(path)
    ]
    if files:
        said.append(f"{len(files)} files differ, such as {min(files)}")
    return said


def _require_no_links(folder: Path, paths: list[str]) -> None:
    """Refuse what is reached through a link below the folder that the person named, and a folder where a file goes."""
    faults: dict[str, str] = {}
    for path in paths:
        steps = [folder, *(folder / part for part in reversed(Path(path).parents)), folder / path]
        for step in steps:
            if step.is_symlink():
                faults[str(step)] = "is a link"
            elif step != folder / path and step.exists() and not step.is_dir():
                faults[str(step)] = "is a file, and a folder goes there"
        if (folder / path).is_dir() and not (folder / path).is_symlink():
            faults[str(folder / path)] = "is a folder, and a file goes there"
    if faults:
        raise SpecError(Finding(where, what, _MOVE) for where, what in faults.items())


def _require_ours(folder: Path, old: Mapping[str, str], new: Texts, gone: list[str]) -> None:
    """Refuse to touch what somebody else wrote: a file that is neither as it was copied nor as it is going to be."""
    findings = []
    for path in [*new, *gone]:
        data = _read(folder / path)
        if data is None and not (folder / path).exists() or data == new.get(path, b"\0"):
            continue
        if path not in old:
            what, action = "is not of a copy that codegen vendor made", _MOVE
            findings.append(Finding(str(folder / path), what, action))
        elif data is None or digest(data) != old[path]:
            action = "Take the edit out, or remove the file to have it copied again."
            findings.append(Finding(str(folder / path), "was edited by hand", action))
    if findings:
        raise SpecError(findings)


def _replace(folder: Path, texts: Texts) -> None:
    """Write all texts beside their places, then move all there, the stamp last: it was the last to be given."""
    staged: list[tuple[str, Path]] = []
    try:
        for path, data in texts.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                dir=target.parent, prefix=".codegen-", delete=False
            ) as file:
                staged.append((file.name, target))
                file.write(data)
        for name, target in staged:
            os.chmod(name, 0o644)
            os.replace(name, target)
    finally:
        for name, _ in staged:
            Path(name).unlink(missing_ok=True)


def _drop_empty(folder: Path, path: str) -> None:
    """Remove the folders that held a removed file and hold nothing any more, save what the interpreter compiled."""
    for parent in list(Path(path).parents)[:-1]:
        left = [each.name for each in (folder / parent).iterdir()]
        if left not in ([], [COMPILED]):
            return
        if left:
            shutil.rmtree(folder / parent / COMPILED)
        (folder / parent).rmdir()


def _refused(folder: Path, error: OSError) -> Finding:
    where = str(error.filename or folder)
    return Finding(
        where, f"cannot be written ({error.strerror})", "Free it, or name another --into."
    )
