"""Several candidates for one source: by hand, against brute force, and invariances."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from paragauge import (
    BLEU,
    PINC,
    TER,
    Distinct,
    MaxSim,
    PairwisePINC,
    PickedCandidates,
    SelfBLEU,
    compare,
    metric,
    score,
)
from paragauge.errors import InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.text.batch import Batch

SETS = [
    ["the cat sat on a mat", "a cat was sitting there", "the cat sat"],
    ["it rains"],
    ["he left early", "he left early"],
    ["they’re here", "", "here they are now", "now they are here"],
]
SOURCES = ["the cat sat on the mat", "it is raining", "he left", "they are here now"]
REFERENCES = [["a cat sat on the mat", "the cat was there"], ["it rains"], ["he left on"], ["here"]]
TEXTS: dict[str, Any] = {"sources": SOURCES, "references": REFERENCES}


def each(base: Metric) -> list[list[float]]:
    """The scores of all candidates one by one."""
    return [
        [
            float(base.segments([text], sources=[source], references=[references])[0])
            for text in candidates
        ]
        for candidates, source, references in zip(SETS, SOURCES, REFERENCES, strict=True)
    ]


@pytest.mark.parametrize("base", [BLEU(), PINC(), TER(), MaxSim()], ids=lambda base: base.name)
def test_first_best_and_mean_of_every_segment(base: Metric) -> None:
    one_by_one = each(base)
    best = max if base.higher_is_better else min
    first = PickedCandidates(base, "first").segments(SETS, **TEXTS)
    np.testing.assert_allclose(first, [values[0] for values in one_by_one])
    found = PickedCandidates(base, "best").segments(SETS, **TEXTS)
    np.testing.assert_allclose(found, [best(values) for values in one_by_one])
    if base.corpus_is_mean:
        mean = PickedCandidates(base, "mean").segments(SETS, **TEXTS)
        np.testing.assert_allclose(mean, [np.mean(values) for values in one_by_one])


def test_the_corpus_bleu_of_the_best_is_that_of_the_best_candidates() -> None:
    best = [texts[int(np.argmax(values))] for texts, values in zip(SETS, each(BLEU()), strict=True)]
    expected = BLEU().score(best, references=REFERENCES).value
    assert PickedCandidates(BLEU(), "best").score(SETS, **TEXTS).value == pytest.approx(expected)


def test_the_mean_has_the_mean_statistics() -> None:
    """Three candidates of one reference: matches, n-grams and lengths are averaged, then scored."""
    candidates, references = [["a b", "a c", "d e"], ["x"]], ["a b", "x"]
    picked = PickedCandidates(BLEU(order=1), "mean").score(candidates, references=references)
    # (2 + 1 + 0) / 3 matches and 2 n-grams, and 1 of 1: 2 of 3.
    assert picked.value == pytest.approx(100 * 2 / 3)


def test_one_candidate_is_the_metric_itself() -> None:
    single = [texts[0] for texts in SETS]
    for pick in ("first", "best", "mean"):
        np.testing.assert_array_equal(
            metric(f"bleu:pick={pick}").stats(single, **TEXTS), BLEU().stats(single, **TEXTS)
        )


def test_missing_scores_are_never_the_best() -> None:
    """MAXSIM with all weight on trigrams has no score for two texts of one word."""
    base = MaxSim(weights="0/0/1")
    references = ["here"]
    assert np.isnan(base.segments(["here"], references=references)).all()
    picked = PickedCandidates(base, "best")
    assert picked.segments([["here", "here they are"]], references=references) == [0]


def pinc_of_pairs(candidates: list[str]) -> float:
    pairs = list(itertools.permutations(candidates, 2))
    if not pairs:
        return 0.0
    return float(np.mean([PINC().segments([b], sources=[a])[0] for a, b in pairs]))


def bleu_of_others(candidates: list[str]) -> float:
    if len(candidates) == 1:
        return 100.0
    values = []
    for i, text in enumerate(candidates):
        others = candidates[:i] + candidates[i + 1 :]
        values.append(float(BLEU().segments([text], references=[others])[0]))
    return float(np.mean(values))


def test_variety_against_brute_force() -> None:
    np.testing.assert_allclose(PairwisePINC().segments(SETS), [pinc_of_pairs(x) for x in SETS])
    np.testing.assert_allclose(SelfBLEU().segments(SETS), [bleu_of_others(x) for x in SETS])
    with_source = SelfBLEU(against="sources").segments(SETS, sources=SOURCES)
    expected = [
        np.mean([float(BLEU().segments([text], references=[source])[0]) for text in texts])
        for texts, source in zip(SETS, SOURCES, strict=True)
    ]
    np.testing.assert_allclose(with_source, expected)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("by", ["ngrams", "words"])
def test_distinct_against_brute_force(n: int, by: Any) -> None:
    sums = np.zeros(2)
    for texts, value in zip(SETS, Distinct(n=n, by=by).segments(SETS), strict=True):
        words = [text.split() for text in texts]
        grams = [tuple(line[i : i + n]) for line in words for i in range(len(line) - n + 1)]
        total = len(grams) if by == "ngrams" else sum(map(len, words))
        sums += len(set(grams)), total
        assert value == pytest.approx(100 * len(set(grams)) / total if total else math.nan, nan_ok=True)
    assert Distinct(n=n, by=by).score(SETS).value == pytest.approx(100 * sums[0] / sums[1])


def test_a_set_of_one() -> None:
    sets = [["a b", "c d"], ["a b"]]
    assert PairwisePINC().score(sets).value == 50
    assert PairwisePINC(alone="skip").score(sets).value == 100
    assert SelfBLEU().score(sets).value == 50
    assert SelfBLEU(alone="skip").score(sets).value == 0
    assert PairwisePINC().score(sets).parts == {"candidates": 1.5}


def test_the_order_of_candidates_does_not_matter() -> None:
    backwards = [texts[::-1] for texts in SETS]
    for name in ("pairwise-pinc", "self-bleu", "distinct:n=2", "bleu:pick=best", "bleu:pick=mean"):
        values = metric(name).segments(SETS, **TEXTS)
        np.testing.assert_allclose(metric(name).segments(backwards, **TEXTS), values)


def test_scores_of_several_systems_and_signatures() -> None:
    names = ["bleu", "bleu:pick=best", "pinc:pick=mean", "self-bleu", "distinct:n=2"]
    metrics = {name: metric(name) for name in names}
    single = [texts[0] for texts in SETS]
    sheet = score({"beams": SETS, "one": single}, metrics, **TEXTS, bootstrap=50)
    assert sheet["beams", "bleu"].value == sheet["one", "bleu"].value
    assert sheet["one", "bleu:pick=best"].value == pytest.approx(sheet["one", "bleu"].value)
    assert sheet["beams", "bleu:pick=best"].signature.startswith("BLEU|pick:best|cands:1-4|refs:1-2|")
    assert "cands" not in sheet["beams", "bleu"].signature
    assert sheet.candidates == {"beams": (1, 4)}
    assert None not in (sheet["beams", "self-bleu"].low, sheet["beams", "distinct:n=2"].high)


def test_parts_of_a_batch_and_of_normalized_batches_keep_the_sets() -> None:
    batch = Batch.of({"beams": SETS, "one": [texts[0] for texts in SETS]}, several=True)
    assert list(batch.part(2, 4).candidate_sets("beams")) == SETS[2:]
    normalized = batch.normalized("typography")
    assert normalized.candidate_sets("beams")[3][0] == "they're here"
    assert normalized.systems["beams"][3] == "they're here"
    assert not normalized.has_sets("one")


def test_a_paired_test_resamples_segments_with_all_their_candidates() -> None:
    worse = [[text + " x" for text in texts] for texts in SETS]
    metrics = [metric("bleu:order=2:pick=best"), metric("self-bleu")]
    comparison = compare({"beams": SETS, "worse": worse}, metrics, **TEXTS, bootstrap=100)
    rows = {row.metric: row for row in comparison.differences}
    assert rows["bleu:order=2:pick=best"].difference < 0
    assert 0 < rows["self-bleu"].p_bootstrap <= 1


def test_errors() -> None:
    with pytest.raises(InputError, match=r"BLEU: expected one candidate .*, found several; choose"):
        BLEU().score(SETS, references=REFERENCES)
    with pytest.raises(InputError, match=r"candidates: segment 2: expected at least one candidate"):
        PairwisePINC().score([["a"], []])
    with pytest.raises(SettingError, match="self-bleu reads all candidates of a segment"):
        metric("self-bleu:pick=best")
    with pytest.raises(SettingError, match="unknown pick 'bst'; did you mean 'best'"):
        metric("bleu:pick=bst")
