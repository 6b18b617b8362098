"""Whatever happens, in whatever order: counters agree, nothing is exceeded, nothing is overwritten."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest
import sqlalchemy as sa
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from paragauge.collect.campaigns import campaigns, items, ledger, memberships
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, TierSettings
from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.people import workers
from paragauge.collect.store.columns import metadata
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import AnswerError, RefusedError

ADDED = ("submissions", "judgments", "reviews", "ledger", "decisions", "checks", "changes")
number = st.integers(0, 9)


class Collection(RuleBasedStateMachine):
    """Two tiers, three items, a small budget, and people who do everything that can be done."""

    fresh: ClassVar[Any]
    clock: ClassVar[Any]

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.store: Store = self.fresh(self.stack)
        tiers = {1: TierSettings(2, 2), 2: TierSettings(5, 1)}
        settings = CampaignSettings(
            kind="describe", title="t", tiers=tiers, fee_percent=20, budget_cents=30, expires_minutes=5
        )
        self.campaign = campaigns.create(self.store, settings, "clips", "ada")
        content = {"url": "https://example.org/a.mp4", "start": 0, "end": 4}
        rows = [{"key": f"clip{n}", "content": content} for n in range(3)]
        self.items = items.add(self.store, self.campaign, rows, "ada")
        self.workers = [workers.register(self.store, "link")[0] for _ in range(3)]
        self.tasks: list[Assignment] = []
        self.receipts: dict[str, submissions.Receipt] = {}
        self.before: dict[str, list[Any]] = {name: [] for name in ADDED}

    def teardown(self) -> None:
        self.stack.close()

    def somebody(self, n: int) -> workers.Worker:
        return self.workers[n % len(self.workers)]

    @rule(n=number, tier=st.sampled_from([None, 1, 2]))
    def ask(self, n: int, tier: int | None) -> None:
        task = assignments.next_assignment(self.store, self.campaign, self.somebody(n), tier)
        if isinstance(task, Assignment):
            self.tasks.append(task)

    @precondition(lambda self: self.tasks)
    @rule(n=number, who=number, text=st.sampled_from(["A dog.", "", "Ein Hund.", "x" * 501]))
    def answer(self, n: int, who: int, text: str) -> None:
        task = self.tasks[n % len(self.tasks)]
        with suppress(RefusedError, AnswerError):
            receipt = submissions.submit(self.store, task, self.somebody(who), Answer(text, "English"))
            assert receipt.first == (task.public_id not in self.receipts)
            first = self.receipts.setdefault(task.public_id, receipt)
            assert receipt.public_id == first.public_id

    @precondition(lambda self: self.tasks)
    @rule(n=number, who=number)
    def skip(self, n: int, who: int) -> None:
        with suppress(RefusedError):
            assignments.skip(self.store, self.tasks[n % len(self.tasks)], self.somebody(who))

    @rule(minutes=st.sampled_from([1, 5]))
    def wait(self, minutes: int) -> None:
        self.clock.forward(minutes=minutes)

    @rule()
    def expire(self) -> None:
        assignments.expire(self.store)

    @precondition(lambda self: self.receipts)
    @rule(n=number, decision=st.sampled_from(["accept", "reject"]))
    def review(self, n: int, decision: str) -> None:
        receipt = list(self.receipts.values())[n % len(self.receipts)]
        row = submissions.get(self.store, receipt.public_id)
        assert row is not None
        with suppress(RefusedError):
            reviews.decide(self.store, row, decision, "ada")

    @rule(n=number, cents=st.integers(-1, 20), paid=st.booleans())
    def reward(self, n: int, cents: int, paid: bool) -> None:
        with suppress(RefusedError):
            (ledger.pay if paid else ledger.give_bonus)(
                self.store, self.campaign, self.somebody(n), cents, "ada"
            )

    @rule(cents=st.integers(0, 60))
    def budget(self, cents: int) -> None:
        new = self.campaign.settings.to_json() | {"budget_cents": cents}
        with suppress(RefusedError):
            campaigns.change_settings(self.store, self.campaign, CampaignSettings.from_json(new), "ada")

    @rule(
        n=number,
        name=st.sampled_from(["grant", "refuse", "warn", "block", "unblock"]),
        here=st.booleans(),
    )
    def decide(self, n: int, name: str, here: bool) -> None:
        decision = getattr(memberships, name)
        decision(self.store, self.campaign if here else None, self.somebody(n), "ada")

    @rule(n=number, tier=st.sampled_from([1, 2, 3]), quota=st.integers(0, 3))
    def change_quota(self, n: int, tier: int, quota: int) -> None:
        with suppress(RefusedError):
            items.change_quota(self.store, self.items[n % 3], tier, quota, "ada")

    @invariant()
    def agrees(self) -> None:
        assert find_problems(self.store) == []
        stored = {row.public_id for row in submissions.stream(self.store)}
        assert stored == {receipt.public_id for receipt in self.receipts.values()}

    @invariant()
    def nothing_is_overwritten(self) -> None:
        with self.store.read() as connection:
            for name, before in self.before.items():
                table = metadata.tables[name]
                rows = connection.execute(sa.select(table).order_by(table.c.id)).all()
                assert rows[: len(before)] == before
                self.before[name] = list(rows)


@pytest.mark.hypothesis
@pytest.mark.parametrize(("kind", "examples"), [("sqlite", 12), ("postgresql", 3)])
def test_every_history_keeps_the_promises(
    request: pytest.FixtureRequest,
    clock,
    tmp_path: Path,
    seeded_source,
    property_settings,
    kind: str,
    examples: int,
) -> None:
    count, start = iter(range(10_000)), clock.time

    def fresh(stack: ExitStack) -> Store:
        # Each history begins alike, so that one that fails can be repeated.
        clock.time = start
        if kind == "sqlite":
            address = str(tmp_path / f"{next(count)}.db")
            Path(address).write_bytes(request.getfixturevalue("empty_file").read_bytes())
        else:
            template = request.getfixturevalue("empty_database")
            server = request.getfixturevalue("postgresql")
            address = server.database(f"history{next(count)}", template)
        return stack.enter_context(Store.open(address, clock=clock, randomness=seeded_source()))

    machine = type("Here", (Collection,), {"fresh": staticmethod(fresh), "clock": clock})
    limits = property_settings(max_examples=examples, stateful_step_count=25)
    run_state_machine_as_test(machine, settings=limits)
