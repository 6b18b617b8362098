"""The forms of the JSON that commands print: one JSON Schema for each, in `forms/`.

A schema is named after its command, with hyphens between words: `grammar-coverage`. A command that
prints several forms has several schemas, `collect-status` and `collect-status-log`. What several
schemas contain is in `forms/shared.json`, and `read_schema` adds the definitions that a schema needs,
so that it can be used on its own.

Every document begins with `schema`, such as `paragauge/score/1`. The number at the end changes when a
field is removed, renamed or changes its meaning. New fields may be added under the same number, so
schemas allow fields that they do not describe.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from paragauge.errors import unknown_name

FOLDER = Path(__file__).parent / "forms"
SHARED = "shared"


def schema_names() -> list[str]:
    """The names of all schemas.

    >>> schema_names()[:3]
    ['agree', 'align-score', 'collect-status']
    """
    return sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != SHARED)


def read_schema(name: str) -> dict[str, Any]:
    """The schema with this name, with all definitions that it needs.

    >>> read_schema("curve")["title"]
    'paragauge curve --format json'
    >>> read_schema("score")["$defs"].keys() == {"interval", "score"}
    True
    """
    if name not in schema_names():
        raise unknown_name("schema", name, schema_names())
    schema = _read(name)
    shared = _read(SHARED)
    needed: dict[str, Any] = {}
    open_names = _references(schema)
    while open_names:
        found = open_names.pop()
        if found not in needed:
            needed[found] = shared[found]
            open_names |= _references(shared[found])
    return {**schema, "$defs": dict(sorted(needed.items()))} if needed else schema


def schema_id(name: str) -> str:
    """The name and version of a schema, as documents have them.

    >>> schema_id("score")
    'paragauge/score/1'
    """
    return str(_read(name)["properties"]["schema"]["const"])


def _read(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content


def _references(schema: dict[str, Any]) -> set[str]:
    return set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)))
