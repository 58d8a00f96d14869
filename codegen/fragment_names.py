"""Names that a fragment gives to things in Python.

Reads the values of a fragment and JSON Schemas of our own; returns what is wrong with its names, and validators that read patterns
as JSON Schema means them. Never changes a name: a fragment is written by hand, so whoever wrote it chooses another.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
from jsonschema.validators import extend

from codegen.names import TAKEN_CLASSES, event_alias

MODULES = frozenset({"sse", "py", "runtime"})
"""Modules that the package has besides those of streams."""
PARTS = frozenset({"accumulator", "dialects", "events", "models"})
"""Modules that a stream's module has in it."""
MEMBERS = frozenset(
    "add add_all at beside end error final last_sequence_number parsed parsed_arguments predecessors problems resume status "
    "usage usage_json models cast".split()
)
"""Members of every accumulator, which no text or snapshot of one may be called."""
_MEANT = frozenset({"EVENTS", "Event"})


def name_faults(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong, as (JSON pointer, sentence); the values are those that the fragments' schema allows."""
    first, *rest = module = values["module"].split(".")
    if first in MODULES or PARTS.intersection(rest) or any(map(keyword.iskeyword, module)):
        yield "/module", f"the module {values['module']!r} is a name that the package cannot give"
    table = values["table"]
    alias = event_alias(table)
    if not alias.isidentifier() or keyword.iskeyword(alias):
        yield "/table", f"the table {table!r} gives {alias!r} as the name of its events"
    elif (TAKEN_CLASSES - _MEANT).intersection((table, alias)):
        yield "/table", f"the table {table!r} is a name that the package cannot give"
    named = {f"/reads/{name}": name for name in values.get("reads", {})}
    named |= {"/snapshot_name": values["snapshot_name"]} if "snapshot_name" in values else {}
    for pointer, name in named.items():
        if name in MEMBERS or keyword.iskeyword(name):
            yield pointer, f"an accumulator cannot have a member {name!r} that is this"
    if values.get("snapshot_name") in values.get("reads", {}):
        yield "/snapshot_name", "a text of the snapshot has this name too"


def _pattern(
    validator: Any, pattern: str, instance: Any, schema: Any
) -> Iterator[jsonschema.ValidationError]:
    """`pattern` with the `$` of ECMA-262, which Python's is not: it does not match before a newline at the end."""
    whole = re.sub(r"(?<!\\)\$$", r"\\Z", pattern)
    if isinstance(instance, str) and re.search(whole, instance) is None:
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


Validator: Any = extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator, {"pattern": _pattern}
)
"""JSON Schema 2020-12, section 6.4 and 6.3.3 of its validation part: patterns are those of ECMA-262."""
