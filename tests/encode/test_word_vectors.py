"""Pieces mapped to words by their places in the text."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paragauge.encode.encoder_by_name import open_encoder
from paragauge.encode.word_vectors import locate_words, word_vectors
from paragauge.text.tokenizers import TOKENIZERS, tokenize


@given(st.text(max_size=60), st.sampled_from(TOKENIZERS))
def test_words_stand_in_order_where_the_text_has_them(text: str, tokenizer: str) -> None:
    text = text.replace("\n", " ").replace("\r", " ")
    words = tokenize([text], tokenizer)[0]
    spans = locate_words(text, words).tolist()
    for word, (start, end) in zip(words, spans, strict=True):
        assert text[start:end] in (word, "")
    ends = [0, *(end for _, end in spans)]
    assert all(start >= before for (start, _), before in zip(spans, ends, strict=False))


def test_a_word_is_the_mean_of_its_pieces() -> None:
    text = "Unbelievably good."
    encoded = open_encoder().encode([text], [4, 6])
    words = locate_words(text, ["Unbelievably", "good"])
    vectors = word_vectors(words, encoded.spans, encoded.vectors)
    assert vectors.shape == (2, 2, 384)
    pieces = [i for i, (start, end) in enumerate(encoded.spans.tolist()) if start < 12 and end > start]
    assert len(pieces) > 1
    mean = encoded.vectors[1, pieces].astype(np.float64).mean(axis=0)
    np.testing.assert_allclose(vectors[1, 0], mean / np.linalg.norm(mean), atol=1e-12)


def test_words_without_pieces_have_no_vector() -> None:
    # The tokenizer drops a word joiner and everything without a width.
    text = "a \u2060 b"
    encoded = open_encoder().encode([text], [4])
    vectors = word_vectors(locate_words(text, ["a", "\u2060", "b"]), encoded.spans, encoded.vectors)
    assert np.linalg.norm(vectors[0], axis=1).round(6).tolist() == [1.0, 0.0, 1.0]
    assert word_vectors(np.zeros((0, 2), np.int64), encoded.spans, encoded.vectors).shape == (1, 0, 384)
