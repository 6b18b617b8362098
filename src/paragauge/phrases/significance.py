"""Pruning of phrase tables by significance (Johnson, Martin, Foster and Kuhn 2007).

Of N sentence pairs, C(s) have the source phrase, C(t) the target phrase and C(s, t) both. Fisher's
exact test asks how likely so many with both are if the phrases were independent; the significance is
-ln p (`kernels/reference/phrases/occurrences.py`). A pair of phrases that occur once each, together,
has p = 1/N, so alpha = ln N is the natural cut:

- `alpha+epsilon` keeps pairs above it, which drops all pairs that occur once together and nowhere else;
- `alpha-epsilon` keeps these pairs too, and drops only what is less significant.

Epsilon is 1e-6 here, in the paper "an appropriately small positive number". The counts are of sentence
pairs, as in the paper, not of extracted pairs, so they do not depend on the alignment. Other scores of
the rows that stay are unchanged, as in the paper.

Deviation: a phrase paired with itself stays in any case. In paraphrases, words such as "is" may occur
in nearly all sentences, so that no pair of them is significant, and "is" could only be changed.

The text is kept in memory until the table is done: its bytes, and four bytes per occurrence of each
phrase in a sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from paragauge.engine.arrow_strings import Texts, texts_of
from paragauge.engine.base import Engine
from paragauge.errors import unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Bools, unpack_texts
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged

Significance = Literal["off", "alpha-epsilon", "alpha+epsilon"]
SIGNIFICANCE: tuple[Significance, ...] = get_args(Significance)
EPSILON = 1e-6
PHRASES = """
SELECT {side} AS phrase FROM extracted GROUP BY {side} HAVING COUNT(*) >= {least} ORDER BY {side}
"""


def check_significance(name: str) -> None:
    """Reject an unknown cut.

    >>> check_significance("alpha")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown significance 'alpha'; ... known: off, ...
    """
    if name not in SIGNIFICANCE:
        raise unknown_name("significance", name, SIGNIFICANCE)


def least_significance(name: Significance, sentences: int) -> float:
    """What the significance of a pair must exceed.

    >>> round(least_significance("alpha+epsilon", 100), 3)
    4.605
    """
    alpha = math.log(max(1, sentences))
    return {"off": -math.inf, "alpha-epsilon": alpha - EPSILON, "alpha+epsilon": alpha + EPSILON}[name]


class SentencePairs:
    """The sentence pairs in which phrases are counted."""

    def __init__(self) -> None:
        self._sides: tuple[list[Lines], list[Lines]] = ([], [])
        self.dropped = 0

    def add(self, source: tuple[Texts, Ragged], target: tuple[Texts, Ragged]) -> None:
        """Add sentence pairs: the texts of words, and the sentences as numbers of words."""
        for lines, (texts, sentences) in zip(self._sides, (source, target), strict=True):
            words = unpack_texts(texts)
            lines.append(
                Lines.of([" ".join(words[number] for number in row) for row in sentences.to_lists()])
            )

    def __len__(self) -> int:
        return sum(map(len, self._sides[0]))

    def significant_rows(
        self,
        engine: Engine,
        extracted: Path,
        rows: Iterator[Any],
        cut: Significance,
        *,
        min_count: int = 1,
        threads: int = 0,
    ) -> Iterator[Any]:
        """The rows of a phrase table, without those that the cut drops; these are counted.

        A phrase paired with itself is not dropped. All pairs in `rows` were extracted `min_count`
        times or more, so rarer phrases are not counted.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        source, target = (
            _count_occurrences(engine, extracted, side, min_count, lines)
            for side, lines in zip(("source", "target"), self._sides, strict=True)
        )
        least = least_significance(cut, len(self))
        for table in rows:
            left, right = table.column("source"), table.column("target")
            counts = _native.count_phrase_pairs(
                source, target, texts_of(left), texts_of(right), threads
            )
            copies = pc.equal(left, right).to_numpy()
            kept: Bools = (_native.significances(counts, len(self)) > least) | copies
            self.dropped += int(len(kept) - kept.sum())
            yield table.filter(pa.array(kept))


def _count_occurrences(
    engine: Engine, extracted: Path, side: str, least: int, parts: list[Lines]
) -> _native.PhraseOccurrences:
    import pyarrow as pa

    query = PHRASES.format(side=side, least=least)
    batches = list(engine.batches(query, {"extracted": extracted}))
    phrases = pa.chunked_array([batch.column(0) for batch in batches], pa.string())
    lines = Lines.concatenate(parts)
    return _native.PhraseOccurrences(lines.buffer, np.ascontiguousarray(lines.spans), texts_of(phrases))
