"""Pages for workers: joining, signing in, the check, earnings, erasure."""

from __future__ import annotations

from paragauge.collect.campaigns import campaigns, invitations, items, ledger, memberships
from paragauge.collect.campaigns.campaign_settings import ControlRules, Criterion, Question
from paragauge.collect.people import workers
from paragauge.collect.people.workers import get_person
from paragauge.collect.tasks import assignments, reviews, submissions

CHECK = (
    Question("How many sentences?", ("one", "two"), 0, "One sentence is enough."),
    Question("In which language?", ("English", "any"), 1, "The one you know best."),
)


def test_a_stranger_sees_open_campaigns_and_joins(browser, make_campaign) -> None:
    make_campaign(slug="clips")
    make_campaign(slug="secret", open_registration=False)
    me = browser()
    page = me.get("/")
    assert "/c/clips" in page.text
    assert "/c/secret" not in page.text
    key = me.join("clips")
    assert "not shown again" in me.page.text
    assert key not in me.get("/").text
    assert key not in me.get("/me").text


def test_nobody_joins_without_consent(browser, make_campaign, any_store) -> None:
    make_campaign(consent="Your words <b>will</b> be printed.")
    me = browser()
    assert "Your words &lt;b&gt;will&lt;/b&gt; be printed." in me.get("/c/describe").text
    page = me.send("/join", email="ada@example.org")
    assert page.status_code == 400
    assert "Please tick the box if you agree." in page.text
    assert 'value="ada@example.org"' in page.text
    assert workers.all_workers(any_store) == []


def test_an_address_that_is_none_is_refused_and_kept(browser, make_campaign, any_store) -> None:
    make_campaign()
    me = browser()
    me.get("/c/describe")
    page = me.send("/join", consent="yes", email='"><script>')
    assert page.status_code == 400
    assert "This is not an e-mail address" in page.text
    assert 'value="&#34;&gt;&lt;script&gt;"' in page.text
    me.send("/join", consent="yes", email="ada@example.org")
    assert get_person(any_store, workers.all_workers(any_store)[0]).email == "ada@example.org"


def test_an_invitation_admits_to_a_closed_campaign_only_by_its_link(
    browser, make_campaign, any_store
) -> None:
    campaign = make_campaign(slug="secret", open_registration=False)
    _, token = invitations.create(any_store, campaign, "ada", most_uses=1)
    stranger = browser()
    page = stranger.get("/c/secret")
    assert page.status_code == 403
    assert "by invitation" in page.text
    me = browser()
    assert "You are invited" in me.get(f"/join/{token}").text
    me.send(f"/join/{token}", consent="yes")
    assert "Your key" in me.page.text
    assert me.start("secret").startswith("/task/")
    page = stranger.get(f"/join/{token}")
    assert page.status_code == 404
    assert "used up, expired or withdrawn" in page.text


def test_an_invitation_may_bring_a_known_worker_to_another_campaign(
    browser, make_campaign, any_store
) -> None:
    make_campaign(slug="clips")
    campaign = make_campaign("judge", slug="secret", open_registration=False)
    _, token = invitations.create(any_store, campaign, "ada", tier=2)
    me = browser()
    me.join("clips")
    me.get(f"/join/{token}")
    assert "whatever you agreed to before" in me.page.text
    assert "Please tick the box if you agree." in me.send(f"/join/{token}").text
    assert invitations.find(any_store, token).uses == 0
    page = me.send(f"/join/{token}", consent="yes")
    assert page.url.path == "/c/secret"
    (worker,) = workers.all_workers(any_store)
    assert memberships.get_standing(any_store, campaign, worker).tier == 2


def test_an_invitation_to_the_store_admits_to_all_campaigns(browser, make_campaign, any_store) -> None:
    make_campaign(slug="one", open_registration=False)
    make_campaign(slug="two", open_registration=False)
    _, token = invitations.create(any_store, None, "ada")
    me = browser()
    me.get(f"/join/{token}")
    me.send(f"/join/{token}", consent="yes")
    page = me.get("/")
    assert "/c/one" in page.text
    assert "/c/two" in page.text


def test_the_key_opens_the_same_account_elsewhere(browser, make_campaign) -> None:
    make_campaign()
    me, elsewhere = browser(), browser()
    key = me.join("describe")
    task = me.start("describe")
    elsewhere.get("/sign-in")
    page = elsewhere.send("/sign-in", key="not the key")
    assert page.status_code == 400
    assert "There is no such key." in page.text
    assert elsewhere.send("/sign-in", key=f" {key} ").status_code == 200
    assert elsewhere.start("describe") == task


def test_signing_out_ends_the_session_on_the_server(browser, make_campaign) -> None:
    make_campaign()
    me = browser()
    me.join("describe")
    token = me.client.cookies["paragauge-worker"]
    me.get("/me")
    me.send("/sign-out")
    assert "paragauge-worker" not in me.client.cookies
    me.client.cookies.set("paragauge-worker", token)
    assert me.get("/me").url.path == "/sign-in"


def test_a_session_planted_before_signing_in_is_not_used(browser, make_campaign) -> None:
    make_campaign()
    me = browser()
    me.client.cookies.set("paragauge-worker", "planted", domain="testserver.local", path="/")
    key = me.join("describe")
    assert me.client.cookies["paragauge-worker"] != "planted"
    assert key not in me.client.cookies["paragauge-worker"]


def test_the_check_gives_feedback_and_a_second_try(browser, make_campaign, any_store) -> None:
    campaign = make_campaign(comprehension=CHECK)
    me = browser()
    me.join("describe")
    me.start("describe")
    assert me.page.url.path == "/c/describe/check"
    assert "You have 2 tries" in me.page.text
    page = me.send("/check", q0="0")
    assert page.status_code == 400
    assert "Please answer all of the questions." in page.text
    page = me.send("/check", q0="1", q1="1")
    assert "1 answer was not right" in page.text
    assert "Not quite." in page.text
    assert "One sentence is enough." in page.text
    assert "try once more" in page.text
    me.send("/check", q0="0", q1="1")
    assert "Every answer was right." in me.page.text
    assert me.send("/work").url.path.startswith("/task/")
    (worker,) = workers.all_workers(any_store)
    assert memberships.get_standing(any_store, campaign, worker).check_tries == 2


def test_after_the_last_try_there_is_no_other(browser, make_campaign) -> None:
    make_campaign(comprehension=CHECK)
    me = browser()
    me.join("describe")
    me.start("describe")
    for _ in range(2):
        token = me.token()
        me.get("/c/describe/check")
        me.send("/check", q0="1", q1="0")
    assert "your tries are used up" in me.page.text
    me.post("/c/describe/check", {"csrf": token, "q0": "0", "q1": "1"})
    me.start("describe")
    assert me.page.url.path == "/c/describe/check"
    assert "your tries are used up" in me.page.text


def test_a_try_too_many_at_the_same_moment_is_not_kept(browser, make_campaign, any_store) -> None:
    campaign = make_campaign(comprehension=CHECK, comprehension_tries=1)
    browser().join("describe")
    (worker,) = workers.all_workers(any_store)
    assert not memberships.record_check(any_store, campaign, worker, {"0": 1}, False).passed_check
    assert not memberships.record_check(any_store, campaign, worker, {"0": 0}, True).passed_check


def test_earnings_and_standing(browser, make_campaign, any_store) -> None:
    campaign = make_campaign()
    me = browser()
    me.join("describe")
    me.start("describe")
    path = me.page.url.path
    me.send(path, text="A dog runs.", language="English")
    page = me.get("/me")
    assert "$0.01" in page.text
    assert "1 answer sent" in page.text
    assert "1 waiting for review" in page.text
    assert "$0.01 waiting for review" in page.text
    assert "$0.00 to come" in page.text
    (worker,) = workers.all_workers(any_store)
    (row,) = submissions.stream(any_store, campaign)
    reviews.decide(any_store, row, "accept", "ada")
    assert "$0.01 to come" in me.get("/me").text
    ledger.pay(any_store, campaign, worker, 1, "ada")
    memberships.warn(any_store, campaign, worker, "ada", "Too short.")
    page = me.get("/me")
    assert "$0.01 paid" in page.text
    assert "$0.00 to come" in page.text
    assert "Warned" in page.text


def test_a_worker_reads_why_answers_were_rejected(browser, make_campaign, any_store) -> None:
    make_campaign()
    me, other = browser(), browser()
    for visitor in (me, other):
        visitor.join("describe")
        visitor.start("describe")
    me.send(me.page.url.path, text="A dog runs.", language="English")
    assert "rejected</span>" in me.get("/me").text
    assert "Why answers were rejected" not in me.page.text
    [submission] = submissions.stream(any_store)
    reviews.decide(any_store, submission, "reject", "ada", "There is <no> dog.")
    page = me.get("/me").text
    assert "<bdi>A dog runs.</bdi>: <em><bdi>There is &lt;no&gt; dog.</bdi></em>" in page
    assert "dog" not in other.get("/me").text
    reviews.decide(any_store, submission, "accept", "ada")
    assert "Why answers were rejected" not in me.get("/me").text


def test_a_warned_worker_is_told_why_and_a_blocked_one_gets_nothing(
    browser, make_campaign, any_store
) -> None:
    campaign = make_campaign()
    me = browser()
    me.join("describe")
    (worker,) = workers.all_workers(any_store)
    memberships.warn(any_store, campaign, worker, "ada", "Please write <whole> sentences.")
    me.start("describe")
    assert "A word of warning." in me.page.text
    assert "Please write &lt;whole&gt; sentences." in me.page.text
    me.send("/skip")
    memberships.block(any_store, campaign, worker, "ada")
    me.send("/skip")
    assert "No more tasks here" in me.page.text
    memberships.unblock(any_store, campaign, worker, "ada")
    me.start("describe")
    assert "A word of warning." not in me.page.text


def test_reasons_for_no_task(browser, make_campaign, any_store) -> None:
    campaign = make_campaign(count=1)
    me = browser()
    me.join("describe")
    campaigns.pause(any_store, campaign, "ada")
    me.start("describe")
    assert "taking a break" in me.page.text
    campaigns.resume(any_store, campaign, "ada")
    me.start("describe")
    me.send(me.page.url.path, text="A dog runs.", language="English")
    assert "All done" in me.page.text
    assert "Saved, thank you." in me.page.text
    assert "Receipt" in me.page.text
    campaigns.close(any_store, campaign, "ada")
    me.start("describe")
    assert "It is done" in me.page.text


def test_a_spent_budget_gives_no_task(browser, make_campaign) -> None:
    make_campaign(budget_cents=0)
    me = browser()
    me.join("describe")
    me.start("describe")
    assert "All tasks that can be paid for now are taken." in me.page.text


def test_erasing_takes_the_person_and_if_wanted_the_answers(browser, make_campaign, any_store) -> None:
    make_campaign()
    me = browser()
    key = me.join("describe", email="ada@example.org")
    (worker,) = workers.all_workers(any_store)
    me.get("/me/erase")
    page = me.send("/erase", answers="yes")
    assert page.status_code == 400
    assert "Please tick the box if you are sure." in page.text
    assert get_person(any_store, worker).email == "ada@example.org"
    page = me.send("/erase", answers="yes", sure="yes")
    assert "what you wrote is emptied" in page.text
    assert get_person(any_store, worker) is None
    assert me.get("/me").url.path == "/sign-in"
    assert me.send("/sign-in", key=key).status_code == 400


def test_failed_controls_warn_then_block_without_saying_which(
    browser, make_campaign, any_store
) -> None:
    """One of two tasks is a control; the worker gives the broken sentence the best marks."""
    campaign = make_campaign(
        "judge",
        count=3,
        controls=ControlRules(every=2, warn_after=1, block_after=2, tolerance=1),
        criteria=(Criterion("adequacy", "Does it keep the meaning?"),),
    )
    content = {"source": "A dog runs.", "candidates": [{"system": "gold", "text": "Runs dog a."}]}
    rows = [
        {"key": f"control{n}", "content": content, "control": "gold"}
        | {"expected": {"judgments": {"0": {"adequacy": 1}}}}
        for n in range(2)
    ]
    items.add(any_store, campaign, rows, "ada")
    me = browser()
    me.join("judge")
    me.start("judge")
    seen = []
    while "No more tasks here" not in me.page.text:
        marks = {f"p{place}-c0": "5" for place in range(me.page.text.count("sentence-text"))}
        me.send(me.page.url.path, **marks)
        seen.append("A word of warning" in me.page.text)
        assert "expected" not in me.page.text
        assert "control" not in me.page.text.lower().replace(" controls ", "")
    assert 2 <= len(seen) <= 4
    assert seen[-2]
    assert seen[:-1] == sorted(seen[:-1])


def test_a_released_task_says_so_and_another_comes(browser, make_campaign, any_store) -> None:
    campaign = make_campaign(count=2)
    worker = browser()
    worker.join("describe")
    path = worker.start("describe")
    [task] = assignments.list_open(any_store, campaign)
    assignments.reassign(any_store, task, "ada")
    page = worker.get(path)
    assert page.status_code == 410
    assert "took this task back" in page.text
    assert "The time for this task was over" not in page.text
    worker.start("describe")
    [now] = assignments.list_open(any_store, campaign)
    assert now.item != task.item
