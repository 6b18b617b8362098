"""Workers and requesters: accounts, sessions, and erasing personal data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.people.accounts import Account
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Account",
]
