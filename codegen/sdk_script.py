"""The event types of a client as JSON Schema, printed as one JSON value; run as a script, in the client's own environment.

Reads its arguments: the distribution's name, a JSON object of stream → dotted name of the client's type, and folders to import
from before all others; prints {"distribution", "version", "streams": stream → schema, "definitions"}. Never imports anything of the generator,
which that environment does not have. A type that the client does not have is left out.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
from typing import Any


def found(dotted: str) -> Any:
    """The object at a dotted name, None where a part of it is not there."""
    parts = dotted.split(".")
    for at in range(len(parts) - 1, 0, -1):
        name = ".".join(parts[:at])
        try:
            value: Any = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise  # the module is there, and something that it needs is not
            continue
        for part in parts[at:]:
            value = getattr(value, part, None)
        return value
    return None


def main(distribution: str, types: str, *folders: str) -> None:
    """Print the schemas of all types that there are; their names are those of the streams."""
    sys.path[:0] = folders
    from pydantic import TypeAdapter

    present = {stream: found(dotted) for stream, dotted in json.loads(types).items()}
    adapters = [
        (stream, "validation", TypeAdapter(type_))
        for stream, type_ in present.items()
        if type_ is not None
    ]
    schemas, shared = TypeAdapter.json_schemas(adapters)  # type: ignore[arg-type]
    value = {
        "distribution": distribution,
        "version": importlib.metadata.version(distribution),
        "streams": {str(stream): schema for (stream, _), schema in schemas.items()},
        "definitions": shared.get("$defs", {}),
    }
    json.dump(value, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
