"""Automatic hints as the review desk shows them."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.collect.campaigns import Campaign
from paragauge.collect.listings import Listed
from paragauge.collect.store import Store


@dataclass(frozen=True)
class Hint:
    """A hint: what was found, how grave it is (`css`: note or bad), and more about it."""

    text: str
    css: str = "note"
    detail: str = ""


def worker_hints(store: Store, campaign: Campaign, worker: str) -> list[Hint]:
    """What stands out in the answers of a worker."""
    del store, campaign, worker
    return []


def answer_hints(store: Store, campaign: Campaign, found: list[Listed]) -> dict[int, list[Hint]]:
    """What stands out in each answer, by its number."""
    del store, campaign, found
    return {}
