"""Regression to human ratings: support vectors, their parameters, and held-out figures."""

from __future__ import annotations

__all__: list[str] = []
