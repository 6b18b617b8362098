"""Opening stores, migrations, transactions, and rows that are only ever added."""

from __future__ import annotations

import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from paragauge.collect.campaigns import campaigns, consent
from paragauge.collect.store import migrate
from paragauge.collect.store import store as store_module
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.store.columns import metadata
from paragauge.collect.store.schema import campaigns as campaigns_table
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import InputError, ParagaugeError, StoreError

ONLY_ADDED = [
    "submissions",
    "judgments",
    "reviews",
    "ledger",
    "decisions",
    "checks",
    "changes",
    "consents",
    "consent_texts",
]


def message(call) -> str:
    with pytest.raises(ParagaugeError) as error:
        call()
    text = str(error.value)
    assert "\n" not in text
    return text


def test_a_missing_store_is_named_with_the_command_that_makes_it(tmp_path) -> None:
    path = tmp_path / "none.db"
    assert message(lambda: Store.open(path)) == (
        f"{path}: no such store; create one: paragauge collect init {path}"
    )
    assert not path.exists()


def test_places_that_cannot_be_stores(tmp_path) -> None:
    nowhere = tmp_path / "no" / "a.db"
    assert message(lambda: Store.open(nowhere, create=True)) == (
        f"{nowhere}: its folder does not exist; make it first"
    )
    text = tmp_path / "text.db"
    text.write_text("no database at all, but longer than a page's header " * 20)
    assert message(lambda: Store.open(text)) == f"{text}: file is not a database"
    other = tmp_path / "other.db"
    engine = sa.create_engine(f"sqlite:///{other}")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE birds (name TEXT)")
    engine.dispose()
    assert "expected a store of paragauge, found other tables" in message(lambda: Store.open(other))
    assert "expected a file or postgresql://..., found mysql://" in message(
        lambda: Store.open("mysql://localhost/x")
    )


def test_a_server_that_is_not_there_is_one_line(tmp_path) -> None:
    text = message(lambda: Store.open(f"postgresql://u:secret@/x?host={tmp_path}"))
    assert "secret" not in text
    assert "connection" in text


def test_an_empty_database_is_no_store(address) -> None:
    if address.startswith("postgresql"):
        assert "no store in it; create one: paragauge collect init" in message(
            lambda: Store.open(address)
        )
    with Store.open(address, create=True):
        pass
    with Store.open(address) as again:
        assert list(read_changes(again)) == []


def test_migrations_are_one_chain() -> None:
    """Two that follow the same one, from two branches, would leave it open which tables there are."""
    steps = list(migrate._scripts().walk_revisions())
    assert [step.down_revision for step in steps[:-1]] == [step.revision for step in steps[1:]]
    names = sorted(path.name for path in migrate.STEPS.glob("v*.py"))
    assert [name[1:5] for name in names] == sorted(step.revision for step in steps)


def test_migrations_make_the_tables_of_the_schema(store) -> None:
    with store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_an_older_store_is_refused_then_upgraded(address, monkeypatch) -> None:
    with Store.open(address, create=True) as store, store.engine.begin() as connection:
        metadata.drop_all(connection)
        connection.exec_driver_sql("DROP TABLE alembic_version")
        if store.engine.dialect.name == "postgresql":
            connection.exec_driver_sql("DROP FUNCTION only_added")
    with monkeypatch.context() as patched:
        patched.setattr(migrate, "newest_revision", lambda: "0001")
        patched.setattr(migrate.upgrade, "__defaults__", ("0001",))
        with Store.open(address, create=True) as store:
            campaigns.create(store, settings(), "kept", "ada")
    text = message(lambda: Store.open(address, create=True))
    assert f"its revision 0001 is older than {migrate.newest_revision()}" in text
    assert "paragauge collect init --upgrade" in text
    with Store.open(address, upgrade_old=True) as store:
        assert [campaign.slug for campaign in campaigns.all_campaigns(store)] == ["kept"]
    with Store.open(address) as store, store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert "its revision 9999 is newer than this paragauge" in message(lambda: Store.open(address))


def settings():
    return campaigns.CampaignSettings(kind="paraphrase", title="Kept")


def test_several_may_make_the_same_store_at_once(address) -> None:
    def make(_: int) -> int:
        with Store.open(address, create=True) as store:
            return len(list(read_changes(store)))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(make, range(4))) == [0, 0, 0, 0]


def test_opening_a_file_that_is_being_written_waits_for_the_writer(tmp_path) -> None:
    path = tmp_path / "new.db"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(Store.open, path, create=True)
        with pytest.raises(TimeoutError):
            opening.result(timeout=0.1)
        writer.execute("ROLLBACK")
        opening.result().close()
    writer.close()


def test_a_writer_that_never_ends_is_an_error(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(store_module, "PATIENCE", 0.05)
    path = tmp_path / "new.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert message(lambda: Store.open(path, create=True)) == f"{path}: database is locked"


def test_an_error_undoes_all_of_a_transaction(store) -> None:
    def broken() -> None:
        with store.write("ada") as transaction:
            transaction.log("test", "nothing")
            raise KeyError

    with pytest.raises(KeyError):
        broken()
    assert list(read_changes(store)) == []


def test_a_transaction_inside_another_is_refused_at_once(store) -> None:
    open_here = pytest.raises(RuntimeError, match="a transaction is open in this thread")
    with store.write("ada"), open_here, store.write("ada"):
        pass
    with store.write("ada") as transaction:
        transaction.log("works", "again")
    assert [change.action for change in read_changes(store)] == ["works"]


def test_times_are_kept_in_utc_whatever_the_zone(store, clock) -> None:
    clock.time = datetime(2026, 7, 1, 14, 30, 0, 123456, timezone(timedelta(hours=2)))
    with store.write("ada") as transaction:
        transaction.log("now", "x")
    [change] = read_changes(store)
    assert change.at == datetime(2026, 7, 1, 12, 30, 0, 123456, UTC)
    assert change.at.utcoffset() == timedelta(0)


@pytest.mark.parametrize("text", ["a\0b", "half \ud800"])
def test_text_that_a_database_cannot_hold_is_refused_and_nothing_kept(store, text) -> None:
    for subject, details in (
        (text, {}),
        ("x", {"deep": [{"text": text}]}),
        ("x", {"number": float("nan")}),
    ):
        with pytest.raises(InputError), store.write("ada") as transaction:
            transaction.log("try", subject, **details)
    assert list(read_changes(store)) == []


@pytest.mark.parametrize(
    "text", ["\\u0000", "\\\\u0000", "日本語 🦜 e\u0301", "'; DROP TABLE changes; --"]
)
def test_text_comes_back_as_it_was(store, text) -> None:
    with store.write(text) as transaction:
        transaction.log("keep", text, text=text)
    [change] = read_changes(store)
    assert (change.actor, change.subject, change.details) == (text, text, {"text": text})


def test_changes_by_subject_and_page(store) -> None:
    for number in range(5):
        with store.write("ada") as transaction:
            transaction.log("count", f"s{number % 2}", number=number)
    assert [change.details["number"] for change in read_changes(store, subject="s0")] == [0, 2, 4]
    first = list(read_changes(store, most=2))
    assert [change.details["number"] for change in read_changes(store, after=first[-1].id)] == [2, 3, 4]


def test_the_database_refuses_to_change_what_was_added(store, describe, worker_in) -> None:
    campaign, worker = describe(store), worker_in(store)
    task = assignments.next_assignment(store, campaign, worker)
    submissions.submit(store, task, worker, Answer("A dog.", "English", "I am Ada"))
    [row] = submissions.stream(store)
    reviews.decide(store, row, "accept", "ada")
    version = consent.text_version(consent.consent_text(campaign.settings))
    consent.record_consent(store, campaign, worker, version)
    filled = []
    for name in ONLY_ADDED:
        table = metadata.tables[name]
        with store.read() as connection:
            before = connection.execute(sa.select(table)).all()
        filled += [name] if before else []
        for statement in (sa.delete(table), sa.update(table).values(id=table.c.id + 1000)):
            if before:
                refused = pytest.raises(sa.exc.DBAPIError, match=f"rows of {name} are only ever added")
                with refused, store.write("mallory") as transaction:
                    transaction.connection.execute(statement)
        with store.read() as connection:
            assert connection.execute(sa.select(table)).all() == before
    assert filled == ["submissions", "reviews", "ledger", "changes", "consents", "consent_texts"]


def test_states_and_counters_have_limits_in_the_database(store, describe) -> None:
    campaign = describe(store, budget_cents=10)
    for values in ({"committed_cents": 11}, {"committed_cents": -1}, {"state": "gone"}):
        with pytest.raises(sa.exc.IntegrityError), store.write("mallory") as transaction:
            transaction.connection.execute(sa.update(campaigns_table).values(values))
    assert campaigns.get(store, campaign.slug) == campaign


def test_a_full_disk_or_lost_file_is_one_line(sqlite_store: Store) -> None:
    with sqlite_store.engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")

    def fill() -> None:
        with sqlite_store.write("ada") as transaction:
            transaction.connection.exec_driver_sql("PRAGMA max_page_count = 1")
            for _ in range(200):
                transaction.log("x" * 1000, "y")

    assert message(fill) == f"{sqlite_store.url}: database or disk is full"
    assert issubclass(StoreError, ParagaugeError)
    assert Path(sqlite_store.url).exists()


def test_migrations_follow_each_other() -> None:
    steps = sorted(migrate.STEPS.glob("v[0-9]*.py"))
    numbers = [step.name[1:5] for step in steps]
    assert numbers == [f"{number:04d}" for number in range(1, len(steps) + 1)]
    assert migrate.newest_revision() == numbers[-1]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE campaigns SET created_at = '2026-.5-19 04:53'", "expected a moment in time"),
        ("UPDATE campaigns SET settings = '{\"a\": '", "expected JSON, found something else"),
        ("UPDATE campaigns SET slug = CAST(X'FFFE' AS TEXT)", "UTF-8"),
    ],
)
def test_damaged_values_are_errors_of_the_file(sqlite_store, describe, change, reason) -> None:
    describe(sqlite_store, 1)
    path = Path(sqlite_store.url)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(change)
        connection.commit()
    with pytest.raises(StoreError, match=reason) as caught:
        campaigns.all_campaigns(sqlite_store)
    assert str(caught.value).startswith(f"{path}: ")


def test_damaged_pages_are_errors_of_the_file(sqlite_store, describe, tmp_path) -> None:
    describe(sqlite_store, 1)
    sqlite_store.close()
    path = tmp_path / "damaged.db"
    with contextlib.closing(sqlite3.connect(sqlite_store.url)) as connection:
        connection.execute("VACUUM INTO ?", (str(path),))
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        pages = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'campaigns'"
        ).fetchone()
    data[(pages[0] - 1) * size : pages[0] * size] = b"\xff" * size
    path.write_bytes(data)
    with Store.open(path) as store, pytest.raises(StoreError, match=r"the file is damaged; look with"):
        campaigns.all_campaigns(store)
