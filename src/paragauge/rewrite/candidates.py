"""Candidate substitutions: unmatched words of a reference and an output that a thesaurus relates.

Kauchak and Barzilay (2006, section 3): for a reference R and an output W of the same segment, the
unmatched pairs

    { (r, w) : r in R - W, w in W - R }

whose members are close in meaning. Words are Penn tokens in lowercase that have a letter; words that
both sentences have are no candidates. Each position of r is a candidate of its own, w stands at its
first position in the output. The tag of r, where the thesaurus asks for it, is that of the package's
own tagger on the reference in its own case. What would cut a contraction is left out
(`contractions.py`).

Rules between phrases (`phrases.py`) propose spans of several tokens in the same way: each span of a
reference is a candidate of its own, the phrase stands at its first place in the output, and only words
that the output lacks are dropped (`kernels/reference/rewrite/phrase_matcher.py`). A substitution that
both a thesaurus and a rule propose is one candidate, with the probability of the rule.

Time is linear in the tokens and the unmatched pairs, of which a segment pair has about a hundred.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.rewrite.contractions import Contractions
from paragauge.rewrite.phrases import PhraseRules
from paragauge.rewrite.thesaurus import Tags, Thesaurus
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.lines import LineGroups, Lines, check_parallel, segment_of_line
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import check_threads, tokenize_lines
from paragauge.text.vocabulary import Vocabulary

TOKENIZER = "penn"
TOGETHER = 1 << 22
MOST_PAIRS = 1 << 26
COLUMNS = ("line", "first", "last", "place", "place_last", "old", "new")


@dataclass(frozen=True, eq=False)
class References:
    """References made ready for any number of outputs: tokens, and tags if they are needed.

    `tokens` are the Penn tokens of each line as the text has them, `lowercased` the same in lowercase.
    `tags` has a row of numbers for each line, see `tag_names`. `first` is the number of the first
    segment in the whole corpus, for messages.
    """

    given: LineGroups
    tokens: Lines
    lowercased: Lines
    tags: Ragged | None
    tag_names: tuple[str, ...] = ()
    first: int = 0

    @classmethod
    def of(cls, given: LineGroups, *, tagged: bool, threads: int = 0, first: int = 0) -> References:
        """Tokenize and, if `tagged`, tag.

        >>> ready = References.of(LineGroups.of(["He left."]), tagged=True)
        >>> list(ready.lowercased), [ready.tag_names[i] for i in ready.tags[0]]
        (['he left .'], ['PRP', 'VBD', '.'])
        """
        check_threads(threads)
        tokens = tokenize_lines(given.lines, TOKENIZER, threads=threads)
        lowercased = tokens.lower()
        if not tagged:
            return cls(given, tokens, lowercased, None, first=first)
        tagger = PerceptronTagger.default()
        tags = tagger.tag_lines(tokens, threads)
        return cls(given, tokens, lowercased, tags, tagger.names, first)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate substitutions, in the order of lines, spans and places in the output.

    `line` counts the references of all segments; tokens `first` to `last` of that line are replaced by
    tokens `place` to `place_last` of the output, single words by single words in most cases. `old` and
    `new` are rows of `words`, which has words and phrases in lowercase. All are int64 [candidates].
    `probability` is that of a rule, NaN for what a thesaurus proposes. `given` are the outputs, and
    `outputs` their Penn tokens as their texts have them.
    """

    line: Ints
    first: Ints
    last: Ints
    place: Ints
    place_last: Ints
    old: Ints
    new: Ints
    probability: NDArray[np.float64]
    words: Lines
    given: Lines
    outputs: Lines

    @property
    def single(self) -> NDArray[np.bool_]:
        """Whether each candidate is a word for a word, bool [candidates]."""
        return np.asarray((self.first == self.last) & (self.place == self.place_last))

    def __len__(self) -> int:
        return len(self.line)

    def pairs(self) -> list[tuple[str, str]]:
        """The words or phrases of each candidate: of the reference and of the output.

        >>> from paragauge.rewrite.wordnet_thesaurus import WordNetThesaurus
        >>> references = References.of(LineGroups.of(["It is hard to say."]), tagged=True)
        >>> found = candidates(references, Lines.of(["It is difficult."]), WordNetThesaurus())
        >>> found.pairs()
        [('hard', 'difficult')]
        """
        return [
            (self.words[a], self.words[b])
            for a, b in zip(self.old.tolist(), self.new.tolist(), strict=True)
        ]


def candidates(
    references: References,
    outputs: Lines,
    thesaurus: Thesaurus | None,
    threads: int = 0,
    phrases: PhraseRules | None = None,
) -> Candidates:
    """The candidates of each reference and the output of its segment."""
    check_threads(threads)
    check_parallel({"candidates": outputs, "references": references.given})
    tokens = tokenize_lines(outputs, TOKENIZER, threads=threads)
    text = _Numbered.of(references, tokens, threads)
    rows = np.zeros((0, len(COLUMNS)), np.int64)
    words = text.words
    if thesaurus is not None:
        rows = _of_thesaurus(references, text, thesaurus, threads)
    probability = np.full(len(rows), np.nan)
    if phrases is not None:
        more, found, words = _of_rules(text, phrases, threads)
        rows, probability = _merged(np.concatenate([rows, more]), np.concatenate([probability, found]))
    whole = text.whole(rows)
    rows, probability = rows[whole], probability[whole]
    columns = dict(zip(COLUMNS, map(np.ascontiguousarray, rows.T), strict=True))
    return Candidates(**columns, probability=probability, words=words, given=outputs, outputs=tokens)


@dataclass(frozen=True, eq=False)
class _Numbered:
    """References and outputs as numbers of the same words.

    Segment i has the references lines[i] to lines[i + 1], `segment` is that of each reference.
    """

    theirs: Ragged
    ours: Ragged
    words: Lines
    lines: Ints
    segment: Ints

    @classmethod
    def of(cls, references: References, outputs: Lines, threads: int) -> _Numbered:
        vocabulary = Vocabulary()
        theirs = vocabulary.encode(references.lowercased, "none", threads=threads)
        ours = vocabulary.encode(outputs.lower(), "none", threads=threads)
        groups = references.given.groups
        lines = np.arange(len(theirs) + 1) if groups is None else groups
        return cls(theirs, ours, vocabulary.texts(), lines, segment_of_line(groups, len(theirs)))

    def old(self, line: Ints, position: Ints) -> Ints:
        """The words at these places in references."""
        return np.asarray(self.theirs.ids[self.theirs.offsets[line] + position], np.int64)

    def new(self, line: Ints, place: Ints) -> Ints:
        """The words at these places in the outputs for these references."""
        return np.asarray(self.ours.ids[self.ours.offsets[self.segment[line]] + place], np.int64)

    def whole(self, rows: Ints) -> NDArray[np.bool_]:
        """Which rows of `COLUMNS` cut no contraction, neither in the reference nor in the output."""
        if not len(rows):
            return np.ones(0, np.bool_)
        line, first, last, place, place_last = rows.T[:5]
        contractions = Contractions(self.words)
        cut = contractions.cut(self.theirs, line, first, last)
        cut |= contractions.cut(self.ours, self.segment[line], place, place_last, taken=True)
        return ~cut


def _of_thesaurus(references: References, text: _Numbered, thesaurus: Thesaurus, threads: int) -> Ints:
    """Rows of `COLUMNS`: unmatched pairs of words that the thesaurus relates.

    Pairs are made and asked for in parts of `TOGETHER`, so that memory stays flat.
    """
    letters = with_letters(text.words)
    theirs, ours, lines = text.theirs, text.ours, text.lines
    parts = [np.zeros((0, len(COLUMNS)), np.int64)]
    for first, last in _parts(theirs, ours, lines, references.first):
        start, stop = lines[first], lines[last]
        rows = _native.unmatched(
            (theirs.ids, theirs.offsets[start : stop + 1], lines[first : last + 1] - start),
            (ours.ids, ours.offsets[first : last + 1], None),
            letters,
            threads,
        )
        line, position, place = rows[:, 0] + start, rows[:, 1], rows[:, 2]
        old, new = text.old(line, position), text.new(line, place)
        at = theirs.offsets[line] + position
        kept = _related(references, thesaurus, text.words, old, new, at, threads)
        columns = line, position, position, place, place, old, new
        parts.append(np.stack(columns, axis=1)[kept])
    return np.concatenate(parts)


def _of_rules(
    text: _Numbered, phrases: PhraseRules, threads: int
) -> tuple[Ints, NDArray[np.float64], Lines]:
    """Rows of `COLUMNS` and probabilities of what rules relate, and the words with their phrases."""
    found = phrases.matcher.match(
        (text.theirs.ids, text.theirs.offsets, text.lines),
        (text.ours.ids, text.ours.offsets, None),
        phrases.numbers(text.words),
        threads,
    )
    line, first, last, place, rule = found.T
    different, row = np.unique(rule, return_inverse=True)
    words = Lines.joined(
        [text.words, *(Lines.of(phrases.texts(side, different)) for side in ("left", "right"))]
    )
    place_last = place + phrases.right.lengths[rule] - 1
    old, new = len(text.words) + row, len(text.words) + len(different) + row
    old = np.where(first == last, text.old(line, first), old)
    new = np.where(place == place_last, text.new(line, place), new)
    columns = line, first, last, place, place_last, old, new
    return np.stack(columns, axis=1), phrases.probabilities[rule], words


def _merged(rows: Ints, probability: NDArray[np.float64]) -> tuple[Ints, NDArray[np.float64]]:
    """In order, each substitution once: that of a rule if there is one."""
    places = rows[:, :5]
    order = np.lexsort((np.isnan(probability), *places.T[::-1]))
    new = np.ones(len(rows), np.bool_)
    new[1:] = (np.diff(places[order], axis=0) != 0).any(axis=1)
    chosen = order[new]
    return rows[chosen], probability[chosen]


def _parts(theirs: Ragged, ours: Ragged, lines: Ints, number: int) -> list[tuple[int, int]]:
    """Ranges of segments that cannot have more than `TOGETHER` unmatched pairs, or of one segment."""
    tokens = theirs.offsets[lines[1:]] - theirs.offsets[lines[:-1]]
    pairs = tokens * ours.lengths
    large = np.flatnonzero(pairs > MOST_PAIRS)
    if len(large):
        i = int(large[0])
        raise InputError(
            f"segment {number + i + 1}: expected at most {MOST_PAIRS:,} pairs of words, got "
            f"{tokens[i]:,} words of references and {ours.lengths[i]:,} of the candidate; cut the line "
            "into sentences"
        )
    ends = np.cumsum(pairs)
    ranges, first = [], 0
    while first < len(pairs):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + TOGETHER, side="right")))
        ranges.append((first, last))
        first = last
    return ranges


def with_letters(words: Lines) -> np.ndarray:
    """1 for each word that has a letter of any script, 0 for others, uint8 [words].

    >>> with_letters(Lines.of(["don't", "2006", ",", "中", "3rd"])).tolist()
    [1, 0, 0, 1, 1]
    """
    return np.array([word.isalpha() or any(map(str.isalpha, word)) for word in words], np.uint8)


def _related(
    references: References,
    thesaurus: Thesaurus,
    words: Lines,
    old: Ints,
    new: Ints,
    at: Ints,
    threads: int,
) -> Ints:
    """Which of the unmatched pairs the thesaurus relates."""
    tags = None
    if thesaurus.tagged:
        if references.tags is None:
            raise InputError(f"{thesaurus.name} depends on tags; expected tagged references")
        tags = Tags(references.tags.ids[at], references.tag_names)
    return np.flatnonzero(thesaurus.substitutable(words, old, new, tags, threads))
