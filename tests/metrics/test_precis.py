"""PRÉCIS by hand: BLEU of the compression times the penalty for its excess length."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paragauge import BLEU, PRECIS
from paragauge.errors import InputError, SettingError

SOURCE = "a b c d e f g h i j"


def one(candidate: str, source: str, reference: str, **settings: float | str) -> float:
    metric = PRECIS(**settings)  # type: ignore[arg-type]
    return float(metric.segments([candidate], sources=[source], references=[reference])[0])


def test_short_enough_is_bleu() -> None:
    # 5 of 10 words at a rate of 0.5: no penalty, and the reference is met.
    assert one("a b c d e", SOURCE, "a b c d e") == pytest.approx(100)
    # 2 words against a reference of 4: BLEU's own brevity penalty, exp(1 - 4 / 2).
    assert one("a b", SOURCE, "a b c d") == pytest.approx(100 * math.exp(-1))


def test_excess_falls_exponentially() -> None:
    # 8 of 10 words: exp(5 * (0.5 - 0.8)); the 6 words of the reference match, with 1 + 1 words around.
    bleu = 100 * math.exp(sum(math.log(m / t) for m, t in [(6, 8), (5, 7), (4, 6), (3, 5)]) / 4)
    candidate, reference = "x a b c d e f y", "a b c d e f"
    assert one(candidate, SOURCE, reference) == pytest.approx(bleu * math.exp(-1.5))
    assert one(candidate, SOURCE, reference, strength=10) == pytest.approx(bleu * math.exp(-3))
    assert one(candidate, SOURCE, reference, ratio=0.8) == pytest.approx(bleu)
    assert one(candidate, SOURCE, reference, strength=0) == pytest.approx(bleu)


def test_characters_without_blanks() -> None:
    # 2 of 4 words but 4 of 16 characters; with ratio 0.2 the excess is 0.3 or 0.05.
    assert one("aa bb", "aa bb cccccc dddddd", "aa bb", ratio=0.2) == pytest.approx(
        100 * math.exp(-1.5)
    )
    score = one("aa bb", "aa bb cccccc dddddd", "aa bb", ratio=0.2, unit="characters")
    assert score == pytest.approx(100 * math.exp(-0.25))
    assert one("猫", "猫犬", "猫", ratio=0.4, unit="characters") == pytest.approx(100 * math.exp(-0.5))


def test_corpus_sums_lengths_first() -> None:
    # Rates 1 and 0.25; together 6 of 12 words, so no penalty remains.
    candidates, sources = ["a b c d", "e f"], ["a b c d", "e f g h i j k l"]
    score = PRECIS().score(candidates, sources=sources, references=candidates)
    assert score.value == pytest.approx(100)
    assert score.parts["compression_rate"] == pytest.approx(0.5)
    assert score.parts["verbosity_penalty"] == 1
    assert score.parts["bleu"] == pytest.approx(100)
    segments = PRECIS().segments(candidates, sources=sources, references=candidates)
    np.testing.assert_allclose(segments, [100 * math.exp(-2.5), 100])


def test_without_penalty_all_settings_are_bleu() -> None:
    candidates, references = ["the cat sat", "on a mat today"], [["the cat is", "a cat sat"], ["on it"]]
    for settings in ({"smooth": "floor"}, {"order": 2}, {"effective_order": "always"}):
        mine = PRECIS(strength=0, **settings).score(  # type: ignore[arg-type]
            candidates, sources=candidates, references=references
        )
        assert mine.value == BLEU(**settings).score(candidates, references=references).value  # type: ignore[arg-type]


def test_several_sources_count_with_their_mean_length() -> None:
    # Sources of 2 and 6 words, 4 on average; 3 words are a rate of 0.75.
    scores = PRECIS().segments(["a b c"], sources=[["x x", "x x x x x x"]], references=["a b c"])
    assert scores[0] == pytest.approx(100 * math.exp(-1.25))


def test_edges() -> None:
    assert one("", "a b", "a") == 0
    assert one("a", "", "a") == 0
    assert one("a", "", "a", strength=0) == pytest.approx(100)
    assert one("", "", "") == 0


def test_errors() -> None:
    with pytest.raises(SettingError, match=r"PRECIS ratio: expected a number from 0 to 1, found 1\.5"):
        PRECIS(ratio=1.5)
    with pytest.raises(SettingError, match="unknown PRECIS unit 'char'; did you mean 'characters'"):
        PRECIS(unit="char")
    with pytest.raises(InputError, match="PRECIS needs sources; give sources="):
        PRECIS().score(["a"], references=["a"])
