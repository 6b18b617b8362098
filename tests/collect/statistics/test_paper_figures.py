"""Figures of Chen and Dolan (2011): times, surveys, references, and PINC of direct paraphrases."""

from __future__ import annotations

import pytest

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, ControlRules, TierSettings
from paragauge.collect.campaigns.demo import read_demo_campaigns
from paragauge.collect.corpus.campaign_answers import CampaignAnswers, write_answers
from paragauge.collect.corpus.campaign_export import ExportSettings, export
from paragauge.collect.corpus.clusters import Sentence
from paragauge.collect.corpus.corpus_import import import_corpus
from paragauge.collect.corpus.direct_comparison import compare_campaigns
from paragauge.collect.people import erasure, workers
from paragauge.collect.statistics.campaign_statistics import compute_statistics
from paragauge.collect.statistics.statistics_view import survey_lines, time_lines
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.answers import Answer
from paragauge.errors import SettingError


def answer_all(store, campaign, worker, answers):
    receipts = []
    for answer in answers:
        task = assignments.next_assignment(store, campaign, worker)
        receipts.append(submissions.submit(store, task, worker, answer))
    return [submissions.get(store, receipt.public_id) for receipt in receipts]


def test_times_of_all_and_of_experienced_workers(store, describe, worker_in):
    campaign = describe(store, 23)
    novice, regular = worker_in(store), worker_in(store)
    answer_all(store, campaign, novice, [Answer("A dog.", "English", seconds=95.0)])
    slow_then_fast = [80.0] * 20 + [20.0, 25.0]
    answer_all(
        store, campaign, regular, [Answer("A dog.", "English", seconds=each) for each in slow_then_fast]
    )
    times = compute_statistics(store, campaign).times
    assert (times.answers, times.median) == (23, 80.0)
    assert times.mean == pytest.approx((95 + 20 * 80 + 45) / 23)
    assert (times.experienced_answers, times.experienced_mean) == (2, 22.5)
    assert time_lines(compute_statistics(store, campaign))[2] == (
        "  of experienced workers, mean",
        "22.5",
    )
    # Imported answers were not timed here.
    import_corpus(store, describe(store, 0, "old"), [Sentence("v", "a", seconds=9.0)], "ada")
    assert compute_statistics(store, campaigns.get(store, "old")).times.answers == 0


def test_the_survey_of_the_demo_is_tallied(store, worker_in):
    settings = next(file.settings for file in read_demo_campaigns() if file.settings.kind == "survey")
    names = [question.name for question in settings.survey if question.options]
    assert names == ["enjoyable", "easier", "preferred"]
    campaign = campaigns.create(store, settings, "survey", "ada")
    items.add(store, campaign, [{"key": "survey", "content": {}}], "ada")
    videos, sentences, neither = settings.survey[0].options
    for chosen in ((videos, videos, videos), (videos, sentences, neither), (sentences, videos, videos)):
        answers = dict(zip(names, chosen, strict=True))
        last = answer_all(store, campaign, worker_in(store), [Answer(data={"answers": answers})])
    reviews.decide(store, last[0], "reject", "ada", "a copy")
    tallies = compute_statistics(store, campaign).survey
    counts = {each.name: [choice.chosen for choice in each.choices] for each in tallies}
    assert counts == {"enjoyable": [2, 0, 0], "easier": [1, 1, 0], "preferred": [1, 0, 1]}
    assert [choice.share for choice in tallies[1].choices] == [0.5, 0.5, 0.0]
    assert survey_lines(compute_statistics(store, campaign))[1] == (f"  {videos}", ["2", "100.0 %"])


def make(store, kind, slug, **more):
    tiers = {1: TierSettings(1, 50), 2: TierSettings(5, 50)}
    settings = CampaignSettings(kind=kind, title=slug, tiers=tiers, budget_cents=10_000, **more)
    return campaigns.create(store, settings, slug, "ada")


def test_pinc_of_direct_paraphrases_and_descriptions_of_the_same_items(any_store):
    """Sums by hand: source "a dog runs fast now", PINC over 1- to 4-grams of each candidate."""
    described, direct = make(any_store, "describe", "clips"), make(any_store, "paraphrase", "direct")
    rows = [
        Sentence("v1", "A dog runs fast now", worker="w1"),
        Sentence("v1", "one puppy sprints over grass", worker="w2"),
        Sentence("v1", "ein Hund rennt jetzt schnell", language="de", worker="w5"),
        Sentence("v2", "Rain falls", worker="w3"),
    ]
    import_corpus(any_store, described, rows, "ada")
    source = "a  dog runs fast now"
    answers = [
        Sentence("s1", "A dog runs quickly now", source=source, worker="w4"),
        Sentence("s1", "Ein Hund rennt", language="Deutsch", source=source, worker="w5"),
        Sentence("s2", "It rains", source="Rain falls", worker="w4"),
        Sentence("s3", "Snow", source="nobody described this", worker="w4"),
    ]
    import_corpus(any_store, direct, answers, "ada")
    found = compare_campaigns(any_store, direct, described)
    # "Rain falls" has no other description, and the third sentence none at all.
    assert (found.sources, found.left_out, found.direct, found.parallel) == (1, 2, 1, 1)
    # New among the candidate's n-grams, where case counts: a/A and "quickly" of 5 words, then 3 of 4
    # pairs, 3 of 3 triples, 2 of 2 fours.
    assert found.direct_pinc == pytest.approx(100 * (2 / 5 + 3 / 4 + 1 + 1) / 4)
    assert found.parallel_pinc == 100
    with pytest.raises(SettingError, match="expected paraphrase"):
        compare_campaigns(any_store, described, direct)


def test_references_of_test_sentences_are_counted(any_store, tmp_path):
    campaign = make(any_store, "describe", "clips")
    rows = [Sentence("v1", f"text {n}", worker=f"w{n}") for n in range(4)]
    rows += [Sentence("v2", f"text {n}", worker=f"w{n}") for n in range(2)]
    import_corpus(any_store, campaign, rows, "ada")
    counts = export(any_store, campaign, tmp_path / "test.tsv", ExportSettings("test"))
    # Four sentences with three references each, and two with one.
    assert counts.references.mean == pytest.approx((4 * 3 + 2 * 1) / 6)
    assert (counts.references.least, counts.references.most) == (1, 3)


def test_one_file_has_all_answers_marked(any_store, describe, worker_in, tmp_path):
    campaign = describe(any_store, 2, controls=ControlRules(every=2), tiers={1: TierSettings(1, 5)})
    control = {"key": "gold", "control": "gold", "expected": {"words": ["dog"]}}
    content = {"url": "https://example.org/a.mp4", "start": 1, "end": 4}
    items.add(any_store, campaign, [control | {"content": content}], "ada")
    worker, gone = worker_in(any_store), workers.register(any_store, "link")[0]
    given = answer_all(any_store, campaign, worker, [Answer("A dog.", "English")] * 3)
    rejected = next(each for each in given if each.control is None)
    reviews.decide(any_store, rejected, "reject", "ada", "no")
    answer_all(any_store, campaign, gone, [Answer("A cat.", "English")] * 1)
    erasure.erase(any_store, gone, "ada", answers=True)
    path = tmp_path / "everything.tsv"
    assert export(any_store, campaign, path, ExportSettings("everything")).rows == 4
    header, *lines = [line.split("\t") for line in path.read_text().splitlines()]
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    assert sorted(row["decision"] for row in rows) == ["pending", "pending", "pending", "reject"]
    assert [row["control"] for row in rows if row["worker"] == worker.public_id].count("gold") == 1
    assert sum(row["erased"] in ("true", "True", "yes") for row in rows) == 1
    plain = tmp_path / "answers.tsv"
    assert write_answers(CampaignAnswers(any_store, campaign), plain) == 1
    assert "gold" not in plain.read_text()
