"""Modified Kneser-Ney estimation, on dictionaries; `lm/estimate.py` has the formulas.

Words are numbers from 3 on; 0 is ``<unk>``, 1 is ``<s>`` and 2 is ``</s>``. Calls come in this order:
`add` any number of times, `adjust`, `smooth` once per order, then `read`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Ids, Ints, Singles, sentences

UNKNOWN, BEGIN, END = 0, 1, 2
LOG_ZERO = -99.0
Ngram = tuple[int, ...]
Discounts = tuple[float, float, float]


def estimate_discounts(
    frequencies: Sequence[int], order: int, fallback: Sequence[float] | None
) -> Discounts:
    """D1, D2 and D3+ from the numbers of n-grams with adjusted count 0 to 4."""
    wrong = ""
    discounts = []
    for j in (1, 2, 3):
        if frequencies[j] == 0:
            wrong = wrong or f"none has adjusted count {j}"
    if not wrong:
        y = frequencies[1] / (frequencies[1] + 2.0 * frequencies[2])
        for j in (1, 2, 3):
            discounts.append(j - (j + 1.0) * y * (frequencies[j + 1] / frequencies[j]))
            if not 0 <= discounts[-1] <= j:
                wrong = wrong or f"the one for adjusted count {j} is out of range"
    if wrong and fallback is None:
        raise ValueError(f"cannot estimate the discounts of {order}-grams: {wrong}")
    first, second, third = fallback if wrong and fallback is not None else discounts
    return first, second, third


class NgramEstimator:
    """The model of some sentences; `memory`, `folder` and `threads` do not change it."""

    def __init__(self, order: int, memory: int, folder: str, threads: int) -> None:
        del memory, folder, threads
        if not 1 <= order <= 6:
            raise ValueError("order must be from 1 to 6")
        self._order = order
        self._raw: list[Counter[Ngram]] = [Counter() for _ in range(order)]
        self._before: list[defaultdict[Ngram, set[int]]] = [defaultdict(set) for _ in range(order)]
        self._adjusted: list[dict[Ngram, int]] = []
        self._pruned: list[set[Ngram]] = []
        self._probabilities: list[dict[Ngram, float]] = []
        self._gammas: list[dict[Ngram, float]] = [{} for _ in range(order)]
        self._read = [0] * order
        self._done = self._failed = False
        self.discounts: list[Discounts] = []
        self.counts: list[int] = []
        self.spilled = 0

    def add(self, ids: Ids, offsets: Ints) -> None:
        """Count the n-grams of sentences, with one ``<s>`` in front and ``</s>`` at the end."""
        if self._done:
            raise ValueError("sentences must be added before adjust")
        if len(ids) and int(ids.min()) < 3:
            raise ValueError("words have numbers from 3 on")
        for words in sentences(ids, offsets):
            text = (BEGIN, *words, END)
            for end in range(2, len(text) + 1):
                for k in range(1, min(self._order, end) + 1):
                    self._raw[k - 1][text[end - k : end]] += 1
                    if end > k:
                        self._before[k - 1][text[end - k : end]].add(text[end - k - 1])

    def adjust(self, prune: Sequence[int], fallback: Sequence[float] | None) -> None:
        """Adjusted counts, what is pruned, and discounts."""
        if self._done:
            raise ValueError("adjust may be called once")
        if len(prune) != self._order or prune[0] != 0:
            raise ValueError("expected a number to prune per order")
        if list(prune) != sorted(prune):
            raise ValueError("numbers to prune must not decrease")
        if fallback is not None and len(fallback) != 3:
            raise ValueError("expected three discounts to fall back to")
        if fallback is not None and not all(0 <= d <= j for j, d in enumerate(fallback, 1)):
            raise ValueError("a discount is from 0 to its count")
        self._done = self._failed = True
        for k, raw in enumerate(self._raw, 1):
            as_it_stands = k == self._order
            counts = {
                gram: count if as_it_stands or gram[0] == BEGIN else len(self._before[k - 1][gram])
                for gram, count in raw.items()
            }
            if k == 1:
                counts |= {(UNKNOWN,): 0, (BEGIN,): 0}
            self._adjusted.append(counts)
            self._pruned.append(
                {gram for gram, count in raw.items() if k > 1 and count <= prune[k - 1]}
            )
        self.counts = [
            len(counts) - len(pruned)
            for counts, pruned in zip(self._adjusted, self._pruned, strict=True)
        ]
        for k, counts in enumerate(self._adjusted, 1):
            frequencies = Counter(counts.values())
            self.discounts.append(estimate_discounts([frequencies[j] for j in range(5)], k, fallback))
        self._failed = False

    def smooth(self) -> None:
        """Probabilities of the next order, interpolated with those of the order below."""
        if not self._done or self._failed or len(self._probabilities) == self._order:
            raise ValueError("smooth is called once per order, after adjust")
        k = len(self._probabilities) + 1
        discounts = (0.0, *self.discounts[k - 1])
        groups: defaultdict[Ngram, list[Ngram]] = defaultdict(list)
        for gram in sorted(self._adjusted[k - 1]):
            groups[gram[:-1]].append(gram)
        probabilities: dict[Ngram, float] = {}
        for context, grams in groups.items():
            self._smooth_context(context, grams, discounts, probabilities)
        self._probabilities.append(probabilities)

    def _smooth_context(
        self,
        context: Ngram,
        grams: list[Ngram],
        discounts: tuple[float, ...],
        probabilities: dict[Ngram, float],
    ) -> None:
        k = len(context) + 1
        adjusted, pruned = self._adjusted[k - 1], self._pruned[k - 1]
        counted = [gram for gram in grams if gram not in ((UNKNOWN,), (BEGIN,))]
        total = sum(adjusted[gram] for gram in counted)
        mass = float(sum(adjusted[gram] for gram in counted if gram in pruned))
        frequencies = Counter(min(adjusted[gram], 3) for gram in counted if gram not in pruned)
        for j in (1, 2, 3):
            mass += discounts[j] * frequencies[j]
        gamma = mass / total if total else 1.0
        if k > 1:
            self._gammas[k - 2][context] = gamma
        for gram in grams:
            if gram in pruned:
                continue
            lower = self._probabilities[k - 2][gram[1:]] if k > 1 else 1.0 / (len(grams) - 1)
            if gram == (BEGIN,):
                probabilities[gram] = 1.0
            elif gram == (UNKNOWN,):
                probabilities[gram] = gamma * lower
            else:
                count = adjusted[gram]
                own = (count - discounts[min(count, 3)]) / total
                probabilities[gram] = own + gamma * lower

    def read(self, order: int, limit: int) -> tuple[Ids, Ids, Singles, Singles]:
        """The next n-grams of one order: words [n, order], parents, log10 of both values."""
        if len(self._probabilities) != self._order:
            raise ValueError("every order must be smoothed before one is read")
        if not 1 <= order <= self._order:
            raise ValueError("order must be one of the model's")
        first = self._read[order - 1]
        grams = sorted(self._probabilities[order - 1])[first : first + limit]
        self._read[order - 1] += len(grams)
        lower = sorted(self._probabilities[order - 2]) if order > 1 else [()]
        numbers = {gram: number for number, gram in enumerate(lower)}
        gammas = self._gammas[order - 1]
        return (
            np.array(grams, np.int32).reshape(-1, order),
            np.array([numbers[gram[:-1]] for gram in grams], np.int32),
            np.array([_log10(self._probabilities[order - 1][gram]) for gram in grams], np.float32),
            np.array([_log10(gammas.get(gram, 1.0)) for gram in grams], np.float32),
        )


def _log10(value: float) -> float:
    return math.log10(value) if value > 0 else LOG_ZERO
