"""Automatic hints as the review desk shows them.

Hints on a worker look at the latest `MOST` answers. In the list of workers they look at one worker
only; on the page of a worker, answers are also compared with those of others to the same items.
"""

from __future__ import annotations

from collections.abc import Iterable

from paragauge.collect.campaigns.campaign_settings import WRITTEN
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.quality.cluster_evidence import TrustedClusters
from paragauge.collect.quality.hint_rules import NOTE, Hint, find_answer_hints, find_worker_hints
from paragauge.collect.quality.judgment_hints import (
    JudgmentTimes,
    find_judge_hints,
    find_judgment_hints,
)
from paragauge.collect.quality.noise_filter import NoiseFilter
from paragauge.collect.statistics import paged_lists
from paragauge.collect.statistics.paged_lists import ListedAnswer
from paragauge.collect.store.paging import PageRange
from paragauge.collect.store.store import Store
from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.lexicon.language_names import find_language_tag

MOST = 300


def read_worker_hints(
    store: Store, campaign: Campaign, worker: str, *, compare: bool = False
) -> tuple[Hint, ...]:
    """What stands out in the answers of a worker; with `compare`, copies of others' answers too."""
    if campaign.settings.kind == "judge":
        judged, _ = paged_lists.list_answers(store, campaign, PageRange(0, MOST), worker=worker)
        return find_judge_hints([_as_judged(answer) for answer in judged])
    if campaign.settings.kind not in WRITTEN:
        return ()
    answers, _ = paged_lists.list_answers(store, campaign, PageRange(0, MOST), worker=worker)
    others = _read_beside(store, campaign, answers) if compare else []
    return find_worker_hints(
        _as_written(answers), [other for other in others if other.worker != worker]
    )


def read_answer_hints(
    store: Store, campaign: Campaign, answers: list[ListedAnswer]
) -> dict[int, tuple[Hint, ...]]:
    """What stands out in each answer, by its number."""
    if campaign.settings.kind == "judge":
        return {answer.id: find_judgment_hints(_as_judged(answer)) for answer in answers}
    if campaign.settings.kind not in WRITTEN:
        return {}
    beside: dict[str, list[WrittenAnswer]] = {}
    for answer in _read_beside(store, campaign, answers):
        beside.setdefault(answer.item, []).append(answer)
    own = _as_written(answers)
    noise = _find_noise(own, [answer for some in beside.values() for answer in some])
    return {
        listed.id: find_answer_hints(
            mine,
            [other for other in beside.get(mine.item, []) if other.task != mine.task]
            + [other for other in own if other.worker == mine.worker and other.item != mine.item],
        )
        + noise.get(mine.task, ())
        for listed, mine in zip(answers, own, strict=True)
    }


def _find_noise(own: list[WrittenAnswer], beside: list[WrittenAnswer]) -> dict[str, tuple[Hint, ...]]:
    """What the noise filter takes for noise, where qualified workers wrote about the same items."""
    trusted = [answer for answer in beside if answer.trusted]
    items = {answer.item for answer in trusted}
    english = [
        answer for answer in own if find_language_tag(answer.language) == "en" and answer.item in items
    ]
    if not english:
        return {}
    name = "english" if english[0].source else "english-descriptions"
    verdicts = NoiseFilter.shipped(name).judge(english, TrustedClusters(trusted), threads=1)
    return {
        answer.task: (Hint("noise", NOTE, f"likely noise: {'; '.join(verdict.reasons[:2])}"),)
        for answer, verdict in zip(english, verdicts, strict=True)
        if verdict.noisy and verdict.reasons
    }


def _read_beside(store: Store, campaign: Campaign, answers: list[ListedAnswer]) -> list[WrittenAnswer]:
    """The answers to the same items."""
    keys = sorted({answer.item for answer in answers})
    more, _ = paged_lists.list_answers(store, campaign, PageRange(0, 50 * MOST), items_of=keys)
    return _as_written(more)


def _as_judged(answer: ListedAnswer) -> JudgmentTimes:
    return JudgmentTimes.from_stored(answer.content, answer.data, answer.seconds)


def _as_written(answers: Iterable[ListedAnswer]) -> list[WrittenAnswer]:
    return [
        WrittenAnswer(
            answer.text,
            answer.item,
            answer.worker,
            source=answer.source,
            language=answer.language or "English",
            task=answer.public_id,
            seconds=answer.seconds,
            trusted=answer.tier >= 2 and answer.decision != "reject",
        )
        for answer in answers
    ]
