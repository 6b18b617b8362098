"""What changed between a candidate and its source, by the vectors of their words in context.

An encoder gives every word a vector in each of its layers: the first knows the word alone, later
ones more and more of what it means where it stands. Features, of cosines between words of both
sentences:

    sentence                      the cosine of the sentence vectors
    piece_..._L                   mean best cosine of the pieces of the candidate (precision) and of
                                  the source (recall) in layer L
    word_..._L, weakest_..._L     the same of words, weighted by how informative they are, and the
                                  lowest: one word without a partner may change the meaning
    matched_..._L                 along a one-to-one matching of the words (`match_words`): the mean,
                                  the lowest, the mean of the lowest two and four, and the median
    drop_..._L                    how much lower than in layer 0 a matched cosine is: the same words,
                                  used otherwise
    moved_..._L                   mean and lowest cosine of matched words that stand elsewhere
    order_...                     inversions and displacement of words that match nearly exactly
    lowest_CATEGORY_L             the lowest matched cosine of names, nouns, verbs and so on
    other_..., new_..., lost_...  words that differ: matched ones, and best cosines of content words
                                  that only the candidate (new) or only the source (lost) has

A mean or lowest value over no words is 1, as if nothing had changed. Time: that of the encoder, and
the cube of the number of words for the matching.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paragauge.encode.encoder import Encoder
from paragauge.encode.row_products import row_products
from paragauge.encode.word_vectors import locate_words, word_vectors
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.kernels.word_layout import Category
from paragauge.metrics.context.pair_vectors import LINES, TextVectors, encode_texts
from paragauge.metrics.pem.adequacy.word_changes import LinkedWord, WordLinks, link_words, plain_text
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.text.lines import Lines

LAYERS = (0, 1, 2, 3, 4, 5, 6)
MATCHING_LAYERS = (2, 4)
LATE = (3, 4, 5, 6)
SOME = (0, 2, 4, 6)
CATEGORIES = (Category.NAME, Category.NOUN, Category.VERB, Category.ADJECTIVE, Category.NUMBER)
CATEGORY_LAYERS = (0, 3, 6)
DISTANCE = 0.05  # how much a matching prefers words in the same place
SAME = 0.9  # cosine in layer 0 from which words are the same
UNIT = 1_000_000
CONTEXT = (
    "sentence",
    *(f"piece_{side}_{layer}" for layer in LAYERS for side in ("precision", "recall")),
    *(
        f"{name}_{layer}"
        for layer in LAYERS
        for name in ("word_precision", "word_recall", "weakest_candidate", "weakest_source")
    ),
    *(
        f"matched_{name}_{layer}"
        for layer in LAYERS
        for name in ("mean", "lowest", "two", "four", "median")
    ),
    "matched_share",
    *(f"drop_{name}_{layer}" for layer in LATE for name in ("highest", "mean", "three")),
    *("order_inversions", "order_inversion_share", "order_other", "order_other_share"),
    *("order_distance", "order_farthest", "order_displaced"),
    *(f"moved_{name}_{layer}" for name in ("mean", "lowest") for layer in LATE),
    *(
        f"lowest_{category.name.lower()}_{layer}"
        for category in CATEGORIES
        for layer in CATEGORY_LAYERS
    ),
    "other_count",
    *(f"other_{name}_{layer}" for name in ("lowest", "mean") for layer in SOME),
    *(
        f"{side}_{name}_{layer}"
        for layer in SOME
        for side in ("new", "lost")
        for name in ("lowest", "mean")
    ),
    *("new_count", "lost_count"),
)


@dataclass(frozen=True)
class ContextWords:
    """A sentence: its words, their weights [n], their vectors [layers, n, width], and its pieces'."""

    words: tuple[LinkedWord, ...]
    weights: Floats
    vectors: Floats
    pieces: Floats
    sentence: Floats

    @property
    def is_empty(self) -> bool:
        """Whether it has no words, or no pieces."""
        return not self.words or self.pieces.shape[1] == 0


def measure_context(
    candidates: Lines, sources: Lines, word_weights: WordWeights, encoder: Encoder, threads: int = 0
) -> Floats:
    """The features of each candidate with its source, float64 [lines, CONTEXT].

    >>> from paragauge.encode import open_encoder
    >>> from paragauge.metrics.pem import WordWeights
    >>> columns = Lines.of(["She sold the car."]), Lines.of(["She bought the car."])
    >>> rows = measure_context(*columns, WordWeights.default(), open_encoder())
    >>> rows.shape == (1, len(CONTEXT)), bool(rows[0, CONTEXT.index("matched_lowest_6")] < 0.9)
    (True, True)
    """
    rows = np.zeros((len(candidates), len(CONTEXT)))
    for start in range(0, len(candidates), LINES):
        mine, theirs = (lines[start : start + LINES] for lines in (candidates, sources))
        linked = link_words(mine, theirs, word_weights, threads)
        texts = [plain_text(text) for lines in (mine, theirs) for text in lines]
        vectors = encode_texts(encoder, texts, LAYERS, threads)
        weights = _weigh_words(linked, word_weights)
        known: dict[str, ContextWords] = {}
        for number, pair in enumerate(linked):
            sides = []
            for text, words in (
                (texts[number], pair.candidate),
                (texts[len(mine) + number], pair.source),
            ):
                if text not in known:
                    known[text] = _read_words(text, words, weights, vectors[text])
                sides.append(known[text])
            rows[start + number] = compare_words(*sides)
    return rows


def _weigh_words(linked: list[WordLinks], word_weights: WordWeights) -> dict[str, float]:
    lemmas = list(
        dict.fromkeys(word.lemma for pair in linked for word in (*pair.candidate, *pair.source))
    )
    return dict(zip(lemmas, word_weights.weigh_words(lemmas).tolist(), strict=True))


def _read_words(
    text: str, words: tuple[LinkedWord, ...], weights: dict[str, float], read: TextVectors
) -> ContextWords:
    places = locate_words(text, [word.text for word in words])
    pieces = read.vectors[:, 1:-1].astype(np.float64)
    lengths = np.linalg.norm(pieces, axis=-1, keepdims=True)
    sentence = read.sentence.astype(np.float64)
    return ContextWords(
        words,
        np.array([weights[word.lemma] for word in words]),
        word_vectors(places, read.spans, read.vectors),
        pieces / np.maximum(lengths, 1e-9),
        sentence / max(float(np.linalg.norm(sentence)), 1e-9),
    )


def compare_words(mine: ContextWords, theirs: ContextWords) -> list[float]:
    """The features `CONTEXT` of two sentences; all 0 if one of them is empty and the other is not."""
    if mine.is_empty or theirs.is_empty:
        return [float(mine.is_empty and theirs.is_empty)] * len(CONTEXT)
    cosines = np.clip(row_products(mine.vectors, theirs.vectors), -1.0, 1.0)
    pieces = np.clip(row_products(mine.pieces, theirs.pieces), -1.0, 1.0)
    left, right = match_words(cosines)
    matched = cosines[:, left, right]
    values = [float(mine.sentence @ theirs.sentence)]
    values += _interleave(pieces.max(axis=2).mean(axis=1), pieces.max(axis=1).mean(axis=1))
    values += _best_features(cosines, mine.weights, theirs.weights)
    values += _matched_features(matched)
    values.append(len(left) / max(cosines.shape[1:]))
    drops = np.sort(matched[0] - matched[list(LATE)], axis=1)
    values += _interleave(drops[:, -1], drops.mean(axis=1), drops[:, -3:].mean(axis=1))
    values += _order_features(left, right, matched[0], cosines.shape[1:])
    is_moved = right - left != np.median(right - left)
    moved = matched[list(LATE)][:, is_moved]
    values += [*_means(moved), *_lowest(moved)]
    categories = np.array([word.facts.category for word in mine.words])[left]
    others = np.array([word.facts.category for word in theirs.words])[right]
    for category in CATEGORIES:
        is_one = (categories == category) | (others == category)
        values += _lowest(matched[list(CATEGORY_LAYERS)][:, is_one]).tolist()
    values += _other_features(mine.words, theirs.words, cosines, left, right)
    return [float(value) for value in values]


def match_words(cosines: Floats) -> tuple[Ints, Ints]:
    """A one-to-one matching [k] of the rows and columns of cosines [layers, n, m], k = min(n, m).

    Its sum is the highest that there is, of the cosines in `MATCHING_LAYERS`, less `DISTANCE` times how
    far apart two words are.

    >>> cosines = np.broadcast_to([[0.9, 0.8], [0.9, 0.1]], (7, 2, 2))
    >>> [side.tolist() for side in match_words(cosines)]
    [[0, 1], [1, 0]]
    """
    places = [(np.arange(count) + 0.5) / count for count in cosines.shape[1:]]
    distance = np.abs(places[0][:, None] - places[1][None])
    total = cosines[list(MATCHING_LAYERS)].sum(axis=0) - DISTANCE * distance
    # Whole numbers of at least 1, so that every word of the shorter side gets a partner.
    weights = np.rint((total - total.min()) * UNIT).astype(np.int64) + UNIT
    partners = _native.assignment(np.ascontiguousarray(weights))
    left = np.flatnonzero(partners >= 0)
    return left, partners[left].astype(np.int64)


def _best_features(cosines: Floats, mine: Floats, theirs: Floats) -> list[float]:
    best, others = cosines.max(axis=2), cosines.max(axis=1)
    return _interleave(
        _weighted(best, mine), _weighted(others, theirs), best.min(axis=1), others.min(axis=1)
    )


def _weighted(values: Floats, weights: Floats) -> Floats:
    """The mean of each row of values [layers, n]."""
    whole = weights.sum()
    return np.asarray(values @ weights / whole if whole > 0 else values.mean(axis=1))


def _matched_features(matched: Floats) -> list[float]:
    ordered = np.sort(matched, axis=1)
    return _interleave(
        ordered.mean(axis=1),
        ordered[:, 0],
        ordered[:, :2].mean(axis=1),
        ordered[:, :4].mean(axis=1),
        ordered[:, ordered.shape[1] // 2],
    )


def _order_features(left: Ints, right: Ints, first: Floats, sizes: tuple[int, ...]) -> list[float]:
    """Inversions of words that are the same, how many are not, and how far words moved."""
    is_same = first > SAME
    own, other = left[is_same], right[is_same]
    count = len(own)
    inversions = int(np.triu(other[:, None] > other[None], 1).sum())
    apart = np.abs((left + 0.5) / sizes[0] - (right + 0.5) / sizes[1]).mean()
    offsets = other - own - np.median(other - own) if count else np.zeros(1)
    return [
        inversions,
        inversions / max(1.0, count * (count - 1) / 2),
        int((~is_same).sum()),
        float((~is_same).mean()),
        float(apart),
        float(np.abs(offsets).max()),
        int((offsets != 0).sum()),
    ]


def _other_features(
    mine: tuple[LinkedWord, ...],
    theirs: tuple[LinkedWord, ...],
    cosines: Floats,
    left: Ints,
    right: Ints,
) -> list[float]:
    """Of words that differ: matched ones, and content words that only one side has."""
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    is_other = np.array(
        [
            mine[i].lemma != theirs[j].lemma and (mine[i].is_content or theirs[j].is_content)
            for i, j in pairs
        ],
        np.bool_,
    )
    layers = list(SOME)
    other = cosines[layers][:, left[is_other], right[is_other]]
    values = [int(is_other.sum()), *_lowest(other), *_means(other)]
    new, lost = _own_words(mine, theirs), _own_words(theirs, mine)
    best_new = cosines[layers][:, new].max(axis=2)
    best_lost = cosines[layers][:, :, lost].max(axis=1)
    values += _interleave(_lowest(best_new), _means(best_new), _lowest(best_lost), _means(best_lost))
    return [*values, len(new), len(lost)]


def _own_words(mine: tuple[LinkedWord, ...], theirs: tuple[LinkedWord, ...]) -> list[int]:
    """The places of content words whose lemma the other side lacks."""
    lemmas = {word.lemma for word in theirs}
    return [i for i, word in enumerate(mine) if word.is_content and word.lemma not in lemmas]


def _interleave(*columns: Floats) -> list[float]:
    """The values of columns [layers], layer by layer."""
    values: list[float] = np.column_stack(columns).ravel().tolist()
    return values


def _lowest(values: Floats) -> Floats:
    """The lowest of each row of cosines [layers, n], 1 if there are none."""
    return np.asarray(values.min(axis=1, initial=1.0))


def _means(values: Floats) -> Floats:
    """The mean of each row of cosines [layers, n], 1 if there are none."""
    return values.mean(axis=1) if values.shape[1] else np.ones(len(values))
