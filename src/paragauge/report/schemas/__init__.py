"""JSON Schemas of what commands print with `--format json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.report.schemas.json_schemas import read_schema, schema_id, schema_names
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = ["read_schema", "schema_id", "schema_names"]
