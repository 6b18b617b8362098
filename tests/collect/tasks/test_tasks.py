"""Giving, skipping, expiring and submitting tasks."""

from __future__ import annotations

from collections import Counter

import pytest

from paragauge.collect.campaigns import budget, campaigns, items, memberships
from paragauge.collect.campaigns.campaign_settings import (
    CampaignSettings,
    ControlRules,
    Criterion,
    Question,
    SurveyQuestion,
    TierSettings,
)
from paragauge.collect.corpus.campaign_answers import CampaignAnswers, write_answers
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.answers import check_answer
from paragauge.collect.tasks.assignments import Assignment, Refusal
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.tasks.task_order import coefficients, order_seed, place
from paragauge.errors import AnswerError, RefusedError

ENGLISH = Answer("A dog is catching a Frisbee.", "English", seconds=12.5)


def take(store, campaign, worker, tier=None) -> Assignment:
    task = assignments.next_assignment(store, campaign, worker, tier)
    assert isinstance(task, Assignment), task
    return task


def refusal_reason(store, campaign, worker, tier=None) -> str:
    result = assignments.next_assignment(store, campaign, worker, tier)
    assert isinstance(result, Refusal)
    return result.reason


def test_quota_is_filled_and_no_more(store, describe, worker_in) -> None:
    campaign = describe(store, 2)
    counts = Counter()
    for _ in range(4):
        worker = worker_in(store)
        while isinstance(task := assignments.next_assignment(store, campaign, worker), Assignment):
            counts[task.item.key] += 1
            submissions.submit(store, task, worker, ENGLISH)
    assert counts == {"clip0": 2, "clip1": 2}
    assert [row.taken for row in items.read_coverage(store, campaign) if row.tier == 1] == [2, 2]


def test_the_order_is_the_workers_own_and_can_be_computed_again(store, describe, worker_in) -> None:
    campaign = describe(store, 8, tiers={1: TierSettings(0, 99)})
    orders = []
    for _ in range(3):
        worker = worker_in(store)
        tasks = []
        for position in range(8):
            task = take(store, campaign, worker)
            assert task.position == position
            assert task.seed == f"7:{worker.public_id}"
            tasks.append(task.item.id)
            submissions.submit(store, task, worker, ENGLISH)
        by = coefficients(order_seed(campaign.settings.seed, worker.public_id))
        assert tasks == sorted(tasks, key=lambda item, by=by: place(by, item))
        orders.append(tasks)
    assert orders[0] != orders[1] or orders[1] != orders[2]


def test_any_two_items_come_in_both_orders_equally_often() -> None:
    # Of 4000 workers half see 1 before 2; the standard deviation of that count is 32.
    first = sum(place(by := coefficients(f"7:w{n}"), 1) < place(by, 2) for n in range(4000))
    assert abs(first - 2000) < 5 * 32


def test_a_skipped_item_goes_to_others_and_does_not_come_back(store, describe, worker_in) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(3, 1)})
    worker, other = worker_in(store), worker_in(store)
    task = take(store, campaign, worker)
    assert refusal_reason(store, campaign, other) == "nothing-left"
    with pytest.raises(RefusedError, match="belongs to another worker"):
        assignments.skip(store, task, other)
    assignments.skip(store, task, worker)
    assignments.skip(store, task, worker)
    assert budget.compute_costs(store, campaign).reserved == 0
    assert refusal_reason(store, campaign, worker) == "nothing-left"
    assert take(store, campaign, other).item == task.item
    with pytest.raises(RefusedError, match="you gave this task back") as error:
        submissions.submit(store, task, worker, ENGLISH)
    assert error.value.reason == "skipped"


def test_an_expired_task_frees_its_place_when_somebody_asks(store, clock, describe, worker_in) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(3, 1)}, expires_minutes=10, budget_cents=3)
    worker, other = worker_in(store), worker_in(store)
    task = take(store, campaign, worker)
    clock.forward(minutes=9.99)
    assert refusal_reason(store, campaign, other) == "nothing-left"
    clock.forward(minutes=0.01)
    with pytest.raises(RefusedError, match="the time for this task is over") as error:
        submissions.submit(store, task, worker, ENGLISH)
    assert error.value.reason == "expired"
    assert take(store, campaign, other).item == task.item
    assert assignments.expire(store) == 0
    states = [assignment.state for assignment in assignments.list_of_worker(store, campaign, worker)]
    assert states == ["expired"]
    assert "assignment.expired" in [change.action for change in read_changes(store)]


def test_ones_own_expired_task_is_replaced(store, clock, describe, worker_in) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(3, 1)}, expires_minutes=10, budget_cents=3)
    worker = worker_in(store)
    task = take(store, campaign, worker)
    clock.forward(minutes=11)
    again = take(store, campaign, worker)
    assert (again.item, again.position) == (task.item, 1)
    assert again.public_id != task.public_id
    assert budget.compute_costs(store, campaign).reserved == 3


def test_reassigning_takes_a_task_back(store, describe, worker_in) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(0, 1)})
    task = take(store, campaign, worker_in(store))
    assert assignments.list_open(store, campaign) == [task]
    assert assignments.reassign(store, task, "ada", "too slow")
    assert not assignments.reassign(store, task, "ada")
    assert take(store, campaign, worker_in(store)).item == task.item


def test_no_worker_reads_anothers_task(store, describe, worker_in) -> None:
    campaign = describe(store)
    worker, other = worker_in(store), worker_in(store)
    task = take(store, campaign, worker)
    assert assignments.get(store, task.public_id, worker) == task
    for name in (task.public_id, "nothing", "", "a\0", "é", "'--"):
        assert assignments.get(store, name, other) is None
    with pytest.raises(RefusedError, match="belongs to another worker"):
        submissions.submit(store, task, other, ENGLISH)
    assert list(submissions.stream(store)) == []


def test_tiers_are_for_those_who_have_them(store, describe, worker_in) -> None:
    campaign, worker = describe(store, 1, both_tiers=False), worker_in(store)
    assert refusal_reason(store, campaign, worker, 2) == "tier"
    memberships.grant(store, campaign, worker, "ada", "writes well")
    task = take(store, campaign, worker)
    assert (task.tier, task.pay_cents) == (2, 5)
    submissions.submit(store, task, worker, ENGLISH)
    # The item was done in tier 2, and not again in tier 1.
    assert refusal_reason(store, campaign, worker) == "nothing-left"
    assert refusal_reason(store, campaign, worker, 3) == "tier"


def test_both_tiers_of_an_item_unless_forbidden(store, describe, worker_in) -> None:
    campaign, worker = describe(store, 1), worker_in(store)
    memberships.grant(store, None, worker, "ada")
    tiers = []
    while isinstance(task := assignments.next_assignment(store, campaign, worker), Assignment):
        tiers.append(task.tier)
        submissions.submit(store, task, worker, ENGLISH)
    assert tiers == [2, 1]


def test_a_cheaper_tier_is_given_when_the_budget_is_nearly_used(store, describe, worker_in) -> None:
    campaign, worker = describe(store, 2, budget_cents=4), worker_in(store)
    memberships.grant(store, campaign, worker, "ada")
    assert refusal_reason(store, campaign, worker, 2) == "budget"
    assert take(store, campaign, worker).tier == 1


def test_paused_closed_and_budget(store, describe, worker_in) -> None:
    campaign, worker = describe(store, budget_cents=1), worker_in(store)
    campaigns.pause(store, campaign, "ada")
    assert refusal_reason(store, campaign, worker) == "paused"
    campaigns.resume(store, campaign, "ada")
    task = take(store, campaign, worker)
    assert refusal_reason(store, campaign, worker_in(store)) == "budget"
    campaigns.close(store, campaign, "ada")
    # What was begun may be finished.
    submissions.submit(store, task, worker, ENGLISH)
    assert refusal_reason(store, campaign, worker) == "closed"
    with pytest.raises(RefusedError, match="is closed"):
        campaigns.resume(store, campaign, "ada")


def test_the_comprehension_check_comes_first(store, describe, worker_in) -> None:
    question = Question("How many sentences?", ("one", "many"), 0)
    campaign, worker = describe(store, comprehension=(question,)), worker_in(store)
    assert refusal_reason(store, campaign, worker) == "check"
    assert not memberships.record_check(store, campaign, worker, {"0": 1}, passed=False).passed_check
    standing = memberships.record_check(store, campaign, worker, {"0": 0}, passed=True)
    assert (standing.passed_check, standing.check_tries) == (True, 2)
    take(store, campaign, worker)


def test_controls_come_at_their_turn_and_repeats_after_the_original(store, describe, worker_in) -> None:
    campaign = describe(store, 6, tiers={1: TierSettings(0, 9)}, controls=ControlRules(every=3))
    content = {"url": "https://example.org/a.mp4", "start": 1, "end": 4}
    rows = [{"key": "gold", "control": "gold", "expected": {"words": ["x"]}}]
    rows += [
        {"key": f"again{n}", "control": "repeated", "expected": {"of": f"clip{n}"}} for n in range(6)
    ]
    items.add(store, campaign, [row | {"content": content} for row in rows], "ada")
    for _ in range(2):
        worker, seen = worker_in(store), []
        while isinstance(task := assignments.next_assignment(store, campaign, worker), Assignment):
            if task.item.control == "repeated":
                assert task.item.expected["of"] in seen
            seen.append(task.item.key)
            submissions.submit(store, task, worker, ENGLISH)
        for block in (seen[:3], seen[3:6]):
            assert sum(not key.startswith("clip") for key in block) == 1
    assert len(list(submissions.stream(store, campaign, controls=False))) == 12


def test_controls_cannot_be_skipped(store, describe, worker_in) -> None:
    campaign = describe(store, 12, tiers={1: TierSettings(0, 999)}, controls=ControlRules(every=3))
    content = {"url": "https://example.org/a.mp4", "start": 1, "end": 4}
    rows = [{"key": f"gold{n}", "control": "gold", "expected": {"words": ["x"]}} for n in range(4)]
    items.add(store, campaign, [row | {"content": content} for row in rows], "ada")
    places = set()
    # Each worker has the control of a block of three answers at a place of their own; one of nine has
    # two controls that follow one another, the last of a block and the first of the next.
    while not {(0, 2), (2, 0)} <= places:
        worker, answers = worker_in(store), []
        while len(answers) < 6:
            task = assignments.next_assignment(store, campaign, worker)
            if task.item.control is not None:
                skipped = []
                for _ in range(4):
                    skipped.append(task.item.key)
                    assignments.skip(store, task, worker)
                    task = assignments.next_assignment(store, campaign, worker)
                    assert task.item.control == "gold"
                # Those that were skipped come again when no others are left.
                assert "gold" in answers or sorted(skipped) == ["gold0", "gold1", "gold2", "gold3"]
            submissions.submit(store, task, worker, ENGLISH)
            answers.append(task.item.control)
        assert answers[:3].count("gold") == answers[3:].count("gold") == 1
        places.add((answers.index("gold"), answers[3:].index("gold")))


def test_a_task_that_was_released_goes_to_somebody_else(store, describe, worker_in) -> None:
    campaign, one, two = describe(store, 1), worker_in(store), worker_in(store)
    task = assignments.next_assignment(store, campaign, one)
    assert assignments.reassign(store, task, "ada", "holiday")
    assert assignments.get(store, task.public_id, one).released
    assert assignments.next_assignment(store, campaign, one) == Refusal("nothing-left")
    assert assignments.next_assignment(store, campaign, two).item == task.item


def make_judge_settings(**more) -> CampaignSettings:
    return CampaignSettings(kind="judge", title="Judge", tiers={1: TierSettings(0, 9)}, **more)


JUDGMENT = {"source": "a", "candidates": [{"system": s, "text": s} for s in "uvwxy"]}


def test_candidates_come_in_a_blind_order_of_the_worker(store, worker_in) -> None:
    campaign = campaigns.create(store, make_judge_settings(ranking=True), "judge", "ada")
    items.add(store, campaign, [{"key": "j", "content": JUDGMENT}], "ada")
    orders = set()
    for _ in range(5):
        worker = worker_in(store)
        task = take(store, campaign, worker)
        assert sorted(task.order) == [0, 1, 2, 3, 4]
        assert assignments.get(store, task.public_id, worker) == task
        orders.add(task.order)
    assert len(orders) > 1


def test_judgments_are_kept_by_candidate_and_criterion(store, worker_in) -> None:
    criteria = (Criterion("adequacy", "?"), Criterion("fluency", "?", 1, 4))
    campaign = campaigns.create(store, make_judge_settings(criteria=criteria), "judge", "ada")
    items.add(store, campaign, [{"key": "j", "content": JUDGMENT}], "ada")
    worker = worker_in(store)
    task = take(store, campaign, worker)
    values = {str(n): {"adequacy": n + 1, "fluency": 4 - n % 4} for n in range(5)}
    bad = [
        ({}, "judgment-0-adequacy"),
        (values | {"2": {"adequacy": 6, "fluency": 1}}, "judgment-2-adequacy"),
    ]
    bad += [(values | {"4": {"adequacy": 1, "fluency": True}}, "judgment-4-fluency")]
    for wrong, field in bad:
        with pytest.raises(AnswerError) as error:
            submissions.submit(store, task, worker, Answer(data={"judgments": wrong}))
        assert error.value.field == field
    more = values | {"9": {"adequacy": 1}}
    submissions.submit(store, task, worker, Answer(data={"judgments": more, "admin": True}))
    [row] = submissions.stream(store)
    assert row.data == {"judgments": values}
    stored = submissions.stream_judgments(store, campaign)
    ratings = {(judgment.candidate, judgment.criterion): judgment.value for judgment in stored}
    assert ratings[3, "adequacy"] == 4
    assert ratings[3, "fluency"] == 1
    assert len(ratings) == 10


@pytest.mark.parametrize(
    ("ranks", "field"),
    [
        ({"0": 1}, "rank-1"),
        (dict.fromkeys("01234", 6), "rank-0"),
        (dict.fromkeys("01234", 1), "ranking"),
    ],
)
def test_rankings(any_store, worker_in, ranks, field) -> None:
    campaign = campaigns.create(
        any_store, make_judge_settings(ranking=True, ranking_ties=False), "judge", "ada"
    )
    items.add(any_store, campaign, [{"key": "j", "content": JUDGMENT}], "ada")
    worker = worker_in(any_store)
    task = take(any_store, campaign, worker)
    with pytest.raises(AnswerError) as error:
        submissions.submit(any_store, task, worker, Answer(data={"ranking": ranks}))
    assert error.value.field == field
    good = {str(n): 5 - n for n in range(5)}
    submissions.submit(any_store, task, worker, Answer(data={"ranking": good}))
    assert {j.criterion for j in submissions.stream_judgments(any_store, campaign)} == {"rank"}


def test_suggestions_and_surveys(any_store, worker_in) -> None:
    store, worker = any_store, worker_in(any_store)
    suggest = campaigns.create(store, CampaignSettings(kind="suggest", title="s"), "suggest", "ada")
    items.add(store, suggest, [{"key": "s", "content": {}}], "ada")
    task = take(store, suggest, worker)
    link = {"url": "https://youtu.be/x", "start": 1, "end": 5.5}
    for change, field in [({"url": "ftp://x"}, "url"), ({"end": 1}, "end"), ({"start": "1"}, "end")]:
        with pytest.raises(AnswerError) as error:
            submissions.submit(store, task, worker, Answer(data=link | change))
        assert error.value.field == field
    submissions.submit(store, task, worker, Answer(data=link | {"more": "x"}))

    questions = (
        SurveyQuestion("age", "?", ("young", "old")),
        SurveyQuestion("why", "?", required=True),
    )
    settings = CampaignSettings(kind="survey", title="s", survey=questions)
    survey = campaigns.create(store, settings, "survey", "ada")
    items.add(store, survey, [{"key": "s"}], "ada")
    task = take(store, survey, worker)
    for answers, field in [({}, "why"), ({"why": "x", "age": "9"}, "age"), ({"why": 3}, "why")]:
        with pytest.raises(AnswerError) as error:
            submissions.submit(store, task, worker, Answer(data={"answers": answers}))
        assert error.value.field == field
    submissions.submit(store, task, worker, Answer(data={"answers": {"why": " fun ", "age": ""}}))
    assert [row.data for row in submissions.stream(store)] == [
        link,
        {"answers": {"why": "fun"}},
    ]


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        (Answer("", "English"), "text"),
        (Answer(" \n\u00a0", "English"), "text"),
        (Answer("x" * 501, "English"), "text"),
        (Answer("a\0b", "English"), "text"),
        (Answer("\ud800", "English"), "text"),
        (Answer("A dog.", ""), "language"),
        (Answer("A dog.", "Eng\nlish"), "language"),
        (Answer("A dog.", "English", comment="x" * 2001), "comment"),
        (Answer("A dog.", "English", seconds=float("nan")), "seconds"),
        (Answer("A dog.", "English", data={"x": "y" * 10_001}), "data"),
        (Answer("A dog.", "English", data={"x": "\0"}), "data"),
    ],
)
def test_answers_that_cannot_be_taken_leave_the_task_open(
    any_store, describe, worker_in, answer, field
) -> None:
    store = any_store
    campaign, worker = describe(store, 1), worker_in(store)
    task = take(store, campaign, worker)
    with pytest.raises(AnswerError) as error:
        submissions.submit(store, task, worker, answer)
    assert error.value.field == field
    assert take(store, campaign, worker) == task
    assert submissions.submit(store, task, worker, ENGLISH).first


def test_answers_in_any_script_come_back_composed(store, describe, worker_in) -> None:
    campaign, worker = describe(store, 1), worker_in(store)
    task = take(store, campaign, worker)
    submissions.submit(store, task, worker, Answer(" 犬が🥏を cafe\u0301 ", "日本語"))
    [row] = submissions.stream(store, language="日本語")
    assert row.text == "犬が🥏を café"


def test_answers_of_several_lines_are_kept_in_one(store, describe, worker_in, tmp_path) -> None:
    campaign, worker = describe(store, 1), worker_in(store)
    answer = Answer("A dog \r\n\r\n runs\tand\u2028barks.", "English", comment="one\ntwo")
    submissions.submit(store, take(store, campaign, worker), worker, answer)
    [row] = submissions.stream(store)
    assert (row.text, row.comment) == ("A dog runs and barks.", "one two")
    # A line end in one answer would keep the whole campaign out of tables.
    assert write_answers(CampaignAnswers(store, campaign), tmp_path / "answers.tsv") == 1


def test_rows_are_filtered_and_paged(store, describe, worker_in) -> None:
    campaign = describe(store, 3, tiers={1: TierSettings(0, 9), 2: TierSettings(0, 9)})
    workers = [worker_in(store) for _ in range(2)]
    memberships.grant(store, campaign, workers[1], "ada")
    for worker, language in zip(workers, ("English", "Deutsch"), strict=True):
        for _ in range(3):
            task = take(store, campaign, worker)
            submissions.submit(store, task, worker, Answer("Ein Hund.", language))
    count = lambda **filters: len(list(submissions.stream(store, campaign, **filters)))  # noqa: E731
    assert count() == 6
    assert count(tier=2) == count(language="Deutsch") == count(worker=workers[1]) == 3
    assert count(item_id=task.item.id) == 2
    assert count(decision="pending") == 6
    assert count(decision="accept") == 0
    first = list(submissions.stream(store, campaign, most=4))
    assert len(list(submissions.stream(store, campaign, after=first[-1].id))) == 2
    assert submissions.get(store, first[0].public_id) == first[0]
    assert submissions.get(store, "\0") is None


@pytest.mark.parametrize(
    "text", ["\u200b\u200b", "\u3164", "\u2800 \u2060", "\u00ad", "\ufeff\u200d", "\u034f", "\u0301"]
)
def test_what_nobody_can_see_is_no_answer(any_store, describe, worker_in, text) -> None:
    campaign, worker = describe(any_store, 1), worker_in(any_store)
    task = assignments.next_assignment(any_store, campaign, worker)
    with pytest.raises(AnswerError, match="please write something"):
        submissions.submit(any_store, task, worker, Answer(text=text, language="English"))
    with pytest.raises(AnswerError, match="please say which language"):
        submissions.submit(any_store, task, worker, Answer(text="A dog.", language=text))
    for seen in ("a", "犬", "👍", "?", "न\u200dम"):
        assert check_answer(campaign.settings, {}, Answer(text=seen, language="x")).text == seen
