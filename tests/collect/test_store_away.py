"""A database that is away: visitors are asked to come again, and what they send again is taken."""

from __future__ import annotations

import sys

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from paragauge.collect.store import Store
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
