"""Every page of the desk and of the API on both kinds of database."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from paragauge.collect.campaigns import campaigns, ledger
from paragauge.collect.people import accounts, sessions
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits

PAGES = ("", "/review?show=all", "/answers?decision=pending&tier=1", "/items?show=uncovered", "/tasks")
PAGES += ("/invitations", "/payments", "/export", "/export/file?what=pairs&part=train&parallel=0")
READ = (
    "",
    "/statistics",
    "/items",
    "/submissions?decision=accept",
    "/workers",
    "/export?what=clusters",
)


@pytest.fixture
def account(store):
    return accounts.create(store, "ada", "correct horse battery", "test")


@pytest.fixture
def client(store, account):
    with TestClient(create_app(store, limits=Limits.off())) as test_client:
        test_client.cookies.set("paragauge-requester", sessions.start(store, account))
        yield test_client


def test_every_page(client, store, account, describe, worker_in):
    campaign = describe(store, 3)
    worker = worker_in(store)
    for text in ("A dog runs.", "A cat sleeps."):
        task = assignments.next_assignment(store, campaign, worker)
        receipt = submissions.submit(store, task, worker, Answer(text, "English", seconds=9))
    reviews.decide(store, submissions.get(store, receipt.public_id), "accept", "ada")
    assignments.next_assignment(store, campaign, worker)
    ledger.give_bonus(store, campaign, worker, 3, "ada")
    paths = ["/desk", "/desk/new", "/desk/log?action=submission", "/desk/log?actor=ada&page=2"]
    paths += [f"/desk/c/clips{page}" for page in PAGES]
    paths += [f"/desk/c/clips/workers/{worker.public_id}"]
    for path in paths:
        page = client.get(path)
        assert (page.status_code, page.url.path) == (200, path.split("?")[0]), path
    _, token = accounts.create_token(store, account, "test", "test")
    for path in READ:
        answer = client.get(
            f"/api/v1/campaigns/clips{path}", headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 200, path
    for path in ("/desk/c/%00", "/desk/c/a%00b/items", "/desk/c/clips/workers/%00", "/desk/c/clips%ff"):
        assert client.get(path).status_code == 404, path


def test_a_budget_and_a_pause(client, store, describe):
    describe(store, 1)
    token = re.findall(r'name="csrf" value="([^"]+)"', client.get("/desk/c/clips").text)[0]
    client.post("/desk/c/clips/budget", data={"csrf": token, "budget": "77"})
    client.post("/desk/c/clips/state", data={"csrf": token, "to": "pause"})
    stored = campaigns.get(store, "clips")
    assert (stored.settings.budget_cents, stored.state) == (7700, "paused")
