"""What all explanations have: two plain sentences, and words that are marked and linked."""

from __future__ import annotations

__all__: list[str] = []
