"""Phrase pairs that mean the same, told from others by an encoder.

Word alignment of loose paraphrases pairs words that only stand in the same sentences ("end" and
"banana"), and phrases of which one says more ("man" and "man is dancing on a"). Counts cannot tell
these from rare paraphrases: both sides occur together each time. The vectors of phrases can: a pair is
kept if their cosine, times 100, is at least a threshold, and if it keeps the persons
(`person_words.py`) and the details (`phrase_details.py`), which vectors do not tell apart. A phrase
paired with itself always stays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paragauge.encode.encoder_by_name import SHIPPED
from paragauge.generate.filters.pair_filter import check_similarity, pair_similarities
from paragauge.generate.filters.person_words import keeps_persons
from paragauge.generate.filters.phrase_details import keeps_details
from paragauge.text.bitext import Bitext

MIN_PHRASE_SIMILARITY = 60.0


class PhraseFilter:
    """Keeps rows of a phrase table whose sides are at least this similar and agree by English rules.

    A similarity of 0 keeps all rows and needs no encoder; `keep_persons` and `keep_details` false leave
    out the rules for persons and for details.

    >>> import pyarrow as pa
    >>> rows = pa.table({"source": ["end", "end", "guy"], "target": ["banana", "end", "man"]})
    >>> phrases = PhraseFilter()
    >>> phrases.filter_rows(rows).column("target").to_pylist(), phrases.dropped
    (['end', 'man'], 1)
    """

    def __init__(
        self,
        least: float = MIN_PHRASE_SIMILARITY,
        encoder: str = SHIPPED,
        threads: int = 0,
        *,
        keep_persons: bool = True,
        keep_details: bool = True,
    ) -> None:
        check_similarity(least, "min_phrase_similarity")
        self._least, self._encoder, self._threads = least, encoder, threads
        rules = ((keep_persons, keeps_persons), (keep_details, keeps_details))
        self._rules = [rule for is_used, rule in rules if is_used]
        self.dropped = 0

    def filter_rows(self, rows: Any) -> Any:
        """The rows of an Arrow table with the columns `source` and `target` that stay."""
        import pyarrow as pa

        if self._least == 0 and not self._rules:
            return rows
        sources, targets = (rows.column(name).to_pylist() for name in ("source", "target"))
        sides = list(zip(sources, targets, strict=True))
        keep = np.array([source == target for source, target in sides], bool)
        different = [
            number
            for number, (source, target) in enumerate(sides)
            if source != target and all(keeps(source, target) for keeps in self._rules)
        ]
        keep[different] = True
        if self._least > 0:
            pairs = Bitext.of(*([side[number] for number in different] for side in (sources, targets)))
            values = pair_similarities(pairs, self._encoder, threads=self._threads)
            keep[different] = values >= self._least
        self.dropped += int((~keep).sum())
        return rows.filter(pa.array(keep))
