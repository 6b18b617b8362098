"""Synthetic references: reworded toward an output's words where context allows.

Kauchak and Barzilay (2006): the words of a reference that the output does not have are replaced by
words of the output that a thesaurus relates to them (`candidates.py`) and that fit their place in the
reference (`filter_protocols.py`). Beyond the paper, rules put phrases in the places of phrases, in the
same way (`phrases.py`). Every substitution is tested on its own, in the context of the original
reference, and all that pass are made.

Where the paper is silent:

- If several words pass for one place, or phrases whose spans overlap, the one with the largest sum of
  filter scores takes it; of equals, and without filters, that of the greatest probability, where words
  of a thesaurus, which have none, come last; then the longest span, the leftmost, and what comes first
  in the output. Then the same among those that do not overlap with what was taken.
- A filter that cannot tell, because it has no classifier for the word, or because it is for words and
  the proposal is a phrase, refuses (`unknown="refuse"`,
  as the paper, which does "not attempt to substitute" rare words), or has no say ("accept").
- With several filters all must accept (`combine="all"`), or their sum must ("sum").
- Only the words themselves change, in the case of those that they replace (`splice.py`): the rest of
  the reference stays as it was to the last byte, also an article that no longer fits (a, an).

Each reference of a segment is rewritten on its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels.layout import Floats, Ints
from paragauge.rewrite.candidates import Candidates, References, candidates
from paragauge.rewrite.filter_protocols import ContextFilter, PhraseFilter
from paragauge.rewrite.phrases import PhraseRules
from paragauge.rewrite.splice import output_texts, restore_phrase_case, splice_words
from paragauge.rewrite.thesaurus import Thesaurus
from paragauge.rewrite.wordnet_thesaurus import WordNetThesaurus
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.batch import GroupedTexts, Texts
from paragauge.text.lines import LineGroups, Lines, segment_of_line

VERDICTS = ("accepted", "refused", "unknown", "outdone")
ACCEPTED, REFUSED, UNKNOWN, OUTDONE = range(4)
UNKNOWNS = ("refuse", "accept")
COMBINATIONS = ("all", "sum")


@dataclass(frozen=True)
class Proposal:
    """One substitution that was proposed, and what became of it.

    `segment`, `reference`, `first` and `last` count from 0: the segment, its reference, and the first
    and the last Penn token of that reference that is replaced. `probability` is that of a rule between
    phrases, None for what a thesaurus proposes. `scores` has one score for each filter, NaN where it
    could not tell. `verdict` is accepted, refused (by a filter), unknown (to a filter) or outdone (by a
    better substitution in that place).
    """

    segment: int
    reference: int
    first: int
    last: int
    old: str
    new: str
    probability: float | None
    scores: tuple[float, ...]
    verdict: str


@dataclass(frozen=True, eq=False)
class Rewriting:
    """Rewritten references, with the record of all proposals.

    `scores` is float64 [proposals, filters]; `verdicts` has numbers of `VERDICTS`.

    >>> rewriting = Rewriter().run(["It is hard to say."], ["It is difficult."])
    >>> rewriting.references[0], rewriting.substitutions
    (['It is difficult to say.'], 1)
    >>> next(iter(rewriting)).verdict
    'accepted'
    """

    references: LineGroups
    original: References = field(repr=False)
    candidates: Candidates = field(repr=False)
    scores: Floats = field(repr=False)
    verdicts: NDArray[np.int8] = field(repr=False)

    @property
    def substitutions(self) -> int:
        """How many words or phrases were replaced."""
        return self.count("accepted")

    def count(self, verdict: str) -> int:
        """How many proposals had this verdict.

        >>> Rewriter().run(["a b"], ["a c"]).count("refused")
        0
        """
        if verdict not in VERDICTS:
            raise unknown_name("verdict", verdict, VERDICTS)
        return int((self.verdicts == VERDICTS.index(verdict)).sum())

    @property
    def segment(self) -> Ints:
        """The segment of each proposal, int64 [proposals]."""
        groups = self.references.groups
        return np.asarray(segment_of_line(groups, len(self.references.lines))[self.candidates.line])

    @property
    def reference(self) -> Ints:
        """Which of its segment's references each proposal is for, int64 [proposals]."""
        groups = self.references.groups
        if groups is None:
            return np.zeros(len(self.candidates), np.int64)
        return np.asarray(self.candidates.line - groups[self.segment])

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Proposal]:
        proposed = self.candidates
        for segment, reference, first, last, (old, new), probability, scores, verdict in zip(
            self.segment.tolist(),
            self.reference.tolist(),
            proposed.first.tolist(),
            proposed.last.tolist(),
            proposed.pairs(),
            proposed.probability.tolist(),
            self.scores.tolist(),
            self.verdicts.tolist(),
            strict=True,
        ):
            span = segment, reference, first, last
            known = None if math.isnan(probability) else probability
            yield Proposal(*span, old, new, known, tuple(scores), VERDICTS[verdict])


@dataclass(frozen=True)
class Rewriter:
    """How references are rewritten: what proposes words, phrases or both, and what filters.

    >>> Rewriter().signature
    {'rewrite': 'wordnet-3.0', 'rewrite-tagger': 'perceptron-...', 'rewrite-filter': 'none'}
    """

    thesaurus: Thesaurus | None = field(default_factory=WordNetThesaurus)
    filters: tuple[ContextFilter, ...] = ()
    unknown: str = "refuse"
    combine: str = "all"
    phrases: PhraseRules | None = None

    def __post_init__(self) -> None:
        if self.thesaurus is None and self.phrases is None:
            raise SettingError("expected a thesaurus or rules between phrases to propose, got neither")
        if self.unknown not in UNKNOWNS:
            raise unknown_name("way to treat unknown words", self.unknown, UNKNOWNS)
        if self.combine not in COMBINATIONS:
            raise unknown_name("combination of filters", self.combine, COMBINATIONS)

    @property
    def tagged(self) -> bool:
        """Whether references must be tagged."""
        return self.thesaurus is not None and self.thesaurus.tagged

    @property
    def signature(self) -> dict[str, str]:
        """Everything that decides the rewriting, for the signatures of scores."""
        proposers = (each.name for each in (self.thesaurus, self.phrases) if each is not None)
        facts = {"rewrite": "+".join(proposers)}
        if self.tagged:
            facts["rewrite-tagger"] = PerceptronTagger.default().name
        facts["rewrite-filter"] = "+".join(each.name for each in self.filters) or "none"
        if self.filters:
            facts["rewrite-unknown"] = self.unknown
        if len(self.filters) > 1:
            facts["rewrite-combine"] = self.combine
        return facts

    def prepare(
        self, references: GroupedTexts | LineGroups, threads: int = 0, *, first: int = 0
    ) -> References:
        """References tokenized and tagged, for several calls of `run` with different outputs.

        `first` is the number of the first segment in the whole corpus, for messages.
        """
        groups = LineGroups.of(references, "references")
        return References.of(groups, tagged=self.tagged, threads=threads, first=first)

    def run(
        self, references: GroupedTexts | LineGroups | References, outputs: Texts, *, threads: int = 0
    ) -> Rewriting:
        """The references, one or several per segment, rewritten toward the outputs.

        >>> references = [["He is a big man.", "A large man"], ["It is cold."]]
        >>> rewriting = Rewriter().run(references, ["He is large.", "It's cold!"])
        >>> list(rewriting.references)
        [['He is a large man.', 'A large man'], ['It is cold.']]
        """
        ready = references if isinstance(references, References) else self.prepare(references, threads)
        texts = Lines.of(outputs, "candidates")
        proposed = candidates(ready, texts, self.thesaurus, threads, self.phrases)
        scores = self._scores(ready, proposed, threads)
        verdicts = self._verdicts(proposed, scores)
        rewritten = _rewritten(ready, proposed, np.flatnonzero(verdicts == ACCEPTED), threads)
        return Rewriting(rewritten, ready, proposed, scores, verdicts)

    def _scores(self, ready: References, proposed: Candidates, threads: int) -> Floats:
        different, word = np.unique(proposed.new, return_inverse=True)
        words = Lines(proposed.words.buffer, np.ascontiguousarray(proposed.words.spans[different]))
        scores = np.full((len(proposed), len(self.filters)), np.nan)
        single = proposed.single
        for some, phrases in ((single, False), (~single, True)):
            if not some.any():
                continue
            line, first, last, new = (
                each[some] for each in (proposed.line, proposed.first, proposed.last, word)
            )
            for column, each in enumerate(self.filters):
                if not phrases:
                    values = each.scores(ready.lowercased, line, first, words, new, threads)
                elif isinstance(each, PhraseFilter):
                    span = first, last
                    values = each.phrase_scores(ready.lowercased, line, span, words, new, threads)
                else:
                    continue
                scores[some, column] = values
        return scores

    def _verdicts(self, proposed: Candidates, scores: Floats) -> NDArray[np.int8]:
        missing = np.isnan(scores)
        known = np.where(missing, 0.0, scores)
        total = known.sum(axis=1)
        passes = total >= 0 if self.combine == "sum" else (known >= 0).all(axis=1)
        verdicts = np.where(passes, ACCEPTED, REFUSED).astype(np.int8)
        if self.unknown == "refuse":
            verdicts[missing.any(axis=1)] = UNKNOWN
        accepted = np.flatnonzero(verdicts == ACCEPTED)
        keys = (
            proposed.place,
            proposed.first,
            proposed.first - proposed.last,
            -np.nan_to_num(proposed.probability, nan=0.0),
            -total,
            proposed.line,
        )
        order = accepted[np.lexsort([key[accepted] for key in keys])]
        verdicts[order[_overlapping(proposed, order)]] = OUTDONE
        return verdicts


def _overlapping(proposed: Candidates, order: Ints) -> NDArray[np.bool_]:
    """Which candidates overlap with one before them that does not, in this order, line by line."""
    outdone = np.zeros(len(order), np.bool_)
    taken: set[int] = set()
    previous = -1
    spans = zip(
        proposed.line[order].tolist(),
        proposed.first[order].tolist(),
        proposed.last[order].tolist(),
        strict=True,
    )
    for number, (line, first, last) in enumerate(spans):
        if line != previous:
            taken.clear()
            previous = line
        tokens = range(first, last + 1)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
        else:
            outdone[number] = True
    return outdone


def _rewritten(ready: References, proposed: Candidates, accepted: Ints, threads: int) -> LineGroups:
    """The references with the accepted words in their places; accepted ones are in reading order."""
    if len(accepted) == 0:
        return ready.given
    line, span = proposed.line[accepted], (proposed.first[accepted], proposed.last[accepted])
    words = [
        restore_phrase_case(new, old, capitals=old.isupper() and ready.tokens[at].isupper())
        for old, new, at in zip(
            chosen_tokens(ready.tokens, line, *span),
            output_phrases(ready, proposed, accepted, threads),
            line.tolist(),
            strict=True,
        )
    ]
    lines = splice_words(ready.given.lines, ready.tokens, line, span, words, threads)
    return LineGroups(lines, ready.given.groups)


def output_phrases(
    ready: References, proposed: Candidates, chosen: Ints, threads: int = 0
) -> list[str]:
    """What chosen candidates take from the outputs, as the texts have it."""
    segment = segment_of_line(ready.given.groups, len(ready.tokens))[proposed.line[chosen]]
    place, last = proposed.place[chosen], proposed.place_last[chosen]
    if (place == last).all():
        return chosen_tokens(proposed.outputs, segment, place, last)
    return output_texts(proposed.given, proposed.outputs, segment, (place, last), threads)


def chosen_tokens(lines: Lines, line: Ints, first: Ints, last: Ints) -> list[str]:
    """The tokens of these spans, in lines with one space between tokens.

    >>> chosen_tokens(Lines.of(["a b", "c d"]), np.array([0, 1]), np.array([1, 0]), np.array([1, 1]))
    ['b', 'c d']
    """
    different, row = np.unique(line, return_inverse=True)
    texts = [lines[i].split(" ") for i in different.tolist()]
    spans = zip(row.tolist(), first.tolist(), last.tolist(), strict=True)
    return [" ".join(texts[i][start : stop + 1]) for i, start, stop in spans]
