"""Output that appears whole or not at all, and what is left of runs that were killed."""

from __future__ import annotations

__all__: list[str] = []
