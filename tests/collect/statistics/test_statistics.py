"""The figures of a campaign: table 1 and section 3.3 of Chen and Dolan (2011), counted by hand."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from paragauge.collect.campaigns import campaigns, items, memberships
from paragauge.collect.campaigns.campaign_settings import TierSettings
from paragauge.collect.statistics.answer_distribution import summarize_items
from paragauge.collect.statistics.campaign_statistics import Day, compute_statistics
from paragauge.collect.statistics.statistics_view import (
    corpus_lines,
    cost_lines,
    progress_lines,
    tier_lines,
)
from paragauge.collect.statistics.tier_table import TierRow
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer


def answer(store, campaign, worker, tier, language="English"):
    """The worker's next task of the tier, answered; its submission."""
    task = assignments.next_assignment(store, campaign, worker, tier)
    receipt = submissions.submit(store, task, worker, Answer("A dog runs.", language))
    return submissions.get(store, receipt.public_id)


@pytest.fixture
def collected(store, clock, describe, worker_in):
    """Four items that want two answers in tier 1 and one in tier 2; three workers, two days.

    Ada: tier 1 to all four in English, one of them rejected. Eve: tier 1 to two, in German and "EN".
    Bob, qualified: tier 2 to three in English, one of them accepted. Bob skips one and has one open.
    """
    tiers = {1: TierSettings(1, 2), 2: TierSettings(5, 1)}
    campaign = describe(store, 4, tiers=tiers, fee_percent=20, both_tiers=True)
    ada, eve, bob = (worker_in(store) for _ in range(3))
    for _ in range(3):
        answer(store, campaign, ada, 1)
    bad = answer(store, campaign, ada, 1)
    clock.forward(days=2)
    answer(store, campaign, eve, 1, " German")
    answer(store, campaign, eve, 1, "EN ")
    memberships.grant(store, campaign, bob, "req", "good")
    good = answer(store, campaign, bob, 2)
    answer(store, campaign, bob, 2)
    answer(store, campaign, bob, 2)
    reviews.decide(store, bad, "reject", "req", "not a sentence")
    reviews.decide(store, good, "accept", "req")
    task = assignments.next_assignment(store, campaign, bob, 1)
    assignments.skip(store, task, bob)
    assert assignments.next_assignment(store, campaign, bob, 1).item != task.item
    memberships.warn(store, campaign, eve, "req", "language")
    return compute_statistics(store, campaign)


def test_table_1(collected):
    assert collected.tiers == (TierRow(1, 1, 2, 2, 5, 6, 0, 0), TierRow(2, 5, 1, 1, 3, 3, 1, 1))
    assert tier_lines(collected) == [
        ("pay", ["$0.01", "$0.05"]),
        ("# workers (English)", ["2", "1"]),
        ("# workers (total)", ["2", "1"]),
        ("# submitted (English)", ["5", "3"]),
        ("# submitted (total)", ["6", "3"]),
        ("# accepted (English)", ["0", "1"]),
        ("# accepted (total)", ["0", "1"]),
    ]


def test_section_3_3(collected):
    # English and not rejected: Ada 3, Eve 1, Bob 3; of them 3 from tier 2.
    corpus, everything = collected.corpus, collected.everything
    assert (corpus.language, corpus.answers, corpus.tier_2) == ("English", 7, 3)
    assert corpus.tier_2_share == pytest.approx(3 / 7)
    assert (corpus.activity.workers, corpus.activity.largest) == (3, 3)
    assert (corpus.activity.with_100, corpus.activity.with_500) == (0, 0)
    assert (corpus.spread.items, corpus.spread.mean) == (4, 7 / 4)
    assert (corpus.tier_2_spread.mean, corpus.tier_2_spread.least) == (3 / 4, 0)
    assert (everything.language, everything.answers, everything.spread.mean) == (None, 8, 2.0)
    assert corpus_lines(collected)[8] == ("mean per item", ["1.8", "2.0"])


def test_progress_and_cost(collected):
    progress = collected.progress
    assert (progress.items, progress.wanted, progress.submitted) == (4, 12, 9)
    assert (progress.accepted, progress.rejected, progress.undecided) == (1, 1, 7)
    assert (progress.open, progress.skipped, progress.expired) == (1, 1, 0)
    assert progress.share == pytest.approx(8 / 12)
    # Fees are rounded up: tier 1 costs 1 + 1 cents, tier 2 5 + 1.
    costs = collected.costs
    assert (costs.spent, costs.reserved) == (5 * 2 + 3 * 6, 2)
    assert costs.at_completion == 4 * 2 * 2 + 4 * 6
    people = collected.standings
    assert (people.members, people.qualified, people.warned, people.blocked) == (3, 1, 1, 0)


def test_days(collected):
    days = [(day.date, day.tiers) for day in collected.days]
    first = [(date(2026, 3, 1), {1: 4}), (date(2026, 3, 2), {})]
    assert days == [*first, (date(2026, 3, 3), {1: 2, 2: 3})]
    assert collected.busiest.date == date(2026, 3, 3)
    assert collected.rate == 9 / 3  # since the first answer, today included
    assert collected.days_left == 2  # 4 answers at 3 a day
    assert dict(progress_lines(collected))["busiest day"] == "2026-03-03 (5)"


@pytest.mark.parametrize(
    ("days", "rate", "left"),
    [(0, 9 / 1, 1), (3, 9 / 6, 3), (4, 9 / 7, 4), (5, 5 / 7, 6), (7, 0, None)],
)
def test_the_rate_is_of_the_days_that_were(collected, days, rate, left):
    """Four answers on the first day and five on the third; 4 are missing."""
    if days == 0:
        statistics = replace(collected, days=(Day(collected.at.date(), {1: 9}),))
    else:
        statistics = replace(collected, at=collected.at + timedelta(days=days))
    assert (statistics.rate, statistics.days_left) == (rate, left)


def test_coverage_counts_each_item_once(collected):
    assert sum(collected.coverage.values()) == 4
    assert sum(answers * number for answers, number in collected.coverage.items()) == 8


def test_controls_do_not_count_and_retired_items_keep_their_answers(any_store, describe, worker_in):
    store = any_store
    campaign = describe(store, 1)
    row = {"key": "gold", "control": "gold", "expected": {"words": ["x"]}}
    content = {"url": "https://example.org/a.mp4", "start": 1, "end": 4}
    [control] = items.add(store, campaign, [row | {"content": content}], "ada")
    answer(store, campaign, worker_in(store), 1)
    assert control.control == "gold"
    before = compute_statistics(store, campaign)
    assert (before.progress.items, before.progress.wanted) == (1, 3)
    [item] = items.all_items(store, campaign, controls=False)
    items.retire(store, item, "ada")
    after = compute_statistics(store, campaign)
    assert (after.progress.items, after.progress.retired, after.progress.wanted) == (0, 1, 1)
    assert (after.corpus.answers, after.coverage) == (1, {1: 1})


def test_a_campaign_that_accepts_by_itself(any_store, describe, worker_in):
    campaign = describe(any_store, 2, auto_accept=True)
    worker = worker_in(any_store)
    answer(any_store, campaign, worker, 1)
    bad = answer(any_store, campaign, worker, 1)
    reviews.decide(any_store, bad, "reject", "ada", "no")
    statistics = compute_statistics(any_store, campaign)
    assert (
        statistics.progress.accepted,
        statistics.progress.rejected,
        statistics.progress.undecided,
    ) == (1, 1, 0)
    assert statistics.tiers[0].accepted == 1


def test_an_empty_campaign(any_store, describe):
    statistics = compute_statistics(any_store, describe(any_store, 0))
    assert (statistics.progress.share, statistics.days, statistics.busiest, statistics.days_left) == (
        None,
        (),
        None,
        None,
    )
    for lines in (progress_lines, cost_lines, tier_lines, corpus_lines):
        assert lines(statistics)


def test_lines(collected):
    lines = tier_lines(collected)
    assert lines[:2] == [("pay", ["$0.01", "$0.05"]), ("# workers (English)", ["2", "1"])]
    assert dict(lines)["# accepted (total)"][1] == "1"
    assert collected.corpus.tier_2_share == pytest.approx(3 / 7)
    assert collected.tiers[1].submitted_in_language == 3
    last = collected.days[-1]
    assert (str(last.date), last.tiers, last.submitted) == ("2026-03-03", {1: 2, 2: 3}, 5)


def test_the_paper_s_corpus(benchmark_data):
    """Chen and Dolan (2011), section 3.3: 41 on average, at least 27 for over 95 % of the videos."""
    counts: Counter[str] = Counter()
    for part in ("train", "val", "test"):
        with gzip.open(benchmark_data / "msvd" / f"{part}.tsv.gz", "rt", encoding="utf-8") as file:
            counts.update(line.split("\t")[0] for line in file)
    spread = summarize_items(counts.values())
    assert (round(spread.mean), spread.least) == (41, 27)


def test_campaigns_are_apart(any_store, describe, worker_in):
    one, two = describe(any_store, 1), describe(any_store, 1, slug="others")
    answer(any_store, one, worker_in(any_store), 1)
    assert compute_statistics(any_store, two).progress.submitted == 0
    assert campaigns.get(any_store, "others") == two
