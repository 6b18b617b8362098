"""Writers that share a commit: each returns when its work is on disk, errors stay where they belong."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from paragauge.collect.store.change_log import read_changes
from paragauge.collect.store.store import Store
from paragauge.errors import StoreError


def write(store: Store, number: int) -> None:
    with store.write("ada") as transaction:
        transaction.log("count", str(number))
        if number % 3 == 0:
            raise KeyError(number)


def test_writers_share_commits_and_one_that_fails_undoes_its_own_only(sqlite_store) -> None:
    commits = []
    sa.event.listen(sqlite_store.engine, "commit", lambda _: commits.append(1))
    ready = threading.Barrier(30)

    def work(number: int) -> bool:
        ready.wait()
        try:
            write(sqlite_store, number)
        except KeyError:
            return False
        # On disk, as another connection sees it.
        assert str(number) in {change.subject for change in read_changes(sqlite_store)}
        return True

    with ThreadPoolExecutor(30) as pool:
        results = list(pool.map(work, range(30)))
    assert results == [number % 3 != 0 for number in range(30)]
    assert len(list(read_changes(sqlite_store))) == 20
    assert len(commits) < 30


def test_a_commit_that_fails_fails_for_all_who_shared_it(sqlite_store, monkeypatch) -> None:
    inside, go_on = threading.Event(), threading.Event()

    def first() -> str:
        with sqlite_store.write("ada") as transaction:
            transaction.log("first", "x")
            inside.set()
            go_on.wait(10)
        return "kept"

    def second() -> str:
        with sqlite_store.write("ada") as transaction:
            transaction.log("second", "x")
            broken = sa.exc.OperationalError("COMMIT", {}, OSError("disk I/O error"))
            monkeypatch.setattr(sa.RootTransaction, "commit", lambda _: throw(broken))
        return "kept"

    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(first)]
        inside.wait(10)
        both.append(pool.submit(second))
        while sqlite_store._group._waiting == 0:
            pass
        go_on.set()
        for thread in both:
            with pytest.raises(StoreError, match="disk I/O error"):
                thread.result(10)
    monkeypatch.undo()
    assert list(read_changes(sqlite_store)) == []
    with sqlite_store.write("ada") as transaction:
        transaction.log("works", "again")
    assert [change.action for change in read_changes(sqlite_store)] == ["works"]


def throw(error: Exception) -> None:
    raise error


def test_nobody_waits_for_one_who_does_not_come(sqlite_store) -> None:
    # Somebody was counted as waiting and went away before their turn.
    sqlite_store._group._waiting = 1
    with sqlite_store.write("ada") as transaction:
        transaction.log("alone", "x")
    assert [change.action for change in read_changes(sqlite_store)] == ["alone"]
