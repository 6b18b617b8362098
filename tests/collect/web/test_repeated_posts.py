"""What is sent twice, by a double click, a reload or two at the same moment, is done once."""

from __future__ import annotations

import re
import threading

import pytest
from starlette.testclient import TestClient

from paragauge.collect.campaigns import (
    budget,
    campaigns,
    invitations,
    item_listings,
    items,
    ledger,
    memberships,
)
from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.people import accounts, sessions, workers
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.paging import PageRange
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


@pytest.fixture
def app(store):
    return create_app(store, limits=Limits.off())


@pytest.fixture
def client(store, app):
    account = accounts.create(store, "ada", "correct horse battery", "test")
    with TestClient(app) as test_client:
        test_client.cookies.set("paragauge-requester", sessions.start(store, account))
        yield test_client


@pytest.fixture
def campaign(store, describe):
    return describe(store, 2, budget_cents=200)


def fill(client, page: str, **fields):
    """The fields of the last form on the page that has some, with these filled in."""
    forms = [HIDDEN.findall(form) for form in client.get(page).text.split("<form")]
    return {**dict([hidden for hidden in forms if len(hidden) >= 2][-1]), **fields}


def send_at_once(client, path: str, data, times: int = 6):
    """The same form several times at the same moment; the statuses."""
    ready, results = threading.Barrier(times), []

    def send() -> None:
        ready.wait()
        results.append(client.post(path, data=data, follow_redirects=False).status_code)

    threads = [threading.Thread(target=send) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def answer(store, campaign, worker):
    task = assignments.next_assignment(store, campaign, worker)
    receipt = submissions.submit(store, task, worker, Answer("A dog runs.", "English"))
    return submissions.get(store, receipt.public_id)


def test_the_same_bonus_posted_at_once_is_given_once(client, store, campaign, worker_in) -> None:
    worker = worker_in(store)
    answer(store, campaign, worker)
    page = f"/desk/c/{campaign.slug}/payments"
    data = fill(client, page, worker=worker.public_id, do="bonus", cents="7", reason="thanks")
    assert set(send_at_once(client, page, data)) == {303}
    assert ledger.get_balance(store, campaign, worker).accepted == 7
    # A page that was loaded again is another form, and so is a number that was changed.
    client.post(
        page, data=fill(client, page, **{k: v for k, v in data.items() if k not in ("csrf", "once")})
    )
    client.post(page, data=data | {"cents": "8"})
    assert ledger.get_balance(store, campaign, worker).accepted == 7 + 7 + 8
    assert budget.compute_costs(store, campaign).spent == 1 + 22
    assert find_problems(store) == []


def test_bonuses_that_the_budget_ends_are_named(client, store, describe, worker_in) -> None:
    campaign = describe(store, 0, budget_cents=25)
    people = [worker_in(store) for _ in range(3)]
    page = f"/desk/c/{campaign.slug}/payments"
    ledger.give_bonus(store, campaign, people[0], 1, "ada")
    chosen = [worker.public_id for worker in people]
    data = fill(client, page, worker=chosen, do="bonus", cents="10", reason="thanks")
    for _ in range(2):  # Sent again, it gives nobody another one.
        text = client.post(page, data=data).text
        assert "2 of 3 done, then: a bonus of 10 cents with its fee exceeds the budget" in text
        assert f"Done, and not to be chosen again: {chosen[0]}, {chosen[1]}" in text
    assert [ledger.get_balance(store, campaign, worker).owed for worker in people] == [11, 10, 0]


def test_the_same_payment_posted_at_once_is_recorded_once(client, store, campaign, worker_in) -> None:
    worker = worker_in(store)
    ledger.give_bonus(store, campaign, worker, 10, "ada")
    page = f"/desk/c/{campaign.slug}/payments"
    data = fill(client, page, worker=worker.public_id, do="paid")
    assert set(send_at_once(client, page, data)) == {303}
    assert ledger.get_balance(store, campaign, worker).paid == 10
    assert find_problems(store) == []


def test_a_reload_shows_the_same_invitation(client, store, campaign) -> None:
    page = f"/desk/c/{campaign.slug}/invitations"
    data = fill(client, page, note="Grace", limit="1", days="14", tier="1")
    links = {
        re.findall(r'value="(http[^"]+/join/[^"]+)"', client.post(page, data=data).text)[0]
        for _ in range(3)
    }
    send_at_once(client, page, data)
    assert len(links) == 1
    assert len(invitations.all_invitations(store)) == 1
    assert invitations.find(store, links.pop().rsplit("/", 1)[1]) is not None
    client.post(page, data=fill(client, page, note="Grace", limit="1", days="14", tier="1"))
    assert len(invitations.all_invitations(store)) == 2


def test_other_posts_add_up_once(client, store, campaign, worker_in) -> None:
    worker = worker_in(store)
    [item, _], _ = item_listings.list_items(store, campaign, PageRange())
    before = item_listings.read_tier_progress(store, [item.id])[item.id][1].wanted
    base = f"/desk/c/{campaign.slug}"
    data = fill(client, f"{base}/items", item=item.public_id)
    assert set(send_at_once(client, f"{base}/items/reopen", data)) == {303}
    assert item_listings.read_tier_progress(store, [item.id])[item.id][1].wanted == before + 1
    page = f"{base}/workers/{worker.public_id}"
    assert set(send_at_once(client, page, fill(client, page, do="warn", reason="Too short."))) == {303}
    assert [decision.decision for decision in memberships.list_decisions(store, worker)] == ["warn"]


def test_the_desk_says_the_same_twice(client, store, describe, worker_in) -> None:
    """A form that was sent twice shows what it did, not that it cannot be done again."""
    campaign = describe(store, 3, budget_cents=200)
    base, worker = f"/desk/c/{campaign.slug}", worker_in(store)
    stored = [answer(store, campaign, worker).public_id for _ in range(2)]

    def send_twice(path: str, notice: str, data) -> None:
        first, second = (client.post(path, data=data) for _ in range(2))
        assert (first.status_code, second.status_code) == (200, 200), (path, second.text)
        assert first.url == second.url
        assert notice in second.text

    kind = client.get("/desk/new?kind=describe").text
    fields = dict(HIDDEN.findall(kind.split('action="/desk/new"')[1]))
    usual = {"pay1": "1", "wanted1": "2", "pay2": "5", "wanted2": "0", "budget": "10", "fee": "0"}
    send_twice("/desk/new", "was created", {**fields, **usual, "title": "Birds", "do": "create"})
    assert [each.slug for each in campaigns.all_campaigns(store)] == ["clips", "birds"]
    settings = client.get("/desk/c/birds/settings").text
    fields = dict(HIDDEN.findall(settings.split('action="/desk/c/birds/settings"')[1]))
    send_twice("/desk/c/birds/settings", "Saved.", {**fields, **usual, "title": "Owls"})
    lines = "key,url,start,end\nball,/static/demo/ball.webm,1,5\n"
    send_twice("/desk/c/birds/items", "1 added.", fill(client, "/desk/c/birds/items", lines=lines))
    account = {"name": "grace", "password": "correct horse battery", "role": "viewer"}
    form = client.get("/desk/accounts").text.split('action="/desk/accounts" ')[1]
    send_twice("/desk/accounts", "was created", {**dict(HIDDEN.findall(form)), **account})
    data = fill(client, f"{base}/answers", do="accept", submission=stored)
    send_twice(f"{base}/answers", "2 accepted.", data)
    payment = fill(client, f"{base}/payments", worker=worker.public_id, do="paid")
    send_twice(f"{base}/payments", "1 marked as paid.", payment)


def test_the_same_undo_posted_at_once_undoes_one_decision(client, store, campaign, worker_in) -> None:
    stored = answer(store, campaign, worker_in(store))
    reviews.decide(store, stored, "accept", "ada")
    reviews.decide(store, stored, "reject", "ada", "no sentence")
    page = f"/desk/c/{campaign.slug}/answers"
    data = fill(client, page, do="undo", submission=stored.public_id)
    assert set(send_at_once(client, page, data)) == {303}
    assert submissions.get(store, stored.public_id).decision == "accept"
    client.post(page, data=fill(client, page, do="undo", submission=stored.public_id))
    assert submissions.get(store, stored.public_id).decision == "pending"


def test_joining_twice_at_once_makes_one_worker(app, store, campaign) -> None:
    with TestClient(app) as visitor:
        data = fill(visitor, f"/c/{campaign.slug}", consent="yes")
        send_at_once(visitor, f"/c/{campaign.slug}/join", data)
    assert len(workers.all_workers(store)) == 1
    _, token = invitations.create(store, campaign, "ada", most_uses=5)
    with TestClient(app) as visitor:
        data = fill(visitor, f"/join/{token}", consent="yes")
        send_at_once(visitor, f"/join/{token}", data)
    assert len(workers.all_workers(store)) == 2
    assert invitations.find(store, token).uses == 1


def test_a_guessable_key_is_no_key(client, store, campaign) -> None:
    page = f"/desk/c/{campaign.slug}/invitations"
    data = fill(client, page, note="a", limit="1") | {"once": "a"}
    for _ in range(2):
        client.post(page, data=data)
    assert len(invitations.all_invitations(store)) == 2


def test_owed_is_what_was_accepted(client, store, describe, worker_in) -> None:
    campaign = describe(store, 3, budget_cents=200)
    worker = worker_in(store)
    first, second = answer(store, campaign, worker), answer(store, campaign, worker)
    page = f"/desk/c/{campaign.slug}/payments"
    assert ledger.get_balance(store, campaign, worker).owed == 0
    client.post(page, data=fill(client, page, worker=worker.public_id, do="paid"))
    assert ledger.get_balance(store, campaign, worker).paid == 0
    reviews.decide(store, first, "accept", "ada")
    client.post(page, data=fill(client, page, worker=worker.public_id, do="paid"))
    balance = ledger.get_balance(store, campaign, worker)
    assert (balance.paid, balance.pending, balance.owed) == (1, 1, 0)
    reviews.decide(store, second, "accept", "ada")
    client.post(page, data=fill(client, page, worker=worker.public_id, do="paid"))
    # Rejected after it was paid: the money is gone, and the page says so.
    assert reviews.decide(store, second, "reject", "ada", "copied") == 1
    [row], _ = paged_lists.list_earnings(store, campaign, PageRange())
    assert (row.accepted, row.pending, row.rejected, row.paid, row.owed) == (1, 0, 1, 2, 0)
    assert "$0.01 of it for answers rejected later" in client.get(page).text
    assert (
        "paid, then rejected" in client.get(f"/desk/c/{campaign.slug}/workers/{worker.public_id}").text
    )
    assert find_problems(store) == []


def test_after_the_stated_days_an_answer_is_accepted(client, store, clock, describe, worker_in) -> None:
    campaign = describe(store, 3, accept_after_days=7)
    worker = worker_in(store)
    answer(store, campaign, worker)
    clock.forward(days=6)
    rejected = answer(store, campaign, worker)
    reviews.decide(store, rejected, "reject", "ada", "copied")
    assert reviews.accept_overdue(store, campaign) == 0
    clock.forward(days=1)
    account = accounts.get(store, "ada")
    client.cookies.set("paragauge-requester", sessions.start(store, account))
    assert "after 7 days without a review" in client.get(f"/desk/c/{campaign.slug}/payments").text
    assert ledger.get_balance(store, campaign, worker).owed == 1
    clock.forward(days=30)
    assert reviews.accept_overdue(store, campaign) == 0
    assert [row.decision for row in submissions.stream(store, campaign)] == ["accept", "reject"]


def test_a_budget_that_does_not_reach_is_a_warning(client, store, campaign) -> None:
    costs = budget.compute_costs(store, campaign)
    assert costs.lacking == 0
    assert "The budget lacks" not in client.get(f"/desk/c/{campaign.slug}").text
    settings = campaigns.get(store, campaign.slug).settings
    items.add(
        store,
        campaign,
        [
            {"key": f"more{n}", "content": {"url": "https://a.example/b.mp4", "start": 1, "end": 2}}
            for n in range(100)
        ],
        "ada",
    )
    lacking = budget.compute_costs(store, campaign).lacking
    assert lacking == 102 * (2 * 1 + 1 * 5) - settings.budget_cents
    assert f"The budget lacks ${lacking / 100:.2f}" in client.get(f"/desk/c/{campaign.slug}").text
