"""A worker may correct an answer for a while: what it said before is kept, and nothing else changes."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from paragauge.collect.campaigns import campaigns
from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.people import erasure
from paragauge.collect.store.schema_answers import replaced_answers, submissions
from paragauge.collect.tasks import assignments, corrections, reviews
from paragauge.collect.tasks import submissions as answers
from paragauge.collect.tasks.answers import Answer
from paragauge.errors import AnswerError, RefusedError, StoreError

FIRST, BETTER = Answer("A dog rnus.", "English", "a typo?"), Answer("A dog runs.", "en")


@pytest.fixture
def sent(store, describe, worker_in):
    """An answer that was just sent: campaign, worker, task."""
    campaign, worker = describe(store, 1, correct_minutes=10), worker_in(store)
    task = assignments.next_assignment(store, campaign, worker)
    answers.submit(store, task, worker, FIRST)
    return campaign, worker, task


def test_a_correction_replaces_the_answer_and_keeps_it(store, clock, sent):
    _, worker, task = sent
    [before] = answers.stream(store)
    clock.forward(minutes=9)
    assert corrections.read_correctable(store, task, worker).text == "A dog rnus."
    assert corrections.correct(store, task, worker, BETTER)
    assert not corrections.correct(store, task, worker, BETTER)
    [after] = answers.stream(store)
    assert (after.text, after.language, after.comment) == ("A dog runs.", "en", "")
    assert (after.public_id, after.submitted_at) == (before.public_id, before.submitted_at)
    with store.read() as connection:
        [kept] = connection.execute(sa.select(replaced_answers)).all()
    assert (kept.text, kept.language, kept.comment) == ("A dog rnus.", "English", "a typo?")
    assert find_problems(store) == []


def test_wrong_corrections_leave_the_answer(store, sent, worker_in):
    _, worker, task = sent
    with pytest.raises(AnswerError, match="please write something"):
        corrections.correct(store, task, worker, Answer("", "en"))
    with pytest.raises(RefusedError, match="not yours"):
        corrections.correct(store, task, worker_in(store), BETTER)
    [row] = answers.stream(store)
    assert row.text == FIRST.text


@pytest.mark.parametrize("why", ["late", "reviewed", "closed", "off"])
def test_when_an_answer_stays(store, clock, sent, why):
    campaign, worker, task = sent
    [row] = answers.stream(store)
    if why == "late":
        clock.forward(minutes=10)
    elif why == "reviewed":
        reviews.decide(store, row, "accept", "ada")
    elif why == "closed":
        campaigns.close(store, campaign, "ada")
    else:
        plain = campaign.settings.to_json() | {"correct_minutes": 0}
        campaigns.change_settings(store, campaign, type(campaign.settings).from_json(plain), "ada")
    assert corrections.read_correctable(store, task, worker) is None
    with pytest.raises(RefusedError):
        corrections.correct(store, task, worker, BETTER)
    [row] = answers.stream(store)
    assert row.text == FIRST.text


def test_the_store_refuses_a_change_without_the_former_answer(store, sent):
    for values in ({"text": "forged"}, {"text": "forged", "tier": 2}):
        with pytest.raises((StoreError, sa.exc.DBAPIError)), store.write("x") as transaction:
            transaction.connection.execute(sa.update(submissions).values(values))
    # Not even with the former answer may anything else change.
    with store.write("x") as transaction:
        [row] = transaction.connection.execute(sa.select(submissions)).all()
        kept = {name: getattr(row, name) for name in corrections.FIELDS}
        kept |= {"at": transaction.at, "submission_id": row.id}
        transaction.connection.execute(sa.insert(replaced_answers), kept)
    forged = sa.update(submissions).values(text="forged", tier=2)
    with pytest.raises((StoreError, sa.exc.DBAPIError)), store.write("x") as transaction:
        transaction.connection.execute(forged)


def test_erasing_deletes_what_was_corrected(store, sent):
    _, worker, task = sent
    corrections.correct(store, task, worker, BETTER)
    erasure.erase(store, worker, "ada")
    with store.read() as connection:
        assert connection.execute(sa.select(replaced_answers)).all() == []
