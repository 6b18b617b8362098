"""PINC with a metric of the meaning kept in one number: means, and a sigmoid fitted to ratings."""

from __future__ import annotations

__all__: list[str] = []
