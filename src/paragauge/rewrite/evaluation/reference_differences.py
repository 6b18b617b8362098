"""How pairs of references of the same segment differ (Kauchak and Barzilay 2006, introduction).

"Analyzing 10,728 reference translation pairs used in the NIST 2004 machine translation evaluation, we
found that only 21 (less than 0.2%) of them are identical. Moreover, 60% of the pairs differ in at least
11 words." All pairs of different references of a segment are counted: four references are six pairs.

The paper does not say how words are counted. Here words are lowercase Penn tokens with a letter or a
digit, so that case and punctuation do not count, and two references *differ in* n words if n is the
larger number of words that one of them has and the other lacks, each word counted as often as it
occurs: so many words must at least be replaced, inserted or deleted to make one from the other, order
aside. `edits` also counts order: the Levenshtein distance of the two lists of words.

Beyond the paper: how much of this is synonyms. A word of one reference that the other lacks *has a
synonym* if a thesaurus (WordNet, as in rewriting) relates it to a word that the other has and it lacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.kernels.layout import Ints
from paragauge.rewrite.candidates import TOKENIZER, References, candidates
from paragauge.rewrite.thesauri.thesaurus import Thesaurus
from paragauge.rewrite.thesauri.wordnet_thesaurus import WordNetThesaurus
from paragauge.text.batch import GroupedTexts
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.tokenizers import tokenize_lines

LEAST = 11


@dataclass(frozen=True)
class ReferenceDifferences:
    """Counts over pairs of references; arrays are int64 [pairs].

    `words` is in how many words each pair differs, `edits` the edit distance in words, `unmatched` the
    words that only one of the two has, and `synonyms` how many of these have a synonym in the other.
    """

    segments: int
    single: int  # segments with fewer than two references
    identical: int
    thesaurus: str
    least: int
    words: Ints = field(repr=False)
    edits: Ints = field(repr=False)
    unmatched: Ints = field(repr=False)
    synonyms: Ints = field(repr=False)

    @property
    def pairs(self) -> int:
        """How many pairs of references there are."""
        return len(self.words)

    @property
    def at_least(self) -> int:
        """How many pairs differ in at least `least` words."""
        return int((self.words >= self.least).sum())

    @property
    def with_synonyms(self) -> int:
        """How many pairs have at least one pair of synonyms among the words that differ."""
        return int((self.synonyms > 0).sum())

    @property
    def synonym_share(self) -> float:
        """The share of the words that only one reference has for which the other has a synonym."""
        total = int(self.unmatched.sum())
        return float(self.synonyms.sum()) / total if total else 0.0


def differences(
    references: GroupedTexts,
    *,
    least: int = LEAST,
    thesaurus: Thesaurus | None = None,
    threads: int = 0,
) -> ReferenceDifferences:
    """Count how pairs of references of the same segment differ.

    >>> counts = differences([["It is hard.", "It is difficult to say."], ["Yes.", "yes"]], least=2)
    >>> counts.pairs, counts.identical, counts.words.tolist(), counts.synonyms.tolist()
    (2, 0, [3, 0], [2, 0])
    """
    if least < 1:
        raise SettingError(f"least: expected at least 1 word, found {least}")
    thesaurus = WordNetThesaurus() if thesaurus is None else thesaurus
    groups = [
        [text for text in group if text or len(group) == 1]
        for group in LineGroups.of(references, "references")
    ]
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    if not pairs:
        raise InputError(
            "expected at least two references of some segment, found one of each; separate those of a "
            "segment by tabs"
        )
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    sides = [_words(texts, threads) for texts in (left, right)]
    words, edits, unmatched = [], [], []
    for one, other in zip(*sides, strict=True):
        only = Counter(one) - Counter(other), Counter(other) - Counter(one)
        counts = [side.total() for side in only]
        words.append(max(counts))
        unmatched.append(sum(counts))
        edits.append(edit_distance(one, other))
    synonyms = sum(
        _count_related(*texts, thesaurus, threads) for texts in ((left, right), (right, left))
    )
    return ReferenceDifferences(
        len(groups),
        sum(len(group) < 2 for group in groups),
        sum(one == other for one, other in pairs),
        thesaurus.name,
        least,
        np.array(words, np.int64),
        np.array(edits, np.int64),
        np.array(unmatched, np.int64),
        np.asarray(synonyms, np.int64),
    )


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """The fewest words to insert, delete or replace to make one list from the other.

    >>> edit_distance("a b c".split(), "b c d".split())
    2
    """
    row = list(range(len(other) + 1))
    for i, word in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, another in enumerate(other, 1):
            change = previous + (word != another)
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, change)
    return row[-1]


def _words(texts: Sequence[str], threads: int) -> Iterator[list[str]]:
    """The words of each text: lowercase tokens with a letter or a digit."""
    for line in tokenize_lines(Lines.of(texts), TOKENIZER, threads=threads).lower():
        yield [token for token in line.split(" ") if any(map(str.isalnum, token))]


def _count_related(
    texts: Sequence[str], others: Sequence[str], thesaurus: Thesaurus, threads: int
) -> Ints:
    """How many words of each text the thesaurus relates to an unmatched word of the other, [texts]."""
    prepared = References.of(LineGroups.of(texts), tagged=thesaurus.needs_tags, threads=threads)
    proposed = candidates(prepared, Lines.of(others), thesaurus, threads)
    places = np.unique(np.stack([proposed.line, proposed.first], axis=1), axis=0)
    return np.bincount(places[:, 0], minlength=len(texts))
