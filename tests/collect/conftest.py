"""Stores to test with: an SQLite file and a PostgreSQL database, the same tests on both.

What is about databases takes `store` and runs on both at once. Everything else takes `any_store`, which
is SQLite, and PostgreSQL where PARAGAUGE_STORE=postgresql is set (`make test-postgresql`).
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, TierSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import accounts, workers
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.store import Store

NUMBERS = itertools.count()


def neighbor(name: str) -> Any:
    """A module of this folder."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


class Clock:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **span: float) -> None:
        """Let time pass: forward(minutes=5)."""
        self.time += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    """The clock of `store`."""
    return Clock()


@pytest.fixture(autouse=True)
def repeatable(seeded_ids: None) -> None:
    """Every test sees the same ids, keys and orders of tasks in each run."""


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes of passwords that take no time."""
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(accounts, "_hasher", lambda: cheap)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    """A PostgreSQL server, with `database(name)` for addresses."""
    module = neighbor("postgresql")
    if module.binaries() is None:
        pytest.skip("PostgreSQL is not tested: no initdb on this machine (apt-get install postgresql)")
    with module.server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store may be made: once a file, once a database."""
    if request.param == "sqlite":
        return str(tmp_path / "collection.db")
    return str(request.getfixturevalue("postgresql").database(f"test{next(NUMBERS)}"))


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an empty store, to copy."""
    path = tmp_path_factory.mktemp("store") / "empty.db"
    Store.open(path, create=True).close()
    return path


@pytest.fixture(scope="session")
def empty_database(postgresql: Any) -> str:
    """The name of a database with an empty store, to copy."""
    Store.open(postgresql.database("empty"), create=True).close()
    return "empty"


@pytest.fixture
def any_store(request: pytest.FixtureRequest) -> Store:
    """An empty store for tests that are not about databases: in a file, or as $PARAGAUGE_STORE says."""
    kind = os.environ.get("PARAGAUGE_STORE", "sqlite")
    store: Store = request.getfixturevalue(f"{kind}_store")
    return store


@pytest.fixture
def sqlite_store(tmp_path: Path, empty_file: Path, clock: Clock) -> Iterator[Store]:
    """An empty store in a file."""
    path = tmp_path / "collection.db"
    path.write_bytes(empty_file.read_bytes())
    with Store.open(path, clock=clock) as store:
        yield store


@pytest.fixture
def postgresql_store(request: pytest.FixtureRequest, clock: Clock) -> Iterator[Store]:
    """An empty store in a database of a PostgreSQL server."""
    server = request.getfixturevalue("postgresql")
    template = request.getfixturevalue("empty_database")
    with Store.open(server.database(f"test{next(NUMBERS)}", template), clock=clock) as store:
        yield store


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Store:
    """An empty store on each kind of database, with a clock that stands still."""
    store: Store = request.getfixturevalue(f"{request.param}_store")
    return store


def video(key: str, **more: Any) -> dict[str, Any]:
    """A row for `items.add`."""
    return {"key": key, "content": {"url": "https://example.org/a.mp4", "start": 1, "end": 4}, **more}


@pytest.fixture
def describe() -> Callable[..., Campaign]:
    """Make a campaign that describes `count` videos: describe(store, count, **settings)."""

    def make(store: Store, count: int = 3, slug: str = "clips", **more: Any) -> Campaign:
        settings: dict[str, Any] = {"kind": "describe", "title": "Clips", "budget_cents": 1000}
        settings["tiers"] = {1: TierSettings(1, 2), 2: TierSettings(5, 1)}
        campaign = campaigns.create(store, CampaignSettings(**settings | more), slug, "ada")
        if count:
            items.add(store, campaign, [video(f"clip{n}") for n in range(count)], "ada")
        return campaign

    return make


@pytest.fixture
def worker_in() -> Callable[[Store], Worker]:
    """Register a worker: worker_in(store)."""

    def make(store: Store) -> Worker:
        return workers.register(store, "link")[0]

    return make
