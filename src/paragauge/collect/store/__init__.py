"""The store of a collection: its tables, transactions, migrations and log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.store.change_log import read_changes
    from paragauge.collect.store.store import Store
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Store",
    "read_changes",
]
