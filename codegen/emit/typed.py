"""Annotations for every field and alias of a package, made by datamodel-code-generator.

Reads a package of the catalogue; returns text of annotations by class and attribute. The only file that knows
datamodel-code-generator: it is fed schemas in which nothing is left to decide (every object named, `allOf` merged, null
as a member of its own) and is asked for its metadata, never for its text. Never hands it a word of a document other
than literals.
"""

from __future__ import annotations

import ast
import json
import re
import tempfile
from pathlib import Path
from typing import Any

from codegen.catalogue import Alias, Model, Package, Type
from codegen.emit.literals import literal

UNKNOWN = "UnknownObject"
_HOLDER = "AliasHolder"
"""A class with a field per alias: some aliases come out as a class of their own, a field's type never does."""
_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_JSON_TYPES = {"string", "integer", "number", "boolean"}


def annotated(package: Package) -> dict[str, dict[str, str]]:
    """Class → attribute → annotation. An alias has the one attribute ""."""
    from datamodel_code_generator import InputFileType, generate
    from datamodel_code_generator.config import GenerateConfig
    from datamodel_code_generator.enums import DataModelType
    from datamodel_code_generator.format import PythonVersion
    from datamodel_code_generator.parser import LiteralType

    with tempfile.TemporaryDirectory(prefix="codegen-") as folder:
        metadata = Path(folder) / "metadata.json"
        config = GenerateConfig(
            input_file_type=InputFileType.JsonSchema,
            output_model_type=DataModelType.DataclassesDataclass,
            target_python_version=PythonVersion.PY_310,
            enum_field_as_literal=LiteralType.All,
            use_standard_collections=True,
            use_union_operator=True,
            disable_timestamp=True,
            formatters=[],
            output=Path(folder) / "models.py",
            emit_model_metadata=metadata,
        )
        generate(schema_of(package), config=config)
        found = json.loads(metadata.read_text())["models"]
    typed = {
        model["class_name"]: {
            field["name"]: double_quoted(field["type"]) for field in model["fields"]
        }
        for model in found
    }
    return {**typed, **{name: {"": text} for name, text in typed[_HOLDER].items()}}


def double_quoted(annotation: str) -> str:
    """The annotation with its literals in our own spelling, whatever stands in them."""
    return _STRING.sub(lambda found: literal(ast.literal_eval(found[0])), annotation)


def schema_of(package: Package) -> dict[str, Any]:
    """The package as one JSON Schema whose definitions are its models and aliases, by their Python names."""
    definitions: dict[str, Any] = {UNKNOWN: {"type": "object", "properties": {}}}
    for model in package.models:
        definitions[model.name] = _object(model)
    for alias in package.aliases:
        definitions[alias.name] = _alias(alias)
    definitions[_HOLDER] = {
        "type": "object",
        "properties": {alias.name: _alias(alias) for alias in package.aliases},
        "required": [alias.name for alias in package.aliases],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Package_",
        "type": "object",
        "$defs": definitions,
    }


def _object(model: Model) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {field.attribute: _schema(field.type) for field in model.fields},
        "required": [field.attribute for field in model.fields if field.required],
    }


def _alias(alias: Alias) -> dict[str, Any]:
    schema = _schema(alias.type)
    if alias.cases or alias.untagged:
        schema["anyOf"].append({"$ref": f"#/$defs/{UNKNOWN}"})
    return schema


def _schema(type_: Type) -> dict[str, Any]:
    plain = _plain(type_)
    if not type_.null or not plain or plain == {"type": "null"}:
        return plain
    return {
        "anyOf": (
            [*plain["anyOf"], {"type": "null"}] if "anyOf" in plain else [plain, {"type": "null"}]
        )
    }


def _plain(type_: Type) -> dict[str, Any]:
    if type_.kind in _JSON_TYPES:
        return {"type": type_.kind}
    if type_.kind in ("constant", "enum"):
        known = _literals(type_.values)
        return {"anyOf": [known, {"type": "string"}]} if type_.open else known
    if type_.kind == "array" and type_.items is not None:
        return {"type": "array", "items": _schema(type_.items)}
    if type_.kind == "map" and type_.items is not None:
        return {"type": "object", "additionalProperties": _schema(type_.items) or True}
    if type_.kind == "ref":
        return {"$ref": f"#/$defs/{type_.name}"}
    if type_.kind == "union":
        return {"anyOf": [_schema(member) for member in type_.members]}
    return {}


def _literals(values: tuple[Any, ...]) -> dict[str, Any]:
    """A schema of literals: only what `typing.Literal` takes, that is, no fractions and no objects."""
    if values == (None,):
        return {"type": "null"}
    if all(isinstance(value, str) for value in values):
        return {"type": "string", "enum": list(values)}
    if all(isinstance(value, bool) for value in values):
        return {"type": "boolean"} if len(values) > 1 else {"const": values[0]}
    if all(isinstance(value, int) for value in values):
        return {"type": "integer", "enum": list(values)}
    return {"type": "number"} if all(isinstance(value, (int, float)) for value in values) else {}
