"""Which files of the generated package a choice of streams needs.

Reads the texts of the package; returns those that the streams' modules import, and what those import. Never runs any of it, and
knows no module by its name: what is needed is what stands in the import statements.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from codegen.errors import Finding, SpecError

NAME = "stream_events"
ROOT = "__init__.py"
ALWAYS = (ROOT, "sse.py", "py.typed")
"""What every copy has: who reads no stream still decodes server-sent events and asks what there is."""
RUNTIME = "_runtime"
"""The subpackage that comes from no document, and whose headers name them all."""
SOURCE_LINE = re.compile(rb"(?m)^# Source: (\S+) .*\n")
"""A line of a header that names a document."""
Texts = dict[str, bytes]
"""Path below the package → its bytes."""


class Named(NamedTuple):
    """A stream as the package's root has it, and the lines of its entry there, the first counted as 1."""

    name: str
    module: str
    lines: tuple[int, int]


class Source(NamedTuple):
    """A document that the package was generated from."""

    name: str
    version: str
    date: str
    sha256: str


def streams_of(root: bytes) -> list[Named]:
    """The streams that the root lists in STREAMS."""
    found = []
    for entry in _entries(root, "STREAMS"):
        name, module, *_ = _arguments(entry)
        found.append(Named(name, module, (entry.lineno, entry.end_lineno or entry.lineno)))
    return found


def sources_of(root: bytes) -> list[Source]:
    """The documents that the root lists in SOURCES."""
    return [Source(*_arguments(entry)[:4]) for entry in _entries(root, "SOURCES")]


def chosen(texts: Texts, names: Collection[str]) -> Texts:
    """The files that the named streams need, the root with only what is there, and no word of documents that are not theirs: a
    copy is not behind because such a one moved. SpecError for a name that is none."""
    streams = streams_of(texts[ROOT])
    known = {stream.name: stream.module for stream in streams}
    unknown = [name for name in names if name not in known]
    if unknown:
        action = "Name one of: " + ", ".join(known) + "."
        raise SpecError(
            Finding(f"--stream {name}", "there is no such stream", action) for name in unknown
        )
    needed = _closure(texts, [f"{known[name].replace('.', '/')}/{ROOT}" for name in names])
    found = {path: texts[path] for path in sorted(needed)}
    found[ROOT] = _trimmed(texts[ROOT], streams, found)
    return _of_own_sources(found)


def _entries(root: bytes, name: str) -> list[ast.Call]:
    for node in ast.parse(root).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            if isinstance(node.value, ast.Tuple):
                return [each for each in node.value.elts if isinstance(each, ast.Call)]
    what = f"has no {name}"
    raise SpecError([Finding(f"{NAME}/{ROOT}", what, "Run: codegen generate")])


def _arguments(call: ast.Call) -> list[str]:
    return [str(ast.literal_eval(argument)) for argument in call.args]


def _closure(texts: Texts, first: list[str]) -> set[str]:
    needed: set[str] = set()
    waiting = [path for path in (*ALWAYS, *first) if path in texts]
    while waiting:
        path = waiting.pop()
        if path not in needed:
            needed.add(path)
            waiting += _parents(path, texts)
            waiting += imported(path, texts) if path.endswith(".py") else []
    return needed


def _parents(path: str, texts: Mapping[str, bytes]) -> list[str]:
    """The __init__ files of the packages around a module, which importing it runs."""
    folders = path.split("/")[:-1]
    inits = ["/".join([*folders[:depth], ROOT]) for depth in range(1, len(folders) + 1)]
    return [init for init in inits if init in texts]


def imported(path: str, texts: Mapping[str, bytes]) -> list[str]:
    """The files of the package that a module imports, wherever in it the statements stand. SpecError for one by the package's
    own name, which would not be found where the copy goes by another."""
    found = []
    for node in ast.walk(ast.parse(texts[path])):
        if isinstance(node, ast.ImportFrom) and node.level:
            found += [file for file in _files(path, node) if file in texts]
        elif NAME in _outside(node):
            what = f"imports {NAME} by its name"
            raise SpecError([Finding(f"{NAME}/{path}:{_line(node)}", what, "Make it relative.")])
    return found


def _files(path: str, node: ast.ImportFrom) -> Iterator[str]:
    """Where `from module import name` may lead: to the module, and to each name as a module in it."""
    folders = path.split("/")[: -node.level]
    home = [*folders, *(node.module.split(".") if node.module else [])]
    for parts in (home, *([*home, alias.name] for alias in node.names)):
        yield "/".join(parts) + ".py"
        yield "/".join([*parts, ROOT])


def _outside(node: ast.AST) -> set[str]:
    """The first names of what a statement imports absolutely."""
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").split(".")[0]}
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    return set()


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _trimmed(root: bytes, streams: list[Named], files: Collection[str]) -> bytes:
    """The root without the streams whose module is not among the files."""
    lines = root.decode().splitlines(keepends=True)
    there = [stream for stream in streams if f"{stream.module.replace('.', '/')}/{ROOT}" in files]
    if len(there) == len(streams):
        return root
    for stream in streams:
        if stream not in there:
            first, last = stream.lines
            lines[first - 1 : last] = [""] * (last - first + 1)
    packages = ", ".join(dict.fromkeys(stream.module.split(".")[0] for stream in there))
    said = re.sub(
        r"(?m)^(Each subpackage stands on its own: ).*\.$", rf"\g<1>{packages}.", "".join(lines)
    )
    return said.encode()


def _of_own_sources(texts: Texts) -> Texts:
    """The files without what their headers and the root say of documents that none of the streams there comes from."""
    inner = [data for path, data in texts.items() if "/" in path and path.split("/")[0] != RUNTIME]
    own = {name for data in inner for name in SOURCE_LINE.findall(data)}
    gone = {source.name for source in sources_of(texts[ROOT])} - {name.decode() for name in own}
    if not gone:
        return texts
    found = {
        path: SOURCE_LINE.sub(lambda line: line[0] if line[1] in own else b"", data)
        for path, data in texts.items()
    }
    lines = found[ROOT].splitlines(keepends=True)
    for entry in _entries(found[ROOT], "SOURCES"):
        if _arguments(entry)[0] in gone:
            first, last = entry.lineno, entry.end_lineno or entry.lineno
            lines[first - 1 : last] = [b""] * (last - first + 1)
    return {**found, ROOT: b"".join(lines)}
