"""Candidate substitutions: unmatched words of a reference and an output that a thesaurus relates.

Kauchak and Barzilay (2006, section 3): for a reference R and an output W of the same segment, the
unmatched pairs

    { (r, w) : r in R - W, w in W - R }

whose members are close in meaning. Words are Penn tokens in lower case that have a letter; words that
both sentences have are no candidates. Each position of r is a candidate of its own, w stands at its
first position in the output. The tag of r, where the thesaurus asks for it, is that of the package's
own tagger on the reference in its own case.

Time is linear in the tokens and the unmatched pairs, of which a segment pair has about a hundred.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels import _native
from paragauge.rewrite.thesaurus import Tags, Thesaurus
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.lines import Ints, LineGroups, Lines, check_parallel, segment_of_line
from paragauge.text.ragged import Ragged
from paragauge.text.tokenisers import check_threads, tokenize_lines
from paragauge.text.vocabulary import Vocabulary

TOKENISER = "penn"
TOGETHER = 1 << 22
MOST_PAIRS = 1 << 26


@dataclass(frozen=True, eq=False)
class References:
    """References made ready for any number of outputs: tokens, and tags if they are needed.

    `tokens` are the Penn tokens of each line as the text has them, `lowered` the same in lower case.
    `tags` has a row of numbers for each line, see `tag_names`. `first` is the number of the first
    segment in the whole corpus, for messages.
    """

    given: LineGroups
    tokens: Lines
    lowered: Lines
    tags: Ragged | None
    tag_names: tuple[str, ...] = ()
    first: int = 0

    @classmethod
    def of(cls, given: LineGroups, *, tagged: bool, threads: int = 0, first: int = 0) -> References:
        """Tokenise and, if `tagged`, tag.

        >>> ready = References.of(LineGroups.of(["He left."]), tagged=True)
        >>> list(ready.lowered), [ready.tag_names[i] for i in ready.tags[0]]
        (['he left .'], ['PRP', 'VBD', '.'])
        """
        check_threads(threads)
        tokens = tokenize_lines(given.lines, TOKENISER, threads=threads)
        lowered = tokens.lower()
        if not tagged:
            return cls(given, tokens, lowered, None, first=first)
        tagger = PerceptronTagger.default()
        tags = tagger.tag_lines(tokens, threads)
        return cls(given, tokens, lowered, tags, tagger.names, first)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate substitutions, in the order of lines, positions and places in the output.

    `line` counts the references of all segments, `position` the tokens of that line, and `place` those
    of the output; `old` and `new` are rows of `words`, in lower case. All are int64 [candidates].
    `outputs` are the Penn tokens of the outputs as their texts have them.
    """

    line: Ints
    position: Ints
    place: Ints
    old: Ints
    new: Ints
    words: Lines
    outputs: Lines

    def __len__(self) -> int:
        return len(self.line)

    def pairs(self) -> list[tuple[str, str]]:
        """The words of each candidate: that of the reference and that of the output.

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
    references: References, outputs: Lines, thesaurus: Thesaurus, threads: int = 0
) -> Candidates:
    """The candidates of each reference and the output of its segment.

    Unmatched pairs are made and asked for in parts of `TOGETHER`, so that memory stays flat.
    """
    check_threads(threads)
    check_parallel({"candidates": outputs, "references": references.given})
    vocabulary = Vocabulary()
    theirs = vocabulary.encode(references.lowered, "none", threads=threads)
    tokens = tokenize_lines(outputs, TOKENISER, threads=threads)
    ours = vocabulary.encode(tokens.lower(), "none", threads=threads)
    words = vocabulary.texts()
    letters = with_letters(words)
    lines = references.given.groups
    lines = np.arange(len(theirs) + 1) if lines is None else lines
    segment = segment_of_line(references.given.groups, len(theirs))
    parts = [np.zeros((0, 5), np.int64)]
    for first, last in _parts(theirs, ours, lines, references.first):
        start, stop = lines[first], lines[last]
        rows = _native.unmatched(
            (theirs.ids, theirs.offsets[start : stop + 1], lines[first : last + 1] - start),
            (ours.ids, ours.offsets[first : last + 1], None),
            letters,
            threads,
        )
        line, position, place = rows[:, 0] + start, rows[:, 1], rows[:, 2]
        at = theirs.offsets[line] + position
        old = theirs.ids[at].astype(np.int64)
        new = ours.ids[ours.offsets[segment[line]] + place].astype(np.int64)
        kept = _related(references, thesaurus, words, old, new, at, threads)
        parts.append(np.stack([line, position, place, old, new], axis=1)[kept])
    columns = (np.ascontiguousarray(column) for column in np.concatenate(parts).T)
    line, position, place, old, new = columns
    return Candidates(line, position, place, old, new, words=words, outputs=tokens)


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
