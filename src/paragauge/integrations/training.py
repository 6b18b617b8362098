"""Metrics in a training loop: one object, batch after batch, epoch after epoch.

`RunningScores` adds up the statistics of batches, so that the score of an epoch is that of the whole
set, however it was cut, and memory does not grow with it. `ComputeMetrics` is a function for trainers
that hand over token ids once per evaluation, such as Hugging Face's `Trainer(compute_metrics=...)`.

Models load when the first batch is scored and stay. With `cache`, vectors of texts are kept in a
folder, so that sources and references are encoded once for all epochs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.encode.encoder_by_name import keep_vectors
from paragauge.errors import InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import running_sum
from paragauge.metrics.scoring import batch_statistics, metrics_by_label, prepare
from paragauge.rewrite.rewritten_metric_spec import metric as metric_of
from paragauge.text.batch import GroupedTexts, Texts
from paragauge.text.python_data.text_columns import grouped_items

# What trainers put into labels where nothing is to be learned.
IGNORED_ID = -100


class RunningScores:
    """Corpus scores of everything that was added since the last `reset`.

    >>> running = RunningScores(["pinc"])
    >>> running.add(["a b"], sources=["a b"])
    >>> running.add(["c d"], sources=["a b"])
    >>> running.scores()
    {'pinc': 50.0}
    """

    def __init__(self, metrics: Iterable[Metric | str], *, cache: str | Path | None = None) -> None:
        """`metrics` are metrics or their specifications; `cache` is a folder for vectors of texts."""
        if isinstance(metrics, (Metric, str)):
            metrics_by_label(metrics)  # the error that says to put it in a list
        listed = [metric_of(one) if isinstance(one, str) else one for one in metrics]
        if not listed:
            raise SettingError("metrics: expected at least one metric, found none")
        self._metrics = dict(metrics_by_label(listed))
        if cache is not None:
            keep_vectors(Path(cache))
        self.reset()

    def reset(self) -> None:
        """Forget what was added, before the next epoch."""
        self._sums: dict[str, Any] = {}
        self.segments = 0

    def add(
        self,
        candidates: Texts,
        *positional: object,
        sources: GroupedTexts | None = None,
        references: GroupedTexts | None = None,
        threads: int = 0,
    ) -> None:
        """Add one batch; all arguments but the first need their names."""
        if positional:
            raise InputError(
                "expected the candidates and then names for the rest, found "
                f"{len(positional) + 1} inputs without names; write "
                "add(candidates, sources=sources, references=references)"
            )
        _, batch = prepare({"": candidates}, self._metrics, sources, references, threads)
        for (_, label), stats in batch_statistics(batch, self._metrics).items():
            self._sums[label] = running_sum(self._sums.get(label), stats)
        self.segments += len(batch)

    def scores(self) -> dict[str, float]:
        """The score of each metric, by its label."""
        if not self.segments:
            raise InputError("expected at least one segment, found none; add batches first")
        return {
            label: float(self._metrics[label].corpus_values(total))
            for label, total in self._sums.items()
        }


class ComputeMetrics:
    """A `compute_metrics` function: token ids in, scores by name out.

    `decode` turns ids into texts (a tokenizer's `batch_decode` with `skip_special_tokens=True`); `pad`
    is the id that replaces "ignored" ones. References are the labels, or `references` if they are
    given; `sources` are those of the evaluation set, in its order. Names get `prefix`.

    >>> words = ["<pad>", "a", "b", "c"]
    >>> def decode(rows):
    ...     return [" ".join(words[i] for i in row if i) for row in rows]
    >>> compute = ComputeMetrics(["bleu:order=2"], decode)
    >>> compute((np.array([[1, 2, 3]]), np.array([[1, 2, -100]])))
    {'bleu:order=2': 57.7...}
    """

    def __init__(
        self,
        metrics: Iterable[Metric | str],
        decode: Callable[[Any], Sequence[str]],
        *,
        sources: GroupedTexts | None = None,
        references: GroupedTexts | None = None,
        pad: int = 0,
        prefix: str = "",
        cache: str | Path | None = None,
    ) -> None:
        self._running = RunningScores(metrics, cache=cache)
        self._decode = decode
        self._sources = None if sources is None else grouped_items(sources, "sources")
        self._references = None if references is None else grouped_items(references, "references")
        self._pad = pad
        self._prefix = prefix

    def __call__(self, prediction: Any) -> dict[str, float]:
        """The scores of one evaluation: a pair, or an object with `predictions` and `label_ids`."""
        if hasattr(prediction, "predictions"):
            predictions, labels = prediction.predictions, prediction.label_ids
        else:
            predictions, labels = prediction
        # Models that return more than ids, such as past states, return a tuple.
        candidates = self._texts(predictions[0] if isinstance(predictions, tuple) else predictions)
        references = self._references
        if references is None and labels is not None:
            references = list(self._texts(labels))
        self._running.reset()
        self._running.add(candidates, sources=self._sources, references=references)
        return {f"{self._prefix}{name}": value for name, value in self._running.scores().items()}

    def _texts(self, ids: Any) -> Sequence[str]:
        rows = np.asarray(ids)
        if rows.ndim != 2 or not np.issubdtype(rows.dtype, np.integer):
            raise InputError(
                f"expected token ids, one row per text, found an array of {rows.ndim} dimensions of "
                f"{rows.dtype}; let the trainer generate (predict_with_generate=True), or take the "
                "argmax of the scores (preprocess_logits_for_metrics)"
            )
        return self._decode(np.where(rows == IGNORED_ID, self._pad, rows))
