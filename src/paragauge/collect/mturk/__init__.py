"""Mechanical Turk as a source of workers: external questions through boto3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.mturk.bonuses import send_bonuses
    from paragauge.collect.mturk.client import Mturk, connect
    from paragauge.collect.mturk.hits import create_hits, expire_hits
    from paragauge.collect.mturk.qualifications import sync_qualifications
    from paragauge.collect.mturk.sync import settle
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Mturk",
    "connect",
    "create_hits",
    "expire_hits",
    "send_bonuses",
    "settle",
    "sync_qualifications",
]
