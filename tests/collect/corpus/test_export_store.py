"""Corpora into a store and out again; judgments as evaluation sets."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pyarrow.parquet as pq
import pytest

from paragauge.collect.campaigns import campaigns, items, memberships
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, Criterion, TierSettings
from paragauge.collect.campaigns.item_tables import read_items
from paragauge.collect.corpus.campaign_answers import (
    CampaignAnswers,
    StoredClusters,
    write_answers,
    write_suggestions,
)
from paragauge.collect.corpus.campaign_export import ExportSettings, export
from paragauge.collect.corpus.clusters import FilteredClusters, Sentence, SentenceFilter, group_by_item
from paragauge.collect.corpus.corpus_import import import_corpus
from paragauge.collect.corpus.corpus_tables import read_corpus
from paragauge.collect.corpus.export_judgments import write_judgments
from paragauge.collect.corpus.export_scores import ScoreCounts, write_judges, write_scores
from paragauge.collect.corpus.export_sentences import write_sentences
from paragauge.collect.people import workers
from paragauge.collect.quality.judgment_aggregates import estimate_dawid_skene
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import InputError, SettingError
from paragauge.meta.sets.evalset_files import read_evalset

AT = "2011-06-19T10:00:00+00:00"
CORPUS = [
    Sentence("v1", "a dog runs", 1, "English", "w1", AT, 20.0, "accept", "fun"),
    Sentence("v1", "ein Hund läuft", 2, "Deutsch", "w2", AT, None, "pending"),
    Sentence("v1", "nice video", 1, "English", "w3", AT, 2.0, "reject"),
    Sentence("v2", "it rains", 2, "English", "w1", AT, None, "accept"),
]


@pytest.fixture
def own(any_store):
    return any_store


def campaign_of(store, kind="describe", slug="c", **more):
    tiers = {1: TierSettings(1, 5), 2: TierSettings(5, 5)}
    settings = CampaignSettings(kind=kind, title="T", tiers=tiers, budget_cents=10_000, **more)
    return campaigns.create(store, settings, slug, "ada")


def answer_next(store, campaign, answer):
    """A new worker does the next task."""
    worker, _ = workers.register(store, "link")
    task = assignments.next_assignment(store, campaign, worker)
    assert isinstance(task, assignments.Assignment)
    receipt = submissions.submit(store, task, worker, answer(task))
    return worker, submissions.get(store, receipt.public_id)


def test_a_corpus_goes_in_and_comes_out_equal(store, tmp_path):
    own = store
    campaign = campaign_of(own)
    done = import_corpus(own, campaign, CORPUS, "ada")
    assert vars(done) == {"sentences": 4, "items": 2, "new_items": 2, "workers": 3}
    path = tmp_path / "out.jsonl"
    write_sentences(StoredClusters(own, campaign), path)
    assert read_corpus(path) == [CORPUS[0], CORPUS[1], CORPUS[3]]
    assert [len(cluster.sentences) for cluster in StoredClusters(own, campaign, accepted=True)] == [
        1,
        1,
    ]
    filtered = FilteredClusters(StoredClusters(own, campaign), SentenceFilter(tiers=frozenset({2})))
    assert [cluster.texts for cluster in filtered] == [["ein Hund läuft"], ["it rains"]]
    again = campaign_of(own, slug="again")
    import_corpus(own, again, read_corpus(path), "ada")
    assert list(StoredClusters(own, again)) == list(StoredClusters(own, campaign))


def test_unknown_writers_stay_unknown(own):
    campaign = campaign_of(own)
    rows = [Sentence("v1", f"sentence {number}") for number in range(3)] + [Sentence("v2", "one")]
    done = import_corpus(own, campaign, rows, "ada", tier=2, language="English")
    assert done.workers == 3
    sentences = [
        sentence for cluster in StoredClusters(own, campaign) for sentence in cluster.sentences
    ]
    assert [
        (sentence.text, sentence.worker, sentence.tier, sentence.language) for sentence in sentences
    ] == [(row.text, None, 2, "English") for row in rows]


def test_imported_sentences_can_be_reviewed_and_take_no_places(own):
    campaign = campaign_of(own)
    (item,) = items.add(
        own,
        campaign,
        [{"key": "v1", "content": {"url": "https://x.org/a", "start": 0, "end": 4}}],
        "ada",
    )
    import_corpus(own, campaign, CORPUS, "ada")
    (first, second) = [
        coverage for coverage in items.read_coverage(own, campaign) if coverage.item_id == item.id
    ]
    assert (first.wanted - first.taken, second.wanted - second.taken) == (5, 5)
    some = next(submissions.stream(own, campaign))
    for decision in ("reject", "accept", "reject"):
        reviews.decide(own, some, decision, "ada")
    assert len(next(iter(StoredClusters(own, campaign))).sentences) == 1
    assert answer_next(own, campaign, lambda _: Answer("a dog barks", "English"))[1].item_key == "v1"


def test_paraphrases_keep_their_source(own, tmp_path):
    campaign = campaign_of(own, "paraphrase")
    items.add(own, campaign, [{"key": "s1", "content": {"text": "A dog is running."}}], "ada")
    answer_next(own, campaign, lambda _: Answer("A puppy runs.", "English"))
    (cluster,) = StoredClusters(own, campaign)
    assert cluster.source == "A dog is running."
    again = campaign_of(own, "paraphrase", "again")
    import_corpus(own, again, cluster.sentences, "ada")
    assert list(StoredClusters(own, again)) == [cluster]
    with pytest.raises(
        InputError, match="item 's2': expected the source that was paraphrased, found none"
    ):
        import_corpus(own, again, [Sentence("s2", "x")], "ada")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"decision": "maybe"},
            "item 'v1': expected accept, reject or pending as decision, found 'maybe'",
        ),
        ({"submitted_at": "noon"}, "item 'v1': expected a time such as 2011-06-19T10.*, found 'noon'"),
        ({"worker": "a b"}, "worker 'a b': expected 1 to 100 ASCII characters without spaces"),
        ({"item": "x" * 201}, "expected an item's key of 1 to 200 characters"),
        ({"worker": "w1"}, "item 'v1', tier 1: worker 'w1' appears there more than once; a worker"),
    ],
)
def test_bad_rows_leave_nothing(own, row, message):
    campaign = campaign_of(own)
    with pytest.raises(InputError, match=message):
        import_corpus(own, campaign, [CORPUS[0], replace(CORPUS[2], **row)], "ada")
    assert items.all_items(own, campaign) == []
    assert workers.all_workers(own) == []


def test_a_second_import_of_the_same_is_refused(own):
    campaign = campaign_of(own)
    import_corpus(own, campaign, CORPUS, "ada")
    with pytest.raises(InputError, match="worker 'w1' already has a sentence there"):
        import_corpus(own, campaign, CORPUS[:1], "ada")


CANDIDATES = [
    {"system": "one", "text": "a puppy"},
    {"system": "two", "text": "a hound"},
    {"system": "", "text": "hound a a", "control": "degraded"},
]


def collect_judgments(own, **settings):
    campaign = campaign_of(own, "judge", **settings)
    content = {"source": "a dog", "candidates": CANDIDATES, "references": ["a canine"]}
    control = {"source": "gold source", "candidates": CANDIDATES[:1]}
    rows = [
        {"key": "s1", "content": content},
        {"key": "c1", "content": control, "control": "degraded"},
    ]
    items.add(own, campaign, rows, "ada")
    return campaign


@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl", "parquet"])
def test_judgments_are_an_evaluation_set(own, tmp_path, kind):
    campaign = collect_judgments(own, criteria=(Criterion("adequacy", "?"), Criterion("fluency", "?")))

    def answer(value):
        ratings = {"adequacy": value, "fluency": 6 - value}
        return lambda _: Answer(data={"judgments": {str(index): ratings for index in range(3)}})

    good, _ = answer_next(own, campaign, answer(4))
    bad, _ = answer_next(own, campaign, answer(1))
    path = tmp_path / f"set.{kind}"
    assert write_judgments(CampaignAnswers(own, campaign), path) == 4
    evalset = read_evalset(path)
    assert evalset.systems == ("one", "two")
    assert evalset.criteria == ("adequacy", "fluency")
    assert evalset.means("adequacy").tolist() == [2.5, 2.5]
    assert [list(references) for references in evalset.references] == [["a canine"]]
    memberships.block(own, campaign, bad, "ada")
    assert write_judgments(CampaignAnswers(own, campaign), path, blocked=False) == 2
    assert set(read_evalset(path).judges) == {good.public_id}


def test_scores_and_judges(own, tmp_path):
    campaign = collect_judgments(own, criteria=(Criterion("overall", "?"),))

    def answer(*values):
        ratings = {str(index): {"overall": value} for index, value in enumerate(values)}
        return lambda _: Answer(data={"judgments": ratings})

    for _ in range(3):
        answer_next(own, campaign, answer(5, 1, 1))
    liar, _ = answer_next(own, campaign, answer(1, 5, 5))
    collected, path = CampaignAnswers(own, campaign), tmp_path / "scores.jsonl"
    assert write_scores(collected, path, estimate=True) == ScoreCounts(2)
    one, two = map(json.loads, path.read_text().splitlines())
    assert (one["segment"], one["system"], one["judgments"], one["mean"]) == ("s1", "one", 4, 4)
    assert (two["mean"], two["median"], two["likeliest"]) == (2, 1, 1)
    assert one["likeliest"] == 5 < one["expected"] + 0.5
    assert write_judges(collected, path, estimate=True) == ScoreCounts(4)
    judges = {row["judge"]: row for row in map(json.loads, path.read_text().splitlines())}
    assert judges[liar.public_id]["agrees"] == 0
    assert judges[liar.public_id]["distance"] == max(row["distance"] for row in judges.values())
    memberships.block(own, campaign, liar, "ada")
    assert write_scores(collected, path, blocked=False) == ScoreCounts(2)
    one, two = map(json.loads, path.read_text().splitlines())
    assert one["mean"] == 5
    assert "likeliest" not in one
    with pytest.raises(SettingError, match="expected judge"):
        write_scores(CampaignAnswers(own, campaign_of(own, slug="d")), path)


def read_converged(path):
    """The criteria of a table of scores or judges, with what it says of each."""
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
    elif path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
    else:
        separator = "," if path.suffix == ".csv" else "\t"
        header, *lines = (line.split(separator) for line in path.read_text().splitlines())
        rows = [dict(zip(header, line, strict=True)) for line in lines]
    return {(row["criterion"], row["converged"]) for row in rows}


@pytest.mark.parametrize("what", ["scores", "judges"])
@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl", "parquet"])
def test_estimates_that_do_not_converge_are_told(own, tmp_path, monkeypatch, what, kind):
    """Of two criteria the judges disagree on one, for which a single round is too few."""
    campaign = collect_judgments(own, criteria=(Criterion("overall", "?"), Criterion("style", "?")))
    for values in ((5, 1), (5, 1), (1, 4)):
        ratings = {str(n): {"overall": value, "style": 3} for n, value in enumerate((*values, 1))}
        answer_next(own, campaign, lambda _, ratings=ratings: Answer(data={"judgments": ratings}))
    once = partial(estimate_dawid_skene, iterations=1)
    monkeypatch.setattr("paragauge.collect.corpus.export_scores.estimate_dawid_skene", once)
    path = tmp_path / f"out.{kind}"
    done = export(own, campaign, path, ExportSettings(what, dawid_skene=True))
    assert done.unconverged == ("overall",)
    no, yes = ("no", "yes") if kind in ("tsv", "csv") else (False, True)
    assert read_converged(path) == {("overall", no), ("style", yes)}


def test_rankings(own, tmp_path):
    campaign = collect_judgments(own, ranking=True)
    answer_next(own, campaign, lambda _: Answer(data={"ranking": {"0": 1, "1": 2, "2": 3}}))
    path = tmp_path / "set.tsv"
    assert write_judgments(CampaignAnswers(own, campaign), path) == 2
    assert read_evalset(path).means("rank").tolist() == [1, 2]


def test_answers_have_the_order_and_no_controls(own, tmp_path):
    campaign = collect_judgments(own, ranking=True)
    _, receipts = answer_next(
        own, campaign, lambda _: Answer(data={"ranking": {"0": 1, "1": 2, "2": 3}})
    )
    path = tmp_path / "answers.jsonl"
    assert write_answers(CampaignAnswers(own, campaign), path) == 1
    row = json.loads(path.read_text())
    # The third candidate is a control among others.
    assert json.loads(row["order"]) == [number for number in receipts.order if number != 2]
    assert json.loads(row["data"]) == {"ranking": {"0": 1, "1": 2}}
    assert row["item"] == "s1"


def test_an_item_is_on_one_side_whatever_the_filters(own, tmp_path):
    campaign = campaign_of(own)
    corpus = [
        Sentence(f"v{number}", f"text {number}", 1 + number % 2, "English", f"w{number}", AT)
        for number in range(40)
    ]
    import_corpus(own, campaign, corpus, "ada")

    def items_of(part, **conditions):
        path = tmp_path / "out.jsonl"
        settings = ExportSettings(
            "sentences", sentence_filter=SentenceFilter(**conditions), part=part, test_share=0.25
        )
        export(own, campaign, path, settings)
        return {json.loads(line)["item"] for line in path.read_text().splitlines()}

    test = items_of("test")
    assert len(test) == 10
    for tier in (1, 2):
        tiers = frozenset({tier})
        assert items_of("test", tiers=tiers) == test & items_of("all", tiers=tiers)
        assert not items_of("train", tiers=tiers) & test


def test_suggestions_become_items(own, tmp_path):
    campaign = campaign_of(own, "suggest")
    items.add(own, campaign, [{"key": "any", "content": {"prompt": "A short clip"}}], "ada")
    link = {"url": "https://example.org/v?a=1&b=2", "start": 3, "end": 8.5}
    answer_next(own, campaign, lambda _: Answer(data=link))
    path = tmp_path / "clips.tsv"
    assert write_suggestions(CampaignAnswers(own, campaign), path) == 1
    describing = campaign_of(own, slug="d")
    (item,) = items.add(own, describing, read_items(path, "describe"), "ada")
    assert item.content == link


def test_answers_that_come_in_later_wait_for_the_next_export(own):
    campaign = campaign_of(own)
    content = {"url": "https://x.org/a", "start": 0, "end": 4}
    items.add(own, campaign, [{"key": "v1", "content": content}], "ada")
    answer_next(own, campaign, lambda _: Answer("a dog barks", "English"))
    before = StoredClusters(own, campaign)
    answer_next(own, campaign, lambda _: Answer("a dog runs", "English"))
    assert [cluster.texts for cluster in before] == [["a dog barks"]]
    assert [len(cluster.sentences) for cluster in StoredClusters(own, campaign)] == [2]


def test_wrong_kinds(own, tmp_path):
    campaign = collect_judgments(own, ranking=True)
    with pytest.raises(
        SettingError, match="campaign c is a task of kind 'judge', without written sentences"
    ):
        StoredClusters(own, campaign)
    with pytest.raises(SettingError, match="campaign c is a task of kind 'judge'; expected suggest"):
        write_suggestions(CampaignAnswers(own, campaign), tmp_path / "a.tsv")
    with pytest.raises(SettingError, match="kind 'judge'; expected describe or paraphrase"):
        import_corpus(own, campaign, CORPUS, "ada")
    with pytest.raises(SettingError, match="kind 'describe'; expected judge"):
        write_judgments(CampaignAnswers(own, campaign_of(own, slug="d")), tmp_path / "a.tsv")


def test_erased_texts_are_not_exported(own):
    from paragauge.collect.people.erasure import erase

    campaign = campaign_of(own)
    import_corpus(own, campaign, CORPUS, "ada")
    worker = workers.get(own, "w1")
    erase(own, worker, "ada", answers=True)
    assert [cluster.texts for cluster in StoredClusters(own, campaign)] == [["ein Hund läuft"]]


def test_msvd_through_a_store(own, benchmark_data):
    campaign = campaign_of(own)
    rows = read_corpus(benchmark_data / "msvd" / "val.tsv.gz", layout="msvd")
    assert vars(import_corpus(own, campaign, rows, "ada"))["sentences"] == 4290
    assert [cluster.texts for cluster in StoredClusters(own, campaign)] == [
        cluster.texts for cluster in group_by_item(rows)
    ]
