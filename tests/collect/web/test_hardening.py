"""Host names, roles of accounts, scopes of tokens, and limits for an account behind many addresses."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from paragauge.collect.campaigns import invitations
from paragauge.collect.campaigns.media_check import find_missing_media
from paragauge.collect.people import accounts, sessions, workers
from paragauge.collect.people.workers import Person
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits, Rate
from paragauge.errors import RefusedError, SettingError

SITE = "https://clips.example.org"
PASSWORD = "correct horse battery"  # noqa: S105


@pytest.fixture
def log_in(store):
    """A client with the cookie of a new account: log_in(app, "ada", "reviewer")."""

    def enter(app, name: str, role: str = "owner", **more) -> TestClient:
        account = accounts.create(store, name, PASSWORD, "test", role)
        client = TestClient(app, **more)
        secure = "__Host-" if app.state.https else ""
        client.cookies.set(f"{secure}paragauge-requester", sessions.start(store, account))
        return client

    return enter


def csrf(client: TestClient, path: str = "/desk") -> str:
    return re.findall(r'name="csrf" value="([^"]+)"', client.get(path).text)[0]


def test_a_link_follows_the_address_and_not_the_host(store, describe, log_in) -> None:
    describe(store, 1)
    client = log_in(create_app(store, address=SITE, limits=Limits.off()), "ada", base_url=SITE)
    page = "/desk/c/clips/invitations"
    for host in ("clips.example.org", "10.0.0.7:8000", "localhost:8000"):
        client.base_url = f"https://{host}"
        fields = {"csrf": csrf(client, page), "limit": "1"}
        # The browser names the site, whatever name the proxy gives the server.
        text = client.post(page, data=fields, headers={"Origin": SITE}).text
        assert re.findall(r'value="(http[^"]+)/join/', text) == [SITE]
    for host in ("evil.example", "clips.example.org.evil.example", "clips", ""):
        answer = client.get("/", headers={"Host": host})
        assert answer.status_code == 421, host
        assert "evil" not in answer.text
    fields = {"csrf": csrf(client, page), "limit": "1"}
    refused = client.post(page, data=fields, headers={"Origin": "https://evil.example"})
    assert refused.status_code == 403


@pytest.mark.parametrize("address", ["clips.example.org", "https://a.example/b", "ftp://a.example"])
def test_an_address_is_checked(any_store, address) -> None:
    with pytest.raises(SettingError, match="expected an address such as https://"):
        create_app(any_store, address=address)


def test_a_role_limits_what_an_account_may_do(store, describe, worker_in, log_in) -> None:
    campaign, worker = describe(store, 2), worker_in(store)
    task = assignments.next_assignment(store, campaign, worker)
    answer = submissions.submit(store, task, worker, Answer("A dog.", "English")).public_id
    app = create_app(store, limits=Limits.off())
    posts = {
        "/desk/c/clips/answers": ("reviewer", {"do": "accept", "submission": answer}),
        f"/desk/c/clips/workers/{worker.public_id}": ("reviewer", {"do": "warn", "reason": "a"}),
        "/desk/c/clips/payments": ("owner", {"do": "bonus", "cents": "1", "worker": worker.public_id}),
        "/desk/c/clips/invitations": ("owner", {"limit": "1"}),
        "/desk/c/clips/state": ("owner", {"to": "pause"}),
        "/desk/c/clips/budget": ("owner", {"budget": "100"}),
    }
    for role in accounts.ROLES:
        client = log_in(app, role, role)
        token = csrf(client)
        for path in ("/desk", "/desk/c/clips", "/desk/c/clips/answers", "/desk/c/clips/payments"):
            assert client.get(path).status_code == 200
        for path, (needed, fields) in posts.items():
            status = client.post(path, data={"csrf": token, **fields}).status_code
            allowed = accounts.ROLES.index(role) >= accounts.ROLES.index(needed)
            assert status == (200 if allowed else 403), (role, path)


def test_notes_and_what_is_known_about_a_worker_are_for_owners(store, describe, log_in) -> None:
    """Notes of invitations name people; an owner can answer what is known about a worker."""
    campaign = describe(store, 1)
    invitations.create(store, campaign, "ada", note="Grace Hopper")
    known = Person("Grace", "grace@example.org", "pid:5f3", {"panel": {"clips": {"study": "61a"}}})
    worker, _ = workers.register(store, "panel", known)
    app = create_app(store, limits=Limits.off())
    for role in accounts.ROLES:
        client = log_in(app, role, role)
        shown = client.get("/desk/c/clips/invitations").text
        assert ("Grace Hopper" in shown) == (role == "owner")
        shown = client.get(f"/desk/c/clips/workers/{worker.public_id}").text
        for word in ("Grace", "grace@example.org", "pid:5f3", "61a"):
            assert (word in shown) == (role == "owner"), (role, word)


def test_every_route_that_changes_something_has_a_role(any_store) -> None:
    """A viewer is refused everywhere but at the door."""
    account = accounts.create(any_store, "eve", PASSWORD, "test", "viewer")
    app = create_app(any_store, limits=Limits.off())
    client = TestClient(app)
    client.cookies.set("paragauge-requester", sessions.start(any_store, account))
    token, tried = csrf(client), 0
    for route in list_routes(app.routes):
        path, methods = getattr(route, "path", ""), getattr(route, "methods", None) or set()
        if path.startswith("/desk/") and "POST" in methods:
            if path in ("/desk/login", "/desk/logout", "/desk/first/{code}"):
                continue
            filled = re.sub(r"\{[^}]+\}", "x", path)
            assert client.post(filled, data={"csrf": token}).status_code in (403, 404), path
            tried += 1
    assert tried > 10


def list_routes(routes):
    for route in routes:
        inner = getattr(getattr(route, "original_router", route), "routes", None)
        if inner:
            yield from list_routes(inner)
        else:
            yield route


def test_a_token_has_a_scope(store, describe, worker_in) -> None:
    campaign, worker = describe(store, 2), worker_in(store)
    task = assignments.next_assignment(store, campaign, worker)
    answer = submissions.submit(store, task, worker, Answer("A dog.", "English")).public_id
    client = TestClient(create_app(store, limits=Limits.off()))
    base = "/api/v1"
    for role in accounts.ROLES:
        account = accounts.create(store, role, PASSWORD, "test", role)
        for scope in accounts.ROLES:
            _, token = accounts.create_token(store, account, "test", "test", scope=scope)
            headers = {"Authorization": f"Bearer {token}"}
            rank = min(accounts.ROLES.index(role), accounts.ROLES.index(scope))
            review = {"decision": "accept"}
            statuses = [
                client.get(f"{base}/campaigns/clips", headers=headers).status_code,
                client.post(
                    f"{base}/submissions/{answer}/reviews", json=review, headers=headers
                ).status_code,
                client.patch(f"{base}/campaigns/clips", json={}, headers=headers).status_code,
            ]
            assert statuses == [200, 201 if rank >= 1 else 403, 200 if rank >= 2 else 403]
    with pytest.raises(SettingError, match="unknown role 'boss'; known: viewer, reviewer, owner"):
        accounts.create_token(store, account, "test", "test", scope="boss")


def test_the_last_owner_stays_one(store) -> None:
    ada = accounts.create(store, "ada", PASSWORD, "test")
    with pytest.raises(RefusedError, match="ada is the last owner; make another account an owner"):
        accounts.change_role(store, ada, "viewer", "test")
    accounts.create(store, "grace", PASSWORD, "test")
    assert accounts.change_role(store, ada, "viewer", "test").role == "viewer"
    assert accounts.get(store, "ada").role == "viewer"


def test_an_account_has_a_limit_behind_many_addresses(any_store) -> None:
    limits = Limits(account=Rate(1, 5), clock=lambda: 0.0)
    app = create_app(any_store, limits=limits, proxies=["testclient"])
    account = accounts.create(any_store, "ada", PASSWORD, "test")
    worker = workers.register(any_store, "link")[0]
    _, token = accounts.create_token(any_store, account, "test", "test")
    for who, path in ((worker, "/me"), (account, "/desk")):
        statuses = []
        for number in range(7):  # each from another address, in a session of its own
            client = TestClient(app, headers={"X-Forwarded-For": f"203.0.113.{number}"})
            role = "worker" if who is worker else "requester"
            client.cookies.set(f"paragauge-{role}", sessions.start(any_store, who))
            statuses.append(client.get(path).status_code)
        assert statuses == [200] * 5 + [429] * 2
    # A token counts for its account.
    headers = {"Authorization": f"Bearer {token}"}
    assert TestClient(app).get("/api/v1/status", headers=headers).status_code == 429


def test_missing_media_is_refused_when_items_come_in(store, describe, log_in, tmp_path) -> None:
    (tmp_path / "there.webm").write_bytes(b"a")
    describe(store, 0)
    page = "/desk/c/clips/items"
    app = create_app(store, limits=Limits.off(), media_folder=tmp_path)
    client = log_in(app, "ada")
    fields = {"csrf": csrf(client, page)}
    lines = "key\turl\tstart\tend\na\t/media/there.webm\t1\t2\nb\t/media/{}\t1\t2\n"
    for name, problem in (
        ("gone.webm", "has no file gone.webm"),
        ("there.txt", "expected a file that ends in .apng"),
    ):
        answer = client.post(page, data=fields | {"lines": lines.format(name)})
        assert answer.status_code == 400
        assert problem in answer.text
        assert ":3: " in answer.text
    demo = "key\turl\tstart\tend\na\t/static/demo/gone.webm\t1\t2\n"
    assert "the demonstration has no such file" in client.post(page, data=fields | {"lines": demo}).text
    _, token = accounts.create_token(store, accounts.get(store, "ada"), "test", "test")
    row = {"key": "a", "content": {"url": "/media/gone.webm", "start": 1, "end": 2}}
    headers = {"Authorization": f"Bearer {token}"}
    answer = client.post("/api/v1/campaigns/clips/items", json=[row], headers=headers)
    assert answer.status_code == 422
    assert "item 1: /media/gone.webm" in answer.json()["detail"]
    right = lines.format("there.webm").replace("b\t", "c\t")
    assert client.post(page, data=fields | {"lines": right}).status_code == 200
    assert list(find_missing_media(store, tmp_path)) == []
    (tmp_path / "there.webm").unlink()
    assert [key for _, key, _ in find_missing_media(store, tmp_path)] == ["a", "c"]
    assert "no media folder is given" in next(find_missing_media(store, None))[2]
