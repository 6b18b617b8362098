"""Synthetic references: reworded toward an output's words where context allows.

Kauchak and Barzilay (2006): the words of a reference that the output does not have are replaced by
words of the output that a thesaurus relates to them (`candidates.py`) and that fit their place in the
reference (`filters.py`). Every substitution is tested on its own, in the context of the original
reference, and all that pass are made.

Where the paper is silent:

- If several words pass for one place, the one with the largest sum of filter scores takes it; of
  equals, and without filters, the one that comes first in the output.
- A filter that cannot tell, because it has no classifier for the word, refuses (`unknown="refuse"`,
  as the paper, which does "not attempt to substitute" rare words), or has no say ("accept").
- With several filters all must accept (`combine="all"`), or their sum must ("sum").
- Only the word itself changes, in the case of the one that it replaces (`splice.py`): the rest of the
  reference stays as it was to the last byte, also an article that no longer fits (a, an).

Each reference of a segment is rewritten on its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import unknown_name
from paragauge.rewrite.candidates import Candidates, References, candidates
from paragauge.rewrite.filters import ContextFilter
from paragauge.rewrite.splice import restored, spliced
from paragauge.rewrite.thesaurus import Thesaurus
from paragauge.rewrite.wordnet_thesaurus import WordNetThesaurus
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.batch import GroupedTexts, Texts
from paragauge.text.lines import Ints, LineGroups, Lines, segment_of_line

Floats = NDArray[np.float64]
VERDICTS = ("accepted", "refused", "unknown", "outdone")
ACCEPTED, REFUSED, UNKNOWN, OUTDONE = range(4)
UNKNOWNS = ("refuse", "accept")
COMBINATIONS = ("all", "sum")


@dataclass(frozen=True)
class Proposal:
    """One substitution that was proposed, and what became of it.

    `segment`, `reference` and `position` count from 0: the segment, its reference, and the Penn token
    of that reference. `scores` has one score for each filter, NaN where it could not tell. `verdict` is
    accepted, refused (by a filter), unknown (to a filter) or outdone (by a better word in that place).
    """

    segment: int
    reference: int
    position: int
    old: str
    new: str
    scores: tuple[float, ...]
    verdict: str


@dataclass(frozen=True, eq=False)
class Rewriting:
    """Rewritten references, with the record of all proposals.

    `scores` is float64 [proposals, filters]; `verdicts` has numbers of `VERDICTS`.

    >>> found = Rewriter().run(["It is hard to say."], ["It is difficult."])
    >>> found.references[0], found.substitutions
    (['It is difficult to say.'], 1)
    >>> next(iter(found)).verdict
    'accepted'
    """

    references: LineGroups
    original: References = field(repr=False)
    candidates: Candidates = field(repr=False)
    scores: Floats = field(repr=False)
    verdicts: NDArray[np.int8] = field(repr=False)

    @property
    def substitutions(self) -> int:
        """How many words were replaced."""
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
        for segment, reference, position, (old, new), scores, verdict in zip(
            self.segment.tolist(),
            self.reference.tolist(),
            self.candidates.position.tolist(),
            self.candidates.pairs(),
            self.scores.tolist(),
            self.verdicts.tolist(),
            strict=True,
        ):
            yield Proposal(segment, reference, position, old, new, tuple(scores), VERDICTS[verdict])


@dataclass(frozen=True)
class Rewriter:
    """How references are rewritten.

    >>> Rewriter().signature
    {'rewrite': 'wordnet-3.0', 'rewrite-tagger': 'perceptron-...', 'rewrite-filter': 'none'}
    """

    thesaurus: Thesaurus = field(default_factory=WordNetThesaurus)
    filters: tuple[ContextFilter, ...] = ()
    unknown: str = "refuse"
    combine: str = "all"

    def __post_init__(self) -> None:
        if self.unknown not in UNKNOWNS:
            raise unknown_name("way to treat unknown words", self.unknown, UNKNOWNS)
        if self.combine not in COMBINATIONS:
            raise unknown_name("combination of filters", self.combine, COMBINATIONS)

    @property
    def signature(self) -> dict[str, str]:
        """Everything that decides the rewriting, for the signatures of scores."""
        facts = {"rewrite": self.thesaurus.name}
        if self.thesaurus.tagged:
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
        """References tokenised and tagged, for several calls of `run` with different outputs.

        `first` is the number of the first segment in the whole corpus, for messages.
        """
        groups = LineGroups.of(references, "references")
        return References.of(groups, tagged=self.thesaurus.tagged, threads=threads, first=first)

    def run(
        self, references: GroupedTexts | LineGroups | References, outputs: Texts, *, threads: int = 0
    ) -> Rewriting:
        """The references, one or several per segment, rewritten toward the outputs.

        >>> references = [["He is a big man.", "A large man"], ["It is cold."]]
        >>> found = Rewriter().run(references, ["He is large.", "It's cold!"])
        >>> list(found.references)
        [['He is a large man.', 'A large man'], ['It is cold.']]
        """
        ready = references if isinstance(references, References) else self.prepare(references, threads)
        found = candidates(ready, Lines.of(outputs, "candidates"), self.thesaurus, threads)
        scores = self._scores(ready, found, threads)
        verdicts = self._verdicts(found, scores)
        rewritten = _rewritten(ready, found, np.flatnonzero(verdicts == ACCEPTED), threads)
        return Rewriting(rewritten, ready, found, scores, verdicts)

    def _scores(self, ready: References, found: Candidates, threads: int) -> Floats:
        different, word = np.unique(found.new, return_inverse=True)
        words = Lines(found.words.buffer, np.ascontiguousarray(found.words.spans[different]))
        columns = [
            each.scores(ready.lowered, found.line, found.position, words, word, threads)
            for each in self.filters
        ]
        return np.stack(columns, axis=1) if columns else np.zeros((len(found), 0))

    def _verdicts(self, found: Candidates, scores: Floats) -> NDArray[np.int8]:
        missing = np.isnan(scores)
        known = np.where(missing, 0.0, scores)
        total = known.sum(axis=1)
        passes = total >= 0 if self.combine == "sum" else (known >= 0).all(axis=1)
        verdicts = np.where(passes, ACCEPTED, REFUSED).astype(np.int8)
        if self.unknown == "refuse":
            verdicts[missing.any(axis=1)] = UNKNOWN
        accepted = np.flatnonzero(verdicts == ACCEPTED)
        place = found.line[accepted], found.position[accepted]
        order = accepted[np.lexsort((found.place[accepted], -total[accepted], *place[::-1]))]
        again = (np.diff(found.line[order]) == 0) & (np.diff(found.position[order]) == 0)
        verdicts[order[1:][again]] = OUTDONE
        return verdicts


def _rewritten(ready: References, found: Candidates, accepted: Ints, threads: int) -> LineGroups:
    """The references with the accepted words in their places; accepted ones are in reading order."""
    if len(accepted) == 0:
        return ready.given
    line, position, place = found.line[accepted], found.position[accepted], found.place[accepted]
    segment = segment_of_line(ready.given.groups, len(ready.tokens))[line]
    words = [
        restored(new, old, capitals=old.isupper() and ready.tokens[at].isupper())
        for old, new, at in zip(
            chosen_tokens(ready.tokens, line, position),
            chosen_tokens(found.outputs, segment, place),
            line.tolist(),
            strict=True,
        )
    ]
    lines = spliced(ready.given.lines, ready.tokens, line, position, words, threads)
    return LineGroups(lines, ready.given.groups)


def chosen_tokens(lines: Lines, line: Ints, position: Ints) -> list[str]:
    """The tokens at these places, in lines with one blank between tokens.

    >>> chosen_tokens(Lines.of(["a b", "c d"]), np.array([0, 1]), np.array([1, 0]))
    ['b', 'c']
    """
    different, row = np.unique(line, return_inverse=True)
    texts = [lines[i].split(" ") for i in different.tolist()]
    return [texts[i][at] for i, at in zip(row.tolist(), position.tolist(), strict=True)]
