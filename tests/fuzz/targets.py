"""What is fuzzed: five functions of bytes that must never raise.

Reads bytes; asks the package or the generator. Raises only what those should not raise: anything beyond `DecodeError`,
`StreamError` and `SpecError`, or a result that contradicts itself. Never touches the disk, save one temporary overlay.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from codegen.cut import cut
from codegen.documents import Document, as_document, Text, parse
from codegen.errors import SpecError
from codegen.load import Fragment, Specification
from codegen.overlay import apply, read_overlay
from codegen.resolve import resolve
from stream_events import chat, messages, responses
from stream_events.sse import SSEDecoder
from tests import fuzzing
from tests.fuzz.choices import Choices
from tests.small_spec import FRAGMENT

PACKAGES: tuple[ModuleType, ...] = (responses, chat, messages)
SCHEMA_WORDS = (
    "type properties required items allOf anyOf oneOf enum const default $ref nullable additionalProperties title "
    "description discriminator propertyName mapping string integer object array null format pattern minimum "
    "patternProperties prefixItems not x-stainless-const $recursiveRef # Ev A B a b delta"
).split()
REFS = ["#/components/schemas/" + name for name in ("Ev", "A", "B", "missing", "~01", "%41", "")]


def decoder(data: bytes) -> None:
    """`SSEDecoder`: the cuts between pieces change nothing, and the limit is the only error."""
    choices = Choices(data)
    cap = choices.of([1, 8, 64, 1 << 20])
    pieces = [choices.number(16) + 1 for _ in range(8)]
    body = choices.rest()
    assert _events(cap, [body]) == _events(cap, _cut(body, pieces))


def _events(cap: int, pieces: list[bytes]) -> list[Any]:
    found: list[Any] = []
    reading = SSEDecoder(max_event_bytes=cap, flush_incomplete=True)
    try:
        for piece in pieces:
            found += reading.feed(piece)
        found += reading.close()
    except responses.StreamError as error:
        found.append(str(error))
    return found


def _cut(body: bytes, sizes: list[int]) -> list[bytes]:
    pieces, at = [], 0
    while at < len(body):
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(body[at : at + size])
        at += size
    return pieces


def decode(data: bytes) -> None:
    """`decode` and all that can be asked of its event; what was decoded is encoded as it was."""
    choices = Choices(data)
    module = choices.of(PACKAGES)
    if choices.number(4) == 0:
        payload: Any = choices.rest()
    else:
        payload = _payload(choices, module)
        if choices.number(2):
            payload = json.dumps(payload)
    try:
        event = module.decode(payload)
    except module.DecodeError:
        return
    fuzzing.questioned(module, event)
    given = payload if isinstance(payload, dict) else json.loads(payload)
    assert isinstance(event, module.UnknownEvent) or _same(module.encode(event), given)


def accumulate(data: bytes) -> None:
    """`Accumulator` over any events, and everything that it can be asked at the end."""
    choices = Choices(data)
    module = choices.of(PACKAGES)
    accumulator = module.Accumulator()
    while choices:
        try:
            event = module.decode(_payload(choices, module))
        except module.DecodeError:
            continue
        accumulator.add(event)
        if choices.number(32) == 0:
            accumulator.resume(choices.of([None, 0, 5]))
    accumulator.end()
    fuzzing.asked(accumulator)


def _payload(choices: Choices, module: ModuleType) -> dict[str, Any]:
    """A payload that has some of its event's properties, and others."""
    tags, words = _words(module)
    tag = choices.of(tags)
    payload = {choices.word(words): choices.value(words) for _ in range(choices.number(7))}
    if module is chat:
        payload.setdefault("object", "chat.completion.chunk")
    for index in ("output_index", "content_index", "index"):
        if choices.number(3):
            payload[index] = choices.of([0, 0, 1, 2, -1, 10**9, True, 1.5, "0", None])
    return {"type": tag, **payload}


@cache
def _words(module: ModuleType) -> tuple[list[str], list[str]]:
    """The tags of a package, and the names of properties that its payloads have."""
    wire = module._WIRE
    tables = {**wire.tables, **wire.loaded.tables}
    names = {name for table in tables.values() for name in (*table.required, *table.optional)}
    return list(module.EVENTS), [*sorted(names), "message", "output_text", "function_call", "text"]


def _same(first: Any, second: Any) -> bool:
    """Equality of JSON values that tells 1, 1.0 and true apart."""
    if type(first) is not type(second):
        return False
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(_same(first[k], second[k]) for k in first)
    if isinstance(first, list):
        return len(first) == len(second) and all(map(_same, first, second))
    return bool(first == second)


def overlay(data: bytes) -> None:
    """An overlay of any form, read and applied to a small document that it must not change."""
    choices = Choices(data)
    tree = _document(choices)
    if choices.number(4) == 0:
        text = choices.rest()
    else:
        text = json.dumps(_overlay(choices)).encode()
    with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
        Path(file.name).write_bytes(text)
        try:
            read = read_overlay(file.name)
        except SpecError:
            return
    before = json.dumps(tree)
    apply(read, tree)
    assert json.dumps(tree) == before


def _overlay(choices: Choices) -> dict[str, Any]:
    steps = ["$", ".components", ".schemas", ".Ev", ".*", "..*", "[0]", "[-1]", "[::2]", "[?@.type]", "['a']",
             "[?@ == 'object']", "[?length(@) > 1]", "[?match(@.type, 'o.*')]", ".anyOf", "..type", "["]  # fmt: skip
    actions = []
    for _ in range(1 + choices.number(3)):
        target = "$" + "".join(choices.of(steps) for _ in range(choices.number(5)))
        action: dict[str, Any] = {"target": target}
        if choices.number(2):
            action["update"] = choices.value(SCHEMA_WORDS)
        else:
            action["remove"] = choices.of([True, True, False, 1])
        actions.append(action)
    info = {"title": "t", "version": "1"}
    return {"overlay": "1.0.0", "info": info, "x-document": "d", "actions": actions}


def document(data: bytes) -> None:
    """Any text as a document, and a document of any schemas through `cut` and `resolve`."""
    choices = Choices(data)
    if choices.number(3) == 0:
        _parsed(choices.rest())
        return
    tree = _document(choices)
    text = json.dumps(tree).encode()
    try:
        document = as_document(Text("d", "d.yaml", text, parse(text, "d.yaml")))
        kept = cut(document.tree, ["Ev"], document.where)
        specification = Specification(
            {"d": Document("d", "d.yaml", text, kept)}, (Fragment("f.yaml", dict(FRAGMENT)),)
        )
        resolve(specification)
    except SpecError:
        return


def _parsed(text: bytes) -> None:
    try:
        value = parse(text, "d.yaml")
    except SpecError:
        return
    json.dumps(value, allow_nan=False).encode()


def _document(choices: Choices) -> dict[str, Any]:
    schemas = {name: _schema(choices, 5) for name in ("Ev", "A", "B")}
    return {"openapi": "3.1.0", "components": {"schemas": schemas}}


def _schema(choices: Choices, levels: int) -> Any:
    kind = choices.number(9)
    if kind == 0 or not levels:
        return choices.value(SCHEMA_WORDS, 2)
    if kind == 1:
        return {"$ref": choices.of(REFS)}
    if kind <= 4:
        names = [choices.of(["type", "a", "b", "delta"]) for _ in range(choices.number(4))]
        tag = {"type": {"type": "string", "enum": [choices.word(["x", "y", "z"])]}}
        found = {name: _schema(choices, levels - 1) for name in names}
        return {"type": "object", "properties": {**tag, **found}, "required": ["type"]}
    word = choices.of(["anyOf", "oneOf", "allOf", "items", "additionalProperties"])
    parts: Any = [_schema(choices, levels - 1) for _ in range(choices.number(4))]
    if word in ("items", "additionalProperties"):
        parts = parts[0] if parts else {}
    extra = choices.value(SCHEMA_WORDS, 2) if choices.number(4) == 0 else {}
    return {word: parts, **(extra if isinstance(extra, dict) else {})}


TARGETS: dict[str, Callable[[bytes], None]] = {
    "decoder": decoder,
    "decode": decode,
    "accumulate": accumulate,
    "overlay": overlay,
    "document": document,
}
