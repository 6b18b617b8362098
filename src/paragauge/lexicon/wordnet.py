"""WordNet (Fellbaum 1998): synonyms, antonyms and base forms.

WordNet 3.0 ships with the package, without glosses and most relations: words, parts of speech, synsets
in the order of senses, antonyms, satellites of adjectives, and the exception lists of morphy. Another
WordNet can be opened from its files.

Two words are related in one of three ways:

- `"shared"`, as Chan and Ng (2008, section 4.1) write it: WNsyn(w) is the set of all synonyms of w
  over all its senses and parts of speech, w included, and Syn(a, b) holds if WNsyn(a) and WNsyn(b)
  have a word in common. That is wider than being synonyms: kill and start are related, because
  pop is a synonym of both.
- `"synset"`: a and b are in the same synset.
- `"forms"`: a or a base form of it (see `morphy`) is in the same synset as b or a base form of it, so
  that cars and automobile are related. A base form counts only with the part of speech that it is the
  base form for.

Equal words are always related, even if WordNet does not have them. Words are looked up in lower case; a
collocation has underscores between its words (`ice_cream`).

Which words are opposites is described in `opposites`.

Opening the shipped table takes a moment (`benchmarks/races/wordnet.py` times it); lookups are hash
lookups, and a set of synonyms costs as much as it has members.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import LengthError, SettingError, ShapeError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.lexicon.opposites import OPPOSITIONS, OppositeSets, Opposition, opposite_pairs
from paragauge.lexicon.wordnet_table import POS_LETTERS, pack, synset_counts, table_spelling
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.saving.checked_file import read_checked
from paragauge.text.tokenizers import check_threads

SHIPPED = "3.0"
MAGIC = b"PGWNTCRC"
Relation = Literal["shared", "synset", "forms"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
ANY_POS = 5


class WordNet:
    """A WordNet.

    >>> net = WordNet.default()
    >>> sorted(net.synonyms("car"))[:4]
    ['auto', 'automobile', 'cable_car', 'car']
    >>> net.are_related("big", "large"), net.are_related("big", "green")
    (True, False)
    >>> net.morphy("mice", "n"), net.morphy("went", "v"), net.morphy("xyzs", "n")
    ('mouse', 'go', None)
    """

    def __init__(self, table: NDArray[np.uint8], name: str | None = None) -> None:
        """Open a packed table (see `wordnet_table.pack`); `name` replaces title and digest."""
        try:
            self._native = _native.WordNet(table)
        except ValueError as error:
            raise ShapeError(f"{error}; make it with paragauge.lexicon.wordnet_table.pack") from None
        # Synsets are numbered by part of speech.
        self._first_synsets = np.cumsum([0, *synset_counts(table)[:-1]])
        self.version = self._native.title()
        self.name = f"{self.version}-{_digest(table)}" if name is None else name

    @classmethod
    def default(cls) -> WordNet:
        """The shipped WordNet 3.0, opened once.

        >>> WordNet.default().version, len(WordNet.default())
        ('3.0', 147306)
        """
        return _open_shipped()

    @classmethod
    def open(cls, path: str | Path) -> WordNet:
        """A WordNet from files.

        `path` is a folder or a zip archive with Princeton's files (`index.noun`, `noun.exc` ...; also
        NLTK's `corpora/wordnet`), or an XML file in WN-LMF such as Open English WordNet's, compressed
        or not. Princeton's antonyms are in `data.noun` and so on. Reading takes seconds.
        """
        # Scoring alone does not need the readers.
        from paragauge.lexicon.wordnet_files import read_wordnet

        return cls(pack(read_wordnet(path)))

    def __len__(self) -> int:
        return len(self._native)

    def __contains__(self, word: str) -> bool:
        return len(self._native.senses(_normalize_word(word))) > 0

    def __repr__(self) -> str:
        return f"WordNet({self.name}, {len(self)} words)"

    def synsets(self, word: str, pos: str | None = None) -> list[str]:
        """Names of the word's synsets in the order of its senses, of all parts of speech or one.

        A name is the synset's offset in the WordNet that the table was made of, and its part of
        speech.

        >>> WordNet.default().synsets("dog", "v")
        ['02001858-v']
        """
        pos_number = None if pos is None else _pos_number(pos)
        pairs = [
            self._native.synset(number)
            for number in self._native.senses(_normalize_word(word)).tolist()
        ]
        return [
            f"{key:08d}-{POS_LETTERS[number - 1]}"
            for key, number in pairs
            if pos_number in (None, number)
        ]

    def synonyms(self, word: str) -> frozenset[str]:
        """WNsyn: all synonyms of all senses, the word itself included; empty for an unknown word.

        >>> sorted(WordNet.default().synonyms("gun"))
        ['accelerator', 'accelerator_pedal', 'artillery', 'gas', 'gas_pedal', ...]
        """
        return frozenset(self._native.synonyms(_normalize_word(word)))

    def are_related(self, a: str, b: str, how: Relation = "shared") -> bool:
        """Whether two words are equal or related (see the module).

        >>> net = WordNet.default()
        >>> net.are_related("car", "auto", "synset"), net.are_related("xyz", "XYZ")
        (True, True)
        """
        left, right = _normalize_word(a), _normalize_word(b)
        if how == "shared":
            return left == right or not self.synonyms(left).isdisjoint(self.synonyms(right))
        sets = self.synonym_sets(Lines.of([left, right]), how, threads=1)
        return left == right or not set(sets[0].tolist()).isdisjoint(sets[1].tolist())

    def antonyms(
        self, word: str, pos: str | None = None, how: Opposition = "direct"
    ) -> tuple[str, ...]:
        """The antonyms of a word, as any part of speech or one, in the order of its senses.

        The word is looked up as it is, not by its base form. With `how="similar"`, an adjective gets
        the antonyms of all words of its synset and of the heads that this is similar to.

        >>> net = WordNet.default()
        >>> net.antonyms("hot"), net.antonyms("love", "v"), net.antonyms("quick")
        (('cold',), ('hate',), ())
        >>> net.antonyms("huge", how="similar")
        ('little', 'small')
        """
        rows = self.antonyms_by_sense(word, pos, how)
        return tuple(dict.fromkeys(antonym for row in rows for antonym in row))

    def antonyms_by_sense(
        self, word: str, pos: str | None = None, how: Opposition = "direct"
    ) -> list[tuple[str, ...]]:
        """The antonyms of each sense of a word, in the order of `synsets`.

        >>> WordNet.default().antonyms_by_sense("right", "r")[2:6]
        [(), ('left',), (), ()]
        """
        self._check_opposition(how)
        pos_number = None if pos is None else _pos_number(pos)
        spelled = _normalize_word(word)
        ids, offsets = self._native.antonyms(spelled, how)
        rows = []
        for place, sense in enumerate(self._native.senses(spelled).tolist()):
            if pos_number in (None, self._native.synset(sense)[1]):
                own = ids[offsets[place] : offsets[place + 1]].tolist()
                rows.append(tuple(self._native.word(number) for number in own))
        return rows

    def are_opposites(self, a: str, b: str, how: Opposition = "direct") -> bool:
        """Whether two words, in any inflection, are opposites (see `opposites`).

        Ask about many words with `opposite_sets` and `opposite_pairs`.

        >>> net = WordNet.default()
        >>> net.are_opposites("hated", "loves"), net.are_opposites("swift", "slow")
        (True, False)
        >>> net.are_opposites("swift", "slow", "similar")
        True
        """
        words = Lines.of([_normalize_word(a), _normalize_word(b)])
        sets = self.opposite_sets(words, how, threads=1)
        return bool(opposite_pairs(sets, np.array([0]), np.array([1]), threads=1)[0])

    def opposite_sets(self, words: Lines, how: Opposition = "direct", threads: int = 0) -> OppositeSets:
        """Numbers of each word (one per line) and of its opposites, for `opposite_pairs` and kernels.

        >>> sets = WordNet.default().opposite_sets(Lines.of(["hotter", "cold", "of"]))
        >>> sets.own.lengths.tolist(), sets.opposite.lengths.tolist()
        ([2, 2, 0], [2, 2, 0])
        """
        check_threads(threads)
        self._check_opposition(how)
        lowercased = words.lower()
        own, opposite = self._native.opposite_sets(lowercased.buffer, lowercased.spans, how, threads)
        return OppositeSets(Ragged(*own), Ragged(*opposite))

    def _check_opposition(self, how: str) -> None:
        if how not in OPPOSITIONS:
            raise unknown_name("opposition", how, OPPOSITIONS)
        if not self._native.antonym_pointers():
            raise SettingError(
                f"WordNet {self.name}: expected antonyms, found none; open one that has them, "
                "Princeton's with its data files or WN-LMF, or use the shipped one (3.0)"
            )

    def morphy(self, word: str, pos: str) -> str | None:
        """The word's base form as the part of speech `pos` (n, v, a or r), or None.

        The exception lists come first, then the detachment of endings, as in WordNet's own library (see
        `kernels/reference/lexicon/morphy.py`); if neither changes the word, it is its own base form if
        WordNet has it.

        >>> net = WordNet.default()
        >>> net.morphy("boxesful", "n"), net.morphy("better", "r"), net.morphy("ran_into", "v")
        ('boxful', 'well', 'run_into')
        """
        return self._native.morphy(_normalize_word(word), _pos_number(pos))

    def exceptions(self, pos: str) -> list[tuple[str, str]]:
        """Irregular forms of a part of speech with their base forms, sorted by form.

        >>> dict(WordNet.default().exceptions("n"))["mice"]
        'mouse'
        """
        return self._native.exceptions(_pos_number(pos))

    def parts_of_speech(self, words: Lines, threads: int = 0) -> NDArray[np.bool_]:
        """Whether each word (one per line) is a noun, verb, adjective, adverb here, bool [words, 4].

        >>> WordNet.default().parts_of_speech(Lines.of(["well", "swam"])).tolist()
        [[True, True, True, True], [False, False, False, False]]
        """
        return np.asarray(self.synsets_by_pos(words, threads).lengths.reshape(-1, len(POS_LETTERS)) > 0)

    def synsets_by_pos(self, words: Lines, threads: int = 0) -> Ragged:
        """Four rows for each word (one per line): its synsets as noun, verb, adjective and adverb.

        >>> WordNet.default().synsets_by_pos(Lines.of(["dog"])).lengths.tolist()
        [7, 1, 0, 0]
        """
        sets = self.synonym_sets(words, "synset", threads)
        word = np.repeat(np.arange(len(sets)), sets.lengths)
        pos = np.searchsorted(self._first_synsets, sets.ids, side="right") - 1
        counts = np.bincount(len(POS_LETTERS) * word + pos, minlength=len(POS_LETTERS) * len(sets))
        return Ragged(sets.ids, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))

    def lemmatize(self, tokens: Lines, pos: NDArray[np.integer], threads: int = 0) -> Lines:
        """Lines whose tokens, separated by one space, are replaced by their base forms in lower case.

        `pos` has one code for each token of all lines, in reading order: 0 keeps the word, 1 is a
        noun, 2 a verb, 3 an adjective, 4 an adverb, 5 the first of these whose base form is
        another word. A word without a base form stays, in lower case. Each line keeps its number of
        tokens.

        >>> lines = Lines.of(["The mice ran"])
        >>> list(WordNet.default().lemmatize(lines, np.array([0, 1, 2])))
        ['the mouse run']
        """
        check_threads(threads)
        lowercased = tokens.lower()
        codes = np.asarray(pos)
        if codes.ndim != 1 or not (codes.size == 0 or np.issubdtype(codes.dtype, np.integer)):
            raise ShapeError(
                "pos: expected a one-dimensional array of integers, one for each token, "
                f"found {codes.dtype} of shape {codes.shape}"
            )
        if codes.size and not 0 <= codes.min() <= codes.max() <= ANY_POS:
            raise SettingError(
                "pos: expected codes from 0 to 5 (0 keep, 1 noun, 2 verb, 3 adjective, 4 adverb, "
                f"5 any), found {codes.min()} to {codes.max()}"
            )
        try:
            buffer, offsets = self._native.lemmatize(
                lowercased.buffer, lowercased.spans, codes.astype(np.uint8), threads
            )
        except ValueError:
            total = sum(line.count(" ") + 1 for line in tokens if line)
            raise LengthError(
                f"pos: expected one code for each of the {total} tokens, found {len(codes)}; "
                "tokens are separated by one space"
            ) from None
        return Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1))

    def synonym_sets(self, words: Lines, how: Relation = "shared", threads: int = 0) -> Ragged:
        """A sorted set of numbers for each word (one per line), empty if WordNet does not know it.

        Two different words are related if their sets have a number in common. For `"shared"` the
        numbers are words, for the others synsets.

        >>> sets = WordNet.default().synonym_sets(Lines.of(["big", "large", "qqq"]), "synset")
        >>> sets.lengths.tolist()
        [17, 11, 0]
        """
        check_threads(threads)
        if how not in RELATIONS:
            raise unknown_name("relation", how, RELATIONS)
        lowercased = words.lower()
        return Ragged(*self._native.related_sets(lowercased.buffer, lowercased.spans, how, threads))


def related_pairs(sets: Ragged, left: Ints, right: Ints, threads: int = 0) -> NDArray[np.bool_]:
    """For each pair of rows of `synonym_sets`, whether their words are related, bool [pairs].

    A row is related to itself, whatever it holds.

    >>> sets = WordNet.default().synonym_sets(Lines.of(["big", "large", "qqq"]))
    >>> related_pairs(sets, np.array([0, 0, 2]), np.array([1, 2, 2])).tolist()
    [True, False, True]
    """
    check_threads(threads)
    a, b = (np.ascontiguousarray(side, np.int64) for side in (left, right))
    try:
        return _native.sets_meet(sets.ids, sets.offsets, a, b, threads).astype(np.bool_)
    except ValueError as error:
        raise ShapeError(f"related_pairs: {error}, which are {len(sets)}") from None


@functools.lru_cache(maxsize=4)
def load(name: str) -> WordNet:
    """The shipped WordNet for `"3.0"`, else the one at a path; the last few stay open.

    >>> load("3.0") is WordNet.default()
    True
    """
    return WordNet.default() if name == SHIPPED else WordNet.open(name)


@functools.cache
def _open_shipped() -> WordNet:
    path = Path(__file__).parents[1] / "models" / "wordnet" / f"english-{SHIPPED}.bin"
    data = read_checked(path, MAGIC, "the WordNet of the package; install it again")
    return WordNet(np.frombuffer(data, np.uint8), SHIPPED)


def _digest(table: NDArray[np.uint8]) -> str:
    import hashlib

    return hashlib.sha256(table.tobytes()).hexdigest()[:8]


def _normalize_word(word: str) -> str:
    """How the table spells a word; an error if it is no text."""
    if isinstance(word, str) and word.isascii():
        return table_spelling(word)
    return table_spelling(Lines.of([word], "word")[0])


def _pos_number(pos: str) -> int:
    if pos not in POS_LETTERS or len(pos) != 1:
        raise unknown_name("part of speech", pos, POS_LETTERS)
    return POS_LETTERS.index(pos) + 1
