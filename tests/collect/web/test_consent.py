"""Consent is asked in each campaign, and again when its text changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paragauge.collect.campaigns import campaigns, consent, invitations, memberships
from paragauge.collect.campaigns.campaign_settings import Question
from paragauge.collect.campaigns.consent import consent_text, list_consents, text_version
from paragauge.collect.corpus.campaign_export import ExportSettings, export
from paragauge.collect.people import erasure, workers
from paragauge.collect.tasks import assignments
from paragauge.errors import AnswerError

OWN = "We are studying birds.\n- You may stop."


def test_a_second_campaign_asks_for_its_own_consent(browser, make_campaign, any_store) -> None:
    first, second = make_campaign(slug="one"), make_campaign(slug="two", consent=OWN)
    me = browser()
    me.join("one")
    (worker,) = workers.all_workers(any_store)
    page = me.get("/c/two")
    assert "We are studying birds." in page.text
    assert "E-mail" not in page.text
    # Neither a form of the first campaign nor one without the tick gives a task.
    me.get("/c/one")
    assert me.post("/c/two/work", {"csrf": me.token()}).url.path == "/c/two"
    me.get("/c/two")
    page = me.send("/join")
    assert page.status_code == 400
    assert "Please tick the box if you agree." in page.text
    assert assignments.list_of_worker(any_store, second, worker) == []
    assert list_consents(any_store, second) == []
    me.get("/c/two")
    assert me.send("/join", consent="yes").url.path.startswith("/task/")
    assert 'name="consent"' not in me.get("/c/two").text
    (agreed,) = list_consents(any_store, second)
    assert agreed == consent.Consent(worker.public_id, text_version(OWN), OWN, any_store.clock())
    (agreed,) = list_consents(any_store, first)
    assert agreed.text == consent_text(first.settings)


def test_an_invitation_to_another_campaign_asks_too(browser, make_campaign, any_store) -> None:
    make_campaign(slug="one")
    second = make_campaign(slug="two", consent=OWN, open_registration=False)
    _, token = invitations.create(any_store, second, "ada", most_uses=1)
    me = browser()
    me.join("one")
    assert "We are studying birds." in me.get(f"/join/{token}").text
    assert me.send(f"/join/{token}").status_code == 400
    assert invitations.find(any_store, token).uses == 0
    me.get(f"/join/{token}")
    me.send(f"/join/{token}", consent="yes")
    assert [each.version for each in list_consents(any_store, second)] == [text_version(OWN)]


def test_an_invitation_to_all_campaigns_is_no_consent_to_the_others(
    browser, make_campaign, any_store
) -> None:
    make_campaign(slug="one")
    make_campaign(slug="two", consent=OWN)
    _, token = invitations.create(any_store, None, "ada")
    me = browser()
    me.get(f"/join/{token}")
    me.send(f"/join/{token}", consent="yes")
    assert me.send("/work").url.path.startswith("/task/")
    page = me.get("/c/two")
    assert "We are studying birds." in page.text
    assert "/c/two/work" not in page.text


def test_a_new_text_is_asked_again_before_the_next_task(browser, make_campaign, any_store) -> None:
    campaign = make_campaign()
    me = browser()
    me.join("describe")
    path = me.start("describe")
    stale = browser()
    stale.get("/c/describe")
    settings = replace(campaign.settings, consent=OWN)
    campaign = campaigns.change_settings(any_store, campaign, settings, "ada")
    # The task that was given under the old text can be sent; then the new text comes.
    me.get(path)
    page = me.send(path, text="A dog runs.", language="English")
    assert page.url.path == "/c/describe"
    assert "We are studying birds." in page.text
    assert me.send("/join", consent="yes").url.path.startswith("/task/")
    assert len(list_consents(any_store, campaign)) == 2
    # A page that still shows the old text does not agree to the new one.
    page = stale.send("/join", consent="yes")
    assert page.status_code == 400
    assert "has changed; please read it again" in page.text
    assert "checked" not in page.text
    assert len(workers.all_workers(any_store)) == 1
    stale.send("/join", consent="yes")
    assert len(workers.all_workers(any_store)) == 2


def test_the_check_comes_after_the_consent(browser, make_campaign, any_store) -> None:
    make_campaign(slug="one")
    question = Question("How many sentences?", ("one", "two"), 0)
    campaign = make_campaign(slug="two", comprehension=(question,))
    me = browser()
    me.join("one")
    assert me.get("/c/two/check").url.path == "/c/two"
    (worker,) = workers.all_workers(any_store)
    me.post("/c/two/check", {"csrf": me.token(), "q0": "0"})
    assert memberships.get_standing(any_store, campaign, worker).check_tries == 0
    me.get("/c/two")
    assert me.send("/join", consent="yes").url.path == "/c/two/check"


@pytest.mark.parametrize("kind", ["describe", "suggest", "paraphrase", "judge", "survey"])
def test_the_usual_text_says_what_is_kept(browser, make_campaign, kind) -> None:
    text = consent_text(make_campaign(kind).settings)
    page = browser().get(f"/c/{kind}").text
    for line in text.splitlines():
        assert line.removeprefix("- ") in page
    assert ("judgments" in text.lower()) == (kind == "judge")
    # Where clips can come from other sites, the text says what these see.
    assert ("internet address" in text) == (kind == "describe")


def test_other_sites_are_named_whatever_the_text(browser, make_campaign) -> None:
    clip = {"url": "https://youtu.be/mv89psg6zh4", "start": 1, "end": 2}
    make_campaign(slug="away", content=clip, consent=OWN)
    make_campaign(slug="here", content=clip | {"url": "/media/ball.webm"}, consent=OWN)
    me = browser()
    page = me.get("/c/away").text
    assert "The clips or pictures are at youtu.be." in page
    assert "this site sees your internet address" in page
    assert "internet address" not in me.get("/c/here").text


def test_consents_are_stored_once_exported_and_outlive_erasure(
    browser, make_campaign, any_store, tmp_path
) -> None:
    campaign = make_campaign(consent=OWN)
    me = browser()
    me.join("describe", email="ada@example.org")
    (worker,) = workers.all_workers(any_store)
    consent.record_consent(any_store, campaign, worker, text_version(OWN))
    with pytest.raises(AnswerError, match="the text that you agree to has changed"):
        consent.record_consent(any_store, campaign, worker, text_version("another"))
    erasure.erase(any_store, worker, "ada")
    export(any_store, campaign, tmp_path / "consents.tsv", ExportSettings("consents"))
    at, text = any_store.clock().isoformat(), "We are studying birds. - You may stop."
    assert (tmp_path / "consents.tsv").read_text() == (
        f"worker\tversion\tagreed_at\ttext\n{worker.public_id}\t{text_version(OWN)}\t{at}\t{text}\n"
    )


def test_the_desk_shows_what_a_worker_agreed_to(
    requester, browser, make_campaign, any_store, worker
) -> None:
    make_campaign(consent=OWN)
    browser().join("describe")
    joined = workers.all_workers(any_store)[-1]
    page = requester.get(f"/desk/c/describe/workers/{joined.public_id}").text
    assert f"<code>{text_version(OWN)}</code>" in page
    assert "not asked here" in requester.get(f"/desk/c/describe/workers/{worker.public_id}").text
    file = requester.get("/desk/c/describe/export/file?what=consents&format=jsonl")
    assert file.json()["version"] == text_version(OWN)
