"""Regression to human ratings: support vectors, boosted trees, and held-out figures."""

from __future__ import annotations

__all__: list[str] = []
