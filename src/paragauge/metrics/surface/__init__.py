"""Explanations of metrics of surface forms: shared n-grams, METEOR's alignment, TER's edits."""

from __future__ import annotations

__all__: list[str] = []
