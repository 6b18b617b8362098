"""Twin of rules.cpp, rule_pair.cpp and rule_rows.cpp: rules of synchronous grammars.

Chiang (2007, section 3.2), with the settings of Thrax (Weese et al. 2011). A *phrase pair* is a run of
source words and a run of target words, both within a limit of length, which at least one link joins
and no link leaves. A rule is a phrase pair in which none, one or several other phrase pairs are cut
out, disjoint on both sides; they leave *gaps*, the non-terminals, numbered by their source words. The
left side of a rule and its non-terminals have the labels that `span_labels.py` gives their words, on
the side that has a tree.

So the sentence pair "a b" and "x y" with links 0-0 1-1 has three phrase pairs and these rules:
a/x, b/y, a b/x y, [1] b/[1] y, a [1]/x [1], and [1] [2]/[1] [2], which is abstract.

Phrase pairs come by first and last source word, then by first and last target word; the whole
sentence pair comes last if it is there only because it is whole. The rules of a phrase pair come so:
the one with the gaps chosen so far, then those with one gap more, which begins behind the others. The
pairs of a batch are cut into `LANES` parts, which the kernel works on in parallel. A chunk has from
each part the rules that come next, up to a LANES-th of `max_rows` different ones: equal rules are one
row with a count. Two rules with different links are two rows if links are asked for.

The kernel needs O(1) for a rule that it has seen before, thanks to hashes that are put together from
those of runs of words, and looks at no choice of gaps that leaves too many source words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from paragauge.kernels.layout import Ids, Ints, Texts, pack_texts, sentences, unpack_texts
from paragauge.kernels.reference.syntax.span_labels import (
    LabelSettings,
    SpanLabeler,
    Trees,
    check_label_settings,
    nodes_of,
)

LANES = 16
LONGEST = 255
MOST_NONTERMINALS = 8
LARGEST = 1 << 30
ALL, LEXICAL, NONE = range(3)

Sentences = tuple[Ids, Ints]
Links = tuple[Ids, Ids, Ints]
Columns = tuple[Texts, Texts, Texts, Texts, Ids, Ids, Ints, Texts]
Key = tuple[str, str, str, str, int, int, str]


class Limits(NamedTuple):
    """Which rules there are; in this order as the kernel's array of numbers."""

    source_phrase: int  # words of phrase pairs, so also under gaps
    target_phrase: int
    span: int  # source words under a rule
    nonterminals: int
    source_symbols: int  # of rules with non-terminals: words and non-terminals
    target_symbols: int
    source_words: int  # of rules with non-terminals: words
    target_words: int
    lexical_source: int  # words of rules without non-terminals
    lexical_target: int
    min_words: int  # on the source side
    min_links: int  # between words of the rule
    adjacent: int  # whether gaps may stand side by side on the source side
    loose: int  # whether phrase pairs may begin or end with unaligned words
    abstract: int  # whether a rule may have no words; it then has two gaps or more
    full_sentence: int  # whether the whole sentence pair makes rules, whatever its length
    identity: int  # whether both sides may be the same
    one_word: int  # whether the source side must be one word
    alignment: int  # whether links inside the rule are wanted
    fallback: int  # spans that no tree names: in ALL rules, as left side of LEXICAL ones, in NONE


class Phrase(NamedTuple):
    """Words s0 to s1 of the source and t0 to t1 of the target."""

    s0: int
    s1: int
    t0: int
    t1: int


@dataclass(frozen=True)
class Pair:
    """A sentence pair with what is needed to make rules of it."""

    source: list[str]
    target: list[str]
    links: list[tuple[int, int]]
    labeler: SpanLabeler
    target_is_parsed: bool
    limits: Limits

    def label(self, phrase: Phrase) -> str:
        """The label of a phrase pair."""
        span = (phrase.t0, phrase.t1) if self.target_is_parsed else (phrase.s0, phrase.s1)
        return self.labeler.label(*span)

    def is_fallback(self, phrase: Phrase) -> bool:
        """Whether no tree names a phrase pair."""
        return self.labeler.is_fallback(self.label(phrase))

    def links_in(self, phrase: Phrase) -> list[tuple[int, int]]:
        """The links of the source words of a phrase pair."""
        return [(s, t) for s, t in self.links if phrase.s0 <= s < phrase.s1]

    def is_phrase(self, phrase: Phrase) -> bool:
        """Whether the alignment allows a phrase pair."""
        inside = [(phrase.s0 <= s < phrase.s1, phrase.t0 <= t < phrase.t1) for s, t in self.links]
        if (True, True) not in inside or (True, False) in inside or (False, True) in inside:
            return False
        sources, targets = ({link[side] for link in self.links} for side in (0, 1))
        edges = {phrase.s0, phrase.s1 - 1} <= sources and {phrase.t0, phrase.t1 - 1} <= targets
        return edges or bool(self.limits.loose)

    def phrases(self) -> list[Phrase]:
        """All phrase pairs, in order."""
        spans = [
            [(i, j) for i in range(size) for j in range(i + 1, min(size, i + longest) + 1)]
            for size, longest in (
                (len(self.source), self.limits.source_phrase),
                (len(self.target), self.limits.target_phrase),
            )
        ]
        candidates = [Phrase(*s, *t) for s in spans[0] for t in spans[1]]
        return [phrase for phrase in candidates if self.is_phrase(phrase)]

    def rules(self) -> Iterator[Key]:
        """All rules as rows, in order."""
        limits = self.limits
        phrases = self.phrases()
        gaps = [phrase for phrase in phrases if limits.fallback == ALL or not self.is_fallback(phrase)]
        tops = gaps if limits.fallback == NONE else phrases
        tops = [phrase for phrase in tops if phrase.s1 - phrase.s0 <= limits.span]
        whole = Phrase(0, len(self.source), 0, len(self.target))
        if limits.full_sentence and self.links and whole not in tops:
            named = limits.fallback != NONE or not self.is_fallback(whole)
            tops = [*tops, whole] if named else tops
        for top in tops:
            yield from self._rules_from(top, (), gaps)

    def _rules_from(self, top: Phrase, chosen: tuple[Phrase, ...], gaps: list[Phrase]) -> Iterator[Key]:
        if self._is_allowed(top, chosen):
            yield self._row(top, chosen)
        if len(chosen) == self.limits.nonterminals:
            return
        start = top.s0
        if chosen:
            start = chosen[-1].s1 + (not self.limits.adjacent)
        for gap in gaps:
            inside = start <= gap.s0 and gap.s1 <= top.s1 and top.t0 <= gap.t0 and gap.t1 <= top.t1
            if inside and all(gap.t1 <= other.t0 or other.t1 <= gap.t0 for other in chosen):
                yield from self._rules_from(top, (*chosen, gap), gaps)

    def _is_allowed(self, top: Phrase, gaps: tuple[Phrase, ...]) -> bool:
        limits = self.limits
        source = top.s1 - top.s0 - sum(gap.s1 - gap.s0 for gap in gaps)
        target = top.t1 - top.t0 - sum(gap.t1 - gap.t0 for gap in gaps)
        links = len(self.links_in(top)) - sum(len(self.links_in(gap)) for gap in gaps)
        if gaps:
            sizes = (
                source + len(gaps) <= limits.source_symbols
                and source <= limits.source_words
                and target + len(gaps) <= limits.target_symbols
                and target <= limits.target_words
            )
            named = limits.fallback == ALL or not self.is_fallback(top)
            # Without words, one gap is the phrase pair itself: the rule rewrites a symbol to itself.
            wordless = not source and not target
            if not sizes or not named or (wordless and (not limits.abstract or len(gaps) == 1)):
                return False
        elif source > limits.lexical_source or target > limits.lexical_target:
            return False
        if limits.one_word and (gaps or source != 1):
            return False
        sides = self._sides(top, gaps)
        if not limits.identity and sides[0] == sides[1]:
            return False
        return source >= limits.min_words and links >= limits.min_links

    def _sides(self, top: Phrase, gaps: tuple[Phrase, ...]) -> tuple[list[str], list[str]]:
        """The symbols of both sides. A word may look like a non-terminal here: it is in quotes."""
        sides: tuple[list[str], list[str]] = ([], [])
        for side, words, (first, last) in (
            (0, self.source, (top.s0, top.s1)),
            (1, self.target, (top.t0, top.t1)),
        ):
            spans = [(gap.s0, gap.s1) if side == 0 else (gap.t0, gap.t1) for gap in gaps]
            for place in range(first, last):
                number = next((n for n, (i, j) in enumerate(spans, 1) if i <= place < j), 0)
                if not number:
                    sides[side].append(f"'{words[place]}")
                elif place == spans[number - 1][0]:
                    sides[side].append(f"[{number}]")
        return sides

    def _row(self, top: Phrase, gaps: tuple[Phrase, ...]) -> Key:
        sides = self._sides(top, gaps)
        counts = [sum(symbol.startswith("'") for symbol in side) for side in sides]
        texts = [" ".join(symbol.removeprefix("'") for symbol in side) for side in sides]
        links = ""
        if self.limits.alignment:
            inside = [(s, t) for s, t in self.links_in(top) if not any(g.s0 <= s < g.s1 for g in gaps)]
            links = " ".join(
                f"{s - top.s0 - sum(g.s1 - g.s0 - 1 for g in gaps if g.s1 <= s)}-"
                f"{t - top.t0 - sum(g.t1 - g.t0 - 1 for g in gaps if g.t1 <= t)}"
                for s, t in inside
            )
        labels = " ".join(self.label(gap) for gap in gaps)
        return self.label(top), labels, texts[0], texts[1], counts[0], counts[1], links


class RuleExtractor:
    """The rules of a batch of sentence pairs, chunk by chunk.

    `words` are the texts of words, which `source` and `target` (numbers of words, offsets of
    sentences) share. `links` are (source positions, target positions, offsets), sorted by source and
    then by target in each sentence pair. `trees` of the source, or of the target if `target_is_parsed`,
    and `labels` are those of `label_spans`; without trees (None) every span has the fallback's label.
    `limits` is `Limits` as an int64 array.
    """

    def __init__(
        self,
        words: Texts,
        source: Sentences,
        target: Sentences,
        links: Links,
        trees: Trees | None,
        target_is_parsed: bool,
        labels: LabelSettings,
        limits: Ints,
        max_rows: int,
    ) -> None:
        if max_rows < 1:
            raise ValueError("max_rows must be at least 1")
        texts = unpack_texts(words)
        left, right = sentences(*source), sentences(*target)
        for ids in (source[0], target[0]):
            if len(ids) and not (ids.min() >= 0 and ids.max() < len(texts)):
                raise ValueError("ids must be numbers of words")
        between = _links(links, left, right)
        parsed = [len(words) for words in (right if target_is_parsed else left)]
        nodes = None if trees is None else nodes_of(trees, parsed)
        check_label_settings(labels)
        checked = _limits(limits)
        self._pairs = []
        for number, (ours, theirs) in enumerate(zip(left, right, strict=True)):
            tree = None if nodes is None else nodes[number]
            self._pairs.append(
                Pair(
                    [texts[i] for i in ours],
                    [texts[i] for i in theirs],
                    between[number],
                    SpanLabeler(tree, parsed[number], labels),
                    target_is_parsed,
                    checked,
                )
            )
        lanes = max(1, min(len(self._pairs), LANES))
        bounds = [len(self._pairs) * i // lanes for i in range(lanes + 1)]
        self._chunks = [
            self._lane(bounds[i], bounds[i + 1], max(1, max_rows // LANES)) for i in range(lanes)
        ]
        self._alignment = bool(checked.alignment)

    def next(self, threads: int) -> Columns | None:
        """The next chunk: lhs, labels, source, target, words of the source and of the target, count,
        and links (empty if they are not asked for); None when there is none.
        """
        del threads
        next_chunks = [(lane, next(lane, None)) for lane in self._chunks]
        self._chunks = [lane for lane, chunk in next_chunks if chunk is not None]
        if not self._chunks:
            return None
        rows = [row for _, chunk in next_chunks if chunk is not None for row in chunk.items()]
        texts = [pack_texts([str(row[i]) for row, _ in rows]) for i in (0, 1, 2, 3, 6)]
        sizes = [np.array([row[i] for row, _ in rows], np.int32) for i in (4, 5)]
        counts = np.array([count for _, count in rows], np.int64)
        return texts[0], texts[1], texts[2], texts[3], sizes[0], sizes[1], counts, texts[4]

    def _lane(self, first: int, last: int, max_rows: int) -> Iterator[dict[Key, int]]:
        if first == last:
            return
        rows: dict[Key, int] = {}
        for pair in self._pairs[first:last]:
            for rule in pair.rules():
                if rule not in rows and len(rows) == max_rows:
                    yield rows
                    rows = {}
                rows[rule] = rows.get(rule, 0) + 1
        yield rows


def _links(links: Links, left: list[list[int]], right: list[list[int]]) -> list[list[tuple[int, int]]]:
    sources, targets, offsets = (column.tolist() for column in links)
    if len(sources) != len(targets):
        raise ValueError("a link has a source and a target")
    if not offsets or offsets[0] < 0 or sorted(offsets) != offsets or offsets[-1] > len(sources):
        raise ValueError("offsets must not decrease and must stay within the links")
    if not len(offsets) == len(left) + 1 == len(right) + 1:
        raise ValueError("both sides and the links must have the same number of sentences")
    pairs_by_sentence = []
    for number, (ours, theirs) in enumerate(zip(left, right, strict=True)):
        here = slice(offsets[number], offsets[number + 1])
        pairs = list(zip(sources[here], targets[here], strict=True))
        for i, (s, t) in enumerate(pairs):
            if not (0 <= s < len(ours) and 0 <= t < len(theirs)):
                raise ValueError("links must stay within their sentences")
            if i > 0 and pairs[i - 1] >= (s, t):
                raise ValueError("links must be sorted and different")
        pairs_by_sentence.append(pairs)
    return pairs_by_sentence


def _limits(values: Ints) -> Limits:
    if len(values) != len(Limits._fields):
        raise ValueError("limits are 20 numbers")
    if not (values.min() >= 0 and values.max() <= LARGEST):
        raise ValueError("limits must be from 0 to 2^30")
    limits = Limits(*values.tolist())
    if not (1 <= limits.source_phrase <= LONGEST and 1 <= limits.target_phrase <= LONGEST):
        raise ValueError("phrases must have from 1 to 255 words")
    if limits.nonterminals > MOST_NONTERMINALS:
        raise ValueError("at most 8 non-terminals")
    if limits.fallback > NONE:
        raise ValueError("fallback must be 0, 1 or 2")
    return limits
