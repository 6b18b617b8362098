"""The first account of a store comes by the link that the server prints, and by nothing else."""

from __future__ import annotations

import re
import threading

import pytest
from starlette.testclient import TestClient

from paragauge.collect.people import accounts
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits, Rate
from paragauge.errors import RefusedError

CODE = "x4P9s0mYlq2wTzB7nC6vJh1kR8dE3fGa"
NEW = {"name": "ada", "password": "correct horse battery", "again": "correct horse battery"}


def open_page(app, path: str = f"/desk/first/{CODE}"):
    client = TestClient(app)
    page = client.get(path)
    return client, dict(re.findall(r'name="(csrf|once)" value="([^"]+)"', page.text))


def test_the_link_makes_an_owner_who_is_logged_in(store) -> None:
    app = create_app(store, limits=Limits.off(), first_code=CODE)
    client, hidden = open_page(app)
    assert "There is no account yet" in client.get("/desk/login").text
    path = f"/desk/first/{CODE}"
    for wrong, problem in (
        ({"again": "another horse"}, "The two passwords differ."),
        ({"name": "<b>"}, "expected a name of at most 60 letters"),
        ({"password": "short", "again": "short"}, "expected a password of 10 to 1000 characters"),
    ):
        page = client.post(path, data=hidden | NEW | wrong)
        assert page.status_code == 400
        assert problem in page.text
        assert "<b>" not in page.text
    assert accounts.all_accounts(store) == []
    page = client.post(path, data=hidden | NEW)
    assert page.url.path == "/desk"
    [account] = accounts.all_accounts(store)
    assert (account.name, account.role) == ("ada", "owner")
    # Sent again, it leads to the desk; somebody else is asked to log in.
    assert client.post(path, data=hidden | NEW).status_code == 403
    stranger, hidden = open_page(app)
    assert stranger.get(path).url.path == "/desk/login"
    assert len(accounts.all_accounts(store)) == 1
    assert "There is no account yet" not in stranger.get("/desk/login").text


def test_of_several_at_once_one_makes_the_account(store) -> None:
    app, times = create_app(store, limits=Limits.off(), first_code=CODE), 4
    visitors = [open_page(app) for _ in range(times)]
    ready, statuses = threading.Barrier(times), []

    def send(number: int) -> None:
        client, hidden = visitors[number]
        ready.wait()
        new = {**NEW, "name": f"ada{number}"}
        page = client.post(f"/desk/first/{CODE}", data=hidden | new, follow_redirects=False)
        statuses.append(page.status_code)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(statuses) <= {303, 400}
    assert len(accounts.all_accounts(store)) == 1
    with pytest.raises(RefusedError, match="there is an account already"):
        accounts.create_first(store, "eve", "correct horse battery", "test")


@pytest.mark.parametrize("path", ["", "0", CODE[:-1], CODE + "x", "é", "%00"])
def test_without_the_code_there_is_no_way_in(any_store, path) -> None:
    for code in (CODE, ""):
        app = create_app(any_store, limits=Limits.off(), first_code=code)
        client = TestClient(app)
        assert client.get(f"/desk/first/{path}").status_code == 404
        assert client.post(f"/desk/first/{path}", data=NEW).status_code in (403, 404, 405)
    assert accounts.all_accounts(any_store) == []


def test_guessing_the_code_is_slow(any_store) -> None:
    few = Rate(0.001, 3)
    app = create_app(any_store, limits=Limits(signing_in=few), first_code=CODE)
    client = TestClient(app)
    statuses = [client.get(f"/desk/first/{number}").status_code for number in range(5)]
    assert statuses == [404, 404, 404, 429, 429]
