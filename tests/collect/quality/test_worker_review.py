"""Reviews of workers, and noise filters trained on a campaign, on both databases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paragauge.collect.campaigns import campaigns, items, memberships
from paragauge.collect.campaigns.campaign_settings import (
    CampaignSettings,
    Criterion,
    TierSettings,
)
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import workers
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.campaign_noise_filter import train_filter, write_verdicts
from paragauge.collect.quality.worker_review import review_worker
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import InputError, SettingError
from paragauge.text.table_in_memory import read_records

JUDGING = CampaignSettings(
    kind="judge", title="Judge", criteria=(Criterion("overall", "How good?", 1, 5),)
)
DOINGS = ["riding a brown horse", "baking some fresh bread", "singing a sad song", "washing a car"]


def collect_paraphrases(store: Store) -> tuple[Campaign, list[Worker]]:
    tiers = {1: TierSettings(1, 10), 2: TierSettings(5, 10)}
    settings = CampaignSettings(
        kind="paraphrase", title="Say it", tiers=tiers, budget_cents=10_000, seed=3, both_tiers=False
    )
    campaign = campaigns.create(store, settings, "say", "ada")
    rows = [{"key": f"i{i}", "content": {"text": f"He is {d}."}} for i, d in enumerate(DOINGS)]
    items.add(store, campaign, rows, "ada")
    people = []
    for who in ("a man", "the man", "a person", "someone", "a guy", "this fellow"):
        worker, _ = workers.register(store, "link")
        memberships.grant(store, campaign, worker, "ada")
        people.append(worker)
        write(store, campaign, worker, lambda item, who=who: f"{who} is {DOINGS[int(item[1:])]}")
    return campaign, people


def write(store: Store, campaign: Campaign, worker: Worker, text: Any, tier: int | None = None) -> None:
    while isinstance(
        task := assignments.next_assignment(store, campaign, worker, tier), assignments.Assignment
    ):
        answer = Answer(text=text(task.item.key), language="English", seconds=30)
        submissions.submit(store, task, worker, answer)


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "parquet"])
def test_verdicts_of_a_campaign_s_own_filter(any_store: Store, tmp_path: Path, form: str) -> None:
    campaign, _ = collect_paraphrases(any_store)
    lazy, _ = workers.register(any_store, "link")
    write(any_store, campaign, lazy, lambda item: "very niec video")
    own_filter = train_filter(any_store, campaign)
    table = tmp_path / f"v.{form}"
    judged, noisy = write_verdicts(any_store, campaign, own_filter, table)
    columns = read_records(table).columns
    assert judged == len(columns["item"]) == 7 * len(DOINGS)
    assert noisy == columns["noisy"].count("yes") >= len(DOINGS)
    mine = [i for i, who in enumerate(columns["worker"]) if who == lazy.public_id]
    assert {columns["noisy"][i] for i in mine} == {"yes"}
    with pytest.raises(
        SettingError, match="is a task of kind 'judge'; expected describe or paraphrase"
    ):
        train_filter(any_store, campaigns.create(any_store, JUDGING, "judge", "ada"))


def test_review_of_workers(store: Store) -> None:
    campaign, people = collect_paraphrases(store)
    lazy, _ = workers.register(store, "link")
    write(store, campaign, lazy, lambda item: "very niec video")
    review = review_worker(store, campaign, lazy)
    assert len(review.answers) == len(DOINGS)
    first = review.answers[0]
    assert {hint.kind for hint in first.hints} == {"spelling", "duplicate"}
    good = review_worker(store, campaign, people[0])
    assert good.hints == ()
    assert first.verdict is not None
    assert good.answers[0].verdict is not None
    assert first.verdict.noisy
    assert first.verdict.probability > good.answers[0].verdict.probability
    nobody, _ = workers.register(store, "link")
    assert review_worker(store, campaign, nobody).answers == ()


def test_a_filter_trained_on_the_campaign(any_store: Store) -> None:
    campaign, people = collect_paraphrases(any_store)
    lazy, _ = workers.register(any_store, "link")
    write(any_store, campaign, lazy, lambda item: "very niec video")
    for submission in submissions.stream(any_store, campaign, worker=lazy):
        reviews.decide(any_store, submission, "reject", "ada", "not about the item")
    own_filter = train_filter(any_store, campaign)
    bad, good = (review_worker(any_store, campaign, who, own_filter) for who in (lazy, people[0]))
    worst = min(answer.verdict.probability for answer in bad.answers if answer.verdict)
    best = max(answer.verdict.probability for answer in good.answers if answer.verdict)
    assert worst > best


def test_nothing_to_train_on(any_store: Store) -> None:
    settings = CampaignSettings(kind="describe", title="Clips")
    campaign = campaigns.create(any_store, settings, "clips", "ada")
    with pytest.raises(InputError, match="at least 20 trusted sentences"):
        train_filter(any_store, campaign)
