"""Sentences with their BLEU and PINC: by hand, and as `paragauge score` has them."""

from __future__ import annotations

import csv

import pytest

from paragauge import BLEU, PINC
from paragauge.collect.campaigns import campaigns
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.corpus.campaign_export import ExportSettings, export
from paragauge.collect.corpus.clusters import Sentence, SentenceFilter, group_by_item
from paragauge.collect.corpus.corpus_import import import_corpus
from paragauge.collect.corpus.export_metrics import write_metrics
from paragauge.errors import SettingError


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def values(counts):
    return {each.name: each.value for each in counts.scores}


def test_descriptions_are_scored_against_each_other(tmp_path) -> None:
    texts = ["a dog runs fast", "a dog runs", "rain"]
    rows = [Sentence("v1", texts[0], 2, "English", "w1"), Sentence("v1", texts[1], 1, "English", "w2")]
    counts = write_metrics(group_by_item([*rows, Sentence("v2", texts[2])]), tmp_path / "out.tsv")
    # The only sentence about v2 has nothing to compare with.
    assert (counts.items, counts.sentences, counts.rows) == (2, 3, 2)
    first, second = read(tmp_path / "out.tsv")
    assert [
        first[name] for name in ("item", "sentence", "tier", "language", "worker", "references")
    ] == [*("v1", "a dog runs fast", "2", "English", "w1", "1")]
    # New words 1 of 4, pairs 1 of 3, triples 1 of 2, all 4 together; the other way round, nothing is.
    forth, back = 100 * (1 / 4 + 1 / 3 + 1 / 2 + 1) / 4, 0
    assert [float(first["pinc"]), float(second["pinc"])] == pytest.approx([forth, back])
    # 6 of 7 words, 4 of 5 pairs, 2 of 3 triples, and none of one quadruple, which counts as one half.
    total = 100 * (6 / 7 * 4 / 5 * 2 / 3 * 1 / 2) ** 0.25
    assert values(counts) == pytest.approx({"BLEU": total, "PINC": (forth + back) / 2})


def test_paraphrases_have_the_sentence_that_was_shown_as_source(tmp_path) -> None:
    shown = "A red ball is bouncing down some stairs."
    texts = ["A red ball bounces down a few stairs.", "Some stairs have a red ball bouncing down."]
    rows = [Sentence("d1", text, source=shown) for text in texts]
    rows.append(Sentence("d2", "A cat sleeps.", source="A cat is asleep."))
    counts = write_metrics(group_by_item(rows), tmp_path / "out.tsv")
    found = read(tmp_path / "out.tsv")
    sources = [shown, shown, "A cat is asleep."]
    written = [row["sentence"] for row in found]
    pinc = PINC().segments(written, sources=sources)
    assert [float(row["pinc"]) for row in found] == pytest.approx(list(pinc))
    references = [[texts[1]], [texts[0]]]
    bleu = BLEU().segments(texts, references=references)
    assert [float(row["bleu"]) for row in found[:2]] == pytest.approx(list(bleu))
    assert found[2]["bleu"] == ""
    total = BLEU().score(texts, references=references).value
    assert values(counts) == pytest.approx({"BLEU": total, "PINC": pinc.mean()})


def test_languages_and_filters_are_those_of_a_test_set(any_store, tmp_path) -> None:
    settings = CampaignSettings(kind="describe", title="T")
    campaign = campaigns.create(any_store, settings, "c", "ada")
    texts = (("a dog runs", "English"), ("a dog is running", "en"), ("ein Hund rennt", "German"))
    corpus = [Sentence("v1", text, 2, language, language) for text, language in texts]
    import_corpus(any_store, campaign, corpus, "ada")
    path = tmp_path / "out.jsonl"
    with pytest.raises(SettingError, match="choose one"):
        export(any_store, campaign, path, ExportSettings("metrics"))
    english = SentenceFilter(languages=frozenset({"English"}))
    assert (
        export(any_store, campaign, path, ExportSettings("metrics", sentence_filter=english)).rows == 2
    )
    assert export(any_store, campaign, path, ExportSettings("metrics", mixed_languages=True)).rows == 3
    with pytest.raises(SettingError, match="cannot be written as plain files"):
        ExportSettings("metrics", plain=True)
    empty = campaigns.create(any_store, settings, "empty", "ada")
    assert export(any_store, empty, path, ExportSettings("metrics")).scores == ()
