"""Writing and checking what was generated; the only code that touches the output folder.

Reads and writes files below one folder (`codegen.swap`). Formats Python with black, on all cores, and remembers what it
formatted. Never deletes a file without our header, never follows a link out of the folder, and never leaves the folder
half written.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from importlib.metadata import version
from pathlib import Path

import black
import black.parsing
from black.mode import TargetVersion

from codegen.documents import shown
from codegen.emit.render import MARK, Files
from codegen.errors import Finding, SpecError
from codegen.swap import change, exclusive
from codegen.workers import pool

CACHE = ".cache"
"""Folder below the output folder that holds formatted texts by hash; ignored by git."""
LINE_LENGTH = 100
_MODE = black.Mode(
    line_length=LINE_LENGTH,
    target_versions={TargetVersion.PY310},
    magic_trailing_comma=False,
)
_DEFINITION = re.compile(r"\n\n\n(?=class |@|def |async def )")
"""Where a class or a function begins, with the blank lines before it."""
_OURS = (".py", ".json", ".md", ".svg", ".html", ".typed")


def format_text(text: str) -> str:
    """Python text as black has it. Raises black.InvalidInput where it is not Python.

    In parts, as black goes over a text twice unless the first time changes nothing. Where the parts are Python each, so are they
    together, and black would put the two blank lines between them too.
    """
    try:
        parts = [_format(part).rstrip("\n") for part in _DEFINITION.split(text)]
    except black.parsing.InvalidInput:  # what looked like a begin stood inside something
        return _format(text)
    return "\n\n\n".join(parts) + "\n"


def _format(text: str) -> str:
    return black.format_str(text, mode=_MODE)


def formatted(files: Files, out: Path) -> Files:
    """`files` with Python formatted; texts that were formatted before come from the cache below `out`."""
    cache = out / CACHE
    keys = {path: _key(text) for path, text in files.items() if path.endswith(".py") and text}
    done: Files = {path: text for path, text in files.items() if path not in keys}
    todo = []
    for path, key in keys.items():
        try:
            done[path] = (cache / key).read_text(encoding="utf-8")
        except OSError:
            todo.append(path)
    if todo:
        todo.sort(key=lambda path: -len(files[path]))
        with pool(os.cpu_count()) as workers:
            done |= dict(zip(todo, workers.map(format_text, [files[path] for path in todo])))
        _remember(cache, {keys[path]: done[path] for path in todo}, set(keys.values()))
    return done


def write(files: Files, out: Path) -> list[str]:
    """Make the folder hold exactly `files`, all at once; the paths that changed, sorted. A run at the same time waits."""
    try:
        with exclusive(out):
            changed = check(files, out)
            _require_inside(changed, out)
            _require_free(changed, out)
            texts = {path: files[path].encode() if path in files else None for path in changed}
            change(out, texts)
    except OSError as error:
        raise SpecError([_unwritable(out, error)]) from error
    return changed


def check(files: Files, out: Path) -> list[str]:
    """The paths below `out` whose text is not that of `files`, and files of ours that are no longer among them."""
    changed = []
    for path, text in files.items():
        try:
            same = (out / path).read_bytes() == text.encode("utf-8")
        except OSError:
            same = False
        if not same:
            changed.append(path)
    return sorted(changed + [path for path in _present(out) if path not in files])


def _present(out: Path) -> list[str]:
    """The files of ours below `out`: those that carry our mark."""
    found = []
    for folder, folders, names in os.walk(out):
        folders[:] = sorted(name for name in folders if name not in (CACHE, "__pycache__"))
        for name in sorted(names):
            path = Path(folder) / name
            if name.endswith(_OURS) and not path.is_symlink() and _is_ours(path):
                found.append(path.relative_to(out).as_posix())
    return found


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return MARK.encode() in file.read(400)


def _require_inside(changed: list[str], out: Path) -> None:
    root = out.resolve()
    for path in changed:
        parent = (out / path).parent
        # A link that stays inside is none to follow either: the folder that it leads to may be another package's.
        if parent.resolve() != root / parent.relative_to(out) or (out / path).is_symlink():
            raise SpecError(
                [Finding(str(out / path), "is reached through a link", "Remove the link.")]
            )


def _require_free(changed: list[str], out: Path) -> None:
    taken = [str(out / path) for path in changed if (out / path).is_dir()]
    if taken:
        action = "Remove it, or name another --out."
        raise SpecError(
            Finding(path, "is a folder, and a file goes there", action) for path in taken
        )


def _unwritable(out: Path, error: OSError) -> Finding:
    where = shown(error.filename or out)
    return Finding(
        where, f"cannot be written ({error.strerror})", "Free it, or name another --out."
    )


def _key(text: str) -> str:
    return hashlib.sha256(f"black {version('black')} {LINE_LENGTH}\n{text}".encode()).hexdigest()


def _remember(cache: Path, texts: dict[str, str], used: set[str]) -> None:
    """Keep new texts and drop those that nothing used; a cache that cannot be written is no error."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        for key, text in texts.items():
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=cache, delete=False
            ) as file:
                file.write(text)
            os.replace(file.name, cache / key)
        for entry in cache.iterdir():
            if entry.name not in used:
                entry.unlink()
    except OSError:
        return
