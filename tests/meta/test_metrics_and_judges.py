"""Agreement of metrics with people on every criterion, as a report shows it."""

from __future__ import annotations

import dataclasses

import pytest

from paragauge import BLEU, PINC, correlate, read_evalset
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.metrics_and_judges import people
from paragauge.meta.sets.evalset_texts import with_corpus
from paragauge.text.corpus import Corpus

SETTINGS = CorrelationSettings(bootstrap=50, draws=50)


@pytest.fixture(scope="module")
def judged(examples):
    systems = {name: examples / f"{name}.txt" for name in ("copy", "edits", "free")}
    corpus = Corpus(systems, [examples / "sources.txt"], [examples / "references.tsv"])
    evalset = with_corpus(read_evalset(examples / "ratings.tsv"), corpus, allow_missing=True)
    return evalset.score_with({"bleu": BLEU(), "pinc": PINC()})


def test_all_criteria_at_both_levels(judged):
    agreement = people(judged, SETTINGS)
    assert [rated.criterion for rated in agreement.criteria] == ["semantic", "dissimilarity", "overall"]
    for rated in agreement.criteria:
        for view, result in (("pooled", rated.pooled), ("system", rated.system)):
            expected = correlate(
                judged, rated.criterion, settings=dataclasses.replace(SETTINGS, view=view)
            )
            assert [row.value for row in result.rows] == [row.value for row in expected.rows]
        assert len(rated.judges.pairs) == 1


def test_one_judge_and_one_system(judged):
    alone = judged.without_judges(["judge2"]).without_systems(["copy", "free"])
    agreement = people(alone, SETTINGS, criteria=["overall"])
    assert len(agreement.criteria) == 1
    assert agreement.criteria[0].system is None
    assert agreement.criteria[0].judges is None


def test_steps_are_announced(judged):
    words = []
    people(judged, SETTINGS, criteria=["overall"], step=words.append)
    # two metrics and one pair of them, over candidates and over systems
    assert len(words) == 6
