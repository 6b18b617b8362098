"""Checks documents that commands print against their schemas, strictly.

Schemas allow fields that they do not describe, so that fields can be added to documents later. Here
such a field is an error: what is printed must be described.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema

from paragauge.report.schemas.json_schemas import read_schema


def check_document(text: str) -> tuple[str, set[str]]:
    """The name of the schema of a document that fits it, and the paths of the fields that it has."""
    document = json.loads(text)
    known = re.fullmatch(r"paragauge/([a-z-]+)/[0-9]+", str(document.get("schema")))
    assert known is not None, f"the document names no schema: {text[:100]}"
    assert next(iter(document)) == "schema"
    errors = sorted(_validator(known[1]).iter_errors(document), key=lambda error: error.json_path)
    assert errors == [], f"{known[1]}: {errors[0].json_path}: {errors[0].message[:300]}"
    return known[1], set(document_paths(document, read_schema(known[1])))


@cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(_closed(read_schema(name)))


def _closed(schema: Any) -> Any:
    """A schema that allows only the fields that it describes."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") is not None:
        closed["additionalProperties"] = False
    return closed


def schema_fields(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """All fields of a schema by path, such as `scores[].value`; those of definitions begin with `$`."""
    fields: dict[str, dict[str, Any]] = {}

    def visit(part: dict[str, Any], path: str) -> None:
        for name, field in part.get("properties", {}).items():
            fields[f"{path}{name}"] = field
            visit(field, f"{path}{name}.")
        for key, suffix in (("items", "[]."), ("additionalProperties", "{}.")):
            if isinstance(part.get(key), dict):
                visit(part[key], path.removesuffix(".") + suffix)
        for choice in part.get("anyOf", ()):
            visit(choice, path)

    visit(schema, "")
    for name, definition in schema.get("$defs", {}).items():
        visit(definition, f"${name}.")
    return fields


def document_paths(document: Any, schema: dict[str, Any]) -> Iterator[str]:
    """The paths of `schema_fields` that a document has."""
    definitions = schema.get("$defs", {})

    def visit(value: Any, part: dict[str, Any], path: str) -> Iterator[str]:
        if "$ref" in part:
            name = part["$ref"].removeprefix("#/$defs/")
            yield from visit(value, definitions[name], f"${name}.")
        for choice in part.get("anyOf", ()):
            target = definitions.get(choice.get("$ref", "").removeprefix("#/$defs/"), choice)
            kind = target.get("properties", {}).get("kind", {}).get("const")
            if isinstance(value, dict) and kind in (None, value.get("kind")):
                yield from visit(value, choice, path)
        if isinstance(value, dict):
            for name, field in part.get("properties", {}).items():
                if name in value:
                    yield f"{path}{name}"
                    yield from visit(value[name], field, f"{path}{name}.")
            if isinstance(part.get("additionalProperties"), dict):
                for inner in value.values():
                    inside = path.removesuffix(".") + "{}."
                    yield from visit(inner, part["additionalProperties"], inside)
        if isinstance(value, list) and isinstance(part.get("items"), dict):
            for inner in value:
                yield from visit(inner, part["items"], path.removesuffix(".") + "[].")

    yield from visit(document, schema, "")
