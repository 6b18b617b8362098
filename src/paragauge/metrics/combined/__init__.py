"""PINC and a metric of the meaning kept in one number: means, and functions fitted to ratings."""

from __future__ import annotations

__all__: list[str] = []
