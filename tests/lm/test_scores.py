"""Perplexity, normalized scores and states."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paragauge.errors import InputError, SettingError, ShapeError
from paragauge.lm import LanguageModel, LanguageModelScores


def scores(*rows: tuple[float, int, int, float]) -> LanguageModelScores:
    columns = np.array(rows, np.float64).reshape(-1, 4).T
    return LanguageModelScores(
        columns[0], columns[1].astype(np.int64), columns[2].astype(np.int64), columns[3]
    )


def test_perplexity() -> None:
    two = scores((-4.0, 3, 1, -2.5), (-2.0, 1, 0, -2.0))
    assert two.perplexity() == pytest.approx(10 ** (6 / 6))
    assert two.perplexity(unknown=False) == pytest.approx(10 ** (4.5 / 5))
    assert math.isnan(scores().perplexity())
    assert scores((-1e6, 1, 0, 0)).perplexity() == math.inf


def test_normalized() -> None:
    one = scores((-4.0, 3, 0, -4.0), (-0.5, 0, 0, -0.5))
    assert one.normalize(base="10").tolist() == [-1.0, -0.5]
    assert one.normalize().tolist() == pytest.approx([-math.log(10), -0.5 * math.log(10)])
    assert one.normalize(base="2").tolist() == pytest.approx([-math.log2(10), -0.5 * math.log2(10)])
    assert one.normalize(end=False, base="10").tolist() == pytest.approx(
        [-4 / 3, math.nan], nan_ok=True
    )
    with pytest.raises(SettingError, match="unknown base of logarithms 'x'; known: e, 10, 2"):
        one.normalize(base="x")


def test_sentences_are_the_sum_of_their_tokens(model: LanguageModel, text: list[str]) -> None:
    whole, tokens = model.score(text), model.token_scores(text)
    sums = np.add.reduceat(tokens.log10, tokens.offsets[:-1])
    np.testing.assert_allclose(sums, whole.log10, rtol=1e-12)
    assert (np.diff(tokens.offsets) == whole.tokens + 1).all()


def test_states_give_the_same_as_sentences(model: LanguageModel) -> None:
    words = ["the", "man", "zzz", "is", "the", "man"]
    state, total = model.begin, 0.0
    for word in [*words, "</s>"]:
        log10, state = model.score_word(state, word)
        total += log10
    assert total == pytest.approx(float(model.score([" ".join(words)], tokenized=True).log10[0]))
    with pytest.raises(InputError, match="expected a state that the model gave, found 1000000000"):
        model.score_word(10**9, "the")


def test_any_number_of_threads(model: LanguageModel, text: list[str]) -> None:
    alone = model.score(text * 20, threads=1)
    for threads in (0, 2, 7):
        np.testing.assert_array_equal(alone.log10, model.score(text * 20, threads=threads).log10)


def test_what_is_no_list_of_sentences(model: LanguageModel) -> None:
    with pytest.raises(ShapeError, match="expected a list of sentences"):
        model.score("the man")
    assert len(model.score([])) == 0
    with pytest.raises(SettingError, match="threads"):
        model.score(["a"], threads=-2)


def test_names_tell_models_apart(model: LanguageModel, text: list[str]) -> None:
    other = LanguageModel.train(text[:-1], order=4, form=model.form, discount_fallback=(0.5, 1, 1.5))
    assert model.name != other.name
    assert model.name.startswith("4gram-")
