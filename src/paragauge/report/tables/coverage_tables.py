"""Coverage of grammars as tables: the layout of Weese, Ganitkevitch and Callison-Burch (2014), table 6,
with the average length of covered sentences and the number of pairs by status.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import IO, Any

from paragauge.grammar.pair_coverage import Coverage
from paragauge.grammar.parse_settings import STATUSES
from paragauge.kernels.layout import MOST_PARSED_NONTERMINALS
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.table_writers import tsv_cell
from paragauge.text.wording import pluralize

FIELDS = (
    "grammar",
    "rules",
    "rules_kept",
    "rules_left_out",
    "pairs",
    "sets",
    "all",
    "any",
    "covered_sets",
    "length",
    *STATUSES,
    "signature",
)
PAIR_FIELDS = (
    "grammar",
    "set",
    "first",
    "second",
    "status",
    "source_words",
    "target_words",
    "items",
    "source",
    "target",
)
HEADS = {
    "covered": "covered",
    "unreachable": "unreachable",
    "no-source-parse": "no parse",
    "out-of-time": "out of time",
    "out-of-memory": "out of memory",
}


def render_coverage(coverages: Sequence[Coverage], form: str = "text") -> str:
    """Coverage of one or more grammars in one of the formats.

    >>> from paragauge.grammar.pair_coverage import coverage
    >>> from paragauge.grammar.sentence_pairs import SentencePairs
    >>> from paragauge.grammar.rule import Rule
    >>> pairs = SentencePairs.of_translations([["a c", "c"], ["b c", "a"], ["c b", "c"]])
    >>> rules = [Rule.parse("[X] ||| a ||| b"), Rule.parse("[X] ||| c ||| c")]
    >>> print(render_coverage([coverage(rules, pairs, name="small")]))
    grammar  rules  % (all)  % (any)  length  covered  unreachable  no parse
    small        2     33.3    100.0     1.5        2            3         1
    <BLANKLINE>
    6 pairs in 2 sets; a sentence has 1.5 words on average.
    coverage|tok:blanks|case:mixed|empty:error|span:20|...|directions:one|v:...
    """
    if form == "json":
        return json_text(
            "grammar-coverage", {"coverage": [coverage.record() for coverage in coverages]}
        )
    if form == "tsv":
        return tsv_text(FIELDS, [_flat(coverage) for coverage in coverages])
    sets = any(coverage.pairs.sets < len(coverage.pairs) for coverage in coverages)
    hits = [
        status
        for status in STATUSES
        if not status.startswith("out-") or any(coverage.counts[status] for coverage in coverages)
    ]
    header = ["grammar", "rules", "% (all)", *["% (any)"] * sets, "length", *(HEADS[s] for s in hits)]
    rows = [
        [
            coverage.name,
            f"{coverage.rules:,}",
            f"{coverage.all:.1f}",
            *[f"{coverage.any:.1f}"] * sets,
            "-" if math.isnan(coverage.length) else f"{coverage.length:.1f}",
            *(f"{coverage.counts[status]:,}" for status in hits),
        ]
        for coverage in coverages
    ]
    notes = list(dict.fromkeys(note for coverage in coverages for note in _notes(coverage)))
    return readable(form, "l" + "r" * (len(header) - 1), header, rows, notes)


def _notes(coverage: Coverage) -> Iterator[str]:
    pairs, sets = len(coverage.pairs), coverage.pairs.sets
    groups = f" in {pluralize(sets, 'set')}" if sets < pairs else ""
    mean = coverage.pairs.lengths.mean()
    yield f"{pluralize(pairs, 'pair')}{groups}; a sentence has {mean:.1f} words on average."
    if coverage.pairs.skipped:
        yield f"{pluralize(coverage.pairs.skipped, 'pair was', 'pairs were')} dropped, a side is empty."
    if coverage.impossible:
        bad = pluralize(coverage.impossible, "pair has", "pairs have")
        yield f"{bad} a word such as [7] or |||, which no rule can hold; escape it in text and grammar."
    if coverage.left_out:
        many = f"of more than {MOST_PARSED_NONTERMINALS} non-terminals"
        rules = pluralize(coverage.left_out, f"rule {many} was", f"rules {many} were")
        yield f"{coverage.name}: {rules} left out."
    stopped = coverage.counts["out-of-time"] + coverage.counts["out-of-memory"]
    if stopped:
        hit = pluralize(stopped, "pair hit a limit and counts", "pairs hit a limit and count")
        yield f"{coverage.name}: {hit} as not covered; --per-pair lists them."
    yield coverage.signature


def _flat(coverage: Coverage) -> dict[str, Any]:
    return {**coverage.record(), **coverage.counts}


def time_split(coverage: Coverage) -> str:
    """The time of each part of the work, in one line."""
    source, target = coverage.seconds
    return (
        f"{coverage.name}: {pluralize(coverage.rules, 'rule')} read, {coverage.kept:,} kept, "
        f"{coverage.loading:.2f} s; source parses {source:.2f} s, target parses {target:.2f} s"
    )


def write_pairs(coverages: Sequence[Coverage], out: IO[str]) -> None:
    """A TSV table of every pair with every grammar: status by direction, words, chart items."""
    both = any(len(coverage.results) == 2 for coverage in coverages)
    extra = ("forward", "backward") if both else ()
    out.write("\t".join([*PAIR_FIELDS[:5], *extra, *PAIR_FIELDS[5:]]) + "\n")
    for coverage in coverages:
        lengths = coverage.pairs.lengths.tolist()
        for pair in range(len(coverage.pairs)):
            directions = [STATUSES[result.status[pair]] for result in coverage.results] if both else []
            items = sum(
                int(result.items[pair]) for result in coverage.results if result.items[pair] >= 0
            )
            stopped = any(result.items[pair] < 0 for result in coverage.results)
            values = [
                coverage.name,
                int(coverage.pairs.set_of[pair]),
                *coverage.pairs.members[pair].tolist(),
                STATUSES[coverage.status[pair]],
                *directions,
                *lengths[pair],
                None if stopped else items,
                *coverage.pairs[pair],
            ]
            out.write("\t".join(map(tsv_cell, values)) + "\n")
