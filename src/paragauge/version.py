"""The version of the package, which every signature carries."""

from __future__ import annotations

__version__ = "0.1.0"
