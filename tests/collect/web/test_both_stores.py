"""The way of a worker through all pages, on SQLite and on PostgreSQL."""

from __future__ import annotations

import pytest

from paragauge.collect.campaigns import campaigns, invitations, items, ledger
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, Question, TierSettings
from paragauge.collect.people import workers
from paragauge.collect.tasks import submissions
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits


@pytest.fixture
def app(store):
    return create_app(store, limits=Limits.off())


def test_from_invitation_to_erasure(store, browser) -> None:
    settings = CampaignSettings(
        kind="describe",
        title="Clips",
        budget_cents=100,
        tiers={1: TierSettings(1, 2), 2: TierSettings(5, 1)},
        comprehension=(Question("How many?", ("one", "two"), 0, "One."),),
        open_registration=False,
    )
    campaign = campaigns.create(store, settings, "clips", "ada")
    clip = {"url": "https://media.example/a.webm", "start": 1, "end": 2}
    items.add(store, campaign, [{"key": f"k{n}", "content": clip} for n in range(3)], "ada")
    _, token = invitations.create(store, campaign, "ada", tier=2, most_uses=1)
    me = browser()
    me.get(f"/join/{token}")
    me.send(f"/join/{token}", consent="yes", email="ada@example.org")
    me.send("/work")
    me.send("/check", q0="1")
    me.send("/check", q0="0")
    me.send("/work")
    assert "Tier 2" in me.page.text
    me.send("/skip")
    path = me.page.url.path
    me.send(path, text="", language="English")
    me.send(path, text="日本語 🐕 e\u0301", language="English", comment="ok")
    assert "Saved, thank you. $0.05 added." in me.page.text
    (row,) = submissions.stream(store, campaign)
    assert (row.text, row.tier) == ("日本語 🐕 é", 2)
    (worker,) = workers.all_workers(store)
    assert ledger.get_balance(store, campaign, worker).pending == 5
    assert "$0.05 waiting for review" in me.get("/me").text
    me.get("/me/erase")
    me.send("/erase", answers="yes", sure="yes")
    assert "what you wrote is emptied" in me.page.text
    assert workers.get_person(store, worker) is None
    assert [row.text for row in submissions.stream(store, campaign)] == [""]
