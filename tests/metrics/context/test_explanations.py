"""Explanations of cosine, BERTScore, BERT-iBLEU and ParaScore: every sum gives the score."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paragauge
from paragauge import BERTIBLEU, BLEU, BERTScore, Cosine, ParaScore
from paragauge.encode import convert_encoder, open_encoder
from paragauge.errors import InputError, ShapeError
from paragauge.metrics.context.explanation import ContextExplanation, harmonic_weights
from paragauge.metrics.context.piece_words import cut_text
from tests.encode import tiny_bert

CANDIDATE, OTHER = "They postponed the meeting to Monday.", "The meeting was put off until Monday."
PAIRS = [
    (CANDIDATE, OTHER),
    (OTHER, OTHER),
    ("Unbelievably, antidisestablishmentarianism's 3.14 dogs!", "naïve cafés: 汉字 🙂"),
    ("long " * 300, "a longer text " * 120),
]


def total(explanation: ContextExplanation) -> float:
    return sum(term.adds for term in explanation.terms)


def score_pair(metric: Any, candidate: str, other: str) -> float:
    inputs = {need: [other] for need in metric.needs}
    return float(metric.segments([candidate], **inputs)[0])


@pytest.mark.parametrize(("candidate", "other"), PAIRS)
@pytest.mark.parametrize(
    "metric",
    [
        Cosine(),
        Cosine(against="sources"),
        BERTScore(),
        BERTScore(against="sources", layer=6),
        BERTScore(part="precision"),
        BERTScore(part="recall", baseline=0.3),
        BERTScore(baseline=0.4),
        BERTIBLEU(),
        BERTIBLEU(beta=1, order=2),
        BERTIBLEU(beta=0),
        ParaScore(),
        ParaScore(omega=2, gamma=0.9),
    ],
    ids=lambda metric: metric.signature.rpartition("|scale")[0],
)
def test_the_terms_add_up_to_the_score_of_segments(metric: Any, candidate: str, other: str) -> None:
    explanation = metric.explain(candidate, other)
    assert explanation.value == score_pair(metric, candidate, other)
    assert total(explanation) == pytest.approx(explanation.value, abs=1e-9)
    json.dumps(explanation.record(), allow_nan=False)


@pytest.mark.parametrize(("candidate", "other"), PAIRS)
@pytest.mark.parametrize("metric", [BERTScore(), BERTScore(baseline=0.4, layer=2)])
def test_matches_add_up_to_precision_and_recall(metric: BERTScore, candidate: str, other: str) -> None:
    explanation = metric.explain(candidate, other)
    parts = metric.score([candidate], references=[other]).parts
    for term, matching in zip(explanation.terms, explanation.matchings, strict=True):
        assert matching.name == term.name
        assert matching.value == term.value == pytest.approx(parts[term.name])
        assert sum(match.adds for match in matching.matches) == pytest.approx(term.value)
        own, _ = explanation.sides(matching)
        assert [match.piece for match in matching.matches] == list(range(1, len(own.pieces) - 1))


def test_a_match_by_hand() -> None:
    explanation = BERTScore().explain("A dog", "dog dog dog")
    vectors = open_encoder().encode(["A dog", "dog dog dog"], [4]).vectors[0].astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    mine, theirs = vectors[:4], vectors[4:]
    for match in explanation.matchings[0].matches:
        cosines = mine[match.piece] @ theirs.T
        assert match.partner == cosines.argmax()
        assert match.cosine == pytest.approx(cosines.max())
        assert match.adds == pytest.approx(100 * cosines.max() / 2)  # one of two pieces
    precision, recall = (matching.value for matching in explanation.matchings)
    assert explanation.value == pytest.approx(2 * precision * recall / (precision + recall))


def test_idf_weights_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "refs.txt"
    path.write_text("the cat\nthe dog\nthe bird\n")
    explanation = BERTScore(idf=str(path)).explain("the cat", "a cat")
    the, cat = explanation.matchings[0].matches
    assert (the.weight, cat.weight) == pytest.approx((0, math.log(4 / 2)))
    assert the.adds == 0
    assert cat.adds == pytest.approx(explanation.terms[0].value)
    assert " idf " in str(explanation)
    assert " idf " not in str(BERTScore().explain("the cat", "a cat"))


@pytest.mark.parametrize(("candidate", "other"), PAIRS)
def test_words_and_pairs_add_up_to_the_cosine(candidate: str, other: str) -> None:
    explanation = Cosine().explain(candidate, other)
    words, special, rounding = explanation.terms
    pairs = sum(pair.adds for pair in explanation.pairs)
    assert pairs == pytest.approx(words.value + special.value)
    assert pairs == pytest.approx(explanation.value, abs=0.05)
    assert abs(rounding.value) < 0.05
    for role in ("candidate", "reference"):
        shares = explanation.word_shares(role)
        assert sum(share for _, share in shares) == pytest.approx(pairs)
        assert shares[-1][0] is None


def test_words_that_match_add_most() -> None:
    explanation = Cosine().explain("A big guitar", "The price of a guitar")
    assert explanation.pair_text(explanation.pairs[0]) == ("guitar", "guitar")
    assert None in (explanation.pairs[-1].candidate, explanation.pairs[-1].other)


def test_a_sentence_vector_that_is_not_a_mean(tmp_path: Path) -> None:
    folder = tiny_bert.write_folder(tmp_path / "in")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    convert_encoder(folder, tmp_path / "out", bits=32)
    metric = Cosine(encoder=str(tmp_path / "out"))
    explanation = metric.explain("the cat sat.", "a dog")
    assert explanation.value == score_pair(metric, "the cat sat.", "a dog")
    assert explanation.terms == explanation.pairs == ()
    assert explanation.note == (
        f"The sentence vectors of encoder {tmp_path / 'out'} are not the means of their pieces' "
        "vectors, so only the value can be shown."
    )
    assert explanation.note in str(explanation)


def test_parts_of_bert_ibleu() -> None:
    explanation = BERTIBLEU().explain(CANDIDATE, OTHER)
    overlap = float(BLEU().segments([CANDIDATE], references=[OTHER])[0])
    assert explanation.parts["self_bleu"] == pytest.approx(overlap)
    bertscore, novelty = explanation.terms
    assert novelty.value == pytest.approx(100 - overlap)
    assert explanation.similarity is not None
    assert bertscore.value == explanation.similarity.value
    # Of 7 tokens "meeting", "Monday" and "." are shared, and of the bigrams "Monday .".
    assert "1-grams 3 of 7, 2-grams 1 of 6, 3-grams 0 of 5, 4-grams 0 of 4" in novelty.note
    copy = BERTIBLEU().explain(OTHER, OTHER)
    assert [(term.value, term.weight) for term in copy.terms] == [
        (pytest.approx(100), 0),
        (0, 1),
    ]


def test_parts_of_parascore() -> None:
    explanation = ParaScore().explain("Dogs like mead", "Dogs like meat")
    similarity, bonus = explanation.terms
    assert explanation.parts == {"distance": pytest.approx(100 / 14), "edits": 1, "characters": 14}
    assert bonus.value == pytest.approx(100 * (1 / 14 * 1.35 / 0.35 - 1))
    assert bonus.weight == 0.05
    assert similarity.note == "with the source, F"


def test_parascore_shows_the_closer_text() -> None:
    both = ParaScore(against="both")
    inputs = {"sources": [OTHER], "references": [CANDIDATE]}
    explanation = both.explain(CANDIDATE, OTHER, CANDIDATE)
    assert explanation.value == both.segments([CANDIDATE], **inputs)[0]
    assert explanation.other.role == "reference"
    assert list(explanation.texts) == ["candidate", "source", "reference"]
    assert total(explanation) == pytest.approx(explanation.value)
    assert both.explain(CANDIDATE, OTHER, "Dogs bark.").other.role == "source"
    with pytest.raises(InputError, match="ParaScore against=both needs a reference, found none"):
        both.explain(CANDIDATE, OTHER)


@pytest.mark.parametrize("metric", [Cosine(), BERTScore(), BERTIBLEU(), BERTIBLEU(beta=0), ParaScore()])
def test_empty_texts(metric: Any) -> None:
    neither = metric.explain("", "")
    assert (neither.value, neither.terms) == (None, ())
    assert neither.metric + " -" in str(neither)
    one = metric.explain("", "A dog.")
    assert one.value == score_pair(metric, "", "A dog.")
    assert total(one) == pytest.approx(one.value)
    assert "The candidate is empty." in str(one)
    assert "are empty." in str(neither)


@pytest.mark.parametrize("metric", [Cosine(), BERTScore(), BERTIBLEU(), ParaScore()])
def test_the_function_explain(metric: Any) -> None:
    given_text = {"source" if "sources" in metric.needs else "reference": OTHER}
    assert paragauge.explain(CANDIDATE, metric, **given_text) == metric.explain(CANDIDATE, OTHER)
    with pytest.raises(ShapeError, match="candidate: expected one sentence, found list; explain one"):
        metric.explain([CANDIDATE], OTHER)


def test_the_function_explain_with_two_texts() -> None:
    both = ParaScore(against="both")
    explained = paragauge.explain(CANDIDATE, both, source=OTHER, reference="Monday it is.")
    assert explained == both.explain(CANDIDATE, OTHER, "Monday it is.")
    with pytest.raises(InputError, match="reference="):
        paragauge.explain(CANDIDATE, both, source=OTHER)


def test_pieces_belong_to_words() -> None:
    text = "It's antidisestablishmentarianism, naïve."
    explanation = BERTScore().explain(text, "a")
    cut = explanation.candidate
    assert [word.text for word in cut.words] == [
        "It's",
        "antidisestablishmentarianism",
        ",",
        "naïve",
        ".",
    ]
    by_word: dict[int | None, str] = {}
    for piece in cut.pieces[1:-1]:
        by_word[piece.word] = by_word.get(piece.word, "") + piece.text
    assert by_word == {number: word.text for number, word in enumerate(cut.words)}
    assert cut.label(4) == "anti (antidisestablishmentarianism)"
    assert (cut.label(0), cut.label(len(cut.pieces) - 1)) == ("(start)", "(end)")


def test_spans_with_the_space_before_a_word() -> None:
    # As tokenizers of SentencePiece give them: the space belongs to the piece after it.
    cut = cut_text("source", "a dog", [(0, 0), (0, 1), (1, 4), (4, 5), (5, 5), (0, 0)])
    assert [piece.text for piece in cut.pieces] == ["(start)", "a", "do", "g", "(space)", "(end)"]
    assert [piece.word for piece in cut.pieces] == [None, 0, 1, 1, None, None]


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0, 9))
def test_harmonic_weights(first: float, second: float, beta: float) -> None:
    ours, theirs = harmonic_weights(first, second, beta)
    assert ours + theirs == pytest.approx(1)
    expected = (beta + 1) / (beta / first + 1 / second)
    assert ours * first + theirs * second == pytest.approx(expected)
