"""Synonyms in WordNet (Fellbaum 1998) as substitutes, inflected alike.

Kauchak and Barzilay (2006, section 3) take a pair of words as candidates "if its members are synonyms
in WordNet". Here w may replace r, which has the Penn tag t, if

- w can bear t (`inflection.py`), so that the sentence stays grammatical, and
- the base forms of r and w under t stand together in a synset of t's part of speech.

A function word replaces no noun: WordNet knows the nouns *us* (a country), *or* (a state), *he* (an
element) and *I* (the number one), but an output that has such a word hardly means those.

A word whose tag does not fit it, which taggers do happen to give, is read as morphy reads it in that
part of speech. Only open-class words have synonyms. The paper does not say how it treats inflection
and parts of speech.

Answers are kept by word, up to `MOST_WORDS` of them, so that a text costs little after the first
batches; then everything is forgotten, and memory stays flat.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.kernels.layout import Ids, Ints
from paragauge.lexicon.wordnet import SHIPPED, load, related_pairs
from paragauge.rewrite.inflection import POS_OF_TAG, TAGS, Inflection
from paragauge.rewrite.stop_words import STOP_WORDS
from paragauge.rewrite.thesaurus import Tags
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.vocabulary import Vocabulary

MOST_WORDS = 1 << 20
POSES = 4
NOUNS = np.array([tag.startswith("NN") for tag in TAGS], np.bool_)


class WordNetThesaurus:
    """The synonyms of the shipped WordNet, or of one at a path.

    >>> words = Lines.of(["hard", "difficult", "houses", "home", "homes"])
    >>> left, right = np.array([0, 2, 2]), np.array([1, 3, 4])
    >>> WordNetThesaurus().substitutable(words, left, right, ["JJ", "NNS", "NNS"]).tolist()
    [True, False, True]
    """

    tagged = True

    def __init__(self, wordnet: str = SHIPPED) -> None:
        self.wordnet = wordnet
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._words = Vocabulary()
        self._bases = Vocabulary()
        self._rows = np.zeros((0, len(TAGS)), np.int32)
        self._plain = np.zeros((0, POSES), np.int32)
        self._sets = Ragged.from_lists([])

    @property
    def name(self) -> str:
        """WordNet with its version, or a digest of another one."""
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
        """For each pair of rows of `words` whether right may replace left, which has that tag."""
        if tags is None:
            raise InputError("WordNet's synonyms depend on tags; expected one for each pair, got none")
        tag = Tags.of(tags).mapped({name: column for column, name in enumerate(TAGS)}, -1)
        found = np.zeros(len(left), np.bool_)
        open_class = np.flatnonzero(tag >= 0)
        left, right, tag = left[open_class], right[open_class], tag[open_class]
        asked = np.zeros(len(words), np.bool_)
        asked[left] = asked[right] = True
        place = np.cumsum(asked) - 1
        with self._lock:
            numbers = self._looked_up(_chosen(words, np.flatnonzero(asked)), threads)
            theirs, ours = numbers[place[left]], numbers[place[right]]
            pos = np.array([POS_OF_TAG[each] - 1 for each in TAGS], np.int64)[tag]
            old = self._rows[theirs, tag]
            old = np.where(old < 0, self._plain[theirs, pos], old)
            new = self._rows[ours, tag]
            both = (old >= 0) & (new >= 0)
            rows = POSES * old[both].astype(np.int64) + pos[both]
            others = POSES * new[both].astype(np.int64) + pos[both]
            found[open_class[both]] = related_pairs(self._sets, rows, others, threads)
        return found

    def _looked_up(self, words: Lines, threads: int) -> Ids:
        """The numbers of words whose base forms are known; new ones are looked up."""
        if len(self._words) > MOST_WORDS:
            self._forget()
        numbers = self._words.encode(words, "none", threads=threads).ids
        known = len(self._rows)
        if known < len(self._words):
            net, new = load(self.wordnet), self._words.texts(known)
            rows, bases = Inflection.of(self.wordnet).bases(new, threads)
            numbered = self._numbered(rows, bases)
            function = np.array([word in STOP_WORDS for word in new], np.bool_)
            numbered[np.ix_(function, NOUNS)] = -1
            self._rows = np.concatenate([self._rows, numbered])
            self._plain = np.concatenate([self._plain, self._plain_bases(new, threads)])
            sets = net.synsets_by_pos(self._bases.texts(len(self._sets) // POSES), threads)
            self._sets = Ragged(
                np.concatenate([self._sets.ids, sets.ids]),
                np.concatenate([self._sets.offsets, sets.offsets[1:] + len(self._sets.ids)]),
            )
        return numbers

    def _plain_bases(self, words: Lines, threads: int) -> Ids:
        """Morphy's base form of each word in each part of speech: the word itself if it has none."""
        net = load(self.wordnet)
        columns = []
        for pos in range(1, POSES + 1):
            bases = net.lemmatize(words, np.full(len(words), pos), threads)
            columns.append(self._bases.encode(bases, "none", threads=threads).ids)
        return np.stack(columns, axis=1)

    def _numbered(self, rows: Ids, bases: Lines) -> Ids:
        """Rows of `bases` as numbers of the kept base forms; -1 stays."""
        numbers = np.append(self._bases.encode(bases, "none").ids, -1).astype(np.int32)
        return np.asarray(numbers[rows])


def _chosen(words: Lines, rows: Ints) -> Lines:
    return Lines(words.buffer, np.ascontiguousarray(words.spans[rows]))
