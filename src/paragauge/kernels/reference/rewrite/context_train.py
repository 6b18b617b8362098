"""Twin of context_train.cpp: one classifier of contexts per word, trained on a numbered corpus.

For each word: the positives are its sampled positions; as many negatives are random tokens of the
corpus that share a class with the word and have it nowhere in their sentence (within 1,000 words); with
`by_sentence`, random tokens of random sentences, drawn again if the sentence is empty. All
examples are shuffled, the first share of them is kept apart, a learner gets the rest. With several
draws it gets the same positives again with other negatives, and the weights are averaged. The
strongest are kept, as whole numbers from -127 to 127 times a scale.
"""

from __future__ import annotations

import bisect
import math

import numpy as np

from paragauge.kernels.layout import Bytes, Ids, Ints
from paragauge.kernels.reference.base.hashing import WORD
from paragauge.kernels.reference.base.random import Draws, splitmix
from paragauge.kernels.reference.rewrite.context_learners import Linear, learn_boosting, learn_logistic
from paragauge.kernels.reference.rewrite.contexts import (
    Classifiers,
    Hashes,
    Shape,
    check_offsets,
    check_shape,
    features_of,
)

_SEEN = 1000  # words on either side of a position that count at most
_ATTEMPTS = 100
Learning = tuple[str, int, float, float]  # learner, rounds, rate, penalty


def train_contexts(
    corpus: tuple[Ids, Ints],
    types: tuple[Hashes, Bytes],
    words: Ids,
    samples: tuple[Ints, Ints],
    shape: Shape,
    learning: Learning,
    least: int,
    most: int,
    held_out: float,
    draws: int,
    by_sentence: bool,
    seed: int,
    threads: int,
) -> tuple[*Classifiers, Ints]:
    """Classifiers of `words`, and for each [positives, negatives, kept apart, of these correct].

    `types` are the hash and the classes, a bit each, of every number in the corpus; `samples` are
    positions and, for each word, where its own begin. A feature must stand in `least` of the examples
    that are learned from, `most` features are kept, `held_out` is the share kept apart. `negatives`
    counts those of all draws.
    """
    del threads
    if draws < 1:
        raise ValueError("draws must be at least 1")
    _check(corpus, types, words, samples, shape, learning, held_out)
    trained = []
    for i, word in enumerate(words.tolist()):
        positions = samples[0][samples[1][i] : samples[1][i + 1]].tolist()
        examples = _draw_examples(corpus, types, word, positions, by_sentence, seed)
        negatives = len(examples) - len(positions)
        held = math.floor(held_out * len(examples))
        known = [at for at, label in examples[held:] if label == 1]
        batches = [examples[held:]]
        for again in range(1, draws):
            again_drawn = _draw_examples(corpus, types, word, known, by_sentence, seed + again)
            batches.append(again_drawn)
            negatives += len(batches[-1]) - len(known)
        total, weights = 0.0, dict[int, float]()
        for batch in batches:
            contexts = [_context(corpus, types[0], at, shape) for at, _ in batch]
            names, numbered = _number_features(contexts, least)
            model = _learn(numbered, [label for _, label in batch], len(names), learning)
            total += model[0]
            for name, weight in zip(names, model[1], strict=True):
                weights[name] = weights.get(name, 0.0) + weight
        mean = (total / draws, [weight / draws for weight in weights.values()])
        scale, bias, strongest = _keep_strongest(mean, list(weights), most)
        correct = sum(
            (bias + sum(strongest.get(f, 0) for f in _context(corpus, types[0], at, shape)) >= 0)
            == (label == 1)
            for at, label in examples[:held]
        )
        trained.append((scale, bias, strongest, [len(positions), negatives, held, correct]))
    flat = [pair for _, _, strongest, _ in trained for pair in sorted(strongest.items())]
    return (
        np.cumsum([0, *(len(strongest) for _, _, strongest, _ in trained)], dtype=np.int64),
        np.array([feature for feature, _ in flat], np.uint32),
        np.array([weight for _, weight in flat], np.int8),
        np.array([scale for scale, _, _, _ in trained], np.float64),
        np.array([bias for _, bias, _, _ in trained], np.int32),
        np.array([counts for _, _, _, counts in trained], np.int64).reshape(-1, 4),
    )


def _words_around(corpus: tuple[Ids, Ints], position: int) -> tuple[list[int], int]:
    """The words that may count at a position, and where among them it is."""
    ids, offsets = corpus
    sentence = bisect.bisect_right(offsets.tolist(), position) - 1
    first = max(int(offsets[sentence]), position - _SEEN)
    last = min(int(offsets[sentence + 1]), position + _SEEN + 1)
    return ids[first:last].tolist(), position - first


def _draw_examples(
    corpus: tuple[Ids, Ints],
    types: tuple[Hashes, Bytes],
    word: int,
    positions: list[int],
    by_sentence: bool,
    seed: int,
) -> list[tuple[int, int]]:
    """Positions with labels, shuffled."""
    (ids, offsets), (hashes, classes) = corpus, types
    examples = [(at, 1) for at in positions]
    draws = Draws((seed & WORD) ^ splitmix(int(hashes[word])))
    first, tokens = int(offsets[0]), int(offsets[-1] - offsets[0])
    for _ in range(_ATTEMPTS * (len(positions) + 1)):
        if len(examples) >= 2 * len(positions):
            break
        at = _token_of_a_sentence(offsets, draws) if by_sentence else first + draws.below(tokens)
        if at is None:
            continue
        alike = int(classes[ids[at]]) & int(classes[word])
        if alike and word not in _words_around(corpus, at)[0]:
            examples.append((at, 0))
    for i in range(len(examples), 1, -1):
        j = draws.below(i)
        examples[i - 1], examples[j] = examples[j], examples[i - 1]
    return examples


def _token_of_a_sentence(offsets: Ints, draws: Draws) -> int | None:
    """A random token of a random sentence, None if that is empty."""
    sentence = draws.below(len(offsets) - 1)
    first, last = offsets[sentence : sentence + 2].tolist()
    return None if first == last else int(first + draws.below(last - first))


def _context(corpus: tuple[Ids, Ints], hashes: Hashes, position: int, shape: Shape) -> list[int]:
    """The set of features at a position, sorted."""
    ids, at = _words_around(corpus, position)
    words = [int(hashes[number]) for number in ids]
    return sorted({feature for feature, _ in features_of(words, at, shape)})


def _number_features(contexts: list[list[int]], least: int) -> tuple[list[int], list[list[int]]]:
    """Features that are frequent enough, in the order of appearance, and the contexts in numbers."""
    counts: dict[int, int] = {}
    for context in contexts:
        for feature in context:
            counts[feature] = counts.get(feature, 0) + 1
    names = [feature for feature, count in counts.items() if count >= least]
    numbers = {feature: number for number, feature in enumerate(names)}
    return names, [[numbers[f] for f in context if f in numbers] for context in contexts]


def _learn(examples: list[list[int]], labels: list[int], different: int, learning: Learning) -> Linear:
    learner, rounds, rate, penalty = learning
    if learner == "boosting":
        return learn_boosting(examples, labels, different, rounds)
    return learn_logistic(examples, labels, different, rounds, rate, penalty)


def _keep_strongest(model: Linear, names: list[int], most: int) -> tuple[float, int, dict[int, int]]:
    """The scale, the bias and the weights of the strongest features."""
    bias, weights = model
    ranked = sorted(zip(weights, names, strict=True), key=lambda pair: (-abs(pair[0]), pair[1]))[:most]
    largest = abs(ranked[0][0]) if ranked else 0.0
    strongest = max(largest, abs(bias) / 1e6)
    scale = strongest / 127 if strongest > 0 else 1.0
    codes = {name: math.floor(weight / scale + 0.5) for weight, name in ranked}
    return scale, math.floor(bias / scale + 0.5), {name: code for name, code in codes.items() if code}


def _check(
    corpus: tuple[Ids, Ints],
    types: tuple[Hashes, Bytes],
    words: Ids,
    samples: tuple[Ints, Ints],
    shape: Shape,
    learning: Learning,
    held_out: float,
) -> None:
    if not 0 <= held_out < 1:
        raise ValueError("held_out must be at least 0 and below 1")
    check_shape(shape)
    learner, rounds, rate, penalty = learning
    if learner not in ("logistic", "boosting"):
        raise ValueError("learner must be 'logistic' or 'boosting'")
    if rounds < 1:
        raise ValueError("rounds must be at least 1")
    if not (math.isfinite(rate) and rate > 0):
        raise ValueError("rate must be positive")
    if not (math.isfinite(penalty) and penalty >= 0):
        raise ValueError("penalty must not be negative")
    check_offsets(corpus[1], len(corpus[0]), "offsets must not decrease and must stay within the ids")
    if len(types[0]) != len(types[1]):
        raise ValueError("every word must have a hash and classes")
    if len(samples[1]) != len(words) + 1:
        raise ValueError("every word must have samples, if only none")
    message = "samples must not decrease and must stay within the positions"
    check_offsets(samples[1], len(samples[0]), message)
    for ids in (words, corpus[0]):
        if any(not 0 <= number < len(types[0]) for number in ids.tolist()):
            raise ValueError("ids must be numbers of words")
    first, last = int(corpus[1][0]), int(corpus[1][-1])
    if any(not first <= at < last for at in samples[0].tolist()):
        raise ValueError("positions must be those of tokens of the corpus")
