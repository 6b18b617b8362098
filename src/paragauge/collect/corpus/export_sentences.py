"""Sentences and clusters as tables that `paragauge.collect.corpus.corpus_tables` reads back equal.

`write_sentences` writes one row for each sentence with all that is known about it. `write_clusters`
writes one row for each item with its sentences as a list (in TSV and CSV, spread over columns).
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from paragauge.collect.corpus.clusters import Clusters
from paragauge.collect.corpus.export_files import export_rows
from paragauge.collect.corpus.export_pairs import ExportCounts

COLUMNS: dict[str, type] = {
    "item": str,
    "sentence": str,
    "tier": int,
    "language": str,
    "worker": str,
    "submitted_at": str,
    "seconds": float,
    "decision": str,
    "comment": str,
    "source": str,
}


def write_sentences(clusters: Clusters, path: str | Path) -> ExportCounts:
    """Write one row for each sentence, item by item.

    >>> import tempfile
    >>> from paragauge.collect.corpus.clusters import Sentence, group_by_item
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = group_by_item([Sentence("v1", "a dog runs", tier=2)])
    ...     counts = write_sentences(rows, Path(folder, "out.jsonl"))
    >>> counts.items, counts.sentences, counts.rows
    (1, 1, 1)
    """
    items = sentences = 0
    with export_rows(path, COLUMNS, {}) as out:
        for cluster in clusters:
            rows = [asdict(sentence) for sentence in cluster.sentences]
            items, sentences = items + 1, sentences + len(rows)
            out.write(
                {
                    name: [row["text" if name == "sentence" else name] for row in rows]
                    for name in COLUMNS
                }
            )
    return ExportCounts(items, sentences, sentences)


def write_clusters(clusters: Clusters, path: str | Path, *, plain: bool = False) -> ExportCounts:
    """Write one row for each item: its key and its sentences.

    >>> import tempfile
    >>> from paragauge.collect.corpus.clusters import Sentence, group_by_item
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "out.tsv")
    ...     _ = write_clusters(group_by_item([Sentence("v1", "a dog"), Sentence("v1", "a cat")]), path)
    ...     path.read_text().split("\\n")[1].split("\\t")
    ['v1', 'a dog', 'a cat']
    """
    items = sentences = 0
    widest = max((len(cluster.sentences) for cluster in clusters), default=1)
    with export_rows(path, {"item": str, "sentence": list}, {"sentence": widest}, plain=plain) as out:
        for cluster in clusters:
            items, sentences = items + 1, sentences + len(cluster.sentences)
            out.write({"item": [cluster.item], "sentence": [cluster.texts]})
    return ExportCounts(items, sentences, items)
