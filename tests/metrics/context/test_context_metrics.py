"""Cosine and BERTScore: formulas by hand, settings, empty texts, invariances."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from paragauge import metric as make_metric
from paragauge.encode.convert import convert_encoder
from paragauge.encode.encoder_by_name import keep_vectors, open_encoder
from paragauge.errors import InputError, SettingError
from paragauge.metrics import BERTScore, Cosine
from paragauge.metrics.context.pair_vectors import TextVectors
from paragauge.metrics.scoring import score
from tests.encode import tiny_bert

SENTENCES = [
    "A man is playing a guitar.",
    "Someone plays the guitar.",
    "The stock market fell sharply on Monday.",
    "On Monday stocks fell.",
    "",
]


def text(*vectors: list[float]) -> TextVectors:
    """A text whose pieces have these vectors; the first and the last are special."""
    count = len(vectors)
    return TextVectors(
        np.arange(count),
        np.zeros((count, 2), np.int64),
        np.array([vectors], np.float32),
        np.array(vectors[0], np.float32),
    )


@pytest.fixture(scope="module")
def other_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    convert_encoder(tiny_bert.write_folder(folder / "in"), folder / "out", bits=32)
    return folder / "out"


def test_bertscore_by_hand() -> None:
    special = [0.0, 0.0, 1.0]
    mine = text(special, [1, 0, 0], [0, 2, 0], special)  # two words
    theirs = text(special, [3, 4, 0], special)  # one word, 0.6 and 0.8 from them
    value, precision, recall = BERTScore().compare(mine, theirs)
    assert precision == pytest.approx((0.6 + 0.8) / 2)
    assert recall == pytest.approx(0.8)
    assert value == pytest.approx(2 * 0.7 * 0.8 / (0.7 + 0.8))
    rescaled = BERTScore(baseline=0.5).compare(mine, theirs)
    assert rescaled == pytest.approx([(x - 0.5) / 0.5 for x in (value, precision, recall)])
    assert BERTScore(part="recall").compare(mine, theirs)[0] == pytest.approx(0.8)


def test_special_pieces_can_be_matched_but_do_not_count() -> None:
    end = [0.0, 1.0]
    mine, theirs = text(end, [0, 1], end), text(end, [1, 0], end)
    # The candidate's word is most like a special piece of the reference, the reference's like nothing.
    _, precision, recall = BERTScore().compare(mine, theirs)
    assert (precision, recall) == pytest.approx((1, 0))


def test_idf_weights_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "refs.txt"
    path.write_text("the cat\nthe dog\nthe the\n")
    plain, weighted = BERTScore(), BERTScore(idf=str(path))
    pieces = {word: open_encoder().pieces([word])[0][1] for word in ("the", "cat", "bird")}
    words = TextVectors(
        np.array([101, pieces["the"], pieces["cat"], pieces["bird"], 102]),
        np.zeros((5, 2), np.int64),
        np.zeros((1, 5, 2), np.float32),
        np.zeros(2, np.float32),
    )
    assert plain._weights(words).tolist() == [0, 1, 1, 1, 0]
    expected = [0, math.log(4 / 4), math.log(4 / 2), math.log(4 / 1), 0]
    assert weighted._weights(words) == pytest.approx(expected)
    assert weighted.signature != BERTScore(idf=str(path), layer=3).signature
    assert "idffile:" in weighted.signature
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    with pytest.raises(InputError, match=r"empty.txt: expected lines of text to count idf in"):
        BERTScore(idf=str(empty)).score(["a"], references=["b"])


def test_meaning_above_words() -> None:
    for kind in (Cosine(), BERTScore()):
        close = kind.segments(SENTENCES[:1], references=SENTENCES[1:2])[0]
        far = kind.segments(SENTENCES[:1], references=SENTENCES[2:3])[0]
        assert close > far + 10


def test_empty_texts() -> None:
    for kind in (Cosine(), BERTScore()):
        values = kind.segments(["", "a", "", "a"], references=["", "", "b", "a"])
        assert np.isnan(values[0])
        assert values[1:3].tolist() == [0, 0]
        assert values[3] == pytest.approx(100)


def test_several_references() -> None:
    references = [[SENTENCES[1], SENTENCES[2], ""], [SENTENCES[3]]]
    candidates = [SENTENCES[0], SENTENCES[2]]
    for kind in (Cosine, BERTScore):
        singles = [kind().segments(candidates[:1], references=[one])[0] for one in references[0]]
        assert kind().segments(candidates, references=references)[0] == pytest.approx(max(singles))
        mean = kind(several="mean").segments(candidates, references=references)[0]
        assert mean == pytest.approx(np.mean(singles))


def test_sources_instead_of_references() -> None:
    for kind in (Cosine, BERTScore):
        against = kind(against="sources")
        assert against.needs == {"sources"}
        ours = against.segments(SENTENCES[:1], sources=SENTENCES[1:2])
        assert ours == kind().segments(SENTENCES[:1], references=SENTENCES[1:2])


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_scores_depend_on_the_pair_alone(threads: int) -> None:
    count = 40
    candidates = [SENTENCES[n % 5] + f" {n}" for n in range(count)]
    references = [SENTENCES[(n + 1) % 5] + f" {n % 3}" for n in range(count)]
    order = np.random.default_rng(7).permutation(count)
    for kind in (Cosine(), BERTScore()):
        alone = [
            kind.segments([a], references=[b])[0] for a, b in zip(candidates, references, strict=True)
        ]
        together = kind.segments(candidates, references=references, threads=threads)
        shuffled = kind.segments(
            [candidates[n] for n in order], references=[references[n] for n in order], threads=threads
        )
        np.testing.assert_array_equal(together, alone)
        np.testing.assert_array_equal(shuffled, together[order])


def test_systems_share_their_references() -> None:
    sheet = score(
        {"a": [SENTENCES[0], SENTENCES[3]], "b": [SENTENCES[1], SENTENCES[2]]},
        [Cosine(), BERTScore()],
        references=[SENTENCES[1], SENTENCES[3]],
        bootstrap=0,
    )
    alone = BERTScore().score([SENTENCES[1], SENTENCES[2]], references=[SENTENCES[1], SENTENCES[3]])
    assert sheet["b", "bertscore"].value == alone.value
    assert sheet["b", "bertscore"].parts == alone.parts


def test_another_encoder_stands_in_the_signature(other_encoder: Path) -> None:
    for kind in (Cosine(), BERTScore()):
        other = dataclasses.replace(kind, encoder=str(other_encoder))
        fingerprint = open_encoder(str(other_encoder)).fingerprint
        assert f"fingerprint:{fingerprint}" in other.signature
        assert fingerprint not in kind.signature
    with pytest.raises(SettingError, match=r"BERTScore layer: expected one of 0, 1, 2, 3, .* found 4"):
        BERTScore(encoder=str(other_encoder)).score(["a"], references=["a"])
    value = BERTScore(encoder=str(other_encoder), layer=3).score(["the cat"], references=["a cat"])
    assert 0 < value.value < 100


def test_text_in_another_script_is_refused_by_the_english_encoder(other_encoder: Path) -> None:
    lines = ["Кошка сидит на окне и смотрит на улицу."] * 60
    with pytest.raises(InputError, match=r"references: expected English, .* \(--encoder FOLDER\)"):
        Cosine().score(lines, references=lines)
    assert Cosine(encoder=str(other_encoder)).score(lines, references=lines).value == pytest.approx(100)


def test_kept_vectors_give_the_same_scores(tmp_path: Path) -> None:
    kind = make_metric("bertscore")
    before = kind.segments(SENTENCES[:4], references=SENTENCES[1:5])
    try:
        keep_vectors(tmp_path)
        for _ in range(2):
            np.testing.assert_array_equal(
                kind.segments(SENTENCES[:4], references=SENTENCES[1:5]), before
            )
            keep_vectors(tmp_path)  # as a new process would
    finally:
        keep_vectors(None)
    assert [path.suffix for path in tmp_path.iterdir()] == [".sqlite"]
