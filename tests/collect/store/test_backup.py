"""Backups: every confirmed answer, of one moment, and never a damaged file in place of a whole one."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.store.backup import back_up, check_integrity
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import InputError, StoreError


def answer_all(store: Store, campaign, worker) -> int:
    """Answer every task of the worker; how many there were."""
    count = 0
    while isinstance(task := assignments.next_assignment(store, campaign, worker), Assignment):
        submissions.submit(store, task, worker, Answer(f"a bird sings {count}", "English"))
        count += 1
    return count


def texts(path: Path) -> list[str]:
    with Store.open(path) as store, store.read() as connection:
        rows = connection.exec_driver_sql("SELECT text FROM submissions ORDER BY id")
        return [text for (text,) in rows]


def test_answers_in_the_log_are_in_the_backup(sqlite_store, describe, worker_in, tmp_path) -> None:
    campaign = describe(sqlite_store, 5)
    assert answer_all(sqlite_store, campaign, worker_in(sqlite_store)) == 5
    path = Path(sqlite_store.url)
    # A copy of the file alone lacks what is still in the write-ahead log.
    shutil.copy(path, tmp_path / "file-only.db")
    assert texts(tmp_path / "file-only.db") == []
    size = back_up(path, tmp_path / "backup.db")
    assert size == (tmp_path / "backup.db").stat().st_size
    assert texts(tmp_path / "backup.db") == [f"a bird sings {n}" for n in range(5)]
    with Store.open(tmp_path / "backup.db") as copy:
        assert find_problems(copy) == []
        assert list(read_changes(copy)) == list(read_changes(sqlite_store))


def test_backups_while_others_write_are_of_one_moment(
    sqlite_store, describe, worker_in, tmp_path
) -> None:
    campaign = describe(sqlite_store, 30)
    worker = worker_in(sqlite_store)
    writer = threading.Thread(target=answer_all, args=(sqlite_store, campaign, worker))
    writer.start()
    seen = []
    for number in range(4):
        back_up(sqlite_store.url, tmp_path / f"{number}.db")
        with Store.open(tmp_path / f"{number}.db") as copy:
            assert find_problems(copy) == []
        seen.append(texts(tmp_path / f"{number}.db"))
    writer.join()
    assert texts(Path(sqlite_store.url)) == [f"a bird sings {n}" for n in range(30)]
    for earlier, later in itertools.pairwise(seen):
        assert later[: len(earlier)] == earlier


def test_a_damaged_store_does_not_replace_a_backup(sqlite_store, describe, tmp_path) -> None:
    describe(sqlite_store, 200)
    path, target = tmp_path / "damaged.db", tmp_path / "backup.db"
    back_up(sqlite_store.url, path)
    back_up(sqlite_store.url, target)
    whole = target.read_bytes()
    content = bytearray(path.read_bytes())
    # The pages in the middle hold items and their index.
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 8192] = bytes(8192)
    path.write_bytes(content)
    assert check_integrity(path) != []
    with pytest.raises(StoreError, match=r"damaged\.db: .*the backup was not written"):
        back_up(path, target)
    assert target.read_bytes() == whole
    assert sorted(file.name for file in tmp_path.glob("*tmp*")) == []


def test_rows_without_their_parents_are_found(sqlite_store, describe) -> None:
    describe(sqlite_store, 2)
    with sqlite3.connect(sqlite_store.url) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("UPDATE items SET campaign_id = 77 WHERE key = 'clip1'")
    connection.close()
    assert check_integrity(sqlite_store.url) == [
        "row 2 of items refers to a row of campaigns that does not exist"
    ]


def test_who_may_read_the_store_may_read_the_backup(sqlite_store, tmp_path) -> None:
    Path(sqlite_store.url).chmod(0o600)
    back_up(sqlite_store.url, tmp_path / "backup.db")
    assert (tmp_path / "backup.db").stat().st_mode & 0o777 == 0o600


def test_errors(sqlite_store, tmp_path) -> None:
    url = sqlite_store.url
    with pytest.raises(StoreError, match="pg_dump --format=custom"):
        back_up("postgresql://host/birds", tmp_path / "backup.db")
    with pytest.raises(InputError, match="expected a file to write the backup to, found a database"):
        back_up(url, "postgresql://host/birds")
    with pytest.raises(InputError, match="this is the store itself"):
        back_up(url, url)
    with pytest.raises(InputError, match=r"a backup is not compressed; leave out \.gz"):
        back_up(url, tmp_path / "backup.db.gz")
    with pytest.raises(StoreError, match="no such store; create one"):
        back_up(tmp_path / "none.db", tmp_path / "backup.db")
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE birds (name TEXT)")
    connection.close()
    with pytest.raises(StoreError, match="expected a store of paragauge, found other tables"):
        back_up(tmp_path / "other.db", tmp_path / "backup.db")
    (tmp_path / "text.db").write_text("no database at all " * 300)
    with pytest.raises(StoreError, match="file is not a database"):
        check_integrity(tmp_path / "text.db")
    assert not (tmp_path / "backup.db").exists()
