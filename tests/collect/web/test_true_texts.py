"""What workers read is true: after expiry, from two tabs, when blocked or closed, with a lost key."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from paragauge.collect.campaigns import campaigns, invitations, memberships
from paragauge.collect.campaigns.campaign_settings import TierSettings
from paragauge.collect.people import accounts, sessions, workers
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits
from paragauge.errors import RefusedError


@pytest.fixture
def app(store):
    return create_app(store, limits=Limits.off())


@pytest.fixture
def begun(store, describe, browser):
    """A worker in a campaign with an open task: browser, path of the task, campaign, worker."""

    def begin(**more):
        campaign = describe(store, 3, **more)
        me = browser()
        me.join("clips")
        path = me.start("clips")
        return me, path, campaign, workers.all_workers(store)[-1]

    return begin


def test_from_two_tabs_the_first_answer_counts_and_the_second_is_shown(begun, store) -> None:
    me, path, campaign, _ = begun()
    me.get(path)
    tab = me.page
    me.send(path, text="A dog runs.", language="English")
    assert "Saved, thank you" in me.page.text
    me.page = tab
    page = me.send(path, text="A cat sleeps.", language="English")
    assert page.status_code == 409
    assert "The first one counts; what you sent now was not stored." in page.text
    assert "A dog runs." in page.text
    assert "A cat sleeps." in page.text
    assert "added" not in page.text
    assert [row.text for row in submissions.stream(store, campaign)] == ["A dog runs."]
    # A double click sends the same, and nothing was lost.
    me.page = tab
    assert "Saved, thank you" in me.send(path, text="A dog runs.", language="English").text


def test_after_expiry_nothing_is_said_that_did_not_happen(begun, store, clock) -> None:
    me, path, campaign, _ = begun()
    clock.forward(hours=2)
    page = me.get(path)
    assert "Somebody else may do it." in page.text
    assert "went to somebody else" not in page.text
    campaigns.close(store, campaign, "ada")
    page = me.get(path)
    assert "Too late" in page.text
    assert "omebody else" not in page.text
    assert "Next task" not in page.text


def test_what_was_typed_too_late_is_shown_as_not_stored(begun, store, clock) -> None:
    me, path, _, _ = begun()
    me.get(path)
    clock.forward(hours=2)
    page = me.send(path, text="A dog runs.", language="English")
    assert page.status_code == 410
    assert "what you sent now was not stored" in page.text
    assert "A dog runs." in page.text


def test_a_blocked_worker_reads_that_they_are_blocked(begun, store) -> None:
    me, path, campaign, worker = begun()
    me.get(path)
    memberships.block(store, campaign, worker, "ada", "copied")
    page = me.send(path, text="A dog runs.", language="English")
    assert "No more tasks here" in page.text
    assert "does not count against you" not in page.text
    assert "A dog runs." in page.text
    assert "Next task" not in page.text
    assert "No more tasks here" in me.get("/c/clips/no-task?why=nothing-left").text
    memberships.unblock(store, campaign, worker, "ada", "a mistake")
    assert "Have another look" in me.get("/c/clips/no-task?why=blocked").text


def test_in_a_closed_campaign_an_open_task_can_be_finished_and_then_it_is_over(begun, store) -> None:
    me, path, campaign, _ = begun()
    me.get(path)
    campaigns.close(store, campaign, "ada")
    page = me.send(path, text="A dog runs.", language="English", then="stop")
    assert "Saved, thank you" in page.text
    assert "This campaign has ended." in page.text
    assert "Next task" not in page.text
    assert "It is done" in me.get("/c/clips/no-task?why=paused").text


def test_the_time_left_is_counted(begun, clock) -> None:
    me, path, _, _ = begun(expires_minutes=2)
    page = me.get(path)
    assert 'data-left="120"' in page.text
    assert "2 minutes" in page.text
    clock.forward(seconds=119)
    assert "<span>1 second</span>" in me.get(path).text


def test_one_character_is_one(begun) -> None:
    me, path, _, _ = begun(max_length=1, one_sentence=False)
    me.get(path)
    page = me.send(path, text="AB", language="English")
    assert "at most 1 character; this has 2" in page.text


def test_loading_the_key_page_again_does_not_lose_the_key(store, describe, browser) -> None:
    campaign = describe(store, 3)
    _, token = invitations.create(store, campaign, "ada", most_uses=1)
    for start, action in (("/c/clips", "/join"), (f"/join/{token}", f"/join/{token}")):
        me = browser()
        me.get(start)
        me.send(action, consent="yes")
        assert me.page.status_code == 200
        key = read_key(me.page)
        path = me.page.url.path
        for _ in range(2):
            assert read_key(me.get(path)) == key
        # Somebody else with this link sees nothing, and nobody does once it is kept.
        assert key not in browser().get(path).text
        me.get(path)
        me.send("/work")
        assert key not in me.get(path).text
        assert workers.find_by_key(store, key) == workers.all_workers(store)[-1]


def test_the_last_invitation_sent_twice_is_one_worker(store, app, describe) -> None:
    campaign = describe(store, 3)
    _, token = invitations.create(store, campaign, "ada", most_uses=1)
    with TestClient(app) as visitor:
        text = visitor.get(f"/join/{token}").text
        hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', text))
        cookies = dict(visitor.cookies)
        keys = []
        for _ in range(2):
            visitor.cookies.clear()
            visitor.cookies.update(cookies)
            page = visitor.post(f"/join/{token}", data=hidden | {"consent": "yes"})
            keys.append(read_key(page))
    assert keys[0] == keys[1]
    assert len(workers.all_workers(store)) == 1


def test_a_lost_key_is_replaced_by_the_requester(store, app, describe, browser) -> None:
    describe(store, 3, tiers={1: TierSettings(1, 9)})
    me = browser()
    old = me.join("clips")
    me.start("clips")
    (worker,) = workers.all_workers(store)
    account = accounts.create(store, "ada", "correct horse battery", "test")
    desk = TestClient(app)
    desk.cookies.set("paragauge-requester", sessions.start(store, account))
    page = f"/desk/c/clips/workers/{worker.public_id}"
    form = next(part for part in desk.get(page).text.split("<form") if "/key" in part)
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))
    keys = set()
    for _ in range(2):  # a reload shows the same
        text = desk.post(f"{page}/key", data=hidden).text
        keys.add(re.findall(r'aria-label="New key" value="([^"]+)"', text)[0])
    (new,) = keys
    assert workers.find_by_key(store, new) == worker
    assert workers.find_by_key(store, old) is None
    # The old browser is signed out; the open task and the earnings are there with the new key.
    assert "Sign in" in me.get("/me").text
    me.get("/sign-in")
    me.send("/sign-in", key=new)
    assert me.get("/me").status_code == 200
    assert [change.action for change in read_changes(store)].count("worker.key") == 1
    assert assignments.list_open(store, campaigns.get(store, "clips"))
    viewer = accounts.create(store, "eve", "correct horse battery", "test", "reviewer")
    desk.cookies.clear()
    desk.cookies.set("paragauge-requester", sessions.start(store, viewer))
    assert "This worker lost their key" not in desk.get(page).text


def test_an_erased_worker_gets_no_key(store, worker_in) -> None:
    from paragauge.collect.people.erasure import erase

    worker = worker_in(store)
    erase(store, worker, "ada")
    with pytest.raises(RefusedError, match="this worker was erased"):
        workers.replace_key(store, worker, "ada")


def read_key(page) -> str:
    return unescape(re.findall(r'id="key">([^<]+)<', page.text)[0])
