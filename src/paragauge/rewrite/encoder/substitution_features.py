"""What a substitution does to a sentence, by the vectors of its words before and after.

An encoder reads the sentence as it is, and with the substitute in place. In layer L let

    v_i    the vector of token i in the original sentence, of length 1
    old    the sum of the vectors of the replaced tokens there, new that of the substitute's tokens in
           the changed sentence, both scaled to length 1
    v'_i   the vector of token i, not replaced, in the changed sentence
    c      the mean of all v_i that are not replaced

and the features are

    same_L     old . new: does the substitute mean here what the word means here? (layers 0 to 6)
    sentence   the cosine of the vectors of both sentences
    near_L     the mean of v_i . v'_i over up to two tokens on either side: what it does to its
               neighbors (layers 1 to 6; layer 0 does not know of them)
    fit_L      new . c - old . c: does it suit the rest better or worse than the word? (layers 0 to 6)

Without other tokens near is 1 and fit is 0. An article before the substitute agrees with it, as it does
in a rewritten reference.

The encoder takes nearly all of the time: each original sentence is read once, and one more for each
substitution. Of lines with more than 2 * `REACH` tokens, which are texts rather than sentences, only
`REACH` tokens on either side are read, so that time is linear in the tokens and the substitutions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from paragauge.encode.encoder import Encoder
from paragauge.encode.word_vectors import word_vectors
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.context.pair_vectors import TextVectors, encode_texts
from paragauge.rewrite.agreement.article_agreement import replace_tokens
from paragauge.text.lines import Lines

LAYERS = (0, 1, 2, 3, 4, 5, 6)
NEAR = 2
REACH = 64
FEATURES = (
    *(f"same_{layer}" for layer in LAYERS),
    "sentence",
    *(f"near_{layer}" for layer in LAYERS[1:]),
    *(f"fit_{layer}" for layer in LAYERS),
)
TOGETHER = 256  # substitutions whose sentences are encoded at a time
QUOTES = {"``": '"', "''": '"'}
PARTS = ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "'")  # written together with the word before


def measure_substitutions(
    tokens: Lines,
    segment: Ints,
    span: tuple[Ints, Ints],
    phrases: Lines,
    phrase: Ints,
    encoder: Encoder,
    threads: int = 0,
) -> Floats:
    """The features of substitutions, float64 [substitutions, FEATURES].

    Substitution i puts `phrases[phrase[i]]` in place of tokens `span[0][i]` to `span[1][i]` of line
    `segment[i]` of `tokens`, which are separated by one space.

    >>> from paragauge.encode import open_encoder
    >>> line, zero = Lines.of(["it has taken place here ."]), np.zeros(2, np.int64)
    >>> place = np.array([3, 3]), np.array([3, 3])
    >>> words = Lines.of(["home", "effect"])
    >>> rows = measure_substitutions(line, zero, place, words, np.array([0, 1]), open_encoder())
    >>> rows.shape
    (2, 21)
    """
    rows = np.zeros((len(segment), len(FEATURES)))
    substitutes = list(phrases)
    order = np.argsort(segment, kind="stable")
    for start in range(0, len(order), TOGETHER):
        part = order[start : start + TOGETHER]
        sentences = {line: tokens[line].split(" ") for line in set(segment[part].tolist())}
        originals: dict[_Window, tuple[str, Ints]] = {}
        changes = []
        for number in part.tolist():
            line, first, last = (int(column[number]) for column in (segment, *span))
            window = _find_window(line, first, last, len(sentences[line]))
            words = sentences[line][window.start : window.stop]
            originals.setdefault(window, join_tokens(words))
            first, last = first - window.start, last - window.start
            changed = replace_tokens(words, first, last, substitutes[int(phrase[number])])
            place = first, last, last + len(changed) - len(words)
            changes.append((number, window, place, *join_tokens(changed)))
        texts = [text for text, _ in originals.values()] + [change[3] for change in changes]
        vectors = encode_texts(encoder, texts, LAYERS, threads)
        before = {
            window: _token_vectors(vectors[text], spans) for window, (text, spans) in originals.items()
        }
        for number, window, place, text, spans in changes:
            rows[number] = _features(
                before[window],
                _token_vectors(vectors[text], spans),
                place,
                float(vectors[originals[window][0]].sentence @ vectors[text].sentence),
            )
    return rows


class _Window(NamedTuple):
    """The tokens of a line that are read."""

    line: int
    start: int
    stop: int


def _find_window(line: int, first: int, last: int, count: int) -> _Window:
    """All tokens of a line, or those around a place if there are too many."""
    if count <= 2 * REACH:
        return _Window(line, 0, count)
    return _Window(line, max(0, first - REACH), min(count, last + 1 + REACH))


def join_tokens(tokens: Sequence[str]) -> tuple[str, Ints]:
    """Penn tokens as running text, and where each begins and ends in it: int64 [tokens, 2].

    >>> text, spans = join_tokens(["``", "do", "n't", "go", "''"])
    >>> text, [text[first:last] for first, last in spans.tolist()]
    ('" don\\'t go "', ['"', 'do', "n't", 'go', '"'])
    """
    pieces: list[str] = []
    spans = np.zeros((len(tokens), 2), np.int64)
    size = 0
    for number, token in enumerate(tokens):
        word = QUOTES.get(token, token)
        if number and token.lower() not in PARTS:
            pieces.append(" ")
            size += 1
        spans[number] = size, size + len(word)
        pieces.append(word)
        size += len(word)
    return "".join(pieces), spans


def _token_vectors(text: TextVectors, spans: Ints) -> Floats:
    return word_vectors(spans, text.spans, text.vectors)


def _features(
    before: Floats, after: Floats, place: tuple[int, int, int], sentence: float
) -> list[float]:
    """The features of one substitution; `place`: first, last in `before`, last in `after`."""
    first, last, new_last = place
    old = _direction(before[:, first : last + 1])
    new = _direction(after[:, first : new_last + 1])
    same = (old * new).sum(axis=1)
    left = before[:, :first], after[:, :first]
    right = before[:, last + 1 :], after[:, new_last + 1 :]
    others = np.concatenate([left[0], right[0]], axis=1)
    if not others.shape[1]:
        near, fit = np.ones(len(LAYERS)), np.zeros(len(LAYERS))
    else:
        cosines = np.concatenate(
            [
                (left[0][:, -NEAR:] * left[1][:, -NEAR:]).sum(axis=2),
                (right[0][:, :NEAR] * right[1][:, :NEAR]).sum(axis=2),
            ],
            axis=1,
        )
        near = cosines.mean(axis=1)
        fit = ((new - old) * others.mean(axis=1)).sum(axis=1)
    return [*same, sentence, *near[1:], *fit]


def _direction(vectors: Floats) -> Floats:
    """The sum of vectors, [layers, n, width], of length 1 or 0."""
    sums = vectors.sum(axis=1)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 1e-12))
