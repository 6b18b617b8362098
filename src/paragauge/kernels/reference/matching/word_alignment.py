"""Twin of word_alignment.cpp: which words of two sentences correspond.

Words are linked one to one, in phases; a word that is linked stays so:

1. equal words, 2. equal lemmas. If one side has the word more often, its occurrences are chosen in
   order, each as near as possible and, worth 0.3 for either, with the same neighbor before or after;
3. opposites, synonyms (content words), equal stems and similar letters. Every two words that are left
   are compared, and linked by falling similarity less a tenth of their distance;
4. slots: other words in the same place. Both neighbors are linked with each other, or one is and both
   words have the same part of speech.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.kernels.reference.matching.maxsim import Sets
from paragauge.kernels.reference.matching.soft import dice
from paragauge.kernels.word_layout import SHORT_STEM, Category, LinkKind

OPPOSITE, SYNONYM, STEM, LETTERS = 0.75, 0.9, 0.85, 0.8
LEAST_DICE = 0.6
NEIGHBOR, DISTANCE = 0.3, 0.1


@dataclass(frozen=True)
class WordType:
    """A distinct word: spelling, lemma and everything that follows from them and the tag."""

    spelling: int
    lemma: int
    category: int
    flags: int
    unit: int
    quantifier: int
    modal: int
    pronoun: int
    weight: float
    parts: tuple[tuple[int, float], ...]

    @property
    def is_content(self) -> bool:
        """Whether the word carries content."""
        return self.category <= Category.NUMBER


@dataclass(frozen=True)
class LemmaFacts:
    """Texts, stems, and sets of synsets and opposites of each lemma."""

    texts: Sequence[str]
    stems: Sequence[int]
    synsets: Sets
    own: Sets
    opposite: Sets

    def compare(self, a: WordType, b: WordType) -> tuple[LinkKind, float] | None:
        """How two words correspond that are not equal, and how similar that makes them."""
        if _meet(self.own, a.lemma, self.opposite, b.lemma):
            return LinkKind.OPPOSITE, OPPOSITE
        if a.is_content and b.is_content and _meet(self.synsets, a.lemma, self.synsets, b.lemma):
            return LinkKind.SYNONYM, SYNONYM
        if SHORT_STEM in (self.stems[a.lemma], self.stems[b.lemma]):
            return None
        if self.stems[a.lemma] == self.stems[b.lemma]:
            return LinkKind.STEM, STEM
        alike = dice(self.texts[a.lemma], self.texts[b.lemma])
        return (LinkKind.LETTERS, LETTERS * alike) if alike > LEAST_DICE else None


@dataclass(frozen=True)
class Link:
    """The partner of a word, why it is one, and their similarity from 0 to 1."""

    partner: int
    kind: LinkKind
    similarity: float

    @property
    def is_same(self) -> bool:
        """Whether the two words have about the same meaning."""
        return self.kind not in (LinkKind.OPPOSITE, LinkKind.SLOT)


def align_words(
    left: Sequence[WordType], right: Sequence[WordType], lemmas: LemmaFacts
) -> dict[int, Link]:
    """The links of the words on the left, by position."""
    links: dict[int, Link] = {}
    taken: set[int] = set()

    def add(i: int, j: int, kind: LinkKind, similarity: float) -> None:
        links[i] = Link(j, kind, similarity)
        taken.add(j)

    for kind, mine, theirs in (
        (LinkKind.SAME, [word.spelling for word in left], [word.spelling for word in right]),
        (LinkKind.LEMMA, [word.lemma for word in left], [word.lemma for word in right]),
    ):
        for key in dict.fromkeys(mine):
            ours = [i for i, own in enumerate(mine) if own == key and i not in links]
            others = [j for j, own in enumerate(theirs) if own == key and j not in taken]
            for i, j in _pair_equal(ours, others, mine, theirs):
                add(i, j, kind, 1.0)
    edges = []
    for i in range(len(left)):
        for j in range(len(right)):
            if i in links or j in taken:
                continue
            compared = lemmas.compare(left[i], right[j])
            if compared is not None:
                kind, similarity = compared
                near = similarity - DISTANCE * _distance(i, len(left), j, len(right))
                edges.append((-near, i, j, kind, similarity))
    for _, i, j, kind, similarity in sorted(edges):
        if i not in links and j not in taken:
            add(i, j, kind, similarity)
    for i in range(len(left)):
        for j in range(len(right)):
            if i in links or j in taken:
                continue
            before, after = linked_neighbors(links, i, len(left), j, len(right))
            if (before and after) or ((before or after) and left[i].category == right[j].category):
                add(i, j, LinkKind.SLOT, 0.0)
    return links


def linked_neighbors(
    links: dict[int, Link], i: int, size: int, j: int, other_size: int
) -> tuple[bool, bool]:
    """Whether the words before, and those after, are linked with each other, or both are missing."""
    before = i == j == 0 or (i > 0 and j > 0 and i - 1 in links and links[i - 1].partner == j - 1)
    after = (i == size - 1 and j == other_size - 1) or (
        i + 1 < size and j + 1 < other_size and i + 1 in links and links[i + 1].partner == j + 1
    )
    return before, after


def _pair_equal(
    ours: list[int], others: list[int], mine: Sequence[int], theirs: Sequence[int]
) -> list[tuple[int, int]]:
    """Pairs of positions of one word, in order on both sides."""
    if len(ours) == len(others):
        return list(zip(ours, others, strict=True))
    swapped = len(ours) > len(others)
    few, many = (others, ours) if swapped else (ours, others)
    pairs = []
    start = 0
    for rank, place in enumerate(few):
        stop = len(many) - (len(few) - rank - 1)
        best, best_score = start, float("-inf")
        for choice in range(start, stop):
            i, j = (many[choice], place) if swapped else (place, many[choice])
            score = -_distance(i, len(mine), j, len(theirs))
            if i > 0 and j > 0 and mine[i - 1] == theirs[j - 1]:
                score += NEIGHBOR
            if i + 1 < len(mine) and j + 1 < len(theirs) and mine[i + 1] == theirs[j + 1]:
                score += NEIGHBOR
            if score > best_score:
                best, best_score = choice, score
        pairs.append((many[best], place) if swapped else (place, many[best]))
        start = best + 1
    return pairs


def _distance(i: int, size: int, j: int, other_size: int) -> float:
    return abs((i + 0.5) / size - (j + 0.5) / other_size)


def _meet(left: Sets, a: int, right: Sets, b: int) -> bool:
    mine, theirs = (
        set(members[offsets[lemma] : offsets[lemma + 1]].tolist())
        for (members, offsets), lemma in ((left, a), (right, b))
    )
    return not mine.isdisjoint(theirs)
