"""A database that is away: visitors are asked to come again, and what they send again is taken."""

from __future__ import annotations

import sys

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from paragauge.collect.store.change_log import read_changes
from paragauge.collect.store.store import LATER, Store
from paragauge.collect.web.app import create_app
from paragauge.errors import StoreError


def test_pages_of_a_store_that_is_away_say_so(any_store: Store, monkeypatch, describe) -> None:
    describe(any_store)
    with TestClient(create_app(any_store)) as client:
        assert client.get("/c/clips").status_code == 200

        def away(_: object) -> None:
            raise StoreError("postgresql://x: connection refused")

        with monkeypatch.context() as patched:
            patched.setattr(Store, "read", away)
            answer = client.get("/c/clips")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "5"
        assert "Please try again in a few seconds" in answer.text
        assert "postgresql" not in answer.text
        assert client.get("/c/clips").status_code == 200


def test_a_store_survives_a_restart_of_its_server(postgresql, describe) -> None:
    # Connections that were open before are replaced when they are used next.
    own = sys.modules["postgresql"].server()
    with own as server, Store.open(server.database("restarted"), create=True) as store:
        describe(store)
        server.kill()
        with pytest.raises(StoreError) as error, store.read() as connection:
            connection.execute(sa.text("select 1"))
        assert "\n" not in str(error.value)
        server.start()
        assert describe(store, slug="again").slug == "again"


def test_connections_that_died_while_nobody_used_them_are_replaced_unnoticed(
    postgresql, describe, monkeypatch
) -> None:
    monkeypatch.setattr("paragauge.collect.store.store.IDLE", 0.0)
    own = sys.modules["postgresql"].server()
    with own as server, Store.open(server.database("idle"), create=True) as store:
        describe(store)
        server.kill()
        server.start()
        assert describe(store, slug="again").slug == "again"


def test_what_is_answered_later_still_fails_the_transaction(postgresql) -> None:
    statement = sa.text("insert into ledger (id) values (1)").execution_options(**LATER)
    own = sys.modules["postgresql"].server()
    with own as server, Store.open(server.database("later"), create=True) as store:

        def fail() -> None:
            with store.write("ada") as transaction:
                transaction.log("first", "kept or not")
                transaction.connection.execute(statement)

        with pytest.raises(sa.exc.IntegrityError, match="null value"):
            fail()
        assert list(read_changes(store)) == []
        with store.write("ada") as transaction:
            transaction.log("second", "kept")
        assert [change.action for change in read_changes(store)] == ["second"]
