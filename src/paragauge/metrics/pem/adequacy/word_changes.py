"""What changed between a candidate and its source, word by word.

The words of both are tagged, lemmatized and linked one to one (`kernels/reference/matching`): equal
words first, then words of one lemma, opposites, synonyms, words alike in stem or letters, and at last
other words in the same place. From the links follow `FEATURES`: which content words have no partner,
whether a negation, a number, a date, a quantifier or a modal verb differs, and how the order changed.
English only.

Opposites are WordNet's antonyms, and words that differ by a prefix or suffix that negates: happy and
unhappy, careful and careless.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels import _native
from paragauge.kernels.layout import Bytes, Floats, Ids, Ints
from paragauge.kernels.word_layout import FEATURES, FIELDS, SHORT_STEM, Category, LinkKind
from paragauge.lexicon.stems import stem
from paragauge.lexicon.wordnet import ANY_POS, WordNet
from paragauge.metrics.pem.adequacy.opposite_words import opposite_words
from paragauge.metrics.pem.adequacy.word_classes import LIGHT_VERBS, WordFacts, describe_word
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.syntax.tagset import TO, TO_TAG, journal_numbers
from paragauge.text.lines import Lines, check_parallel
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import check_threads, tokenize_lines
from paragauge.text.vocabulary import Vocabulary

WordRow = tuple[str, str, str, WordFacts]  # the fields of a LinkedWord
TypeTable = tuple[Ids, Floats, Ids, Floats, Ints]
Sets = tuple[Ids, Ints]
LemmaFacts = tuple[Ids, Sets, Sets, Sets, tuple[Bytes, Ints]]

MOST_WORDS = 1000  # of a line; some features compare every two words
LEAST_STEM = 4  # letters of a lemma that is compared by stem or letters
PREFIXES = ("un", "in", "im", "dis", "non", "ir", "il")
SUFFIXES = ("less", "ful")
# The comma comes first: a pattern that starts with a fixed character is found faster.
# Contractions are split before a plain space only: before another, "don't" would be one word, without
# its negation.
OTHER_SPACE = re.compile(r"[^\S ]")
THOUSANDS = re.compile(r",(?<=\d,)(?=\d{3}(?!\d))", re.ASCII)


@dataclass(frozen=True)
class LinkedWord:
    """A word as its sentence spells it, with lemma, tag, and what is known of it."""

    text: str
    lemma: str
    tag: str
    facts: WordFacts = field(repr=False)

    @property
    def is_content(self) -> bool:
        """Whether the word carries content."""
        return self.facts.category <= Category.NUMBER


@dataclass(frozen=True)
class WordLinks:
    """The words of a candidate and its source, and how they correspond.

    `links` are (position in the candidate, position in the source, kind); `features` are the changes
    by name.
    """

    candidate: tuple[LinkedWord, ...]
    source: tuple[LinkedWord, ...]
    links: tuple[tuple[int, int, LinkKind], ...]
    features: dict[str, float]


def measure_changes(
    candidates: Lines, sources: Lines, weights: WordWeights, threads: int = 0, first: int = 0
) -> Floats:
    """The changes between each candidate and its source, float64 [lines, FEATURES].

    Words weigh as much as `weights` says that they are informative. Errors count segments
    from `first` on.

    >>> from paragauge.metrics.pem import WordWeights
    >>> columns = Lines.of(["He did not come."]), Lines.of(["He came."])
    >>> rows = measure_changes(*columns, WordWeights.default())
    >>> rows.shape == (1, len(FEATURES)), rows[:, FEATURES.index("negation_candidate")].tolist()
    (True, [1.0])
    """
    pairs = _Pairs(candidates, sources, weights, threads, first)
    return _native.word_changes(*pairs.arguments, False, threads)


def link_words(
    candidates: Lines, sources: Lines, weights: WordWeights, threads: int = 0
) -> list[WordLinks]:
    """The words of each candidate and its source, with links and features.

    >>> from paragauge.metrics.pem import WordWeights
    >>> columns = Lines.of(["I hate tea."]), Lines.of(["We love tea."])
    >>> (pair,) = link_words(*columns, WordWeights.default())
    >>> for i, j, kind in pair.links:
    ...     print(pair.candidate[i].text, pair.source[j].text, kind.name)
    I We SLOT
    hate love OPPOSITE
    tea tea SAME
    """
    pairs = _Pairs(candidates, sources, weights, threads)
    rows, links, offsets = _native.word_changes(*pairs.arguments, True, threads)
    kinds = tuple(LinkKind)
    listed = [(i, j, kinds[kind]) for i, j, kind in links.tolist()]
    sentences = pairs.read_lines()
    return [
        WordLinks(
            sentences[mine],
            sentences[theirs],
            tuple(listed[offsets[k] : offsets[k + 1]]),
            dict(zip(FEATURES, row, strict=True)),
        )
        for k, (mine, theirs, row) in enumerate(
            zip(pairs.left.tolist(), pairs.right.tolist(), rows.tolist(), strict=True)
        )
    ]


class _Pairs:
    """Two columns as numbers of distinct lines, words and lemmas."""

    def __init__(
        self,
        candidates: Lines,
        sources: Lines,
        weights: WordWeights,
        threads: int,
        first: int = 0,
    ) -> None:
        check_threads(threads)
        check_parallel({"candidates": candidates, "sources": sources})
        for what, column in (("sources", sources), ("candidates", candidates)):
            _check_english(what, column)
        rows: dict[str, int] = {}
        self.left, self.right = (
            np.array([rows.setdefault(plain_text(line), len(rows)) for line in lines], np.int64)
            for lines in (candidates, sources)
        )
        self.types, self.lines = _number_words(Lines.of(list(rows)), threads)
        self._check_lengths(first)
        self.arguments = (
            (self.lines.ids, self.lines.offsets),
            self.left,
            self.right,
            *_describe_types(self.types, weights, threads),
        )

    def read_lines(self) -> list[tuple[LinkedWord, ...]]:
        words = [LinkedWord(*row) for row in self.types]
        return [tuple([words[number] for number in row.tolist()]) for row in self.lines]

    def _check_lengths(self, first: int) -> None:
        lengths = self.lines.lengths
        for what, rows in (("candidates", self.left), ("sources", self.right)):
            long = np.flatnonzero(lengths[rows] > MOST_WORDS)
            if len(long):
                raise InputError(
                    f"{what}: segment {first + long[0] + 1}: expected a sentence of at most "
                    f"{MOST_WORDS:,} words, found {lengths[rows[long[0]]]:,}; split it"
                )


def _check_english(what: str, lines: Lines) -> None:
    if lines.is_mostly_foreign():
        raise InputError(
            f"{what}: expected English, found mostly letters of another script; the tagger and WordNet "
            "are English"
        )


def plain_text(text: str) -> str:
    """The text with composed accents, plain apostrophes and spaces for contractions, and plain numbers.

    >>> plain_text("It wasn\u2019t\u00a02,500.")
    "It wasn't 2500."
    """
    if not text.isascii():
        text = OTHER_SPACE.sub(" ", unicodedata.normalize("NFC", text))
        text = text.replace("\u2019", "'").replace("\u2018", "'")
    elif "\t" in text:
        text = text.replace("\t", " ")
    return THOUSANDS.sub("", text) if "," in text else text


def _number_words(lines: Lines, threads: int) -> tuple[list[WordRow], Ragged]:
    """The distinct words of the lines, and each line as numbers of them.

    Two words are distinct if spelling or tag differ; a word has a letter or a digit.
    """
    tokens = tokenize_lines(lines, "penn", threads=threads)
    tagger = PerceptronTagger.default()
    tags = journal_numbers(tagger.names)[tagger.tag_lines(tokens, threads).ids]
    vocabulary = Vocabulary()
    surfaces = vocabulary.encode(tokens, "none", threads=threads)
    texts, lemmas = list(vocabulary), list(_lemmatize(vocabulary.texts(), threads))
    tags[np.array([lemma == TO for lemma in lemmas], bool)[surfaces.ids]] = tagger.names.index(TO_TAG)
    is_word = np.array([lemma.isalnum() or any(map(str.isalnum, lemma)) for lemma in lemmas], bool)
    chosen = is_word[surfaces.ids]
    before = np.concatenate([[0], np.cumsum(chosen)])
    _drop_periods(texts, lemmas)
    keys = surfaces.ids[chosen].astype(np.int64) * len(tagger.names) + tags[chosen]
    # As np.unique does, but without sorting: keys are small.
    numbers = np.zeros(len(texts) * len(tagger.names), np.int32)
    numbers[keys] = 1
    distinct = np.flatnonzero(numbers)
    numbers[distinct] = np.arange(len(distinct))
    places, tag_numbers = np.divmod(distinct, len(tagger.names))
    types = [
        _read_word(texts[place], lemmas[place], tagger.names[number])
        for place, number in zip(places.tolist(), tag_numbers.tolist(), strict=True)
    ]
    return types, Ragged(numbers[keys], before[surfaces.offsets])


def _lemmatize(words: Lines, threads: int) -> Lines:
    return WordNet.default().lemmatize(words, np.full(len(words), ANY_POS, np.uint8), threads)


def _drop_periods(words: list[str], lemmas: list[str]) -> None:
    """Change words and lemmas: a period that ends a sentence inside the line is not part of a word."""
    ended = [
        place
        for place, word in enumerate(words)
        if word.endswith(".")
        and word.count(".") == 1
        and (len(word) >= LEAST_STEM or word[:-1].isdigit())
    ]
    bare = Lines.of([words[place][:-1] for place in ended])
    for place, word, lemma in zip(ended, bare, _lemmatize(bare, 1), strict=True):
        words[place], lemmas[place] = word, lemma


def _read_word(surface: str, lemma: str, tag: str) -> WordRow:
    if tag.startswith("V"):
        lemma = LIGHT_VERBS.get(surface.lower(), lemma)
    return surface, lemma, tag, describe_word(surface, lemma, tag)


def _describe_types(
    types: Sequence[WordRow], weights: WordWeights, threads: int
) -> tuple[TypeTable, LemmaFacts]:
    """The tables of word types and of lemmas that the kernel reads."""
    spellings: dict[str, int] = {}
    lemmas: dict[str, int] = {}
    forms: dict[str, int] = {}
    flat: list[int] = []  # rows of FIELDS
    kinds: list[int] = []
    values: list[float] = []
    counts = [0]
    for text, lemma, _, facts in types:
        spelling = text.lower()
        forms[spelling] = number = lemmas.setdefault(lemma, len(lemmas))
        flat += (spellings.setdefault(spelling, len(spellings)), number, *facts[:-1])
        counts.append(len(facts.parts))
        for kind, value in facts.parts:
            kinds.append(kind)
            values.append(value)
    fields = np.array(flat, np.int32).reshape(-1, len(FIELDS))
    is_content = fields[:, 2] <= Category.NUMBER
    informative = np.where(is_content, weights.weigh_words(lemmas)[fields[:, 1]], 0.0)
    part_table = (np.array(kinds, np.int32), np.array(values), np.cumsum(counts, dtype=np.int64))
    return (fields, informative, *part_table), _describe_lemmas(list(lemmas), forms, threads)


def _describe_lemmas(lemmas: Sequence[str], forms: Mapping[str, int], threads: int) -> LemmaFacts:
    """Stems, synsets, opposites and texts of the lemmas; `forms` has the lemmas of inflected words."""
    texts = Lines.of(lemmas)
    net = WordNet.default()
    numbers: dict[str, int] = {}
    stems = np.array(
        [
            numbers.setdefault(stemmed, len(numbers)) if len(lemma) >= LEAST_STEM else SHORT_STEM
            for lemma, stemmed in zip(lemmas, stem(lemmas), strict=True)
        ],
        np.int32,
    )
    synsets = net.synonym_sets(texts, "synset", threads)
    opposites = net.opposite_sets(texts, threads=threads)
    places = {lemma: place for place, lemma in enumerate(lemmas)}
    pairs = find_negated({**forms, **places}) + find_listed(places)
    # Numbers of their own, beyond WordNet's.
    first = 1 + max(opposites.own.ids.max(initial=0), opposites.opposite.ids.max(initial=0))
    own = _add_members(opposites.own, [(a, first + a) for pair in pairs for a in pair])
    opposite = _add_members(
        opposites.opposite, [(a, first + b) for pair in pairs for a, b in (pair, pair[::-1])]
    )
    return (
        stems,
        (synsets.ids, synsets.offsets),
        (own.ids, own.offsets),
        (opposite.ids, opposite.offsets),
        (texts.buffer, texts.spans),
    )


def find_negated(places: Mapping[str, int]) -> list[tuple[int, int]]:
    """Numbers of words of which one negates the other by its prefix or suffix.

    `places` has the number of each word; inflected words have that of their lemma.

    >>> find_negated({"happy": 0, "careful": 1, "careless": 2, "unhappy": 3, "under": 4, "der": 5})
    [(2, 1), (3, 0)]
    """
    pairs = []
    for word, place in places.items():
        others = []
        if word.startswith(PREFIXES):
            others += [
                word.removeprefix(prefix)
                for prefix in PREFIXES
                if word.startswith(prefix) and len(word) - len(prefix) >= LEAST_STEM
            ]
        if word.endswith(SUFFIXES[0]):
            others.append(word.removesuffix(SUFFIXES[0]) + SUFFIXES[1])
        pairs += [(place, places[other]) for other in others if places.get(other, place) != place]
    return pairs


def find_listed(places: Mapping[str, int]) -> list[tuple[int, int]]:
    """Numbers of lemmas that are opposites by our own list; `places` has the number of each lemma.

    >>> find_listed({"approve": 0, "plan": 1, "reject": 2})
    [(0, 2)]
    """
    listed = opposite_words()
    return [
        (place, places[other])
        for word, place in places.items()
        for other in sorted(listed.get(word, ()))
        if places.get(other, -1) > place
    ]


def _add_members(sets: Ragged, members: Iterable[tuple[int, int]]) -> Ragged:
    """The sets with more members, (row, number) each, larger than those they have."""
    added = sorted(set(members))
    if not added:
        return sets
    rows = np.concatenate([np.repeat(np.arange(len(sets)), sets.lengths), [row for row, _ in added]])
    ids = np.concatenate([sets.ids, np.array([number for _, number in added], np.int32)])
    counts = np.bincount(rows, minlength=len(sets))
    return Ragged(
        ids[np.argsort(rows, kind="stable")], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    )
