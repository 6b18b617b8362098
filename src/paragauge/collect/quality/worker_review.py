"""The review of a worker: hints and noise verdicts on the answers in a store.

An answer is compared with all answers to the same item and with the worker's own. Trusted sentences are
those of tier 2 that were not rejected; an item that has fewer than `LEAST_TRUSTED` of them from others
is compared with all its answers that were not rejected instead, since most of what a crowd writes is
right. Controls are left out.

The cost of a worker's page is that of the items the worker answered, not of the campaign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from paragauge.collect.campaigns import items
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.cluster_evidence import TrustedClusters
from paragauge.collect.quality.hint_rules import (
    DEFAULT_RULES,
    Hint,
    HintRules,
    find_answer_hints,
    find_worker_hints,
)
from paragauge.collect.quality.noise_filter import NoiseFilter, Verdict
from paragauge.collect.store.schema_answers import submissions as submissions_table
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import submissions
from paragauge.collect.tasks.submissions import Submission
from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.lexicon.language_names import find_language_tag
from paragauge.text.unicode_words import words

LEAST_TRUSTED = 3
# A word that this many trusted workers wrote counts as known.
LEAST_WRITERS = 2


@dataclass(frozen=True)
class ReviewedAnswer:
    """An answer with its hints; `verdict` is None if there is no filter for its language."""

    submission: Submission
    hints: tuple[Hint, ...]
    verdict: Verdict | None


@dataclass(frozen=True)
class WorkerReview:
    """A worker's answers, oldest first, with the hints on each and on the whole."""

    hints: tuple[Hint, ...]
    answers: tuple[ReviewedAnswer, ...]


def review_worker(
    store: Store,
    campaign: Campaign,
    worker: Worker,
    filter_: NoiseFilter | None = None,
    rules: HintRules = DEFAULT_RULES,
) -> WorkerReview:
    """Hints and verdicts on a worker in a campaign of descriptions or paraphrases.

    `filter_` is one that was trained on the campaign; without it English answers are judged by the one
    that comes with the package, and answers in other languages by none.
    """
    mine = list(submissions.stream(store, campaign, worker=worker, controls=False))
    if not mine:
        return WorkerReview((), ())
    around = _read_answers_to_same_items(store, campaign, worker)
    sources = read_sources(store, campaign)
    answers = [as_written_answer(submission, sources) for submission in mine]
    others = [as_written_answer(submission, sources) for submission in around]
    allowed = _find_trusted_words(others)
    decisions = [submission.decision for submission in around]
    known = TrustedClusters(_choose_references(others, decisions, worker.public_id))
    by_item: dict[str, list[WrittenAnswer]] = {}
    for other in others:
        by_item.setdefault(other.item, []).append(other)
    verdicts = _judge_answers(answers, known, filter_)
    reviewed = [
        ReviewedAnswer(
            submission,
            find_answer_hints(answer, [*by_item[answer.item], *answers], allowed, rules),
            verdict,
        )
        for submission, answer, verdict in zip(mine, answers, verdicts, strict=True)
    ]
    return WorkerReview(find_worker_hints(answers, others, allowed, rules), tuple(reviewed))


def as_written_answer(submission: Submission, sources: dict[str, str]) -> WrittenAnswer:
    """A submission as hints see it; `sources` are the sentences to paraphrase, by key of the item."""
    return WrittenAnswer(
        submission.text,
        submission.item_key,
        submission.worker_public_id,
        sources.get(submission.item_key, ""),
        submission.language,
        str(submission.assignment_id),
        submission.seconds,
        submission.tier == 2 and submission.decision != "reject",
    )


def read_sources(store: Store, campaign: Campaign) -> dict[str, str]:
    """The sentences to paraphrase, by key of the item; none in a campaign of another kind."""
    if campaign.settings.kind != "paraphrase":
        return {}
    return {item.key: str(item.content["text"]) for item in items.all_items(store, campaign)}


def _read_answers_to_same_items(store: Store, campaign: Campaign, worker: Worker) -> list[Submission]:
    """All answers to the items that the worker answered, the worker's among them."""
    table = submissions_table
    own = (table.c.campaign_id == campaign.id) & (table.c.worker_id == worker.id)
    with store.read() as connection:
        numbers = connection.execute(sa.select(table.c.item_id).where(own).distinct()).scalars().all()
    return [
        submission
        for number in sorted(numbers)
        for submission in submissions.stream(store, campaign, item_id=number, controls=False)
    ]


def _choose_references(
    others: Sequence[WrittenAnswer], decisions: Sequence[str], worker: str
) -> list[WrittenAnswer]:
    """The sentences to compare with; see the module docstring."""
    trusted = Counter(other.item for other in others if other.trusted and other.worker != worker)
    return [
        other
        for other, decision in zip(others, decisions, strict=True)
        if (other.trusted or trusted[other.item] < LEAST_TRUSTED) and decision != "reject"
    ]


def _find_trusted_words(others: Sequence[WrittenAnswer]) -> frozenset[str]:
    writers: dict[str, set[str]] = {}
    for other in others:
        if other.trusted:
            for word in set(words(other.text)):
                writers.setdefault(word, set()).add(other.worker)
    return frozenset(word for word, names in writers.items() if len(names) >= LEAST_WRITERS)


def _judge_answers(
    answers: Sequence[WrittenAnswer], known: TrustedClusters, filter_: NoiseFilter | None
) -> Sequence[Verdict | None]:
    if filter_ is not None:
        return filter_.judge(answers, known)
    english = [i for i, answer in enumerate(answers) if find_language_tag(answer.language) == "en"]
    name = "english" if any(answer.source for answer in answers) else "english-descriptions"
    verdicts: list[Verdict | None] = [None] * len(answers)
    judged = NoiseFilter.shipped(name).judge([answers[i] for i in english], known)
    for i, verdict in zip(english, judged, strict=True):
        verdicts[i] = verdict
    return verdicts
