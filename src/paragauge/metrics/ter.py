"""Translation edit rate (Snover et al. 2006), equal to sacreBLEU's for every setting that both have.

    TER = edits / average length of the references

times 100; lower is better. Edits are insertions, deletions and substitutions of words, and shifts of
sequences of words that the reference has elsewhere, each at a cost of 1. The search is that of the
authors' tercom as sacreBLEU has it: greedy, each time the shift that saves most edits, until none saves
any. It shifts at most 10 words at once, compares words that are at most 50 positions apart, tries at
most about 1,000 shifts of a pair of texts (the round that reaches them does not count any more), and
its edit distance stays within 25 words of the diagonal.

In each segment the reference that needs the fewest edits counts, the first of several, but the average
length is that of all. Edits and lengths are summed over the corpus before the division. Where all
references are empty, the score is 100 with an edit and 0 without. The statistics are (edits, average
length of the references, insertions, deletions, substitutions, shifts).

Words are split at white space. `normalized` splits punctuation off, as mteval does, and decodes XML
entities; `no_punct` removes `. , ? : ; ! " ( )`; `asian_support` makes `normalized` split East Asian
characters, kana not among them, and makes `no_punct` remove East Asian punctuation, and has no effect
without them. Lower case is the default, as in sacreBLEU.

Deviations from the paper: none. From tercom: those of sacreBLEU. Words go before their new place rather
than after it, and tercom's rules for kana have no effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.metrics.settings import normalize_setting, setting
from paragauge.metrics.ter_edits import TEREdits, describe_edits
from paragauge.text.batch import Batch
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.tokenizers import CASES, Case, Normalize, apply_case, encode_segments

_KINDS = ("insertions", "deletions", "substitutions", "shifts")


@dataclass(frozen=True)
class TER(Metric):
    """Translation edit rate: edits and shifts per reference word; lower is better.

    >>> TER().score(["a cat"], references=[["a cat"]]).value
    0.0
    >>> score = TER().score(["sat a big cat"], references=[["a cat sat"]])
    >>> round(score.value, 2), score.parts["deletions"], score.parts["shifts"]
    (66.67, 1.0, 1.0)
    """

    name: ClassVar[str] = "TER"
    summary: ClassVar[str] = "edits needed to reach a reference (lower is better)"
    higher_is_better: ClassVar[bool] = False

    normalized: bool = setting(False, key="norm", help="apply TERCOM's normalization")
    no_punct: bool = setting(False, key="nopunct", help="remove punctuation")
    asian_support: bool = setting(False, key="asian", help="treat Asian characters one by one")
    case: Case = setting("lower", choices=CASES, help="compare words as they are, or in lower case")
    normalize: Normalize = normalize_setting()

    @property
    def needs(self) -> frozenset[str]:
        """References."""
        return frozenset({"references"})

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(edits, average length, insertions, deletions, substitutions, shifts) of each segment."""
        batch = batch.normalized(self.normalize)
        theirs = batch.references
        if theirs is None:
            raise InputError("expected references, found none")
        references = batch.latest(
            ("tercom", *self.settings().values()),
            "",
            lambda: self._prepare(theirs.lines, batch.threads),
        )
        candidates = self._prepare(batch.systems[system], batch.threads)
        columns = [LineGroups(candidates), LineGroups(references, theirs.groups)]
        ours, others = encode_segments(columns, "none", "mixed", batch.threads)
        rows = _native.ter_counts(
            (ours.ids, ours.offsets, None), (others.ids, others.offsets, theirs.groups), batch.threads
        ).astype(np.float64)
        return np.concatenate(
            [rows[:, :1], rows[:, 1:2] / theirs.counts()[:, None], rows[:, 2:6]], axis=1
        )

    def _prepare(self, lines: Lines, threads: int) -> Lines:
        """Lines whose words are what TER compares."""
        lines = apply_case(lines, self.case)
        if not (self.normalized or self.no_punct):
            return lines
        buffer, offsets = _native.normalize_tercom(
            lines.buffer, lines.spans, self.normalized, self.no_punct, self.asian_support, threads
        )
        return Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1))

    def corpus_values(self, sums: Floats) -> Floats:
        """TER of summed statistics."""
        edits, length = sums[..., 0], sums[..., 1]
        without = np.where(edits > 0, 1.0, 0.0)
        return 100.0 * np.divide(edits, length, out=without, where=length > 0)

    def parts(self, sums: Floats) -> dict[str, float]:
        """The edits, those of each kind, and the length of the references."""
        kinds: Mapping[str, float] = dict(zip(_KINDS, map(float, sums[2:6]), strict=True))
        return {"edits": float(sums[0]), "reference_length": float(sums[1]), **kinds}

    def edits(self, candidate: str, references: str | Sequence[str]) -> TEREdits:
        """The edits that turn a candidate into the reference that needs the fewest.

        >>> edits = TER().edits("sat a big cat", "a cat sat")
        >>> edits.count, edits.shifts[0].words, edits.shifts[0].target
        (2, ('sat',), 3)
        >>> [step.edit for step in edits.steps]
        ['match', 'delete', 'match', 'match']
        """
        batch = Batch.of({"": [candidate]}, references=[references]).normalized(self.normalize)
        lines = batch.references.lines if batch.references is not None else Lines.of([])
        texts = [*self._prepare(batch.systems[""], 1), *self._prepare(lines, 1)]
        words = [tuple(text.split()) for text in texts]
        numbers: dict[str, int] = {}
        mine, *others = (
            np.array([numbers.setdefault(word, len(numbers)) for word in line], np.int32)
            for line in words
        )
        traces = [_native.ter_edits(mine, other) for other in others]
        counts = [len(shifts) + int(np.count_nonzero(steps)) for shifts, steps in traces]
        best = counts.index(min(counts))
        return describe_edits(words[0], words[best + 1], best, *traces[best])
