"""Enforcement of controls: workers who fail them are warned, then blocked.

`check_controls` is called after a worker submits: it marks all controls that the worker has answered
(`control_marking`) and warns or blocks by the campaign's rules, in the name of `controls`. A requester
who takes a warning or block back pardons the worker: earlier failures no longer count.

The item says what is expected, in the form of answers:

    gold       expected = {"judgments": {candidate: {criterion: value}}}, {"ranking": {candidate:
               place}}, or, for written tasks, {"words": [...]} of which one must occur
    degraded   expected = {"below": [[degraded candidate, whole candidate], ...]}; without it, every
               candidate must be judged within the tolerance of the lowest value (the last place)
    repeated   expected = {"of": key} of the item that is shown again

and in a candidate that is a control among others: {"control": "gold", "expected": {criterion: value}}
or {"control": "degraded", "of": index of the whole candidate}. Candidates are indices in the item's
content, as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from paragauge.collect.campaigns import items, memberships
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.controls import is_control
from paragauge.collect.campaigns.items import Item
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.control_marking import (
    BLOCK,
    WARN,
    ControlMark,
    Ruling,
    mark_degraded,
    mark_gold,
    mark_repeated,
    mark_words,
    rule_on_history,
)
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import submissions
from paragauge.collect.tasks.answers import list_ratings
from paragauge.collect.tasks.submissions import Submission

ACTOR = "controls"
Values = dict[str, dict[str, float]]


def check_controls(
    store: Store, campaign: Campaign, worker: Worker, item: Item | None = None
) -> Ruling | None:
    """Mark the worker's controls, and warn or block if the campaign's rules say so.

    `item` is the one that was answered: if it has no control, nothing can have changed and nothing is
    read; None checks in any case. A campaign without rules for controls warns nobody, and a worker who
    is already warned is not warned again.
    """
    rules = campaign.settings.controls
    if rules is None or not (item is None or has_control(item)):
        return None
    ruling = rule_on_history(
        mark_history(store, campaign, worker),
        warn_after=rules.warn_after,
        block_after=rules.block_after,
    )
    if ruling.state in (WARN, BLOCK):
        state = memberships.get_standing(store, campaign, worker).state
        reason = f"{ruling.failed} of {ruling.seen} controls failed: {ruling.reasons[-1]}"
        if ruling.state == BLOCK and state != "blocked":
            memberships.block(store, campaign, worker, ACTOR, reason)
        elif ruling.state == WARN and state == "active":
            memberships.warn(store, campaign, worker, ACTOR, reason)
    return ruling


def has_control(item: Item) -> bool:
    """Whether the item is a control, or one of its candidates is."""
    return is_control(item) or any(map(is_control, item.content.get("candidates", ())))


def mark_history(store: Store, campaign: Campaign, worker: Worker) -> list[ControlMark]:
    """The controls that the worker has answered since the last pardon, marked, oldest first."""
    rules = campaign.settings.controls
    tolerance = 1 if rules is None else rules.tolerance
    pardons = [
        decision.at
        for decision in memberships.list_decisions(store, worker)
        if decision.decision == "unblock" and decision.campaign_id in (None, campaign.id)
    ]
    items_by_id = {item.id: item for item in items.all_items(store, campaign)}
    marks: list[ControlMark] = []
    before: dict[str, Values] = {}
    for submission in submissions.stream(store, campaign, worker=worker):
        item, values = items_by_id[submission.item_id], _read_values(submission)
        counts = not pardons or submission.submitted_at > max(pardons)
        if counts:
            marks += _mark_controls(campaign.settings, item, submission, values, before, tolerance)
        before.setdefault(item.key, values)
    return marks


def _read_values(submission: Submission) -> Values:
    values: Values = {}
    for candidate, criterion, value in list_ratings(submission.data):
        values.setdefault(str(candidate), {})[criterion] = value
    return values


def _mark_controls(
    settings: CampaignSettings,
    item: Item,
    submission: Submission,
    values: Values,
    before: Mapping[str, Values],
    tolerance: int,
) -> Iterator[ControlMark]:
    expected = item.expected or {}
    if item.control == "gold" and "words" in expected:
        yield mark_words(expected["words"], submission.text)
    elif item.control == "gold":
        yield mark_gold(_expected_values(expected), values, tolerance)
    elif item.control == "repeated" and before.get(expected.get("of", "")):
        yield mark_repeated(before[expected["of"]], values, tolerance)
    elif item.control == "degraded" and "below" in expected:
        for worse, better in expected["below"]:
            yield _mark_below(settings, values, str(worse), str(better))
    elif item.control == "degraded":
        lowest = _lowest(settings, len(values))
        yield mark_gold(dict.fromkeys(values, lowest), values, tolerance)
    for index, candidate in enumerate(item.content.get("candidates", ())):
        if candidate.get("control") == "gold":
            yield mark_gold({str(index): candidate.get("expected") or {}}, values, tolerance)
        elif candidate.get("control") == "degraded" and candidate.get("of") is not None:
            yield _mark_below(settings, values, str(index), str(candidate["of"]))
        elif candidate.get("control") == "degraded":
            yield mark_gold({str(index): _lowest(settings, len(values))}, values, tolerance)


def _expected_values(expected: Mapping[str, Any]) -> Values:
    if "ranking" in expected:
        return {str(candidate): {"rank": place} for candidate, place in expected["ranking"].items()}
    return {str(candidate): dict(values) for candidate, values in expected.get("judgments", {}).items()}


def _mark_below(settings: CampaignSettings, values: Values, worse: str, better: str) -> ControlMark:
    # A broken sentence may well differ more from the source, so it is not worse on dissimilarity.
    names = [
        criterion.name
        for criterion in settings.criteria
        if criterion.name.casefold() != "dissimilarity"
    ]
    criteria = ["rank"] if settings.ranking else names
    return mark_degraded(values, worse, better, criteria, lower_is_better=settings.ranking)


def _lowest(settings: CampaignSettings, candidates: int) -> dict[str, float]:
    if settings.ranking:
        return {"rank": candidates}
    return {
        criterion.name: criterion.low
        for criterion in settings.criteria
        if criterion.name.casefold() != "dissimilarity"
    }
