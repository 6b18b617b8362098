"""Phrase pairs that mean the same, told from others by an encoder.

Word alignment of loose paraphrases pairs words that only stand in the same sentences ("end" and
"banana"), and phrases of which one says more ("man" and "man is dancing on a"). Counts cannot tell
these from rare paraphrases: both sides occur together each time. The vectors of phrases can: a pair is
kept if their cosine, times 100, is at least a threshold. A phrase paired with itself always stays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paragauge.encode.encoder_by_name import SHIPPED
from paragauge.generate.pair_filter import check_similarity, pair_similarities
from paragauge.text.bitext import Bitext

MIN_PHRASE_SIMILARITY = 60.0


class PhraseFilter:
    """Keeps rows of a phrase table whose sides are at least this similar.

    0 keeps all rows and needs no encoder.

    >>> import pyarrow as pa
    >>> rows = pa.table({"source": ["end", "end", "guy"], "target": ["banana", "end", "man"]})
    >>> phrases = PhraseFilter()
    >>> phrases.filter_rows(rows).column("target").to_pylist(), phrases.dropped
    (['end', 'man'], 1)
    """

    def __init__(
        self, least: float = MIN_PHRASE_SIMILARITY, encoder: str = SHIPPED, threads: int = 0
    ) -> None:
        check_similarity(least, "min_phrase_similarity")
        self._least, self._encoder, self._threads = least, encoder, threads
        self.dropped = 0

    def filter_rows(self, rows: Any) -> Any:
        """The rows of an Arrow table with the columns `source` and `target` that stay."""
        import pyarrow as pa

        if self._least == 0:
            return rows
        sources, targets = (rows.column(name).to_pylist() for name in ("source", "target"))
        keep = np.array([s == t for s, t in zip(sources, targets, strict=True)], bool)
        different = np.flatnonzero(~keep)
        pairs = Bitext.of(*([side[at] for at in different.tolist()] for side in (sources, targets)))
        values = pair_similarities(pairs, self._encoder, threads=self._threads)
        keep[different] = values >= self._least
        self.dropped += int((~keep).sum())
        return rows.filter(pa.array(keep))
