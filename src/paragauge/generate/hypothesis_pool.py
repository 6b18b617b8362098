"""All hypotheses so far: the union of n-best lists under different weights, with scores.

Tuning uses every paraphrase seen so far, not only the last list. The hypotheses of a sentence differ in
text or in features: two derivations of one text are two points for the model but one for the metric,
which scores each text once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from paragauge.generate.nbest import NBest
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric


@dataclass
class PoolRow:
    """The hypotheses of one sentence: their features and, at the same index, their scores."""

    features: list[Floats] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    seen: set[tuple[str, bytes]] = field(default_factory=set)
    known: dict[str, float] = field(default_factory=dict)  # the metric's value for each text


class HypothesisPool:
    """Accumulates hypotheses of some sentences and scores them by a metric.

    >>> from paragauge.metrics.pinc import PINC
    >>> from paragauge.text.lines import Lines
    >>> pool = HypothesisPool(PINC(order=1), sources=["a b"], references=None)
    >>> lists = NBest(("f",), Lines.of(["a b", "a c"]), np.array([0, 2]), np.ones((2, 1)), np.ones(2))
    >>> pool.add(lists), pool.add(lists)
    (2, 0)
    >>> pool.rows[0].scores
    [0.0, 50.0]
    """

    def __init__(
        self,
        metric: Metric,
        *,
        sources: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        threads: int = 0,
    ) -> None:
        self._metric = metric
        self._texts = {"sources": sources, "references": references}
        self._threads = threads
        self.rows = [PoolRow() for _ in sources]

    def add(self, lists: NBest) -> int:
        """Add the hypotheses that are new; return their number."""
        texts = list(lists.texts)
        bounds = lists.offsets.tolist()
        new_texts: list[tuple[int, str]] = []
        added: list[tuple[int, int]] = []
        for sentence, row in enumerate(self.rows):
            for index in range(bounds[sentence], bounds[sentence + 1]):
                key = (texts[index], lists.features[index].tobytes())
                if key in row.seen:
                    continue
                row.seen.add(key)
                added.append((sentence, index))
                if texts[index] not in row.known:
                    row.known[texts[index]] = np.nan
                    new_texts.append((sentence, texts[index]))
        for (sentence, text), value in zip(new_texts, self._score(new_texts).tolist(), strict=True):
            self.rows[sentence].known[text] = value
        for sentence, index in added:
            row = self.rows[sentence]
            row.features.append(lists.features[index])
            row.scores.append(row.known[texts[index]])
        return len(added)

    def _score(self, pairs: list[tuple[int, str]]) -> Floats:
        """The metric's value for each text; higher is better."""
        if not pairs:
            return np.zeros(0)
        inputs = {
            name: [texts[sentence] for sentence, _ in pairs]
            for name, texts in self._texts.items()
            if texts is not None
        }
        values = self._metric.segments([text for _, text in pairs], **inputs, threads=self._threads)
        return values if self._metric.higher_is_better else -values
