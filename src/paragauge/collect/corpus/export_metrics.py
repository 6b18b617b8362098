"""Every sentence with its BLEU and PINC: what was collected, scored as it stands.

Chen and Dolan (2011), section 4: BLEU against several references measures whether a paraphrase keeps
the meaning, PINC against its source how far it moves away. Here each sentence is a candidate. Of
descriptions, the other sentences about the item are its references, and the sources whose mean PINC it
gets, since each of them could have been what it rewords. Of paraphrases, the sentence that was shown is
the source, and what others wrote for it are the references; the only paraphrase of a sentence has no
BLEU. A description without another one has neither, and is left out.

Corpus BLEU is that of all candidates that have references, corpus PINC the mean over sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.collect.corpus.clusters import Cluster, Clusters
from paragauge.collect.corpus.export_files import export_rows
from paragauge.collect.corpus.export_pairs import CorpusScore, ExportCounts, pick_references
from paragauge.metrics.base import Metric
from paragauge.metrics.bleu import BLEU
from paragauge.metrics.pinc import PINC

COLUMNS: dict[str, type] = {
    "item": str,
    "sentence": str,
    "tier": int,
    "language": str,
    "worker": str,
    "references": int,
    "bleu": float,
    "pinc": float,
}


@dataclass
class _Total:
    """The statistics of a metric, summed over clusters."""

    metric: Metric
    sums: Any = 0.0
    count: int = 0

    def score(self, candidates: Sequence[str], **texts: Any) -> list[float]:
        """The values of some candidates, which count in the total."""
        if not candidates:
            return []
        stats = self.metric.stats(candidates, **texts)
        self.sums = self.sums + np.asarray(stats).sum(axis=0)
        self.count += len(candidates)
        return [float(value) for value in self.metric.segment_values(stats)]

    def summarize(self, name: str) -> CorpusScore:
        """The value of all of them."""
        value = float(self.metric.corpus_values(np.asarray(self.sums)[None, :])[0])
        return CorpusScore(name, value, self.count, self.metric.signature)


def write_metrics(clusters: Clusters, path: str | Path) -> ExportCounts:
    """Write one row for each sentence with its metrics, item by item.

    >>> import tempfile
    >>> from paragauge.collect.corpus.clusters import Sentence, group_by_item
    >>> texts = ["a dog runs fast", "a dog runs", "rain"]
    >>> rows = [Sentence("v1", texts[0]), Sentence("v1", texts[1]), Sentence("v2", texts[2])]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     counts = write_metrics(group_by_item(rows), Path(folder, "out.tsv"))
    >>> counts.rows, [(each.name, round(each.value, 2)) for each in counts.scores]
    (2, [('BLEU', 69.14), ('PINC', 26.04)])
    """
    bleu, pinc = _Total(BLEU()), _Total(PINC())
    items = sentences = rows = 0
    with export_rows(path, COLUMNS, {}) as out:
        for cluster in clusters:
            items, sentences = items + 1, sentences + len(cluster.sentences)
            scored = _score(cluster, bleu, pinc)
            rows += len(scored["item"])
            out.write(scored)
    totals = (("BLEU", bleu), ("PINC", pinc))
    scores = tuple(total.summarize(name) for name, total in totals if total.count)
    return ExportCounts(items, sentences, rows, scores=scores)


def _score(cluster: Cluster, bleu: _Total, pinc: _Total) -> dict[str, list[Any]]:
    texts = cluster.texts
    if cluster.source is None and len(texts) < 2:
        return {name: [] for name in COLUMNS}
    references = [pick_references(texts, own) for own in range(len(texts))]
    sources = [[cluster.source]] * len(texts) if cluster.source is not None else references
    values: list[float | None] = [None] * len(texts)
    if len(texts) > 1:
        values = list(bleu.score(texts, references=references))
    columns: dict[str, list[Any]] = {
        name: [getattr(sentence, name) for sentence in cluster.sentences]
        for name in ("item", "tier", "language", "worker")
    }
    columns |= {"sentence": texts, "references": [len(others) for others in references], "bleu": values}
    columns["pinc"] = list(pinc.score(texts, sources=sources))
    return {name: columns[name] for name in COLUMNS}
