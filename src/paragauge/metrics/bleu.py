"""BLEU (Papineni et al. 2002), equal to sacreBLEU's for every setting that both have.

    BLEU = BP * exp(1/N * sum over n of log p_n)        BP = min(1, exp(1 - r/c))

p_n is the share of the candidate's n-grams that a reference has, each counted at most as often as in
the reference that has it most often; c is the length of the candidates and r that of the references,
in each segment the reference closest in length (the shorter of two equally close). Counts are summed
over the corpus before the division. The statistics are (c, r, matches 1..N, n-grams 1..N).

`ref_length="shortest"` takes the shortest reference of each segment instead, as NIST's mteval did up to
version 11b; its `bleu_score` is exp(min(0, 1 - shortest / c)) times the precisions, without smoothing.
Papers of that time report it (Kauchak and Barzilay 2006: "r is the size of the smallest set of
reference sentences"). With one reference per segment both are the same.

Smoothing (Chen and Cherry 2014) decides what happens to an order without a match: `exp` halves the
precision of each such order (NIST), `floor` sets the count to `smooth_value` (0.1), `add-k` adds
`smooth_value` (1) to both counts of all orders above 1, `none` leaves the score at 0. A candidate
without any match scores 0 whatever the smoothing.

`effective_order` leaves out the orders longer than the candidate. sacreBLEU asks its users to switch
it on for sentences and leave it off for corpora; the default `segments` does exactly that.

`source="include"` counts the source as one more reference. Chen and Dolan (2011, figure 4) found
that this correlates better with judgments of meaning, and leaving it out with overall quality.

Deviations from the paper: none in the corpus score. An empty candidate scores 0; an empty reference
is a reference of length 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from paragauge.errors import SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import Metric
from paragauge.metrics.pair_counts import both_sides, pair_counts
from paragauge.metrics.settings import (
    case_setting,
    normalize_setting,
    order_setting,
    setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch, TokenGroups
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Case, Normalize, Tokenizer

Smoothing = Literal["none", "floor", "add-k", "exp"]
EffectiveOrder = Literal["segments", "always", "never"]
SourceUse = Literal["exclude", "include"]
ReferenceLength = Literal["closest", "shortest"]
_DEFAULT_VALUE = {"floor": 0.1, "add-k": 1.0}
# sacreBLEU's logarithm of 0: finite, and exp of it is 0.
_LOG_ZERO = -9999999999.0


def smooth_setting() -> Any:
    """The field `smooth` of all metrics made from BLEU."""
    return setting(
        "exp", choices=get_args(Smoothing), help="what BLEU does with an order without a match"
    )


def smooth_value_setting() -> Any:
    """The field `smooth_value` of all metrics made from BLEU."""
    meaning = "value for floor (default 0.1) and add-k (default 1)"
    return setting(None, key="k", low=0, help=meaning)


def effective_order_setting() -> Any:
    """The field `effective_order` of BLEU and iBLEU."""
    meaning = "where to leave out orders longer than the candidate"
    return setting("segments", key="eff", choices=get_args(EffectiveOrder), help=meaning)


def source_setting() -> Any:
    """The field `source` of BLEU and of what combines it with PINC."""
    meaning = "count the source as a reference"
    return setting("exclude", key="src", choices=get_args(SourceUse), help=meaning)


def ref_length_setting() -> Any:
    """The field `ref_length` of all metrics made from BLEU."""
    meaning = "the reference whose length the brevity penalty compares with"
    choices = get_args(ReferenceLength)
    return setting("closest", key="len", choices=choices, help=meaning, default_in_signature=False)


@dataclass(frozen=True)
class BLEU(Metric):
    """BLEU of candidates against references.

    >>> bleu = BLEU()
    >>> score = bleu.score(["the cat sat on the mat"], references=[["the cat is on the mat"]])
    >>> round(score.value, 2)
    37.99
    >>> score.signature
    'BLEU|refs:1|order:4|smooth:exp|eff:segments|src:exclude|tok:13a|case:mixed|scale:100|v:...'
    """

    name: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "n-grams shared with the references (meaning kept)"

    order: int = order_setting()
    smooth: Smoothing = smooth_setting()
    smooth_value: float | None = smooth_value_setting()
    effective_order: EffectiveOrder = effective_order_setting()
    source: SourceUse = source_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    ref_length: ReferenceLength = ref_length_setting()
    normalize: Normalize = normalize_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.smooth in _DEFAULT_VALUE:
            if self.smooth_value is None:
                object.__setattr__(self, "smooth_value", _DEFAULT_VALUE[self.smooth])
        elif self.smooth_value is not None:
            raise SettingError(
                f"BLEU smooth_value: smoothing '{self.smooth}' takes no value, "
                f"found {self.smooth_value}; use floor or add-k"
            )

    @property
    def needs(self) -> frozenset[str]:
        """References; also sources if they count as references."""
        return frozenset({"references"} | ({"sources"} if self.source == "include" else set()))

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(c, r, matches 1..N, n-grams 1..N) of each segment."""
        tokens = batch.normalized(self.normalize).tokens(self.tokenize, self.case)
        references = tokens.require("references")
        if self.source == "include":
            references = _merge_groups(references, tokens.require("sources"))
        candidates = tokens.candidates[system]
        return bleu_stats(candidates, references, self.order, batch.threads, self.ref_length)

    def pair_value(
        self,
        candidate: str,
        source: str | Sequence[str] | None,
        references: str | Sequence[str] | None,
    ) -> float | None:
        """BLEU of one candidate, from one call of a kernel."""
        if self.normalize != "none":
            return None
        others = references
        if self.source == "include":
            others = both_sides(references, source)
        counts = pair_counts(candidate, others, self.tokenize, self.case, self.order)
        if counts is None:
            return None
        (own, *theirs), row = counts
        if self.ref_length == "shortest":
            reference = min(theirs)
        else:
            reference = min(theirs, key=lambda length: (abs(length - own), length))
        effective = self.effective_order != "never"
        return bleu_value(own, reference, row, self.smooth, self.smooth_value, effective)

    def corpus_values(self, sums: Floats) -> Floats:
        """BLEU of summed statistics."""
        return self._values(sums, self.effective_order == "always")

    def segment_values(self, stats: Floats) -> Floats:
        """BLEU of each segment."""
        return self._values(stats, self.effective_order != "never")

    def _values(self, stats: Floats, effective: bool) -> Floats:
        return bleu_values(stats, self.smooth, self.smooth_value, effective)

    def parts(self, sums: Floats) -> dict[str, float]:
        """Precision of each order (unsmoothed), brevity penalty and lengths."""
        matches, ngrams = sums[2 : 2 + self.order], sums[2 + self.order :]
        precisions = {
            f"precision{n}": 100 * float(m / t) if t else 0.0
            for n, (m, t) in enumerate(zip(matches, ngrams, strict=True), 1)
        }
        return {
            **precisions,
            "brevity_penalty": float(_brevity(sums[0], sums[1])),
            "candidate_length": float(sums[0]),
            "reference_length": float(sums[1]),
        }


def bleu_stats(
    candidates: Ragged,
    others: TokenGroups,
    order: int,
    threads: int,
    ref_length: ReferenceLength = "closest",
) -> Floats:
    """BLEU's statistics of candidates against whatever stands in for references."""
    column = (candidates.ids, candidates.offsets, None)
    matches = _native.match_ngrams(column, others.column, order, "clip", True, threads)
    lengths = candidates.lengths
    theirs = shortest_lengths(others) if ref_length == "shortest" else closest_lengths(lengths, others)
    return np.concatenate([lengths[:, None], theirs[:, None], matches], axis=1).astype(np.float64)


def closest_lengths(lengths: Ints, others: TokenGroups) -> Ints:
    """In each segment the length closest to the candidate's, the shorter of two equally close.

    >>> three = TokenGroups(Ragged.from_lists([[0] * 3, [0] * 5, [0] * 9]), np.array([0, 3]))
    >>> closest_lengths(np.array([4]), three).tolist()
    [3]
    """
    theirs = others.tokens.lengths
    if others.groups is None:
        return theirs
    distance = np.abs(theirs - lengths[others.segment_of_line()])
    # Distance first, then length, in one number, so that one minimum decides.
    size = int(theirs.max(initial=0)) + 1
    return np.asarray(np.minimum.reduceat(distance * size + theirs, others.groups[:-1]) % size)


def shortest_lengths(others: TokenGroups) -> Ints:
    """In each segment the length of the shortest reference.

    >>> three = TokenGroups(Ragged.from_lists([[0] * 3, [0] * 5, [0] * 9]), np.array([0, 3]))
    >>> shortest_lengths(three).tolist()
    [3]
    """
    theirs = others.tokens.lengths
    if others.groups is None:
        return theirs
    return np.asarray(np.minimum.reduceat(theirs, others.groups[:-1]))


def bleu_values(stats: Floats, smooth: str, value: float | None, effective: bool) -> Floats:
    """BLEU of rows (c, r, matches 1..N, n-grams 1..N): [..., 2 + 2N] in, [...] out."""
    order = (stats.shape[-1] - 2) // 2
    matches, ngrams = stats[..., 2 : 2 + order], stats[..., 2 + order :]
    matched = matches.any(axis=-1)
    if smooth == "add-k":
        extra = np.where(np.arange(order) > 0, value or 0.0, 0.0)
        matches, ngrams = matches + extra, ngrams + extra
    # From the first order without n-grams on, nothing has a precision.
    known = np.logical_and.accumulate(ngrams > 0, axis=-1)
    safe = np.where(known, ngrams, 1.0)
    zero = known & (matches == 0)
    precision = np.where(known, 100.0 * matches / safe, 0.0)
    if smooth == "exp":
        precision = np.where(zero, 100.0 / (2.0 ** np.cumsum(zero, axis=-1) * safe), precision)
    elif smooth == "floor":
        precision = np.where(zero, 100.0 * (value or 0.0) / safe, precision)
    logs = np.log(precision, out=np.full_like(precision, _LOG_ZERO), where=precision > 0)
    count = np.maximum(known.sum(axis=-1), 1) if effective else np.full(matched.shape, order)
    if effective:
        logs = np.where(known, logs, 0.0)
    mean = logs.sum(axis=-1) / count
    brevity = _brevity(stats[..., 0], stats[..., 1])
    return np.asarray(np.where(matched, brevity * np.exp(mean), 0.0))


def bleu_value(
    length: int, reference: int, row: list[int], smooth: str, value: float | None, effective: bool
) -> float:
    """`bleu_values` of one row, in Python's numbers but for the functions of NumPy that round.

    >>> bleu_value(4, 4, [3, 1, 0, 0, 4, 3, 2, 1], "exp", None, True)
    35.35533905932737
    """
    order = len(row) // 2
    if not any(row[:order]):
        return 0.0
    precisions: list[float] = []
    halvings = 1.0
    for n in range(order):
        matches: float = row[n]
        ngrams: float = row[order + n]
        if smooth == "add-k" and n > 0:
            matches, ngrams = matches + (value or 0.0), ngrams + (value or 0.0)
        if ngrams <= 0:
            break
        if matches != 0:
            precisions.append(100.0 * matches / ngrams)
        elif smooth == "exp":
            halvings *= 2.0
            precisions.append(100.0 / (halvings * ngrams))
        else:
            precisions.append(100.0 * (value or 0.0) / ngrams if smooth == "floor" else 0.0)
    if not effective:
        precisions += [0.0] * (order - len(precisions))
    if 0.0 in precisions:
        mean = sum(np.log(p).item() if p > 0 else _LOG_ZERO for p in precisions) / len(precisions)
    else:
        mean = sum(np.log(precisions).tolist()) / len(precisions)
    brevity = 1.0 if length >= reference else np.exp(min(0.0, 1.0 - reference / length))
    return float(brevity * np.exp(mean))


def _brevity(length: Floats, reference: Floats) -> Floats:
    safe = np.where(length > 0, length, 1.0)
    penalty = np.exp(np.minimum(0.0, 1.0 - reference / safe))
    return np.where(length >= reference, 1.0, np.where(length > 0, penalty, 0.0))


def same_bleu(metric: Metric) -> BLEU:
    """BLEU with the settings that a metric built on it shares with it by name.

    >>> from paragauge import IBLEU
    >>> same_bleu(IBLEU(order=2)).order
    2
    """
    own = {field.name for field in dataclasses.fields(BLEU)}
    return BLEU(**{name: value for name, value in metric.settings().items() if name in own})


def _merge_groups(references: TokenGroups, sources: TokenGroups) -> TokenGroups:
    """References and sources as one group per segment."""
    offset = len(references.tokens.ids)
    everything = Ragged(
        np.concatenate([references.tokens.ids, sources.tokens.ids]),
        np.concatenate([references.tokens.offsets[:-1], sources.tokens.offsets + offset]),
    )
    segment = np.concatenate([references.segment_of_line(), sources.segment_of_line()])
    groups = np.concatenate([[0], np.cumsum(np.bincount(segment))]).astype(np.int64)
    return TokenGroups(everything.take(np.argsort(segment, kind="stable")), groups)
