"""Twin of cube_chart.cpp, cube_kbest.cpp, cube_decoder.cpp: the best derivations under a linear model.

Decoding with a synchronous grammar and a language model by cube pruning: Chiang (2007), "Hierarchical
phrase-based translation", section 5.3; Huang and Chiang (2007), "Forest rescoring". The source sentence
is parsed bottom up (CKY with a trie of source sides); over each span the best ways to put a rule and
items of smaller spans together are popped from a queue, at most `pops` of them.

In addition to the grammar's rules there are: X -> w / w for every word w of the sentence, whatever the
grammar has (label `pass_label`), and the glue rules S -> X and S -> S X for any label X, which have no
span limit. With `pass_any`, w also stands under non-terminals of other labels, as an item of its own
that no pop is spent on and that glue rules do not use: it would repeat what X -> w / w gives. Rules
whose source side is a single non-terminal are not used: they could form cycles. The rules of a source
side, whatever their left sides, are ordered by their scores with the language model's estimate of their
words alone, and the first `options` of them are used (0: all).

An item is (label, first words, state): the words of a target text whose probabilities depend on the
context to its left, at most order - 1, and the state of the language model after it. Words after the
first order - 1 have their final scores; the first ones are estimated without the context, which counts
for the item's rank and not for its score. Items that agree in all three and in their span are merged
into one, with several edges.

Queues hold positions (rule, item under its first label, ...) in lists sorted from the best. A popped
position adds its successors, one step further in one place, up to and including the first place that is
not 0: so each is reached once (Gesmundo and Henderson 2010, "Faster cube pruning"). Ties are broken by
cube, then by position. `pops` 0 means no limit, and then the search is exact.

Features are those of the language model (first; natural logarithm, with the end of the sentence) and
the columns of `features`, float32 [rules + 3, k], added over rules; the last three rows are those of
X -> w / w for a word that is in some source side, for one that is in none, and of S -> S X. `weights`
are float64 [k + 1]. `words` are the texts of the words of the grammar and `lm_ids` their numbers in the
language model; the sentences have numbering, texts and language-model numbers of their own, and
`grammar_ids` says which words of the grammar they are, or -1.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from paragauge.kernels.layout import (
    Floats,
    Ids,
    Ints,
    Singles,
    Texts,
    pack_texts,
    sentences,
    unpack_texts,
)
from paragauge.kernels.reference.decode.cube_kbest import Edge, Item, KBest
from paragauge.kernels.reference.grammar.sync_grammar import SyncGrammar
from paragauge.kernels.reference.lm.estimate import END
from paragauge.kernels.reference.lm.model import NgramModel

CubeSettings = tuple[int, int, int, int, bool]  # span, pops, options, pass_label, pass_any
DecodedTexts = tuple[Texts, Ints, Floats, Floats]
Symbols = tuple[int, ...]  # a word from 0; -index
PASS, UNKNOWN_PASS, GLUE, START = range(4)  # beside the rules
S = -1  # the label of glue rules
ANY = -2  # the label of words that pass under any label
LN10 = math.log(10)


@dataclass
class Cube:
    """Rules with their scores and targets, and the lists of items under their labels."""

    rules: list[tuple[int, float, Symbols]]
    tails: tuple[list[Item], ...]

    def sizes(self) -> list[int]:
        """The number of choices in each place of a position."""
        return [len(self.rules), *map(len, self.tails)]


@dataclass
class Dot:
    """The beginning of a source side found over a span, and the items under its labels."""

    source: Symbols
    tails: tuple[list[Item], ...]


@dataclass
class Sentence:
    """The state of decoding one sentence."""

    decoder: CubeDecoder
    words: list[int]  # as the grammar numbers them, or beyond
    weights: list[float]
    settings: CubeSettings
    dots: dict[tuple[int, int], list[Dot]] = field(default_factory=dict)
    groups: dict[tuple[int, int], dict[int, list[Item]]] = field(default_factory=dict)
    copies: dict[tuple[int, int], list[Item]] = field(default_factory=dict)
    lists: dict[Symbols, list[tuple[int, float, Symbols]]] = field(default_factory=dict)
    lm_ids: list[int] = field(default_factory=list)

    def goal(self) -> Item:
        """The item of the whole sentence, with its start and end marks."""
        size, width = len(self.words), self.settings[0] or len(self.words)
        glued: list[list[Item]] = [[]]
        for last in range(1, size + 1):
            cubes = []
            for first in reversed(range(max(0, last - width), last)):
                self.fill(first, last)
            for first in range(max(0, last - width), last):
                inside = [item for group in self.groups[first, last].values() for item in group]
                if not inside:
                    continue
                inside.sort(key=lambda item: (-item.rank, item.number))
                number = self.decoder.size + (GLUE if first else START)
                rule = (number, self.static(number), (-1, -2) if first else (-1,))
                cubes.append(Cube([rule], (glued[first], inside) if first else (inside,)))
            glued.append(self.prune([(cube, S) for cube in cubes])[S])
        goal = Item(S, (), 0, -math.inf, -math.inf, 0)
        for item in glued[size]:
            transition = self.lm_weight * self.ending_log10(item)
            goal.add(Edge(self.decoder.size + START, (-1,), transition, (item,)))
        return goal

    @property
    def lm_weight(self) -> float:
        """The weight of a logarithm to base 10."""
        return self.weights[0] * LN10

    def fill(self, first: int, last: int) -> None:
        """Find the items of one span, and the beginnings of source sides over it."""
        children, grammar = self.decoder.children, self.decoder.rules
        dots = []
        before = self.dots.get((first, last - 1), []) if last - 1 > first else [Dot((), ())]
        word = self.words[last - 1]
        dots += [Dot((*d.source, word), d.tails) for d in before if word in children.get(d.source, ())]
        for middle in range(first + 1, last):
            for dot in self.dots.get((first, middle), []):
                for label, items in self.items_under(middle, last, dot.source):
                    dots.append(Dot((*dot.source, -1 - label), (*dot.tails, items)))
        cubes: list[tuple[Cube, int | None]] = []
        if last - first == 1:
            cubes.append((Cube([self.pass_rule(word)], ()), self.settings[3]))
        cubes += [
            (Cube(self.sorted_rules(d.source), d.tails), None) for d in dots if d.source in grammar
        ]
        groups = self.prune(cubes)
        self.groups[first, last] = groups
        if last - first == 1 and self.settings[4]:
            count = sum(map(len, groups.values()))
            self.copies[first, last] = [self.copy_item(word, count)]
        starts = [Dot((-1 - label,), (items,)) for label, items in self.items_under(first, last, ())]
        self.dots[first, last] = [*dots, *starts]

    def items_under(self, first: int, last: int, source: Symbols) -> list[tuple[int, list[Item]]]:
        """The items of a span under each label that may follow the beginning of a source side."""
        groups, copies = self.groups[first, last], self.copies.get((first, last), [])
        lists = []
        for label in sorted(
            -1 - symbol for symbol in self.decoder.children.get(source, ()) if symbol < 0
        ):
            items = [*groups.get(label, []), *(copies if label != self.settings[3] else [])]
            if items:
                lists.append((label, sorted(items, key=lambda item: (-item.rank, item.number))))
        return lists

    def pass_rule(self, word: int) -> tuple[int, float, Symbols]:
        """The rule X -> w / w."""
        number = self.decoder.size + (PASS if self.is_known(word) else UNKNOWN_PASS)
        return number, self.static(number), (word,)

    def copy_item(self, word: int, number: int) -> Item:
        """The item of a word that passes under any label."""
        rule, static, target = self.pass_rule(word)
        lm, estimate, left, state = self.combine(target, ())
        edge = Edge(rule, target, static + self.lm_weight * lm, ())
        rank = edge.best() + self.lm_weight * estimate
        return Item(ANY, left, state, edge.best(), rank, number, [edge])

    def is_known(self, word: int) -> bool:
        """Whether a word stands in some source side."""
        known = self.decoder.grammar.known()
        return word < len(known) and bool(known[word])

    def static(self, number: int) -> float:
        """The score of a rule without the language model."""
        if number == self.decoder.size + START:
            return 0.0
        total = 0.0
        row = self.decoder.features[number].tolist()
        for weight, value in zip(self.weights[1:], row, strict=True):
            total += weight * value
        return total

    def alone(self, number: int) -> float:
        """The score of a rule with the language model's estimate of its words alone."""
        target = self.decoder.grammar.rules[number].target
        return self.static(number) + self.lm_weight * self.decoder.estimate(target)

    def sorted_rules(self, source: Symbols) -> list[tuple[int, float, Symbols]]:
        """The rules of a source side, the best first."""
        if source not in self.lists:
            rows = []
            for number in self.decoder.rules[source]:
                target, score = self.decoder.grammar.rules[number].target, self.static(number)
                rank = score + self.lm_weight * self.decoder.estimate(target)
                rows.append((-rank, number, score, target))
            rows.sort()
            chosen = rows[: self.settings[2] or None]
            self.lists[source] = [(number, score, target) for _, number, score, target in chosen]
        return self.lists[source]

    def prune(self, cubes: Sequence[tuple[Cube, int | None]]) -> dict[int, list[Item]]:
        """The items of a span, by label, each list from the best on; None: the rule's left side."""
        items: dict[tuple[int, Symbols, int], Item] = {}
        queue: list[tuple[float, int, tuple[int, ...], Item, Edge]] = []

        def push(number: int, at: tuple[int, ...]) -> None:
            cube, label = cubes[number]
            rule, static, target = cube.rules[at[0]]
            tails = tuple(tail[i] for tail, i in zip(cube.tails, at[1:], strict=True))
            lm, estimate, left, state = self.combine(target, tails)
            edge = Edge(rule, target, static + self.lm_weight * lm, tails)
            head = self.decoder.grammar.rules[rule].lhs if label is None else label
            rank = edge.best() + self.lm_weight * estimate
            item = Item(head, left, state, edge.best(), rank, 0)
            heapq.heappush(queue, (-rank, number, at, item, edge))

        for number, (cube, _) in enumerate(cubes):
            push(number, (0,) * len(cube.sizes()))
        pops = 0
        while queue and (self.settings[1] == 0 or pops < self.settings[1]):
            _, number, at, item, edge = heapq.heappop(queue)
            pops += 1
            key = item.label, item.left, item.state
            if key not in items:
                item.number = len(items)
                items[key] = item
            items[key].add(edge)
            items[key].rank = max(items[key].rank, item.rank)
            for place, size in enumerate(cubes[number][0].sizes()):
                if at[place] + 1 < size:
                    push(number, (*at[:place], at[place] + 1, *at[place + 1 :]))
                if at[place] > 0:
                    break
        by_label = sorted(items.values(), key=lambda item: (item.label, -item.rank, item.number))
        groups: dict[int, list[Item]] = {}
        for item in by_label:
            groups.setdefault(item.label, []).append(item)
        return groups

    def combine(self, target: Symbols, tails: Sequence[Item]) -> tuple[float, float, Symbols, int]:
        """log10 of words whose probability is known now, estimate of the others, both boundaries."""
        model, most = self.decoder.model, self.decoder.boundary
        lm, estimate, state = 0.0, 0.0, 0
        left: list[int] = []
        for symbol in target:
            inside = tails[-1 - symbol] if symbol < 0 else None
            for word in inside.left if inside is not None else (self.lm_word(symbol),):
                log10, state = model.step(state, word)
                if len(left) < most:
                    left.append(word)
                    estimate += log10
                else:
                    lm += log10
            if inside is not None and len(inside.left) == most:
                state = inside.state
        return lm, estimate, tuple(left), state

    def ending_log10(self, item: Item) -> float:
        """log10 of the first words after the start of a sentence, and of its end."""
        model, state, total = self.decoder.model, self.decoder.model.begin, 0.0
        for word in item.left:
            log10, state = model.step(state, word)
            total += log10
        if len(item.left) == self.decoder.boundary:
            state = item.state if self.decoder.boundary else 0
        return total + model.step(state, END)[0]

    def lm_word(self, word: int) -> int:
        """The number of a word in the language model."""
        size = len(self.decoder.words)
        return self.decoder.lm_ids[word] if word < size else self.lm_ids[word - size]

    def features(self, rules: Sequence[int], text: Symbols) -> list[float]:
        """All features of a derivation."""
        model, log10 = self.decoder.model, 0.0
        state = model.begin
        for word in [*map(self.lm_word, text), END]:
            step, state = model.step(state, word)
            log10 += step
        sums = [0.0] * self.decoder.features.shape[1]
        for number in rules:
            if number != self.decoder.size + START:
                row = self.decoder.features[number].tolist()
                sums = [total + value for total, value in zip(sums, row, strict=True)]
        return [log10 * LN10, *sums]


class CubeDecoder:
    """Decodes with a grammar, which must not change any more, and a language model."""

    def __init__(
        self, grammar: SyncGrammar, model: NgramModel, words: Texts, lm_ids: Ids, features: Singles
    ) -> None:
        self.grammar, self.model, self.features = grammar, model, features
        self.words = unpack_texts(words)
        if len(self.words) != len(grammar.known()) or len(lm_ids) != len(self.words):
            raise ValueError("every word of the grammar must have a text and a number")
        self.size = len(grammar)
        if len(grammar.rules) != self.size:
            raise ValueError("the grammar must be finished")
        if features.shape[0] != self.size + 3:
            raise ValueError("every rule must have features, and three rows after them")
        if not np.isfinite(features).all():
            raise ValueError("features must be finite")
        self.lm_ids = [self.model.known(word) for word in lm_ids.tolist()]
        self.boundary = model.order - 1
        self.rules: dict[Symbols, list[int]] = {}
        self.children: dict[Symbols, set[int]] = {}
        for number, rule in enumerate(grammar.rules):
            if not rule.source_only:
                self.rules.setdefault(rule.source, []).append(number)
            for at, symbol in enumerate(rule.source):
                self.children.setdefault(rule.source[:at], set()).add(symbol)

    def estimate(self, target: Symbols) -> float:
        """log10 of the words of a target side, those after a non-terminal without a context."""
        total, state = 0.0, 0
        for symbol in target:
            if symbol < 0:
                state = 0
            else:
                log10, state = self.model.step(state, self.lm_ids[symbol])
                total += log10
        return total

    def decode(
        self,
        words: Texts,
        grammar_ids: Ids,
        lm_ids: Ids,
        lines: tuple[Ids, Ints],
        weights: Floats,
        settings: CubeSettings,
        size: int,
        threads: int,
    ) -> DecodedTexts:
        """Up to `size` different texts of each sentence, the best first, equal ones by their bytes.

        Texts, offsets [sentences + 1] into them, features [texts, k + 1] and scores. A sentence
        without words has none.
        """
        del threads
        own = unpack_texts(words)
        _check(self, own, grammar_ids, lm_ids, lines, weights, settings)
        names = [*self.words, *own]
        rows: list[list[tuple[float, bytes, list[float]]]] = []
        for line in sentences(*lines):
            known = grammar_ids[line].tolist() if line else []
            sentence_ids = [
                ours if ours >= 0 else len(self.words) + word
                for word, ours in zip(line, known, strict=True)
            ]
            numbers = [self.model.known(word) for word in lm_ids.tolist()]
            sentence = Sentence(self, sentence_ids, weights.tolist(), settings, lm_ids=numbers)
            hypotheses = []
            for text, rules in KBest(sentence.goal()).first(size) if line else []:
                values = sentence.features(rules, text)
                score = 0.0
                for weight, value in zip(sentence.weights, values, strict=True):
                    score += weight * value
                hypotheses.append((-score, " ".join(names[word] for word in text).encode(), values))
            hypotheses.sort()
            rows.append(hypotheses[:size])
        flat = [row for hypotheses in rows for row in hypotheses]
        return (
            pack_texts([text.decode() for _, text, _ in flat]),
            np.cumsum([0, *map(len, rows)], dtype=np.int64),
            np.array([values for _, _, values in flat], np.float64).reshape(-1, len(weights)),
            -np.array([score for score, _, _ in flat], np.float64),
        )

    def phrases(
        self, grammar_ids: Ids, line: tuple[Ids, Ints], weights: Floats, limit: int
    ) -> tuple[Ids, Ids, Ids, Floats]:
        """Rules without non-terminals in one sentence: first word, word after the last, rule, score.

        Spans are in order of their first and then of their last word; of each the best `limit` rules
        whose sides differ, by score with the language model's estimate of their words alone, and equal
        ones in their order. Of several with the same target the best counts.
        """
        if len(line[1]) != 2:
            raise ValueError("expected one sentence")
        unused = (0, 0, 0, 0, False)
        _check(self, [""] * len(grammar_ids), grammar_ids, grammar_ids, line, weights, unused)
        [words] = [grammar_ids[ids].tolist() for ids in sentences(*line)]
        sentence = Sentence(self, words, weights.tolist(), unused)
        rows: list[tuple[int, int, int, float]] = []
        for first, last in itertools.combinations(range(len(words) + 1), 2):
            source = tuple(words[first:last])
            numbers = self.rules.get(source, ()) if min(source) >= 0 else ()
            best: dict[Symbols, tuple[int, int, int, float]] = {}
            for score, number in sorted((-sentence.alone(number), number) for number in numbers):
                target = self.grammar.rules[number].target
                if target != source and target not in best:
                    best[target] = first, last, number, -score
            rows += itertools.islice(best.values(), limit)
        columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
        firsts, lasts, rules = (np.array(column, np.int32) for column in columns[:3])
        return firsts, lasts, rules, np.array(columns[3], np.float64)


def _check(
    decoder: CubeDecoder,
    words: Sequence[str],
    grammar_ids: Ids,
    lm_ids: Ids,
    lines: tuple[Ids, Ints],
    weights: Floats,
    settings: CubeSettings,
) -> None:
    if len(decoder.grammar) != decoder.size:
        raise ValueError("the grammar must not change")
    if len(grammar_ids) != len(words) or len(lm_ids) != len(words):
        raise ValueError("every word of the sentences must have both numbers")
    if not all(-1 <= word < len(decoder.words) for word in grammar_ids.tolist()):
        raise ValueError("numbers of the grammar's words go from -1 to their count")
    if not all(0 <= word < len(words) for word in lines[0].tolist()):
        raise ValueError("every id must be an index of the words")
    if len(weights) != decoder.features.shape[1] + 1 or not np.isfinite(weights).all():
        raise ValueError("every feature must have a finite weight")
    if not 0 <= settings[3] < max(1, len(unpack_texts(decoder.grammar.labels()))):
        raise ValueError("the label of words that pass must be a label")
