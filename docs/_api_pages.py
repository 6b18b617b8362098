"""What the API pages need beyond the source: examples as code, settings as their defaults.

Docstrings hold doctests outside of any fence, and Markdown would read `>>>` as three nested
quotations. A metric's fields are written as calls such as `order_setting()`, and a reader wants the
default and the meaning, not the call.
"""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any

import griffe


def fenced(text: str) -> str:
    """The docstring with a fence around each run of examples."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        if not inside and line.startswith(">>> "):
            inside = True
            lines.append("```pycon")
        elif inside and not line.strip():
            inside = False
            lines.append("```")
        lines.append(line)
    if inside:
        lines.append("```")
    return "\n".join(lines)


def setting_of(attribute: griffe.Attribute) -> dataclasses.Field[Any] | None:
    """The field of a metric that this attribute is."""
    if not isinstance(attribute.parent, griffe.Class):
        return None
    module, kind, name = attribute.path.rsplit(".", 2)
    owner = getattr(importlib.import_module(module), kind)
    if not dataclasses.is_dataclass(owner):
        return None
    fields = {field.name: field for field in dataclasses.fields(owner)}
    return fields[name] if name in fields and "help" in fields[name].metadata else None


class ApiPages(griffe.Extension):
    """Rewrites docstrings with examples and fields that are settings."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called once for each module, class, function and attribute."""
        if obj.docstring is not None and ">>> " in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)
        field = setting_of(obj) if isinstance(obj, griffe.Attribute) else None
        if field is not None:
            obj.value = repr(field.default)
            obj.docstring = griffe.Docstring(field.metadata["help"], parent=obj)
