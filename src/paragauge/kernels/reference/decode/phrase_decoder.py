"""Twin of phrase_search.cpp, phrase_nbest.cpp and phrase_decoder.cpp: phrase-based stack decoding.

A hypothesis has translated some words of a sentence by options (`phrase_options.py`), from left to
right in the target. Hypotheses with the same words translated, the same state of the language model and
the same end of the last phrase are one node of a graph, whose arcs are the ways to it (Koehn, Och and
Marcu 2003). The score of an arc is the option's weighted features, the distortion's and the language
model's after the words before; the arc that completes the sentence has ``</s>`` too. All complete
hypotheses are one node.

A phrase may start at most `distortion` words from the end of the last one; and unless it starts at the
first untranslated word, it must end at most that far from this word, so that the word can be translated
next, as in Moses. -1 means no limit.

Stack k has the nodes with k words translated. The total of a node or of an arc is the score of the best
way through it so far, plus the future scores of all untranslated stretches. When a stack is complete,
the cut is the highest total plus `beam`, or, if there are `stack` nodes or more, the total of the last
of the best `stack` ones, if that is higher; nodes and arcs below the cut are removed, and so are nodes
that are not among the best `stack`. Equal totals are ordered by the words translated (as a binary
number, the first word the lowest bit), the end of the last phrase and the state. So the survivors do
not depend on the order in which hypotheses are made.

A list takes ways through the graph, the best first, until it has `size` texts, and goes on while scores
are equal (within 1e-9), up to 20 times `size` plus 1,000. Of the ways to a node with the same text only
the best counts. Of equal ways the better one is that whose last arc comes from an earlier node, then
has an earlier option. With `copy` "differ" or "forbid" the sentence itself is left out if there is
another text. The list is sorted by score, the sum of weights times features, and by bytes of the text.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from paragauge.kernels.layout import Bytes, Floats, Ints, Texts, pack_texts, texts
from paragauge.kernels.reference.decode.phrase_options import (
    DISTORTION,
    FEATURES,
    LM,
    LN10,
    Option,
    Options,
    PhraseStore,
    feature_table,
    words_of,
)
from paragauge.kernels.reference.lm.estimate import END
from paragauge.kernels.reference.lm.model import NgramModel

LONGEST = 256
EQUAL = 1e-9
TEXTS, MORE_TEXTS = 20, 1000
COPY = ("allow", "penalize", "differ", "forbid")
Signature = tuple[int, int, int]  # coverage, end of the last phrase, state
Way = tuple[float, int, int, int]  # minus the score, the node it comes from, option, rank there
Words = tuple[str, ...]


@dataclass
class Arc:
    """A way from one node to another."""

    origin: int
    option: int
    score: float
    log10: float


@dataclass
class Hypothesis:
    """A node of the graph."""

    signature: Signature
    future: float
    score: float = -math.inf
    arcs: list[Arc] = field(default_factory=list)

    @property
    def total(self) -> float:
        """The score with the future score."""
        return self.score + self.future


class PhraseDecoder:
    """Translations of sentences, as lists of the best ones."""

    def __init__(
        self,
        store: PhraseStore,
        model: NgramModel,
        weights: Floats,
        stack: int,
        beam: float,
        distortion: int,
        limit: int,
        copy: str,
    ) -> None:
        if len(weights) != FEATURES:
            raise ValueError("there must be a weight for each feature")
        if not 0 < stack <= 1 << 24 or limit == 0:
            raise ValueError("stack and limit must be above 0")
        if not beam <= 0:
            raise ValueError("the beam is the logarithm of a share")
        if distortion < -1:
            raise ValueError("distortion must be -1 or more")
        if copy not in COPY:
            raise ValueError("copy is allow, penalize, differ or forbid")
        if not bool(np.isfinite(weights).all()):
            raise ValueError("weights must be finite")
        self._store, self._model, self._weights = store, model, weights.tolist()
        self._stack, self._beam, self._distortion = stack, beam, distortion
        self._limit, self._copy = limit, copy

    def decode(
        self, buffer: Bytes, spans: Ints, size: int, threads: int
    ) -> tuple[Texts, Ints, Floats, Floats]:
        """Texts, offsets of sentences into them, features and scores of the lists; none if empty."""
        del threads
        if not 0 < size <= 1 << 24:
            raise ValueError("size must be above 0")
        sentences = [self._sentence(line) for line in texts(buffer, spans)]
        lists = [self._list_best(sentence, size) for sentence in sentences]
        rows = [row for row_list in lists for row in row_list]
        return (
            pack_texts([text for text, _, _ in rows]),
            np.cumsum([0, *map(len, lists)], dtype=np.int64),
            feature_table([features for _, _, features in rows]),
            np.array([score for _, score, _ in rows], np.float64),
        )

    def options(self, line: str, limit: int) -> tuple[Ints, Texts, Floats, Floats]:
        """Spans [options, 2], texts, features on the phrase alone, isolated scores."""
        if limit == 0:
            raise ValueError("limit must be above 0")
        options = self._options(self._sentence(line), limit).all
        alone = [option.extend(self._model, 0)[0] * LN10 for option in options]
        return (
            np.array([(option.start, option.end) for option in options], np.int64).reshape(-1, 2),
            pack_texts([" ".join(option.target) for option in options]),
            feature_table(
                [_place_features(option, 0.0, lm) for option, lm in zip(options, alone, strict=True)]
            ),
            np.array([option.isolated_score(self._weights) for option in options], np.float64),
        )

    @staticmethod
    def _sentence(line: str) -> list[str]:
        words = words_of(line)
        if len(words) > LONGEST:
            raise ValueError("a sentence has at most 256 words")
        return words

    def _options(self, sentence: Sequence[str], limit: int) -> Options:
        return Options(self._store, self._model, self._weights, sentence, limit, self._copy)

    def _list_best(self, sentence: list[str], size: int) -> list[tuple[str, float, list[float]]]:
        if not sentence:
            return []
        options = self._options(sentence, self._limit)
        nodes = self._search(len(sentence), options)
        most = TEXTS * size + MORE_TEXTS
        same = " ".join(sentence) if self._copy in ("differ", "forbid") else None
        rewordings: dict[str, tuple[float, list[float]]] = {}
        copies: dict[str, tuple[float, list[float]]] = {}
        last = 0.0
        for score, words, path in _ways(nodes, options, most):
            if len(rewordings) >= size and score < last - EQUAL:
                break
            text = " ".join(words)
            into = copies if text == same else rewordings
            into[text] = self._score_path(path, options)
            if into is rewordings and len(rewordings) == size:
                last = score
        rows = [(text, *rest) for text, rest in (rewordings or copies).items()]
        rows.sort(key=lambda row: (-row[1], row[0].encode()))
        return rows[:size]

    def _score_path(self, path: Sequence[Arc], options: Options) -> tuple[float, list[float]]:
        features, last = [0.0] * FEATURES, 0
        for arc in path:
            option = options.all[arc.option]
            values = _place_features(option, -float(abs(option.start - last)), arc.log10 * LN10)
            features = [old + new for old, new in zip(features, values, strict=True)]
            last = option.end
        score = 0.0
        for weight, value in zip(self._weights, features, strict=True):
            score += weight * value
        return score, features

    def _search(self, size: int, options: Options) -> list[Hypothesis]:
        """The nodes that survive, stack by stack; the last one is the whole translation."""
        start = Hypothesis((0, 0, self._model.begin), options.future[0, size], 0.0)
        nodes = [start]
        stacks: list[dict[Signature, Hypothesis]] = [{} for _ in range(size + 1)]
        self._expand(0, start, size, options, stacks)
        for covered in range(1, size + 1):
            first = len(nodes)
            nodes += self._prune_stack(list(stacks[covered].values()), nodes)
            for number in range(first, len(nodes)):
                self._expand(number, nodes[number], size, options, stacks)
        return nodes

    def _expand(
        self,
        number: int,
        node: Hypothesis,
        size: int,
        options: Options,
        stacks: list[dict[Signature, Hypothesis]],
    ) -> None:
        coverage, last, state = node.signature
        gap = next((at for at in range(size) if not coverage >> at & 1), size)
        weights = self._weights
        for choice, option in enumerate(options.all):
            span = (1 << option.end) - (1 << option.start)
            if coverage & span or not self._is_in_reach(option, last, gap):
                continue
            wider = coverage | span
            log10, after = option.extend(self._model, state)
            signature = (wider, option.end, after)
            if wider.bit_count() == size:
                log10 += self._model.step(after, END)[0]
                signature = (wider, 0, 0)
            jump = weights[DISTORTION] * -float(abs(option.start - last))
            score = option.fixed + jump + weights[LM] * LN10 * log10
            stack = stacks[wider.bit_count()]
            there = stack.setdefault(signature, Hypothesis(signature, _future(wider, size, options)))
            there.score = max(there.score, node.score + score)
            there.arcs.append(Arc(number, choice, score, log10))

    def _is_in_reach(self, option: Option, last: int, gap: int) -> bool:
        if self._distortion < 0:
            return True
        if abs(option.start - last) > self._distortion:
            return False
        return option.start == gap or option.end - gap <= self._distortion

    def _prune_stack(self, stack: list[Hypothesis], nodes: list[Hypothesis]) -> list[Hypothesis]:
        stack.sort(key=lambda node: (-node.total, node.signature))
        cut = stack[0].total + self._beam
        if len(stack) >= self._stack:
            cut = max(cut, stack[self._stack - 1].total)
        survivors = [node for node in stack[: self._stack] if node.total >= cut]
        for node in survivors:
            node.arcs = [
                arc for arc in node.arcs if nodes[arc.origin].score + arc.score + node.future >= cut
            ]
        return survivors


def _place_features(option: Option, distortion: float, language_model: float) -> list[float]:
    """All features of an option at its place."""
    features = list(option.features)
    features[DISTORTION], features[LM] = distortion, language_model
    return features


def _future(coverage: int, size: int, options: Options) -> float:
    """The sum over stretches of words that are not translated."""
    total, at = 0.0, 0
    while at < size:
        start = at
        while at < size and not coverage >> at & 1:
            at += 1
        if at > start:
            total += options.future[start, at]
        at += 1
    return total


def _ways(
    nodes: list[Hypothesis], options: Options, most: int
) -> Iterator[tuple[float, Words, list[Arc]]]:
    """Up to `most` ways to the last node, the best first: score, words, arcs."""
    ways: list[dict[Words, Way]] = [{(): (0.0, 0, 0, 0)}]
    for node in nodes[1:]:
        extensions = [
            ((-(arc.score - way[0]), arc.origin, arc.option, rank), words)
            for arc in node.arcs
            for rank, (words, way) in enumerate(ways[arc.origin].items())
        ]
        best_ways: dict[Words, Way] = {}
        for way, before in sorted(extensions):
            best_ways.setdefault(before + options.all[way[2]].target, way)
        ways.append(dict(itertools.islice(best_ways.items(), most)))
    arcs = [{(arc.origin, arc.option): arc for arc in node.arcs} for node in nodes]
    ranked = [list(node_ways.values()) for node_ways in ways]
    for words, way in ways[-1].items():
        path: list[Arc] = []
        number, at = len(nodes) - 1, way
        while number != 0:
            path.append(arcs[number][at[1], at[2]])
            number, at = at[1], ranked[at[1]][at[3]]
        yield -way[0], words, path[::-1]
