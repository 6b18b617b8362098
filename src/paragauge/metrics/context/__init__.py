"""Metrics that compare contextual vectors."""

from __future__ import annotations

__all__: list[str] = []
