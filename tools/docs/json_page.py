"""Write docs/json.md, the reference of what commands print with --format json, from the schemas.

python tools/docs/json_page.py            # rewrite the page and the record of fields
python tools/docs/json_page.py --check    # only say whether they are up to date

The record, tests/report/json_fields.txt, has a line for each field of each version of a schema. Lines
of a version may be added, but not changed or removed: what breaks readers needs a new version, and is
refused without one.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from paragauge.report.schemas import read_schema, schema_id, schema_names

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "json.md"
RECORD = ROOT / "tests" / "report" / "json_fields.txt"
HEAD = """\
<!-- Written by tools/docs/json_page.py from src/paragauge/report/schemas/forms; do not edit. -->

# JSON of the commands

Commands with `--format json` print one JSON document. Each kind of document has a \
[JSON Schema](https://json-schema.org) with a version, which comes with the package; \
`paragauge schema` lists all schemas, and `paragauge schema score` prints one, so that other programs \
can check a document or generate types from it.

- Every document begins with `schema`, the name and version of its schema, such as \
`paragauge/score/1`, and ends with `paragauge`, the version of the package.
- The version changes when a field is removed, renamed, or changes its type or its meaning. Fields may \
be added without a new version, so programs should ignore those that they do not know.
- Numbers have full precision. What is undefined is `null`; JSON has no NaN.
- Fields are always there, except those that are marked *optional*.
- In Python, results have `to_dict()`, which gives these fields without `schema`, and \
`paragauge.report.schemas.read_schema("score")` gives a schema.

`[]` after a name stands for each item of a list, `{}` for each value of an object whose names are \
data, such as systems or metrics.
"""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    shared: dict[str, dict[str, Any]] = {}
    for name in schema_names():
        schema = read_schema(name)
        shared |= schema.get("$defs", {})
        title = schema["title"].removesuffix(" --format json")
        parts.append(f"## {title}\n\n{schema['description']} `{schema_id(name)}`\n")
        parts.append(_table(schema))
    parts.append("## Shared forms\n")
    for name, definition in sorted(shared.items()):
        parts.append(f"### {_title(name)}\n\n{_sentence(definition['description'])}\n")
        parts.append(_table(definition))
    return "\n".join(parts)


def record() -> str:
    """A line for each field of each schema: the schema's version, the path and the type."""
    lines = []
    for name in schema_names():
        schema = read_schema(name)
        rows = [(path, kind) for path, kind, _, _ in _fields(schema, "")]
        for other, definition in schema.get("$defs", {}).items():
            rows += [(f"{other}: {path}", kind) for path, kind, _, _ in _fields(definition, "")]
        lines += [f"{schema_id(name)}\t{path}\t{kind}\n" for path, kind in rows]
    return "".join(lines)


def _table(schema: dict[str, Any]) -> str:
    lines = ["| Field | Type | Meaning |", "|---|---|---|"]
    for path, kind, meaning, is_optional in _fields(schema, ""):
        optional = "*optional*; " if is_optional else ""
        lines.append(f"| `{path}` | {_linked(kind)} | {optional}{meaning} |")
    return "\n".join(lines) + "\n"


def _fields(schema: dict[str, Any], path: str) -> list[tuple[str, str, str, bool]]:
    """Path, type, meaning and whether it is optional, of all fields below a schema."""
    rows = []
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        meaning = field.get("description", "")
        rows.append((f"{path}{name}", _kind(field), meaning, name not in required))
        rows += _fields(field, f"{path}{name}.")
    for key, suffix in (("items", "[]."), ("additionalProperties", "{}.")):
        if isinstance(schema.get(key), dict):
            rows += _fields(schema[key], path.removesuffix(".") + suffix)
    return rows


def _kind(field: dict[str, Any]) -> str:
    """The type of a field in words, such as `list of score`."""
    if "$ref" in field:
        return str(field["$ref"]).removeprefix("#/$defs/")
    if "const" in field:
        return f'"{field["const"]}"'
    if "enum" in field:
        return " or ".join(f'"{value}"' for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_kind(choice) for choice in field["anyOf"])
    kinds = field.get("type", "anything")
    names = []
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind == "array":
            names.append(f"list of {_kind(field['items'])}")
        elif kind == "object" and isinstance(field.get("additionalProperties"), dict):
            names.append(f"object of {_kind(field['additionalProperties'])}")
        else:
            names.append(kind)
    return " or ".join(names)


def _linked(kind: str) -> str:
    words = kind.split(" ")
    return " ".join(
        f"[{_title(word)}](#{word.replace('_', '-')})" if word in _shared_names() else word
        for word in words
    )


@cache
def _shared_names() -> set[str]:
    return {name for schema in schema_names() for name in read_schema(schema).get("$defs", {})}


def _title(name: str) -> str:
    return name.replace("_", " ")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def lost_fields(before: str, after: str) -> list[str]:
    """The lines of a record that another one of the same version lacks.

    >>> lost_fields("x/1\\ta\\ns/1\\ta\\n", "s/1\\tb\\nx/2\\tb\\n")
    ['s/1\\ta']
    """
    now = after.splitlines()
    versions = {line.partition("\t")[0] for line in now}
    return [
        line for line in before.splitlines() if line not in now and line.partition("\t")[0] in versions
    ]


def main() -> int:
    contents = {PAGE: page(), RECORD: record()}
    if all(
        path.exists() and path.read_text(encoding="utf-8") == text for path, text in contents.items()
    ):
        return 0
    if "--check" in sys.argv[1:]:
        print("docs/json.md is out of date: run python tools/docs/json_page.py")
        return 1
    if lost := lost_fields(RECORD.read_text(encoding="utf-8"), contents[RECORD]):
        print(f"give the schema a new version: {lost[0]} is gone or has another type")
        return 1
    for path, text in contents.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
