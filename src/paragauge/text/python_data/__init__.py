"""Python data that people already have: texts in their columns, and results for their notebooks."""

from __future__ import annotations

__all__: list[str] = []
