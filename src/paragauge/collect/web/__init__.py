"""The web application: pages for workers and requesters, and the JSON API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.web.app import create_app
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "create_app",
]
