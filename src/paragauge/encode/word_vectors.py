"""Vectors of words: an encoder's pieces mapped to tokens by their places in the text.

A word's vector is the mean of the vectors of the pieces that overlap it, scaled to length 1. A
tokenizer may drop or rewrite characters, so a word can be without pieces; its vector is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paragauge.encode.encoder import Vectors
from paragauge.kernels.layout import Floats, Ints


def locate_words(text: str, words: Sequence[str]) -> Ints:
    """Where each word begins and ends in its text, in characters: int64 [words, 2].

    The words stand in this order in the text. One that does not, because a tokenizer rewrote it, gets
    an empty place after the word before it.

    >>> locate_words("It's del ok.", ["It", "'s", "de", "el", "ok"]).tolist()
    [[0, 2], [2, 4], [5, 7], [7, 7], [9, 11]]
    """
    spans = np.zeros((len(words), 2), np.int64)
    end = 0
    for number, word in enumerate(words):
        start = text.find(word, end)
        spans[number] = (end, end) if start < 0 else (start, start + len(word))
        end = int(spans[number, 1])
    return spans


def word_vectors(words: Ints, pieces: Ints, vectors: Vectors) -> Floats:
    """The vectors of words, of length 1 or 0: float64 [layers, words, width].

    `words` [words, 2] and `pieces` [pieces, 2] are places in the text, ascending; `vectors` is
    [layers, pieces, width]. Pieces of no length, such as the special ones, belong to no word.

    >>> spans = np.array([[0, 0], [0, 2], [2, 4], [5, 6], [0, 0]])
    >>> vectors = np.array([[[9, 9], [1, 0], [0, 1], [3, 0], [9, 9]]], np.float32)
    >>> word_vectors(np.array([[0, 4], [5, 6], [7, 8]]), spans, vectors).round(2).tolist()
    [[[0.71, 0.71], [1.0, 0.0], [0.0, 0.0]]]
    """
    overlap = (
        (pieces[None, :, 0] < words[:, None, 1])
        & (pieces[None, :, 1] > words[:, None, 0])
        & (pieces[None, :, 1] > pieces[None, :, 0])
    )
    sums = overlap.astype(np.float64) @ vectors.astype(np.float64)
    lengths = np.linalg.norm(sums, axis=2, keepdims=True)
    return np.asarray(np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 1e-12))
