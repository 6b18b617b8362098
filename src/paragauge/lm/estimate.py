"""Estimation: modified Kneser-Ney smoothing (Chen and Goodman 1998), interpolated, as in KenLM's lmplz.

Heafield et al. (2013) describe lmplz. With c the adjusted count of an n-gram hw (h its context, h' the
context without its first word): the number of times it occurs in the text if it has the highest order
or begins with ``<s>``, else the number of different words before it,

    P(w|h) = (c(hw) - D(c(hw))) / sum_v c(hv)  +  g(h) P(w|h')
    g(h)   = (D1 N1(h) + D2 N2(h) + D3 N3+(h)) / sum_v c(hv)

where Nj(h) n-grams after h have adjusted count j. With nj the number of n-grams of the same order that
have adjusted count j, and Y = n1 / (n1 + 2 n2): Dj = j - (j + 1) Y n(j+1) / nj. Unigrams are
interpolated with the uniform distribution over all words but ``<s>``, ``<unk>`` among them. ``<s>`` has
probability 1.

Pruning by count removes n-grams that occur at most as often as the number given for their order;
their mass goes to g(h). Discounts are estimated before that.

Deviations from lmplz: double instead of single precision (they differ by less than 1e-6 in log10);
unigrams are never pruned; ``<s>``, ``</s>`` and ``<unk>`` in the text are always an error.

N-grams are counted and sorted in blocks, and what does not fit in `memory` is written to a temporary
folder and merged: estimation itself needs about that much memory for a text of any size. Time grows as
n log n.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids, Singles
from paragauge.lm.ngram_table import BATCH, Level, NgramTable
from paragauge.lm.text_form import MARKS, Encoder, TextForm, new_vocabulary
from paragauge.text.files import os_error
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import check_threads

SMOOTHING = "modified Kneser-Ney, interpolated"
MOST_ORDER = 6
LEAST_MEMORY = 1 << 20
MOST_MEMORY = 1 << 60
FALLBACK = (0.5, 1.0, 1.5)


class DiscountError(InputError):
    """Discounts cannot be estimated; `flag` is the option that sets some to fall back to.

    >>> str(DiscountError("no 2-gram occurs once", "--fall-back"))
    'no 2-gram occurs once; the text is small or artificial: ... to fall back to (--fall-back)'
    """

    def __init__(self, reason: str, flag: str = "--discount-fallback") -> None:
        super().__init__(
            f"{reason}; the text is small or artificial: give more of it, without repeated lines, "
            f"or set discounts to fall back to ({flag})"
        )
        self.reason = reason


@dataclass(frozen=True)
class EstimationSettings:
    """What is estimated.

    `order`: words in the longest n-grams, 1 to 6. `prune`: for each order, beginning with 0, n-grams
    that occur this often or less are removed; the last number holds for higher orders.
    `discount_fallback`: D1, D2 and D3+ for orders where they cannot be estimated; None makes that an
    error. `memory`: bytes. `folder`: where temporary files go; None for the system's choice.

    >>> EstimationSettings(order=4, prune=(0, 0, 1)).thresholds
    (0, 0, 1, 1)
    """

    order: int = 4
    prune: Sequence[int] = (0,)
    discount_fallback: Sequence[float] | None = None
    memory: int = 1 << 30
    folder: str | Path | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        check_threads(self.threads)
        if not isinstance(self.order, int) or not 1 <= self.order <= MOST_ORDER:
            raise SettingError(
                f"order: expected a whole number from 1 to {MOST_ORDER}, found {self.order!r}"
            )
        if not isinstance(self.memory, int) or not LEAST_MEMORY <= self.memory <= MOST_MEMORY:
            raise SettingError(
                f"memory: expected {LEAST_MEMORY:,} to {MOST_MEMORY:,} bytes, found {self.memory!r}"
            )
        self._check_prune()
        if self.discount_fallback is not None:
            discounts = tuple(self.discount_fallback)
            if len(discounts) != 3 or not all(0 <= d <= j for j, d in enumerate(discounts, 1)):
                raise SettingError(
                    "discount fallback: expected D1, D2 and D3 with 0 <= Dj <= j, "
                    f"for example 0.5 1 1.5, found {' '.join(map(str, discounts))}"
                )

    def _check_prune(self) -> None:
        counts = tuple(self.prune)
        listed = " ".join(map(str, counts)) or "nothing"
        if not counts or not all(isinstance(n, int) and 0 <= n < 1 << 31 for n in counts):
            raise SettingError(f"prune: expected counts such as 0 0 1, found {listed}")
        if len(counts) > self.order:
            raise SettingError(f"prune: expected at most {self.order} counts, found {listed}")
        if counts[0] != 0:
            raise SettingError(f"prune: unigrams are not pruned; begin with 0, found {listed}")
        if list(counts) != sorted(counts):
            raise SettingError(f"prune: expected counts that do not decrease, found {listed}")

    @property
    def thresholds(self) -> tuple[int, ...]:
        """The count to prune up to, for each order."""
        counts = tuple(self.prune)
        return counts + counts[-1:] * (self.order - len(counts))


class Estimation:
    """Estimation step by step: `add` lines, `finish`, then read the n-grams.

    >>> with Estimation(EstimationSettings(order=2, discount_fallback=FALLBACK)) as estimation:
    ...     estimation.add(["a b", "a c"])
    ...     estimation.finish()
    ...     estimation.counts
    (6, 5)
    """

    def __init__(self, settings: EstimationSettings, form: TextForm | None = None) -> None:
        self.settings = settings
        self.form = form or TextForm()
        self.vocabulary = new_vocabulary()
        self.sentences = self.tokens = 0
        self._encoder = Encoder(self.form, self.vocabulary, grow=True)
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="paragauge-lm-", dir=settings.folder)
        except OSError as error:
            raise os_error(settings.folder or tempfile.gettempdir(), error) from None
        self._native = _native.NgramEstimator(
            settings.order, settings.memory, self._folder.name, settings.threads
        )

    def __enter__(self) -> Estimation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of n-grams of each order."""
        return tuple(self._native.counts)

    @property
    def discounts(self) -> list[tuple[float, float, float]]:
        """D1, D2 and D3+ of each order."""
        return list(self._native.discounts)

    @property
    def spilled(self) -> int:
        """How many temporary files were written."""
        return self._native.spilled

    def add(self, lines: Iterable[str], what: str = "lines", before: int | None = None) -> None:
        """Count some sentences; errors name them as line `before` + 1 and following of `what`."""
        before = self.sentences if before is None else before
        packed = Lines.of(lines, what)
        words = self._encoder.encode(packed, self.settings.threads)
        marks = np.flatnonzero(words.ids < len(MARKS))
        if len(marks):
            line = int(np.searchsorted(words.offsets, marks[0], side="right"))
            mark = MARKS[words.ids[marks[0]]]
            raise InputError(
                f"{what}:{before + line}: expected words, found {mark}, which a language model "
                "puts there itself; take it out of the text"
            )
        self._native.add(words.ids, words.offsets)
        self.sentences += len(packed)
        self.tokens += len(words.ids)

    def finish(self, progress: Callable[[str], None] | None = None) -> None:
        """Estimate discounts and probabilities of all orders."""
        if self.tokens == 0:
            raise InputError("expected text to learn a language model from, found no words")
        tell = progress or _quiet
        tell("adjusting counts")
        fallback = self.settings.discount_fallback
        try:
            self._native.adjust(
                list(self.settings.thresholds), None if fallback is None else list(fallback)
            )
        except ValueError as error:
            raise DiscountError(str(error)) from None
        for order in range(1, self.settings.order + 1):
            tell(f"smoothing {order}-grams")
            self._native.smooth()

    def ngrams(self, order: int) -> Iterator[tuple[Ids, Singles, Singles]]:
        """Words [n, order], probabilities and back-offs of one order, in batches, once."""
        while True:
            words, _, probabilities, backoffs = self._native.read(order, BATCH)
            if len(words) == 0:
                return
            yield words, probabilities, backoffs

    def table(self) -> NgramTable:
        """All n-grams in memory; once, and instead of `ngrams`."""
        levels = []
        for order in range(1, self.settings.order + 1):
            words, parents, probabilities, backoffs = self._native.read(order, 1 << 62)
            last = np.ascontiguousarray(words[:, -1])
            levels.append(Level(parents, last, probabilities, backoffs))
        return NgramTable(self.vocabulary, tuple(levels))


def _quiet(_: str) -> None:
    """Report no progress."""
