"""Significance of phrase pairs: the test against SciPy, counts by hand, and what extraction drops."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.align.links import Links
from paragauge.errors import SettingError
from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts
from paragauge.phrases.extract import ExtractionSettings, extract_table
from paragauge.phrases.significance import least_significance
from paragauge.text.bitext import Bitext
from paragauge.text.lines import Lines

KERNELS = (_native, reference)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """C(s), C(t), C(s, t) and N that fit into each other."""
    sentences = draw(st.integers(1, 300))
    source, target = (draw(st.integers(0, sentences)) for _ in range(2))
    both = draw(st.integers(max(0, source + target - sentences), min(source, target)))
    return source, target, both, sentences


@given(tables())
def test_fishers_exact_test_is_scipys_and_the_twins(table: tuple[int, int, int, int]) -> None:
    stats = pytest.importorskip("scipy.stats")
    source, target, both, sentences = table
    counts = np.array([[source, target, both]])
    found = _native.significances(counts, sentences)
    np.testing.assert_allclose(found, reference.significances(counts, sentences), rtol=1e-9, atol=1e-9)
    p = stats.fisher_exact(
        [[both, source - both], [target - both, sentences - source - target + both]],
        alternative="greater",
    ).pvalue
    np.testing.assert_allclose(np.exp(-found[0]), p, rtol=1e-7)


def test_large_counts_are_hypergeometric_tails() -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = [
        (5000, 7000, 60, 1_000_000),
        (5000, 7000, 20, 1_000_000),
        (400_000, 500_000, 200_500, 10**6),
    ]
    found = _native.significances(np.array([row[:3] for row in rows]), 10**6)
    for value, (source, target, both, sentences) in zip(found, rows, strict=True):
        expected = -stats.hypergeom.logsf(both - 1, sentences, source, target)
        assert value == pytest.approx(expected, rel=1e-5)


def test_a_pair_that_occurs_once_has_the_significance_of_the_size() -> None:
    for kernels in KERNELS:
        (value,) = kernels.significances(np.array([[1, 1, 1]]), 50)
        assert value == pytest.approx(math.log(50), abs=1e-9)
    assert least_significance("alpha-epsilon", 50) < value < least_significance("alpha+epsilon", 50)


words = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)


@given(st.lists(st.tuples(words, words), max_size=8), st.data())
def test_counts_equal_the_twins(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    phrase = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(" ".join)
    rows = data.draw(st.lists(st.tuples(phrase, phrase), max_size=6))
    columns = [pack_texts([row[side] for row in rows]) for side in (0, 1)]
    results = []
    for kernels in KERNELS:
        sides = []
        for side in (0, 1):
            lines = Lines.of([pair[side] for pair in pairs])
            spans = np.ascontiguousarray(lines.spans)
            sides.append(kernels.PhraseOccurrences(lines.buffer, spans, columns[side]))
            assert len(sides[-1]) == len(pairs)
        results.append(kernels.count_phrase_pairs(*sides, *columns, 2))
    np.testing.assert_array_equal(*results)


def test_a_phrase_counts_once_per_sentence_whatever_the_alignment() -> None:
    sources, targets = Lines.of(["a b a", "b", "a b"]), Lines.of(["x x", "x", "y"])
    phrases = pack_texts(["a", "a b", "b"]), pack_texts(["x", "x", "y"])
    for kernels in KERNELS:
        sides = [
            kernels.PhraseOccurrences(lines.buffer, np.ascontiguousarray(lines.spans), column)
            for lines, column in zip((sources, targets), phrases, strict=True)
        ]
        counts = kernels.count_phrase_pairs(*sides, *phrases, 1)
        assert counts.tolist() == [[2, 2, 1], [2, 2, 1], [3, 1, 1]]
        with pytest.raises(ValueError, match="unknown phrase"):
            kernels.count_phrase_pairs(*sides, pack_texts(["z"]), pack_texts(["x"]), 1)
        with pytest.raises(ValueError, match="counts must fit into each other"):
            kernels.significances(np.array([[2, 2, 0]]), 3)


def test_extraction_drops_pairs_below_the_cut(tmp_path: Path) -> None:
    # "a" and "x" occur in 4 of 8 sentences, always together: p = 1 / C(8, 4) = 1/70 < 1/8. "c" and "z"
    # occur once each, together: p = 1/8. "b" and "y" occur in all sentences, as does "is" with
    # itself: p = 1.
    source = ["a b is"] * 4 + ["b is"] * 3 + ["c b is"]
    target = ["x y is"] * 4 + ["y is"] * 3 + ["z y is"]
    links = Links.from_lists([[(i, i) for i in range(len(text.split()))] for text in source])
    bitext = Bitext.of(source, target)
    kept = {}
    for cut in ("off", "alpha-epsilon", "alpha+epsilon"):
        settings = ExtractionSettings(max_length=1, significance=cut)
        table = extract_table(bitext, links, tmp_path / cut, settings)
        kept[cut] = [
            f"{row['source']} {row['target']}"
            for batch in table.batches(("source", "target"))
            for row in batch.to_pylist()
        ]
        dropped = None if cut == "off" else 4 - len(kept[cut])
        assert table.info["counts"].get("insignificant") == dropped
    assert kept == {
        "off": ["a x", "b y", "c z", "is is"],
        "alpha-epsilon": ["a x", "c z", "is is"],
        "alpha+epsilon": ["a x", "is is"],
    }


def test_an_unknown_cut_is_rejected() -> None:
    with pytest.raises(SettingError, match="unknown significance 'alpha'"):
        ExtractionSettings(significance="alpha")
