"""Synonyms in WordNet (Fellbaum 1998) as substitutes, in the same inflection.

Kauchak and Barzilay (2006, section 3) take a pair of words as candidates "if its members are synonyms
in WordNet". Here w may replace r, which has the Penn tag t, if

- w can have the tag t (`inflection.py`), so that the sentence stays grammatical,
- the base forms of r and w for t are in one synset of t's part of speech, and are not the same: *was*
  and *were* are forms of one word, not synonyms, and
- neither is a function word (`stop_words.py`): auxiliaries (*have*, *do*) are in synsets of full verbs
  (*get*, *make*), and WordNet has the nouns *us* (a country), *or* (a state), *he* (an element) and *I*
  (the number one), but a text with such a word hardly means those, and
- they are not among the pairs that share a synset but never a place in a sentence (`APART`).

A replaced word that cannot have its tag, as taggers make mistakes, gets the base form that morphy gives
for that part of speech. Only open-class words have synonyms. The paper does not say how it treats
inflection and parts of speech.

Lookups are cached for up to `MOST_WORDS` words, so that a text costs little after the first batches;
then the cache is cleared, and memory stays flat.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.kernels.layout import Ids, Ints
from paragauge.lexicon.wordnet import SHIPPED, load, related_pairs
from paragauge.rewrite.thesauri.inflection import POS_OF_TAG, TAGS, Inflection
from paragauge.rewrite.thesauri.stop_words import STOP_WORDS
from paragauge.rewrite.thesauri.thesaurus import Tags
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.vocabulary import Vocabulary

MOST_WORDS = 1 << 20
POSES = 4
APART = frozenset(
    map(frozenset, (("tell", "say"), ("tell", "state"), ("too", "also"), ("still", "yet")))
)


class WordNetThesaurus:
    """The synonyms of the shipped WordNet, or of one at a path.

    >>> words = Lines.of(["hard", "difficult", "houses", "home", "homes"])
    >>> left, right = np.array([0, 2, 2]), np.array([1, 3, 4])
    >>> WordNetThesaurus().substitutable(words, left, right, ["JJ", "NNS", "NNS"]).tolist()
    [True, False, True]
    """

    needs_tags = True

    def __init__(self, wordnet: str = SHIPPED) -> None:
        self.wordnet = wordnet
        self._lock = threading.Lock()
        self._clear_cache()

    def _clear_cache(self) -> None:
        self._words = Vocabulary()
        self._bases = Vocabulary()
        self._rows = np.zeros((0, len(TAGS)), np.int32)
        self._plain = np.zeros((0, POSES), np.int32)
        self._sets = Ragged.from_lists([])

    @property
    def name(self) -> str:
        """WordNet and its version, or the digest of another WordNet."""
        return f"wordnet-{load(self.wordnet).name}"

    def __repr__(self) -> str:
        return f"WordNetThesaurus({self.wordnet!r})"

    def __reduce__(self) -> tuple[type[WordNetThesaurus], tuple[str]]:
        return type(self), (self.wordnet,)

    def substitutable(
        self,
        words: Lines,
        left: Ints,
        right: Ints,
        tags: Sequence[str] | None,
        threads: int = 0,
    ) -> NDArray[np.bool_]:
        """For each pair of rows of `words`, whether right may replace left, which has that tag."""
        if tags is None:
            raise InputError("WordNet synonyms need tags; expected one for each pair, found none")
        tag = Tags.of(tags).map({name: column for column, name in enumerate(TAGS)}, -1)
        substitutable = np.zeros(len(left), np.bool_)
        open_class = np.flatnonzero(tag >= 0)
        left, right, tag = left[open_class], right[open_class], tag[open_class]
        is_used = np.zeros(len(words), np.bool_)
        is_used[left] = is_used[right] = True
        place = np.cumsum(is_used) - 1
        with self._lock:
            numbers = self._look_up(_select_rows(words, np.flatnonzero(is_used)), threads)
            replaced, proposed = numbers[place[left]], numbers[place[right]]
            pos = np.array([POS_OF_TAG[name] - 1 for name in TAGS], np.int64)[tag]
            old = self._rows[replaced, tag]
            old = np.where(old < 0, self._plain[replaced, pos], old)
            new = self._rows[proposed, tag]
            both = (old >= 0) & (new >= 0) & (old != new)
            rows = POSES * old[both].astype(np.int64) + pos[both]
            others = POSES * new[both].astype(np.int64) + pos[both]
            related = related_pairs(self._sets, rows, others, threads)
            apart = self._are_apart(old[both][related], new[both][related])
            related[np.flatnonzero(related)[apart]] = False
            substitutable[open_class[both]] = related
        return substitutable

    def _are_apart(self, old: Ids, new: Ids) -> NDArray[np.bool_]:
        """Which pairs of cached base forms are in `APART`."""
        bases = self._bases.texts()
        pairs = zip(old.tolist(), new.tolist(), strict=True)
        return np.array([frozenset((bases[a], bases[b])) in APART for a, b in pairs], np.bool_)

    def _look_up(self, words: Lines, threads: int) -> Ids:
        """The numbers of words in the cache; the base forms and synsets of new ones are added."""
        if len(self._words) > MOST_WORDS:
            self._clear_cache()
        numbers = self._words.encode(words, "none", threads=threads).ids
        known = len(self._rows)
        if known < len(self._words):
            net, new = load(self.wordnet), self._words.texts(known)
            rows, bases = Inflection.of(self.wordnet).bases(new, threads)
            base_rows = self._number_bases(rows, bases)
            function = np.array([word in STOP_WORDS for word in new], np.bool_)
            base_rows[function] = -1
            self._rows = np.concatenate([self._rows, base_rows])
            plain = self._plain_bases(new, threads)
            plain[function] = -1
            self._plain = np.concatenate([self._plain, plain])
            sets = net.synsets_by_pos(self._bases.texts(len(self._sets) // POSES), threads)
            self._sets = Ragged(
                np.concatenate([self._sets.ids, sets.ids]),
                np.concatenate([self._sets.offsets, sets.offsets[1:] + len(self._sets.ids)]),
            )
        return numbers

    def _plain_bases(self, words: Lines, threads: int) -> Ids:
        """Morphy's base form of each word in each part of speech, or the word itself if it has none."""
        net = load(self.wordnet)
        columns = []
        for pos in range(1, POSES + 1):
            bases = net.lemmatize(words, np.full(len(words), pos), threads)
            columns.append(self._bases.encode(bases, "none", threads=threads).ids)
        return np.stack(columns, axis=1)

    def _number_bases(self, rows: Ids, bases: Lines) -> Ids:
        """Replace rows of `bases` by the numbers of cached base forms; -1 stays."""
        numbers = np.append(self._bases.encode(bases, "none").ids, -1).astype(np.int32)
        return np.asarray(numbers[rows])


def _select_rows(words: Lines, rows: Ints) -> Lines:
    return Lines(words.buffer, np.ascontiguousarray(words.spans[rows]))
