"""Synthetic references: reworded toward an output's words where context allows.

Kauchak and Barzilay (2006): the words of a reference that are not in the output are replaced by words
of the output that a thesaurus relates to them (`candidates.py`) and that fit their place in the
reference (`substitution_filters.py`). Beyond the paper, rules replace phrases by phrases in the same
way (`phrases.py`). Every substitution is tested on its own, in the context of the original reference,
and all that pass are applied.

Where the paper is silent:

- If several words pass for one place, or phrases whose spans overlap, the one with the largest sum of
  filter scores wins; ties, and all cases without filters, go to the highest probability, where words
  from a thesaurus, which have none, come last; then to the longest span, the leftmost, and the first
  in the output. The same is then repeated among those that do not overlap with a winner.
- A filter that cannot judge, because it has no classifier for the word, or because it judges only words
  and the proposal is a phrase, refuses (`unknown="refuse"`, like the paper, which does "not attempt to
  substitute" rare words), or does not count ("accept").
- With several filters, all must accept (`combine="all"`), or the sum of their scores must be 0 or more
  ("sum").
- The words take on the case of those that they replace (`splice.py`), and *a* or *an* before them
  follows their first sound (`agreement/article_agreement.py`); the rest of the reference stays the same
  to the last byte.

Each reference of a segment is rewritten on its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels.layout import Floats, Ints
from paragauge.rewrite.agreement.article_agreement import agreeing_article, skip_opening
from paragauge.rewrite.candidates import Candidates, References, candidates
from paragauge.rewrite.phrases import PhraseRules
from paragauge.rewrite.splice import output_texts, restore_phrase_case, splice_words
from paragauge.rewrite.substitution_filters import ContextFilter, PhraseFilter
from paragauge.rewrite.thesauri.thesaurus import Thesaurus
from paragauge.rewrite.thesauri.wordnet_thesaurus import WordNetThesaurus
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.batch import GroupedTexts, Texts
from paragauge.text.lines import LineGroups, Lines, segment_of_line

VERDICTS = ("accepted", "refused", "unknown", "outdone")
ACCEPTED, REFUSED, UNKNOWN, OUTDONE = range(4)
UnknownWords = Literal["refuse", "accept"]
UNKNOWNS: tuple[UnknownWords, ...] = get_args(UnknownWords)
Combination = Literal["all", "sum"]
COMBINATIONS: tuple[Combination, ...] = get_args(Combination)


@dataclass(frozen=True)
class Proposal:
    """One proposed substitution and its verdict.

    `segment`, `reference`, `first` and `last` count from 0: the segment, its reference, and the first
    and the last Penn token of that reference to replace. `probability` is that of a phrase rule, None
    for a proposal of a thesaurus. `scores` has one score for each filter, NaN where it could not judge.
    `verdict` is accepted, refused (by a filter), unknown (to a filter) or outdone (by a better
    substitution in that place).
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
    """Rewritten references, with a record of all proposals.

    `scores` is float64 [proposals, filters]; `verdicts` are indices into `VERDICTS`.

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

    def apply(self, proposals: Ints, threads: int = 0) -> LineGroups:
        """The original references with these proposals alone, by number; they must not overlap.

        >>> rewriting = Rewriter().run(["A big, hard rock"], ["It is large and difficult."])
        >>> rewriting.apply(np.array([0]))[0]
        ['A large, hard rock']
        """
        return _substitute(self.original, self.candidates, np.sort(proposals), threads)

    @property
    def segment(self) -> Ints:
        """The segment of each proposal, int64 [proposals]."""
        groups = self.references.groups
        return np.asarray(segment_of_line(groups, len(self.references.lines))[self.candidates.line])

    @property
    def reference(self) -> Ints:
        """The index of each proposal's reference in its segment, int64 [proposals]."""
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
    """Rewrites references: a thesaurus or phrase rules (or both) propose, and filters decide.

    >>> Rewriter().signature
    {'rewrite': 'wordnet-3.0', 'rewrite-tagger': 'perceptron-...', 'rewrite-filter': 'none'}
    """

    thesaurus: Thesaurus | None = field(default_factory=WordNetThesaurus)
    filters: tuple[ContextFilter, ...] = ()
    unknown: UnknownWords = "refuse"
    combine: Combination = "all"
    phrases: PhraseRules | None = None

    def __post_init__(self) -> None:
        if self.thesaurus is None and self.phrases is None:
            raise SettingError("expected a thesaurus or phrase rules to propose, found neither")
        if self.unknown not in UNKNOWNS:
            raise unknown_name("way to treat unknown words", self.unknown, UNKNOWNS)
        if self.combine not in COMBINATIONS:
            raise unknown_name("combination of filters", self.combine, COMBINATIONS)

    @property
    def needs_tags(self) -> bool:
        """Whether references must be tagged."""
        return self.thesaurus is not None and self.thesaurus.needs_tags

    @property
    def signature(self) -> dict[str, str]:
        """Everything the rewriting depends on, for the signatures of scores."""
        proposers = [part for part in (self.thesaurus, self.phrases) if part is not None]
        facts = {"rewrite": "+".join(proposer.name for proposer in proposers)}
        if self.needs_tags:
            facts["rewrite-tagger"] = PerceptronTagger.default().name
        facts["rewrite-filter"] = "+".join(judge.name for judge in self.filters) or "none"
        if self.filters:
            facts["rewrite-unknown"] = self.unknown
        if len(self.filters) > 1:
            facts["rewrite-combine"] = self.combine
        return facts

    def prepare(
        self, references: GroupedTexts | LineGroups, threads: int = 0, *, first: int = 0
    ) -> References:
        """Tokenize and tag references once, for several calls of `run` with different outputs.

        `first` is the number of the first segment in the whole corpus, for messages.
        """
        groups = LineGroups.of(references, "references")
        return References.of(groups, tagged=self.needs_tags, threads=threads, first=first)

    def run(
        self, references: GroupedTexts | LineGroups | References, outputs: Texts, *, threads: int = 0
    ) -> Rewriting:
        """Rewrite the references, one or several per segment, toward the outputs.

        >>> references = [["He is a big man.", "A large man"], ["It is cold."]]
        >>> rewriting = Rewriter().run(references, ["He is large.", "It's cold!"])
        >>> list(rewriting.references)
        [['He is a large man.', 'A large man'], ['It is cold.']]
        """
        if not isinstance(references, References):
            references = self.prepare(references, threads)
        texts = Lines.of(outputs, "candidates")
        proposed = candidates(references, texts, self.thesaurus, threads, self.phrases)
        scores = self._score(references, proposed, threads)
        verdicts = self._decide(proposed, scores)
        accepted = np.flatnonzero(verdicts == ACCEPTED)
        rewritten = _substitute(references, proposed, accepted, threads)
        return Rewriting(rewritten, references, proposed, scores, verdicts)

    def _score(self, references: References, proposed: Candidates, threads: int) -> Floats:
        """The score of each proposal by each filter."""
        distinct, word = np.unique(proposed.new, return_inverse=True)
        words = Lines(proposed.words.buffer, np.ascontiguousarray(proposed.words.spans[distinct]))
        tokens = references.lowercased
        scores = np.full((len(proposed), len(self.filters)), np.nan)
        single = proposed.single
        for rows, are_phrases in ((single, False), (~single, True)):
            if not rows.any():
                continue
            columns = proposed.line, proposed.first, proposed.last, word
            line, first, last, new = (column[rows] for column in columns)
            for number, judge in enumerate(self.filters):
                if not are_phrases:
                    values = judge.scores(tokens, line, first, words, new, threads)
                elif isinstance(judge, PhraseFilter):
                    values = judge.phrase_scores(tokens, line, (first, last), words, new, threads)
                else:
                    continue
                scores[rows, number] = values
        return scores

    def _decide(self, proposed: Candidates, scores: Floats) -> NDArray[np.int8]:
        """The verdict on each proposal."""
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
        verdicts[order[_find_overlaps(proposed, order)]] = OUTDONE
        return verdicts


def _find_overlaps(proposed: Candidates, order: Ints) -> NDArray[np.bool_]:
    """Which candidates, in this order, overlap with an earlier winner in their line."""
    overlaps = np.zeros(len(order), np.bool_)
    replaced: set[int] = set()
    previous = -1
    spans = zip(
        proposed.line[order].tolist(),
        proposed.first[order].tolist(),
        proposed.last[order].tolist(),
        strict=True,
    )
    for number, (line, first, last) in enumerate(spans):
        if line != previous:
            replaced.clear()
            previous = line
        tokens = range(first, last + 1)
        if replaced.isdisjoint(tokens):
            replaced.update(tokens)
        else:
            overlaps[number] = True
    return overlaps


def _substitute(
    references: References, proposed: Candidates, accepted: Ints, threads: int
) -> LineGroups:
    """The references with the accepted substitutions, which are in reading order."""
    if len(accepted) == 0:
        return references.texts
    line, span = proposed.line[accepted], (proposed.first[accepted], proposed.last[accepted])
    words = [
        restore_phrase_case(new, old, capitals=old.isupper() and references.tokens[at].isupper())
        for old, new, at in zip(
            span_tokens(references.tokens, line, *span),
            output_phrases(references, proposed, accepted, threads),
            line.tolist(),
            strict=True,
        )
    ]
    line, span, words = _with_articles(references, line, span, words)
    lines = splice_words(references.texts.lines, references.tokens, line, span, words, threads)
    return LineGroups(lines, references.texts.groups)


def _with_articles(
    references: References, line: Ints, span: tuple[Ints, Ints], words: list[str]
) -> tuple[Ints, tuple[Ints, Ints], list[str]]:
    """The replaced spans and their words, and among them the articles that follow a new sound."""
    distinct, row = np.unique(line, return_inverse=True)
    texts = [references.tokens[i].split(" ") for i in distinct.tolist()]
    spans: list[tuple[int, int, int]] = []
    agreeing: list[str] = []
    for at, number, first, last, word in zip(
        row.tolist(), line.tolist(), *(side.tolist() for side in span), words, strict=True
    ):
        before = skip_opening(texts[at], first)
        continues = bool(spans) and spans[-1][0] == number and spans[-1][2] == before
        if continues:
            start, space, end = agreeing[-1].rpartition(" ")
            agreeing[-1] = start + space + (agreeing_article(end, word) or end)
        elif (
            before >= 0
            and (article := agreeing_article(texts[at][before], word))
            and references.may_have_tag(number, before, "DT")
        ):
            spans.append((number, before, before))
            agreeing.append(article)
        following = skip_opening(texts[at], last, 1)
        after = texts[at][following] if following < len(texts[at]) else ""
        start, space, end = word.rpartition(" ")
        word = start + space + ((agreeing_article(end, after) if after else None) or end)
        spans.append((number, first, last))
        agreeing.append(word)
    columns = np.array(spans, np.int64).reshape(-1, 3)
    return columns[:, 0], (columns[:, 1], columns[:, 2]), agreeing


def output_phrases(
    references: References, proposed: Candidates, rows: Ints, threads: int = 0
) -> list[str]:
    """The words that some candidates take from the outputs, in their original form."""
    segments = segment_of_line(references.texts.groups, len(references.tokens))
    segment = segments[proposed.line[rows]]
    place, last = proposed.place[rows], proposed.place_last[rows]
    if (place == last).all():
        return span_tokens(proposed.output_tokens, segment, place, last)
    return output_texts(proposed.outputs, proposed.output_tokens, segment, (place, last), threads)


def span_tokens(lines: Lines, line: Ints, first: Ints, last: Ints) -> list[str]:
    """The tokens of each span, from lines with one space between tokens.

    >>> span_tokens(Lines.of(["a b", "c d"]), np.array([0, 1]), np.array([1, 0]), np.array([1, 1]))
    ['b', 'c d']
    """
    distinct, row = np.unique(line, return_inverse=True)
    texts = [lines[i].split(" ") for i in distinct.tolist()]
    spans = zip(row.tolist(), first.tolist(), last.tolist(), strict=True)
    return [" ".join(texts[i][start : stop + 1]) for i, start, stop in spans]
