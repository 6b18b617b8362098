"""Synchronous parse coverage of a grammar (Weese, Ganitkevitch and Callison-Burch 2014, section 4.1).

    all = 100 * covered pairs / all pairs of all sets of translations
    any = 100 * sets with at least one covered pair / all sets

(table 6 there), and the mean length in words of the sentences of covered pairs, over both sides, which
section 6 correlates with human judgments. A pair is parsed from its first translation to the second or,
on request, in both directions, and is covered if either direction is. The paper does not say which it
did. A pair whose parse hits a limit is not covered; such pairs are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, unknown_name
from paragauge.grammar.parse_settings import (
    COVERED,
    NO_SOURCE_PARSE,
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    STATUSES,
    UNREACHABLE,
    ParseSettings,
)
from paragauge.grammar.rule_rows import Rules
from paragauge.grammar.sentence_pairs import SentencePairs
from paragauge.grammar.sync_parser import ParseResult, SyncParser
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.version import __version__

CoverageDirections = Literal["one", "both"]
DIRECTIONS: tuple[CoverageDirections, ...] = get_args(CoverageDirections)
# A pair gets the status of one of its two directions, the one that is earlier in this list.
PREFERENCE = (COVERED, OUT_OF_TIME, OUT_OF_MEMORY, UNREACHABLE, NO_SOURCE_PARSE)


@dataclass(frozen=True, eq=False)
class Coverage:
    """How much of some pairs a grammar covers.

    `status`, uint8 [pairs], holds indices into `STATUSES`, `results` those of each direction. Of the
    `rules` read, `kept` can matter for these pairs and `left_out` have too many non-terminals.
    `loading` is in seconds.
    """

    name: str
    pairs: SentencePairs
    status: NDArray[np.uint8]
    results: tuple[ParseResult, ...]
    rules: int
    kept: int
    loading: float
    impossible: int
    signature: str
    left_out: int = 0

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Whether each pair is covered."""
        return np.asarray(self.status == COVERED)

    @property
    def all(self) -> float:
        """The percentage of pairs that are covered."""
        return 100 * self.counts[STATUSES[COVERED]] / len(self.pairs)

    @property
    def any(self) -> float:
        """The percentage of sets with a covered pair."""
        return 100 * self.covered_sets / self.pairs.sets

    @property
    def covered_sets(self) -> int:
        """The number of sets with a covered pair."""
        return len(np.unique(self.pairs.set_of[self.covered]))

    @property
    def length(self) -> float:
        """The mean length of the sentences of covered pairs, NaN if there are none."""
        lengths = self.pairs.lengths[self.covered]
        return float(lengths.mean()) if len(lengths) else float("nan")

    @property
    def counts(self) -> dict[str, int]:
        """The number of pairs by status."""
        counts = np.bincount(self.status, minlength=len(STATUSES)).tolist()
        return dict(zip(STATUSES, counts, strict=True))

    @property
    def seconds(self) -> tuple[float, float]:
        """Time of the source parse and of the target parse, summed over pairs and directions."""
        first, second = np.sum([result.seconds.sum(axis=0) for result in self.results], axis=0)
        return float(first), float(second)

    def record(self) -> dict[str, object]:
        """The result as JSON values."""
        return {
            "grammar": self.name,
            "rules": self.rules,
            "rules_kept": self.kept,
            "rules_left_out": self.left_out,
            "pairs": len(self.pairs),
            "sets": self.pairs.sets,
            "all": self.all,
            "any": self.any,
            "covered_sets": self.covered_sets,
            "length": self.length,
            "length_of_all": float(self.pairs.lengths.mean()),
            "status": self.counts,
            "skipped": self.pairs.skipped,
            "impossible": self.impossible,
            "signature": self.signature,
        }


def coverage(
    rules: Rules,
    pairs: SentencePairs,
    settings: ParseSettings | None = None,
    *,
    directions: CoverageDirections = "one",
    name: str | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> Coverage:
    """The coverage of a grammar: a `Grammar`, its folder, or rules.

    >>> from paragauge.grammar.rule import Rule
    >>> rules = [Rule.parse("[X] ||| a ||| b"), Rule.parse("[X] ||| c ||| c")]
    >>> pairs = SentencePairs.of_translations([["a c", "c"], ["b c", "a"], ["c b", "c"]])
    >>> result = coverage(rules, pairs)
    >>> result.covered.tolist(), round(result.all, 1), result.any, result.length
    ([True, False, False, False, True, False], 33.3, 100.0, 1.5)
    """
    if directions not in DIRECTIONS:
        raise unknown_name("value of directions", directions, DIRECTIONS)
    if len(pairs) == 0:
        raise InputError("expected at least one pair of sentences to parse, found none")
    settings = settings or ParseSettings()
    both = directions == "both"
    sources = Lines.concatenate([pairs.source, pairs.target]) if both else pairs.source
    targets = Lines.concatenate([pairs.target, pairs.source]) if both else pairs.target
    parser = SyncParser(rules, sources, targets, settings, threads=threads, progress=progress)
    result = parser.parse(progress)
    starts = range(0, len(result), len(pairs))
    by_direction = tuple(
        ParseResult(result.status[rows], result.items[rows], result.seconds[rows])
        for rows in (slice(start, start + len(pairs)) for start in starts)
    )
    return Coverage(
        name or parser.name,
        pairs,
        merge_statuses([direction.status for direction in by_direction]),
        by_direction,
        parser.read,
        len(parser),
        parser.seconds,
        int(parser.impossible[: len(pairs)].sum()),
        f"coverage|{pairs.signature}|{settings.signature}|directions:{directions}|v:{__version__}",
        parser.left_out,
    )


def merge_statuses(statuses: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """The status of each pair, from the statuses of its directions.

    >>> merge_statuses([np.array([0, 1], np.uint8), np.array([2, 3], np.uint8)]).tolist()
    [0, 3]
    """
    rank = np.argsort(np.array(PREFERENCE))
    best = np.min([rank[status] for status in statuses], axis=0)
    return np.asarray(np.array(PREFERENCE, np.uint8)[best])
