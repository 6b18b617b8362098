"""What a requester can decide about a worker, and what a page says after it."""

from __future__ import annotations

from collections.abc import Callable

from paragauge.collect.campaigns import memberships

STEPS: dict[str, tuple[Callable[..., None], str]] = {
    "grant": (memberships.grant, "granted"),
    "refuse": (memberships.refuse, "refused"),
    "warn": (memberships.warn, "warned"),
    "block": (memberships.block, "blocked"),
    "unblock": (memberships.unblock, "unblocked"),
}
