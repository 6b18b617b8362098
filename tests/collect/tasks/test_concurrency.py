"""Many at once: threads and processes on one store, and processes that are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from paragauge.collect.campaigns import budget, campaigns, invitations, ledger
from paragauge.collect.campaigns.campaign_settings import TierSettings
from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.people import workers
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.assignments import Assignment, Refusal
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import RefusedError

THREADS = 8
WRITER = Path(__file__).parents[1] / "writer.py"


def everybody(work, count=THREADS):
    """Call work(n) in as many threads at once; the results."""
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def test_quota_and_budget_hold_under_concurrency(store, describe, worker_in) -> None:
    # 3 items × 4 places at 2 + 1 cents: 36 cents; the budget is 20, enough for 6.
    campaign = describe(store, 3, tiers={1: TierSettings(2, 4)}, fee_percent=20, budget_cents=20)
    several = [worker_in(store) for _ in range(THREADS)]

    def work(number: int) -> list[str]:
        done = []
        while isinstance(
            task := assignments.next_assignment(store, campaign, several[number]), Assignment
        ):
            receipt = submissions.submit(store, task, several[number], Answer("A dog.", "English"))
            assert receipt.first
            done.append(receipt.public_id)
        assert task == Refusal("nothing-left" if len(done) == 3 else "budget")
        return done

    acknowledged = [name for names in everybody(work) for name in names]
    assert sorted(row.public_id for row in submissions.stream(store)) == sorted(acknowledged)
    assert len(acknowledged) == 6
    assert budget.compute_costs(store, campaign).spent == 18
    assert find_problems(store) == []


def test_one_worker_in_many_windows_has_one_task_and_one_answer(store, describe, worker_in) -> None:
    campaign, worker = describe(store, 3), worker_in(store)
    tasks = everybody(lambda _: assignments.next_assignment(store, campaign, worker))
    assert len({task.public_id for task in tasks}) == 1
    answer = Answer("A dog.", "English")
    receipts = everybody(lambda n: submissions.submit(store, tasks[n], worker, answer))
    assert [receipt.first for receipt in receipts].count(True) == 1
    assert len({receipt.public_id for receipt in receipts}) == 1
    assert len(list(submissions.stream(store))) == 1
    assert find_problems(store) == []


def test_skip_expiry_and_submission_at_once_free_a_place_once(
    store, clock, describe, worker_in
) -> None:
    campaign, worker = describe(store, 1, tiers={1: TierSettings(5, 1)}), worker_in(store)
    task = assignments.next_assignment(store, campaign, worker)

    def finish(number: int) -> str:
        try:
            if number % 3 == 0:
                assignments.skip(store, task, worker)
            elif number % 3 == 1:
                assignments.reassign(store, task, "ada")
            else:
                submissions.submit(store, task, worker, Answer("A dog.", "English"))
        except RefusedError as error:
            return error.reason
        return "done"

    assert set(everybody(finish)) <= {"done", "skipped", "expired"}
    assert find_problems(store) == []


def test_an_invitation_for_one_registers_one(store) -> None:
    _, token = invitations.create(store, None, "ada", most_uses=1)

    def accept(_: int) -> bool:
        try:
            invitations.accept(store, token)
        except RefusedError:
            return False
        return True

    assert everybody(accept).count(True) == 1
    assert len(workers.all_workers(store)) == 1


def test_a_debt_is_paid_once(store, describe, worker_in) -> None:
    campaign, worker = describe(store), worker_in(store)
    ledger.give_bonus(store, campaign, worker, 10, "ada")

    def pay(_: int) -> bool:
        try:
            ledger.pay(store, campaign, worker, 10, "ada")
        except RefusedError:
            return False
        return True

    assert everybody(pay).count(True) == 1
    assert ledger.get_balance(store, campaign, worker).owed == 0


def start(address: str) -> subprocess.Popen[bytes]:
    """A process that works on the store and prints what was acknowledged to it."""
    return subprocess.Popen([sys.executable, WRITER, address], stdout=subprocess.PIPE)


def where(store: Store) -> str:
    """The address for another process."""
    if store.engine.dialect.name == "sqlite":
        return store.url
    return store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)


def test_killed_writers_lose_nothing_that_was_acknowledged(store, describe) -> None:
    describe(store, 40, tiers={1: TierSettings(1, 1000)}, budget_cents=100_000)
    several = [start(where(store)) for _ in range(2)]
    acknowledged = []
    for process in several:
        assert process.stdout is not None
        acknowledged += [process.stdout.readline() for _ in range(15)]
    for process in several:
        process.send_signal(signal.SIGKILL)
    for process in several:
        assert process.stdout is not None
        acknowledged += process.stdout.read().splitlines(keepends=True)
        process.stdout.close()
        assert process.wait() == -signal.SIGKILL
    names = [line.decode().strip() for line in acknowledged if line.endswith(b"\n")]
    stored = [row.public_id for row in submissions.stream(store)]
    assert len(names) >= 30
    assert set(names) <= set(stored)
    # At most the answer in the air when each was killed.
    assert len(stored) - len(names) <= 2
    assert find_problems(store) == []


def test_a_killed_database_server_loses_nothing_that_was_acknowledged(
    postgresql, clock, describe
) -> None:
    module = sys.modules["postgresql"]
    with module.server() as server:
        address = server.database("killed")
        with Store.open(address, create=True) as store:
            describe(store, 40, tiers={1: TierSettings(1, 1000)}, budget_cents=100_000)
        process = start(address)
        assert process.stdout is not None
        names = [process.stdout.readline().decode().strip() for _ in range(15)]
        server.kill()
        process.wait()
        names += process.stdout.read().decode().split()
        process.stdout.close()
        server.start()
        with Store.open(address) as store:
            stored = [row.public_id for row in submissions.stream(store)]
            assert set(names) <= set(stored)
            assert len(stored) - len(names) <= 1
            assert find_problems(store) == []
            # And the work goes on.
            campaign = campaigns.get(store, "clips")
            worker, _ = workers.register(store, "link")
            assert isinstance(assignments.next_assignment(store, campaign, worker), Assignment)
