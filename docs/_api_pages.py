"""What the API pages need beyond the source: examples as code, settings as their defaults.

Docstrings hold doctests outside of any fence, and Markdown would read `>>>` as three nested
quotations. A metric's fields are written `setting(4, help="longest n-gram")`, and a reader wants the
default and the meaning, not the call.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import griffe

BASE = Path(__file__).parent.parent / "src" / "paragauge" / "metrics" / "base.py"


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


def setting_call(source: str, shared: dict[str, ast.Call]) -> ast.Call | None:
    """The call of `setting` that a field's value is, or that the function it calls returns."""
    try:
        call = ast.parse(source, mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    return call if call.func.id == "setting" else shared.get(call.func.id)


def shared_settings() -> dict[str, ast.Call]:
    """The functions of `base.py` that return a setting."""
    found = {}
    for node in ast.parse(BASE.read_text(encoding="utf-8")).body:
        last = node.body[-1] if isinstance(node, ast.FunctionDef) else None
        if isinstance(last, ast.Return) and isinstance(last.value, ast.Call):
            call = last.value
            if isinstance(call.func, ast.Name) and call.func.id == "setting":
                found[node.name] = call
    return found


class ApiPages(griffe.Extension):
    """Rewrites docstrings with examples and fields that are settings."""

    def __init__(self) -> None:
        self.shared = shared_settings()

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called once for each module, class, function and attribute."""
        if obj.docstring is not None and ">>> " in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)
        if not isinstance(obj, griffe.Attribute) or obj.value is None:
            return
        call = setting_call(str(obj.value), self.shared)
        if call is None or not call.args:
            return
        obj.value = ast.unparse(call.args[0])
        for keyword in call.keywords:
            if keyword.arg == "help" and isinstance(keyword.value, ast.Constant):
                obj.docstring = griffe.Docstring(str(keyword.value.value), parent=obj)
