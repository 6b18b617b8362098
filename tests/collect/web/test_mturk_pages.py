"""External questions: framed by Mechanical Turk only where enabled, and safe without cookies."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from paragauge.collect import submissions, workers
from paragauge.collect.campaign_settings import Question
from paragauge.collect.web.app import create_app
from paragauge.collect.web.rate_limit import Limits

ASKED = {
    "assignmentId": "3ABC",
    "hitId": "3HIT",
    "workerId": "A1WORKER",
    "turkSubmitTo": "https://workersandbox.mturk.com",
}
ANSWER = {"text": "A dog runs.", "language": "English"}


@pytest.fixture
def client(sqlite_store):
    with TestClient(create_app(sqlite_store, mturk=True, limits=Limits.off())) as made:
        yield made


def form(page) -> tuple[str, dict[str, str]]:
    action = re.findall(r'<form method="post" action="([^"]+)"', page.text)[0]
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text)
    return unescape(action), {name: unescape(value) for name, value in hidden}


def send(client, page, **fields):
    client.cookies.clear()
    action, hidden = form(page)
    return client.post(action, data=hidden | fields, headers={"Origin": "null"})


def test_off_unless_enabled(browser, campaign) -> None:
    campaign()
    assert browser().get("/mturk/describe").status_code == 404


def test_a_preview_gives_no_task(client, campaign, sqlite_store) -> None:
    campaign()
    page = client.get("/mturk/describe", params=ASKED | {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert "Please accept the HIT to begin." in page.text
    assert "frame-ancestors https://www.mturk.com" in page.headers["content-security-policy"]
    assert workers.all_workers(sqlite_store) == []


def test_a_hit_is_answered_without_cookies_and_handed_in(client, campaign, sqlite_store) -> None:
    made = campaign()
    page = client.get("/mturk/describe", params=ASKED)
    assert "frame-ancestors https://www.mturk.com" in page.headers["content-security-policy"]
    assert "media-src 'self' https://media.example;" in page.headers["content-security-policy"]
    assert "Skip this task" not in page.text
    page = send(client, page, text="", language="English")
    assert page.status_code == 400
    assert "Please write one sentence" in page.text
    page = send(client, page, **ANSWER)
    (row,) = submissions.rows(sqlite_store, made)
    action, hidden = form(page)
    assert action == "https://workersandbox.mturk.com/mturk/externalSubmit"
    assert hidden == {"assignmentId": "3ABC", "receipt": row.public_id}
    assert "form-action 'self' https://www.mturk.com" in page.headers["content-security-policy"]
    (worker,) = workers.all_workers(sqlite_store)
    assert workers.find_external(sqlite_store, "A1WORKER") == worker
    assert worker.source == "mturk"
    client.get("/mturk/describe", params=ASKED)
    assert workers.all_workers(sqlite_store) == [worker]


def test_the_check_comes_first(client, campaign) -> None:
    campaign(comprehension=(Question("How many?", ("one", "two"), 0, "One."),))
    page = client.get("/mturk/describe", params=ASKED)
    page = send(client, page, q0="1")
    assert "Not quite." in page.text
    page = send(client, page, q0="0")
    assert "Your one-sentence description" in page.text


def test_without_the_token_nothing_is_taken(client, campaign, sqlite_store) -> None:
    made = campaign()
    page = client.get("/mturk/describe", params=ASKED)
    action, hidden = form(page)
    for token in ("", "guess"):
        answer = client.post(action, data=hidden | ANSWER | {"session": token})
        assert answer.status_code == 403
    other = client.get("/mturk/describe", params=ASKED | {"workerId": "A2OTHER"})
    _, theirs = form(other)
    assert client.post(action, data=theirs | ANSWER).status_code == 404
    assert list(submissions.rows(sqlite_store, made)) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"turkSubmitTo": "https://evil.example"},
        {"turkSubmitTo": "javascript:alert(1)"},
        {"turkSubmitTo": "https://www.mturk.com@evil.example"},
        {"turkSubmitTo": "https://["},
        {"assignmentId": '"><script>'},
        {"workerId": "x" * 101},
    ],
)
def test_what_mturk_would_not_say_is_refused(client, campaign, sqlite_store, wrong) -> None:
    campaign()
    assert client.get("/mturk/describe", params=ASKED | wrong).status_code == 400
    assert workers.all_workers(sqlite_store) == []


def test_no_task_left_says_to_return_the_hit(client, campaign) -> None:
    campaign(budget_cents=0)
    page = client.get("/mturk/describe", params=ASKED)
    assert "Please return the HIT." in page.text
