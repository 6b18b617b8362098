"""Changes to saved JSON files that a test makes: the checksum is that of the changed content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paragauge.text.saving.sealed_json import KEY, seal_json


def load_json(path: Path) -> dict[str, Any]:
    """The content of a file without its checksum, so that what a test makes of it is accepted."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    content.pop(KEY, None)
    return content


def edit_json(path: Path, changes: Mapping[str, Any]) -> None:
    """Set keys of a saved file, whose checksum stays right."""
    path.write_text(seal_json({**load_json(path), **changes}), encoding="utf-8")
