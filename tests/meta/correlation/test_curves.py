"""Curves over the number of references."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from paragauge import BLEU, PINC
from paragauge.errors import InputError, SettingError
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.correlation.curves import curve
from paragauge.meta.sets.evalset_builder import build

PLAIN = CorrelationSettings(test="none", bootstrap=0)
WORDS = [f"w{i}" for i in range(12)]


@pytest.fixture(scope="module")
def judged():
    """Segments with four references, but every fifth with two only."""
    rng = np.random.default_rng(51)

    def changed(text, share):
        return " ".join(str(rng.choice(WORDS)) if rng.random() < share else w for w in text.split())

    sources = {str(i): [" ".join(rng.choice(WORDS, 9))] for i in range(20)}
    references = {
        i: [changed(text, 0.4) for _ in range(2 if int(i) % 5 == 0 else 4)]
        for i, (text,) in sources.items()
    }
    candidates, rows = {}, []
    for i, (text,) in sources.items():
        for system, share in (("a", 0.2), ("b", 0.5), ("c", 0.8)):
            candidates[i, system] = changed(text, share)
            rows.append(
                (i, system, "A", {"overall": float(np.clip(5 - 4 * share + rng.normal(), 1, 5))})
            )
    return build(rows, sources=sources, references=references, candidates=candidates)


def plain(judged, references, settings=PLAIN):
    scored = dataclasses.replace(judged, references=references).score_with({"bleu": BLEU()})
    return correlate(scored, "overall", ["bleu"], settings).rows[0].value


@pytest.mark.parametrize("view", ["pooled", "by-source", "system"])
def test_all_references_are_the_plain_correlation(judged, view):
    settings = dataclasses.replace(PLAIN, view=view)
    reference_curve = curve(judged, "overall", BLEU(), [4], settings, repetitions=2)
    without, source = reference_curve.points
    assert without.value == pytest.approx(plain(judged, judged.references, settings), abs=1e-12)
    added = tuple(r + s for r, s in zip(judged.references, judged.sources, strict=True))
    assert source.value == pytest.approx(plain(judged, added, settings), abs=1e-12)
    assert [(p.references, p.source, p.short) for p in reference_curve.points] == [
        (4, False, 4),
        (4, True, 4),
    ]


def test_only_the_source(judged):
    reference_curve = curve(judged, "overall", BLEU(), [0, 1], PLAIN, repetitions=1)
    assert [(p.references, p.source) for p in reference_curve.points] == [
        (1, False),
        (0, True),
        (1, True),
    ]
    assert reference_curve.points[1].value == pytest.approx(plain(judged, judged.sources), abs=1e-12)


def test_points_are_means_over_draws_of_references(judged):
    """One reference at a time: the mean lies between the worst and the best single draw."""
    point = curve(judged, "overall", BLEU(), [1], PLAIN, repetitions=5).points[0]
    rng = np.random.default_rng([PLAIN.seed, 1])
    values = []
    for _ in range(5):
        drawn = tuple((texts[int(rng.permutation(len(texts))[0])],) for texts in judged.references)
        values.append(plain(judged, drawn))
    assert point.value == pytest.approx(np.mean(values), abs=1e-12)


def test_defaults(judged):
    reference_curve = curve(judged, "overall", BLEU(), settings=PLAIN, repetitions=1)
    assert [p.references for p in reference_curve.points] == [1, 2, 3, 4, 1, 2, 3, 4]
    assert [p.short for p in reference_curve.points[:4]] == [0, 0, 4, 4]
    assert (
        reference_curve.metric,
        reference_curve.criterion,
        reference_curve.statistic,
        reference_curve.view,
    ) == (
        "bleu",
        "overall",
        "pearson",
        "pooled",
    )
    assert reference_curve.items == 60


def test_complete_leaves_out_segments_with_fewer_references(judged):
    reference_curve = curve(judged, "overall", BLEU(), [1, 3], PLAIN, repetitions=1, complete=True)
    enough = np.array([len(texts) >= 3 for texts in judged.references])
    part = judged.where(enough[judged.item_segment])
    assert reference_curve.items == 48
    assert [p.short for p in reference_curve.points] == [0, 0, 0, 0]
    again = curve(part, "overall", BLEU(), [1, 3], PLAIN, repetitions=1)
    assert [p.value for p in again.points] == [p.value for p in reference_curve.points]


def test_seed_threads_and_bands(judged):
    def points(**more):
        settings = CorrelationSettings(
            test="none", **{"bootstrap": 60, "seed": 2, "threads": 1, **more}
        )
        return curve(judged, "overall", BLEU(), [1, 4], settings, repetitions=3).points

    assert points() == points(threads=3)
    assert points() != points(seed=3)
    for point in points():
        assert point.low < point.value < point.high
    narrow = points(level=0.5)[0]
    wide = points()[0]
    assert wide.low < narrow.low < narrow.high < wide.high


def test_conditions_may_name_other_scores(judged):
    scored = judged.score_with({"pinc": PINC()})
    reference_curve = curve(scored, "overall", BLEU(), [4], PLAIN, repetitions=1, where="pinc>50")
    expected = correlate(
        scored.score_with({"bleu": BLEU()}), "overall", ["bleu"], PLAIN, where="pinc>50"
    ).rows[0]
    assert reference_curve.points[0].value == pytest.approx(expected.value, abs=1e-12)
    assert reference_curve.items == expected.pairs


def test_an_undefined_point_has_no_value(judged):
    flat = dataclasses.replace(judged, ratings={"overall": np.ones(len(judged.rating_item))})
    settings = CorrelationSettings(test="none", bootstrap=20)
    reference_curve = curve(flat, "overall", BLEU(), [1], settings, repetitions=2)
    assert [(p.value, p.low, p.high) for p in reference_curve.points] == [(None, None, None)] * 2


def test_steps(judged):
    words = []
    curve(judged, "overall", BLEU(), [0, 2], PLAIN, repetitions=2, step=words.append)
    assert words == [
        *["2 references, without the source"] * 2,
        *["0 references, with the source"] * 2,
        *["2 references, with the source"] * 2,
    ]


def test_errors(judged):
    for lost in ("sources", "references", "candidates"):
        with pytest.raises(InputError, match="a curve needs sources, references and candidates"):
            curve(dataclasses.replace(judged, **{lost: None}), "overall", BLEU())
    with pytest.raises(
        SettingError, match=r"expected numbers of references from 0 to 4, .* found 1, 5"
    ):
        curve(judged, "overall", BLEU(), [1, 5])
    with pytest.raises(SettingError, match=r"expected numbers of references from 0 to 4, .* found -1"):
        curve(judged, "overall", BLEU(), [-1])
    with pytest.raises(SettingError, match="expected at least one repetition, found 0"):
        curve(judged, "overall", BLEU(), repetitions=0)
    with pytest.raises(
        SettingError, match="PINC does not use references; a curve needs a metric that does"
    ):
        curve(judged, "overall", PINC())
    with pytest.raises(SettingError, match="unknown criterion 'semantic'"):
        curve(judged, "semantic", BLEU())
