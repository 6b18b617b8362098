"""Metrics from elsewhere: classes of other packages, and scores that were computed elsewhere."""

from __future__ import annotations

__all__: list[str] = []
