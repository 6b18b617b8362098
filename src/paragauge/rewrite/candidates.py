"""Candidate substitutions: unmatched words of a reference and an output that a thesaurus relates.

Kauchak and Barzilay (2006, section 3): for a reference R and an output W of the same segment, the
unmatched pairs

    { (r, w) : r in R - W, w in W - R }

whose members are close in meaning. Words are lowercase Penn tokens with at least one letter; words in
both sentences are not candidates. Each position of r is a separate candidate; w is taken from its first
position in the output. The tag of r, if the thesaurus needs it, comes from the package's tagger on the
reference in its original case. A substitution that would split a contraction, or that does not fit the
grammar, if there are tags, is left out (`agreement/`).

Phrase rules (`phrases.py`) propose spans of several tokens in the same way: each span of a reference is
a separate candidate, the phrase is taken from its first place in the output, and only words that the
output lacks are replaced (`kernels/reference/rewrite/phrase_matcher.py`). A substitution that both a
thesaurus and a rule propose is one candidate, with the probability of the rule.

Time is linear in the tokens and the unmatched pairs, of which a segment pair has about a hundred.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.rewrite.agreement.compounds import find_compounds
from paragauge.rewrite.agreement.contractions import Contractions
from paragauge.rewrite.agreement.tag_agreement import TaggedPlaces, keep_grammatical
from paragauge.rewrite.phrases import PhraseRules
from paragauge.rewrite.thesauri.thesaurus import Tags, Thesaurus
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.lines import LineGroups, Lines, check_parallel, segment_of_line
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Tokenizer, check_threads, tokenize_lines
from paragauge.text.vocabulary import Vocabulary

TOKENIZER: Tokenizer = "penn"
TOGETHER = 1 << 22
MOST_PAIRS = 1 << 26
COLUMNS = ("line", "first", "last", "place", "place_last", "old", "new")


@dataclass(frozen=True, eq=False)
class References:
    """References prepared for any number of outputs: tokens, and tags if they are needed.

    `texts` are the references as they were given, `tokens` their Penn tokens in the original case,
    `lowercased` the same in lowercase. `tags` has a row of indices into `tag_names` for each line.
    `first` is the number of the first segment in the whole corpus, for messages.
    """

    texts: LineGroups
    tokens: Lines
    lowercased: Lines
    tags: Ragged | None
    tag_names: tuple[str, ...] = ()
    first: int = 0

    @classmethod
    def of(cls, texts: LineGroups, *, tagged: bool, threads: int = 0, first: int = 0) -> References:
        """Tokenize the references and, if `tagged`, tag them.

        >>> references = References.of(LineGroups.of(["He left."]), tagged=True)
        >>> list(references.lowercased), [references.tag_names[i] for i in references.tags[0]]
        (['he left .'], ['PRP', 'VBD', '.'])
        """
        check_threads(threads)
        tokens = tokenize_lines(texts.lines, TOKENIZER, threads=threads)
        lowercased = tokens.lower()
        if not tagged:
            return cls(texts, tokens, lowercased, None, first=first)
        tagger = PerceptronTagger.default()
        tags = tagger.tag_lines(tokens, threads)
        return cls(texts, tokens, lowercased, tags, tagger.names, first)

    def may_have_tag(self, line: int, token: int, tag: str) -> bool:
        """Whether a token has this tag, as far as it is known: also True without tags."""
        return self.tags is None or self.tag_names[self.tags[line][token]] == tag


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate substitutions, in the order of lines, spans and places in the output.

    `line` counts the references of all segments; tokens `first` to `last` of that line are replaced by
    tokens `place` to `place_last` of the output, in most cases one word by one word. `old` and `new`
    are rows of `words`, which holds words and phrases in lowercase. All are int64 [candidates].
    `probability` is that of a rule, NaN for proposals of a thesaurus. `outputs` are the outputs as they
    were given, and `output_tokens` their Penn tokens in the original case.
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
    outputs: Lines
    output_tokens: Lines

    @property
    def single(self) -> NDArray[np.bool_]:
        """Whether each candidate replaces one word by one word, bool [candidates]."""
        return np.asarray((self.first == self.last) & (self.place == self.place_last))

    def __len__(self) -> int:
        return len(self.line)

    def pairs(self) -> list[tuple[str, str]]:
        """The words or phrases of each candidate, in the reference and in the output.

        >>> from paragauge.rewrite.thesauri.wordnet_thesaurus import WordNetThesaurus
        >>> references = References.of(LineGroups.of(["It is hard to say."]), tagged=True)
        >>> outputs = Lines.of(["It is difficult."])
        >>> candidates(references, outputs, WordNetThesaurus()).pairs()
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
    """Find the candidates of each reference and the output of its segment."""
    check_threads(threads)
    check_parallel({"candidates": outputs, "references": references.texts})
    tokens = tokenize_lines(outputs, TOKENIZER, threads=threads)
    text = _EncodedTexts.of(references, tokens, threads)
    rows = np.zeros((0, len(COLUMNS)), np.int64)
    words = text.words
    if thesaurus is not None:
        rows = _thesaurus_rows(references, text, thesaurus, threads)
        rows = _grammatical_rows(references, text, tokens, rows, threads)
    probability = np.full(len(rows), np.nan)
    if phrases is not None:
        rule_rows, rule_probability, words = _phrase_rows(text, phrases, threads)
        rows, probability = _merge_duplicates(
            np.concatenate([rows, rule_rows]), np.concatenate([probability, rule_probability])
        )
    keep = text.keeps_contractions(rows)
    rows, probability = rows[keep], probability[keep]
    columns = dict(zip(COLUMNS, map(np.ascontiguousarray, rows.T), strict=True))
    return Candidates(
        **columns, probability=probability, words=words, outputs=outputs, output_tokens=tokens
    )


@dataclass(frozen=True, eq=False)
class _EncodedTexts:
    """References and outputs as numbers of the same words.

    Segment i has the references lines[i] to lines[i + 1]; `segment` is the segment of each reference.
    """

    references: Ragged
    outputs: Ragged
    words: Lines
    lines: Ints
    segment: Ints

    @classmethod
    def of(cls, references: References, tokens: Lines, threads: int) -> _EncodedTexts:
        vocabulary = Vocabulary()
        encoded = vocabulary.encode(references.lowercased, "none", threads=threads)
        outputs = vocabulary.encode(tokens.lower(), "none", threads=threads)
        groups = references.texts.groups
        lines = np.arange(len(encoded) + 1) if groups is None else groups
        segment = segment_of_line(groups, len(encoded))
        return cls(encoded, outputs, vocabulary.texts(), lines, segment)

    def old(self, line: Ints, position: Ints) -> Ints:
        """The words at these places in references."""
        return np.asarray(self.references.ids[self.references.offsets[line] + position], np.int64)

    def new(self, line: Ints, place: Ints) -> Ints:
        """The words at these places in the outputs for these references."""
        return np.asarray(self.outputs.ids[self.outputs.offsets[self.segment[line]] + place], np.int64)

    def keeps_contractions(self, rows: Ints) -> NDArray[np.bool_]:
        """Which rows of `COLUMNS` split no contraction, neither in the reference nor in the output."""
        if not len(rows):
            return np.ones(0, np.bool_)
        line, first, last, place, place_last = rows.T[:5]
        contractions = Contractions(self.words)
        split = contractions.splits(self.references, line, first, last)
        split |= contractions.splits(
            self.outputs, self.segment[line], place, place_last, from_output=True
        )
        return ~split


def _thesaurus_rows(
    references: References, text: _EncodedTexts, thesaurus: Thesaurus, threads: int
) -> Ints:
    """Rows of `COLUMNS`: unmatched pairs of words that the thesaurus relates.

    Pairs are listed and looked up at most `TOGETHER` at a time, so that memory stays flat.
    """
    letters = flag_words_with_letters(text.words)
    encoded, outputs, lines = text.references, text.outputs, text.lines
    parts = [np.zeros((0, len(COLUMNS)), np.int64)]
    for first, last in _segment_ranges(encoded, outputs, lines, references.first):
        start, stop = lines[first], lines[last]
        rows = _native.unmatched(
            (encoded.ids, encoded.offsets[start : stop + 1], lines[first : last + 1] - start),
            (outputs.ids, outputs.offsets[first : last + 1], None),
            letters,
            threads,
        )
        line, position, place = rows[:, 0] + start, rows[:, 1], rows[:, 2]
        old, new = text.old(line, position), text.new(line, place)
        at = encoded.offsets[line] + position
        related = _find_related(references, thesaurus, text.words, old, new, at, threads)
        columns = line, position, position, place, place, old, new
        parts.append(np.stack(columns, axis=1)[related])
    return np.concatenate(parts)


def _grammatical_rows(
    references: References, text: _EncodedTexts, tokens: Lines, rows: Ints, threads: int
) -> Ints:
    """The rows of `COLUMNS` that fit the grammar around them; only outputs with rows are tagged."""
    if references.tags is None or not len(rows):
        return rows
    line, position, _, place = rows.T[:4]
    used, output = np.unique(text.segment[line], return_inverse=True)
    chosen = Lines(tokens.buffer, np.ascontiguousarray(tokens.spans[used]))
    tags = PerceptronTagger.default().tag_lines(chosen, threads)
    keep = keep_grammatical(
        TaggedPlaces(text.references, references.tags, line, position),
        TaggedPlaces(text.outputs.take(used), tags, output, place),
        references.tag_names,
        text.words,
    )
    rows = rows[keep]
    places = rows.T[:2]
    parts = find_compounds(references.lowercased, references.tags, references.tag_names, *places)
    return np.asarray(rows[~parts])


def _phrase_rows(
    text: _EncodedTexts, phrases: PhraseRules, threads: int
) -> tuple[Ints, NDArray[np.float64], Lines]:
    """Rows of `COLUMNS` that rules relate, their probabilities, and the words with all phrases."""
    matches = phrases.matcher.match(
        (text.references.ids, text.references.offsets, text.lines),
        (text.outputs.ids, text.outputs.offsets, None),
        phrases.numbers(text.words),
        threads,
    )
    line, first, last, place, rule = matches.T
    used_rules, row = np.unique(rule, return_inverse=True)
    words = Lines.concatenate(
        [text.words, *(Lines.of(phrases.texts(side, used_rules)) for side in ("left", "right"))]
    )
    place_last = place + phrases.right.lengths[rule] - 1
    old, new = len(text.words) + row, len(text.words) + len(used_rules) + row
    old = np.where(first == last, text.old(line, first), old)
    new = np.where(place == place_last, text.new(line, place), new)
    columns = line, first, last, place, place_last, old, new
    return np.stack(columns, axis=1), phrases.probabilities[rule], words


def _merge_duplicates(rows: Ints, probability: NDArray[np.float64]) -> tuple[Ints, NDArray[np.float64]]:
    """Sort the substitutions and keep each once, with the probability of a rule if there is one."""
    places = rows[:, :5]
    order = np.lexsort((np.isnan(probability), *places.T[::-1]))
    is_first = np.ones(len(rows), np.bool_)
    is_first[1:] = (np.diff(places[order], axis=0) != 0).any(axis=1)
    keep = order[is_first]
    return rows[keep], probability[keep]


def _segment_ranges(
    references: Ragged, outputs: Ragged, lines: Ints, number: int
) -> list[tuple[int, int]]:
    """Ranges of segments with at most `TOGETHER` unmatched pairs, or of one segment."""
    tokens = references.offsets[lines[1:]] - references.offsets[lines[:-1]]
    pairs = tokens * outputs.lengths
    large = np.flatnonzero(pairs > MOST_PAIRS)
    if len(large):
        i = int(large[0])
        raise InputError(
            f"segment {number + i + 1}: expected at most {MOST_PAIRS:,} pairs of words, found "
            f"{tokens[i]:,} words of references and {outputs.lengths[i]:,} of the candidate; split the "
            "line into sentences"
        )
    ends = np.cumsum(pairs)
    ranges, first = [], 0
    while first < len(pairs):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + TOGETHER, side="right")))
        ranges.append((first, last))
        first = last
    return ranges


def flag_words_with_letters(words: Lines) -> np.ndarray:
    """1 for each word with a letter of any script, 0 for others, uint8 [words].

    >>> flag_words_with_letters(Lines.of(["don't", "2006", ",", "中", "3rd"])).tolist()
    [1, 0, 0, 1, 1]
    """
    return np.array([word.isalpha() or any(map(str.isalpha, word)) for word in words], np.uint8)


def _find_related(
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
    if thesaurus.needs_tags:
        if references.tags is None:
            raise InputError(f"{thesaurus.name} needs tags; expected tagged references")
        tags = Tags(references.tags.ids[at], references.tag_names)
    return np.flatnonzero(thesaurus.substitutable(words, old, new, tags, threads))
