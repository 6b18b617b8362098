"""BLEU: arithmetic by hand, and sacreBLEU as the oracle for every setting both have.

Oracle: sacrebleu.metrics.BLEU (sacreBLEU 2.x), corpus_score and sentence_score, references given as
streams with None where a segment has fewer.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections import Counter
from itertools import zip_longest

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as SacreBLEU  # noqa: N811

from paragauge import BLEU, IBLEU
from paragauge.errors import InputError, SettingError
from paragauge.metrics.combined.bleu_pinc import BLEUPINC
from paragauge.metrics.combined.pinc_sigmoid import PINCSigmoid
from paragauge.metrics.precis import PRECIS

LATIN = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    ",",
    "Der",
    "Hund",
    "läuft",
    "3.5",
    "km",
    ".",
    "c'est",
    "½",
    "(x)",
]
WORDS = [*LATIN, "猫は", "魚が", "好き。", "кот", "спит!", "🙂", "שלום", "لا"]


def corpus(count: int, references: tuple[int, int], seed: int) -> tuple[list[str], list[list[str]]]:
    """Candidates and references that share much, in many scripts, some of them empty or short."""
    rng = random.Random(seed)
    candidates, groups = [], []
    for _ in range(count):
        base = rng.choices(WORDS, k=rng.choice([0, 1, 2, 3, 4, 9, 16, 25]))
        noisy = lambda: [rng.choice(WORDS) if rng.random() < 0.25 else word for word in base]  # noqa: E731,B023
        candidates.append(" ".join(noisy()))
        groups.append(
            [" ".join(noisy()) + rng.choice(["", " ."]) for _ in range(rng.randint(*references))]
        )
    return candidates, groups


def streams(groups: list[list[str]]) -> list[tuple[str | None, ...]]:
    return list(zip_longest(*groups))


COUNTS = [(1, 1), (2, 2), (5, 5), (1, 5)]
SMOOTHINGS = [
    ("none", None),
    ("floor", None),
    ("floor", 0.01),
    ("add-k", None),
    ("add-k", 0.5),
    ("exp", None),
]


@pytest.mark.parametrize("count", COUNTS, ids=["1 ref", "2 refs", "5 refs", "1-5 refs"])
def test_corpus_score_equals_sacrebleu(count: tuple[int, int]) -> None:
    candidates, groups = corpus(10_000, count, seed=sum(count))
    # sacreBLEU's statistics are the slow part: take them once and let it score them each way.
    oracle = SacreBLEU()
    rows = oracle._extract_corpus_statistics(candidates, streams(groups))
    stats = BLEU().stats(candidates, references=groups)
    np.testing.assert_array_equal(stats, np.array(rows))
    for smooth, value in SMOOTHINGS:
        for effective in (True, False):
            theirs = SacreBLEU(smooth_method=smooth, smooth_value=value, effective_order=effective)
            ours = BLEU(
                smooth=smooth,
                smooth_value=value,
                effective_order="always" if effective else "never",
            )
            expected = theirs._aggregate_and_compute(rows).score
            assert float(ours.corpus_values(stats.sum(axis=0))) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("tokenizer", ["13a", "intl", "zh", "char", "none"])
@pytest.mark.parametrize("lower", [False, True])
def test_public_calls_agree(tokenizer: str, lower: bool) -> None:
    candidates, groups = corpus(300, (1, 4), seed=3)
    theirs = SacreBLEU(tokenize=tokenizer, lowercase=lower, force=True)
    ours = BLEU(tokenize=tokenizer, case="lower" if lower else "mixed")
    expected = theirs.corpus_score(candidates, streams(groups))
    score = ours.score(candidates, references=groups)
    assert score.value == pytest.approx(expected.score, abs=1e-9)
    assert score.parts["brevity_penalty"] == pytest.approx(expected.bp, abs=1e-12)
    assert score.parts["candidate_length"] == expected.sys_len
    assert score.parts["reference_length"] == expected.ref_len


@pytest.mark.parametrize("count", COUNTS, ids=["1 ref", "2 refs", "5 refs", "1-5 refs"])
@pytest.mark.parametrize(("smooth", "value"), SMOOTHINGS)
@pytest.mark.parametrize("order", [1, 2, 4, 6])
def test_sentence_scores_equal_sacrebleu(
    count: tuple[int, int], smooth: str, value: float | None, order: int
) -> None:
    candidates, groups = corpus(60, count, seed=order)
    theirs = SacreBLEU(
        smooth_method=smooth, smooth_value=value, effective_order=True, max_ngram_order=order
    )
    ours = BLEU(smooth=smooth, smooth_value=value, order=order)
    expected = [
        theirs.sentence_score(candidate, group).score
        for candidate, group in zip(candidates, groups, strict=True)
    ]
    np.testing.assert_allclose(
        ours.segments(candidates, references=groups), expected, atol=1e-9, rtol=0
    )


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.text(), st.lists(st.text(), min_size=1, max_size=3)), min_size=1, max_size=4)
)
def test_any_strings(segments: list[tuple[str, list[str]]]) -> None:
    candidates = [candidate for candidate, _ in segments]
    groups = [group for _, group in segments]
    # Squares of made-up strings may look transposed, which is refused.
    assume(len(groups) == 1 or any(len(group) != len(groups) for group in groups))
    expected = SacreBLEU(force=True).corpus_score(candidates, streams(groups)).score
    assert BLEU().score(candidates, references=groups).value == pytest.approx(expected, abs=1e-9)


def test_arithmetic_by_hand() -> None:
    # candidate: the cat sat on the mat (6 words); reference: the cat is on the mat (6 words)
    # matches: 5 of 6 words, 3 of 5 pairs, 1 of 4 triples, 0 of 3 quadruples (exp: 1/2 of a match)
    score = BLEU().score(["the cat sat on the mat"], references=[["the cat is on the mat"]])
    expected = 100 * math.exp(sum(map(math.log, [5 / 6, 3 / 5, 1 / 4, 0.5 / 3])) / 4)
    assert score.value == pytest.approx(expected, abs=1e-9)
    assert score.parts["precision1"] == pytest.approx(100 * 5 / 6)
    assert score.parts["precision4"] == 0


def test_brevity_penalty_by_hand() -> None:
    score = BLEU(order=1).score(["a b"], references=[["a b c d"]])
    assert score.value == pytest.approx(100 * math.exp(1 - 4 / 2), abs=1e-9)


def test_closest_reference_length_and_the_shorter_of_two() -> None:
    stats = BLEU().stats(["a b c d"], references=[["x x x x x", "x x x", "x"]])
    assert stats[0, 1] == 3


def mteval_11b(candidates: list[str], groups: list[list[str]]) -> float:
    """BLEU as NIST's mteval-v11b.pl defines it, word by word, over texts split at spaces.

    `score_segment` keeps the shortest length of a segment's references and clips each n-gram by the
    reference that has it most often; `bleu_score` multiplies the geometric mean of the precisions of
    summed counts by exp(min(0, 1 - shortest / words)), and is 0 if an order has no match.
    """
    shortest, match, total = 0, [0] * 4, [0] * 4
    for candidate, group in zip(candidates, groups, strict=True):
        shortest += min(len(reference.split()) for reference in group)
        for n in range(1, 5):
            counts = [
                Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
                for words in (text.split() for text in (candidate, *group))
            ]
            total[n - 1] += sum(counts[0].values())
            for ngram, count in counts[0].items():
                match[n - 1] += min(count, max(own[ngram] for own in counts[1:]))
    if not all(match):
        return 0.0
    logs = sum(math.log(m / t) for m, t in zip(match, total, strict=True)) / 4
    return 100 * math.exp(logs + min(0.0, 1 - shortest / total[0]))


@pytest.mark.parametrize("seed", range(8))
def test_shortest_reference_length_equals_mteval_11b(seed: int) -> None:
    candidates, groups = corpus(40, (1, 4), seed=seed)
    bleu = BLEU(ref_length="shortest", smooth="none", tokenize="none")
    score = bleu.score(candidates, references=groups)
    assert score.value == pytest.approx(mteval_11b(candidates, groups), abs=1e-9)
    lengths = [min(len(reference.split()) for reference in group) for group in groups]
    np.testing.assert_array_equal(bleu.stats(candidates, references=groups)[:, 1], lengths)


def test_shortest_reference_length_by_hand() -> None:
    longer = [["a b c d e", "a b c", "x x x x"]]
    closest = BLEU(order=1, ref_length="closest").score(["a b c d"], references=longer)
    shortest = BLEU(order=1, ref_length="shortest").score(["a b c d"], references=longer)
    assert (closest.parts["reference_length"], shortest.parts["reference_length"]) == (4, 3)
    # Six words; references of 7 and 4: closest penalizes by exp(1 - 7/6), shortest not at all.
    texts = ["a b c d e f"], [["a b c d e f g", "a b c d"]]
    assert BLEU(order=1).score(texts[0], references=texts[1]).value == pytest.approx(
        100 * math.exp(1 - 7 / 6)
    )
    lenient = BLEU(order=1, ref_length="shortest").score(texts[0], references=texts[1])
    assert lenient.value == pytest.approx(100)


def test_the_default_length_is_not_named_in_the_signature() -> None:
    assert "len:" not in BLEU().signature
    assert "|len:shortest|" in BLEU(ref_length="shortest").signature
    assert BLEU(ref_length="shortest").label == "bleu:ref_length=shortest"


def test_metrics_made_from_bleu_pass_the_length_on() -> None:
    texts = {"sources": ["a b c d e f"], "references": [["a b c d e f g", "a b c d"]]}
    candidates = ["a b c d e f"]
    for usual in (IBLEU(), PRECIS(), BLEUPINC(), PINCSigmoid(slope=0.1, midpoint=50)):
        shortest = dataclasses.replace(usual, ref_length="shortest")
        values = [metric.score(candidates, **texts).value for metric in (usual, shortest)]
        if isinstance(usual, PINCSigmoid):  # a copy has no PINC to weigh
            values = [
                metric.parts(metric.stats(candidates, **texts)[0])["mean_bleu"]
                for metric in (usual, shortest)
            ]
        assert values[0] < values[1], usual.name


def test_counts_are_clipped_by_the_reference_that_has_most() -> None:
    # "the" seven times; one reference has it twice, the other once.
    stats = BLEU().stats(["the " * 7], references=[["the cat the", "the dog"]])
    assert stats[0, 2] == 2


@pytest.mark.parametrize(
    ("candidate", "references", "value"),
    [
        ("", ["a b"], 0.0),
        ("a b", [""], 0.0),
        ("", [""], 0.0),
        ("a b", ["a b"], 100.0),
        ("a", ["a"], 100.0),
        ("a b", ["c d"], 0.0),
    ],
)
def test_edge_cases(candidate: str, references: list[str], value: float) -> None:
    assert BLEU().segments([candidate], references=[references])[0] == pytest.approx(value, abs=1e-9)


def test_source_counts_as_a_reference_if_asked() -> None:
    texts = {"sources": ["a b c d e"], "references": [["v w x y z"]]}
    assert BLEU().score(["a b c d e"], **texts).value == 0
    assert BLEU(source="include").score(["a b c d e"], **texts).value == pytest.approx(100)
    # The order of references does not matter, so neither does the place of the source.
    candidates, groups = corpus(50, (1, 3), seed=8)
    sources = [group[0] for group in groups]
    joined = [[*group, source] for group, source in zip(groups, sources, strict=True)]
    included = BLEU(source="include").stats(candidates, sources=sources, references=groups)
    np.testing.assert_array_equal(included, BLEU().stats(candidates, references=joined))


def test_several_sources_count_as_references() -> None:
    included = BLEU(source="include").stats(
        ["a b", "c"], sources=[["a", "b"], ["c"]], references=[["x"], ["y", "z"]]
    )
    expected = BLEU().stats(["a b", "c"], references=[["x", "a", "b"], ["y", "z", "c"]])
    np.testing.assert_array_equal(included, expected)


def test_bad_settings() -> None:
    with pytest.raises(
        SettingError, match=r"smoothing 'exp' takes no value, found 0\.1; use floor or add-k"
    ):
        BLEU(smooth="exp", smooth_value=0.1)
    with pytest.raises(SettingError, match="unknown BLEU smooth 'flor'; did you mean 'floor'"):
        BLEU(smooth="flor")
    with pytest.raises(SettingError, match="BLEU order: expected a whole number from 1 to 64, found 0"):
        BLEU(order=0)
    with pytest.raises(SettingError, match=r"expected a whole number from 1 to 64, found 2\.5"):
        BLEU(order=2.5)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="unknown tokenizer '13b'; did you mean '13a'"):
        BLEU(tokenize="13b")


def test_missing_input() -> None:
    with pytest.raises(InputError, match=r"BLEU needs references; give references=$"):
        BLEU().score(["a"], sources=["a"])
    with pytest.raises(InputError, match="BLEU: expected at least one segment, found none"):
        BLEU().score([], references=[])
