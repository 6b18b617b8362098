"""What a requester does at the review desk: answers, workers, suggestions, hints, in-process."""

from __future__ import annotations

import pytest

from paragauge.collect.campaigns import (
    budget,
    items,
    ledger,
    memberships,
)
from paragauge.collect.campaigns.campaign_settings import ControlRules, Criterion, TierSettings
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import StoreError

pytestmark = pytest.mark.usefixtures("quick_passwords")


@pytest.mark.parametrize("step", ["grant", "refuse", "warn", "block"])
def test_decisions_about_a_worker(requester, any_store, make_campaign, worker, answer_task, step):
    campaign = make_campaign()
    answer_task(campaign, worker)
    page = requester.get("/desk/c/describe/review").text
    assert worker.public_id in page
    assert "A dog runs." in page
    path = f"workers/{worker.public_id}"
    requester.get(f"/desk/c/describe/{path}")
    assert "Give a reason" in requester.send(path, do=step, reason=" ").text
    assert requester.send(path, do=step, reason="seen enough").status_code == 200
    stands = memberships.get_standing(any_store, campaign, worker)
    expected = {"grant": (2, "active"), "refuse": (1, "active"), "warn": (1, "warned")}
    assert (stands.tier, stands.state) == expected.get(step, (1, "blocked"))
    [decision] = memberships.list_decisions(any_store, worker)
    assert (decision.decision, decision.reason, decision.actor) == (step, "seen enough", "ada")
    listed = requester.get("/desk/c/describe/review").text
    assert (worker.public_id in listed) == (step == "warn")


def test_a_grant_for_all_campaigns(requester, any_store, make_campaign, worker):
    make_campaign()
    other = make_campaign(slug="other")
    path = f"workers/{worker.public_id}"
    requester.get(f"/desk/c/describe/{path}")
    requester.send(path, do="grant", reason="good", everywhere="yes")
    assert memberships.get_standing(any_store, other, worker).tier == 2


def test_many_answers_are_accepted_or_rejected_at_once(
    requester, any_store, make_campaign, worker, answer_task
):
    campaign = make_campaign()
    stored = [answer_task(campaign, worker) for _ in range(3)]
    requester.get("/desk/c/describe/answers?decision=pending")
    assert "Choose at least one" in requester.send("/answers", do="accept").text
    two = [submission.public_id for submission in stored[:2]]
    assert "Give a reason" in requester.send("/answers", do="reject", submission=two).text
    page = requester.send("/answers", do="reject", submission=two, reason="not a sentence")
    assert "2 rejected." in page.text
    requester.get("/desk/c/describe/answers?decision=pending")
    # The form names what the page showed, so that an answer that came since is not accepted unseen.
    late = answer_task(make_campaign(slug="late"), worker)
    page = requester.send("/answers", do="accept-page", shown=[stored[2].public_id])
    assert "1 accepted." in page.text
    decisions = {
        submission.public_id: submission.decision
        for submission in submissions.stream(any_store, campaign)
    }
    assert sorted(decisions.values()) == ["accept", "reject", "reject"]
    fields = {"csrf": requester.token(), "do": "accept", "submission": late.public_id}
    assert requester.post("/desk/c/describe/answers", fields).status_code == 404
    for query in ("?decision=accept&tier=1", "?tier=2", "?page=99", "?decision=%00&tier=x&page=-1"):
        assert requester.get(f"/desk/c/describe/answers{query}").status_code == 200


def test_a_suggestion_becomes_an_item_once(requester, any_store, make_campaign, worker, answer_task):
    campaign, target = make_campaign("suggest"), make_campaign()
    data = {"url": "https://example.org/v.webm", "start": 2, "end": 6}
    suggestion = answer_task(campaign, worker, "", data=data)
    requester.get("/desk/c/suggest/suggestions")
    assert 'rel="noopener noreferrer' in requester.page.text
    assert "Give a reason" in requester.send("/suggestions", do="refuse").text
    assert "Choose the campaign" in requester.send("/suggestions", do="approve", target="nowhere").text
    page = requester.send("/suggestions", do="approve", target="describe")
    assert "is an item now" in page.text
    assert items.all_items(any_store, target)[-1].content == data
    assert submissions.get(any_store, suggestion.public_id).decision == "accept"
    fields = {"csrf": requester.token(), "do": "approve", "target": "describe"}
    again = requester.post("/desk/c/suggest/suggestions", fields | {"submission": suggestion.public_id})
    assert "this answer is already accepted" in again.text
    assert len(items.all_items(any_store, target)) == 4
    # Nor can it be refused any more, which would take the pay back and leave the item.
    fields |= {"do": "reject", "reason": "no", "submission": suggestion.public_id}
    assert "already" in requester.post("/desk/c/suggest/suggestions", fields).text
    assert submissions.get(any_store, suggestion.public_id).decision == "accept"
    assert requester.get("/desk/c/describe/suggestions").status_code == 404


def test_an_approval_makes_the_item_and_the_review_or_neither(
    requester, any_store, make_campaign, worker, answer_task, monkeypatch
):
    campaign, target = make_campaign("suggest"), make_campaign()
    data = {"url": "https://example.org/v.webm", "start": 2, "end": 6}
    suggestion = answer_task(campaign, worker, "", data=data)

    def cut_off(*_, **__):
        raise StoreError("cut off")

    requester.get("/desk/c/suggest/suggestions")
    with monkeypatch.context() as patch:
        patch.setattr(items, "add_in", cut_off)
        assert "cut off" in requester.send("/suggestions", do="approve", target="describe").text
    assert submissions.get(any_store, suggestion.public_id).decision == "pending"
    assert len(items.all_items(any_store, target)) == 3
    page = requester.send("/suggestions", do="approve", target="describe")
    assert "is an item now" in page.text


def test_a_block_that_still_holds_is_told(requester, any_store, make_campaign, worker):
    campaign = make_campaign()

    def decide(step, **more):
        requester.get(f"/desk/c/describe/workers/{worker.public_id}")
        fields = {"csrf": requester.token(), "do": step, "reason": "seen enough", **more}
        return requester.post(f"/desk/c/describe/workers/{worker.public_id}", fields).text

    decide("block", everywhere="yes")
    assert "another block holds" in decide("unblock")
    assert "Unblocked." in decide("unblock", everywhere="yes")
    decide("grant", everywhere="yes")
    assert "Kept in tier 1." in decide("refuse")
    assert memberships.get_standing(any_store, campaign, worker).tier == 1


def test_rejecting_what_was_paid_says_so(requester, any_store, make_campaign, worker, answer_task):
    campaign = make_campaign()
    submission = answer_task(campaign, worker)
    reviews.decide(any_store, submission, "accept", "ada")
    ledger.pay(any_store, campaign, worker, 1, "ada")
    requester.get("/desk/c/describe/answers")
    page = requester.send("/answers", do="reject", submission=submission.public_id, reason="copied")
    assert "1 rejected. What was already paid for them stays spent." in page.text
    assert budget.compute_costs(any_store, campaign).spent == 1
    assert "-$" not in requester.get("/desk/c/describe/payments").text


def test_a_refused_suggestion(requester, any_store, make_campaign, worker, answer_task):
    data = {"url": "https://example.org/v.webm", "start": 2, "end": 6}
    suggestion = answer_task(make_campaign("suggest"), worker, "", data=data)
    requester.get("/desk/c/suggest/suggestions")
    assert "no open campaign that shows videos" in requester.page.text
    requester.send("/suggestions", do="refuse", reason="has subtitles")
    assert submissions.get(any_store, suggestion.public_id).decision == "reject"


def test_hints_beside_answers(requester, any_store, make_campaign, worker_in, answer_task):
    campaign = make_campaign(count=1, tiers={1: TierSettings(1, 9), 2: TierSettings(5, 9)})
    good = ("A man rides a horse.", "A man is riding a horse.", "The man is riding on a horse.")
    for text in (*good, "Somebody is riding a brown horse.", "A man on a horse rides along."):
        trusted = worker_in(any_store)
        memberships.grant(any_store, campaign, trusted, "ada", "good")
        answer_task(campaign, trusted, text)
    answer_task(campaign, worker_in(any_store), "wat a nice vidio i like")
    answer_task(campaign, worker_in(any_store), "A man is riding his horse.")
    page = requester.get("/desk/c/describe/answers?tier=1").text
    bad, fine = page.split("wat a nice vidio")[1], page.split("riding his horse.")[1]
    bad, fine = bad.split("</tr>")[0], fine.split("</tr>")[0]
    assert "likely noise: its words are unlike those of trusted sentences" in bad
    assert "unknown word: vidio (video?)" in bad
    assert "hint-chip" not in fine


def test_rejected_answers_are_not_trusted(requester, any_store, make_campaign, worker_in, answer_task):
    campaign = make_campaign(count=1, tiers={1: TierSettings(1, 9), 2: TierSettings(5, 9)})
    for text in ("A man rides a horse.", "A man is riding a horse.", "The man is on a horse."):
        trusted = worker_in(any_store)
        memberships.grant(any_store, campaign, trusted, "ada", "good")
        answer_task(campaign, trusted, text)
    answer_task(campaign, worker_in(any_store), "wat a nice vidio i like")
    assert "likely noise" in requester.get("/desk/c/describe/answers?tier=1").text
    for submission in submissions.stream(any_store, campaign):
        if submission.tier == 2:
            reviews.decide(any_store, submission, "reject", "ada", "another clip")
    assert "likely noise" not in requester.get("/desk/c/describe/answers?tier=1").text


def test_controls_and_agreement_at_the_desk(
    requester, any_store, make_campaign, worker_in, answer_task
):
    rules = ControlRules(every=2, warn_after=9, block_after=9, tolerance=0)
    campaign = make_campaign(
        "judge", count=4, controls=rules, criteria=(Criterion("overall", "How good?"),)
    )
    gold = {"source": "a", "candidates": [{"text": "b"}]}
    row = {"key": "gold", "control": "gold", "content": gold}
    row["expected"] = {"judgments": {"0": {"overall": 5}}}
    items.add(any_store, campaign, [row], "ada")
    people = [worker_in(any_store), worker_in(any_store)]
    for worker, value in zip(people, (1, 4), strict=True):
        for _ in range(4):
            task = assignments.next_assignment(any_store, campaign, worker)
            ratings = {str(n): {"overall": value} for n in range(len(task.item.content["candidates"]))}
            answer = Answer(data={"judgments": ratings})
            submissions.submit(any_store, task, worker, answer)
    page = requester.get("/desk/c/judge").text
    assert "Krippendorff" in page
    assert "2 judges, up to 3 apart" in page
    assert "<h3>Judges</h3>" in page
    for worker in people:
        assert f'/desk/c/judge/workers/{worker.public_id}"' in page
    assert '<td class="n">3.00</td><td class="n">–</td><td class="n">-3.00</td>' in page
    assert "(English)" not in page
    page = requester.get(f"/desk/c/judge/workers/{people[0].public_id}").text
    assert "Failed controls" in page
    assert "0 of 1 passed" in page
