"""Results of the stages of an evaluation as files, and back: the same objects, bit for bit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError
from paragauge.grammar.derivation import Derivation, DerivationNode, ReachedSpan
from paragauge.grammar.evaluation.rule_examples import RuleExample, RuleExamples
from paragauge.grammar.overlap_curves import CurvePoint, OverlapCurve
from paragauge.grammar.pair_coverage import Coverage
from paragauge.grammar.parametric import ResourceScore
from paragauge.grammar.rule import Rule
from paragauge.grammar.rule_overlap import Overlap, OverlapRow
from paragauge.grammar.sentence_pairs import SentencePairs
from paragauge.grammar.sync_parser import ParseResult
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import atomic
from paragauge.text.numbers import parse_json

COVERAGE = b"PGCOVER1"


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON."""
    with atomic(path) as out:
        out.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """Read a value that `write_json` wrote."""
    try:
        return parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        message = "expected a result in JSON, found something else; delete it to compute it again"
        raise FileFormatError(path, None, message) from None


def overlap_record(overlap: Overlap) -> dict[str, Any]:
    """An overlap as JSON values."""
    return asdict(overlap)


def overlap_of(record: Mapping[str, Any]) -> Overlap:
    """The overlap of a record.

    >>> whole = Overlap((OverlapRow("a", "strict", 1, "all", 2, 2, 1),), "source")
    >>> overlap_of(overlap_record(whole)) == whole
    True
    """
    rows = tuple(OverlapRow(**row) for row in record["rows"])
    return Overlap(**{**record, "rows": rows})


def curve_of(record: Mapping[str, Any]) -> OverlapCurve:
    """The curve of a record that `dataclasses.asdict` made.

    >>> curve = OverlapCurve("a", "p", "strict", 1, (CurvePoint(1, 1, 2),), 2)
    >>> curve_of(asdict(curve)) == curve
    True
    """
    return OverlapCurve(
        **{**record, "points": tuple(CurvePoint(**point) for point in record["points"])}
    )


def score_of(record: Mapping[str, Any]) -> ResourceScore:
    """ParaMetric's score of a record that `dataclasses.asdict` made."""
    return ResourceScore(**record)


def examples_record(examples: RuleExamples) -> dict[str, Any]:
    """Examples of rules as JSON values.

    >>> rule = RuleExample(Rule.parse("[X] ||| a ||| b"), "lexical", 2, True)
    >>> examples = RuleExamples("strict", (rule,))
    >>> examples_of(examples_record(examples)) == examples
    True
    """
    rules = [{**asdict(example), "rule": str(example.rule)} for example in examples.rules]
    return {"mode": examples.mode, "rules": rules}


def examples_of(record: Mapping[str, Any]) -> RuleExamples:
    """The examples of a record."""
    rules = [RuleExample(**{**one, "rule": Rule.parse(one["rule"])}) for one in record["rules"]]
    return RuleExamples(record["mode"], tuple(rules))


def write_coverage(path: Path, coverage: Coverage) -> None:
    """Write a coverage without its pairs."""
    arrays: dict[str, np.ndarray] = {"status": coverage.status}
    for number, result in enumerate(coverage.results):
        arrays[f"status{number}"] = result.status
        arrays[f"items{number}"] = result.items + 1  # -1 for a pair that hit a limit
        arrays[f"seconds{number}"] = result.seconds
    about = {
        "name": coverage.name,
        "rules": coverage.rules,
        "kept": coverage.kept,
        "loading": coverage.loading,
        "impossible": coverage.impossible,
        "signature": coverage.signature,
        "left_out": coverage.left_out,
        "directions": len(coverage.results),
    }
    write_arrays(path, COVERAGE, about, arrays)


def read_coverage(path: Path, pairs: SentencePairs) -> Coverage:
    """The coverage of these pairs in a file."""
    about, arrays = read_arrays(path, COVERAGE, "a coverage")
    results = tuple(
        ParseResult(
            arrays[f"status{number}"].astype(np.uint8),
            arrays[f"items{number}"].astype(np.int64) - 1,
            arrays[f"seconds{number}"].astype(np.float64),
        )
        for number in range(about.pop("directions"))
    )
    status = arrays["status"].astype(np.uint8)
    return Coverage(pairs=pairs, status=status, results=results, **about)


def derivation_record(derivation: Derivation) -> dict[str, Any]:
    """A derivation as JSON values, with everything that it has."""
    return {
        "source": derivation.source,
        "target": derivation.target,
        "status": derivation.status,
        "cost": derivation.cost,
        "roots": [_node_record(root) for root in derivation.roots],
        "reached": [asdict(span) for span in derivation.reached],
        "stopped": derivation.stopped,
    }


def derivation_of(record: Mapping[str, Any]) -> Derivation:
    """The derivation of a record.

    >>> from paragauge.grammar.sync_parser import SyncParser
    >>> rules = [Rule.parse("[X] ||| a [X,1] ||| [X,1] b"), Rule.parse("[X] ||| c ||| d")]
    >>> parser = SyncParser(rules, ["a c", "a e"], ["d b", "d b"])
    >>> both = [parser.derive(0), parser.derive(1)]
    >>> [derivation_of(json.loads(json.dumps(derivation_record(one)))) for one in both] == both
    True
    """
    return Derivation(
        tuple(record["source"]),
        tuple(record["target"]),
        record["status"],
        float(record["cost"]),
        tuple(map(_node_of, record["roots"])),
        tuple(
            ReachedSpan(span["label"], _span(span["source"]), _span(span["target"]))
            for span in record["reached"]
        ),
        record["stopped"],
    )


def _node_record(node: DerivationNode) -> dict[str, Any]:
    return {
        "label": node.label,
        "rule": None if node.rule is None else str(node.rule),
        "cost": node.cost,
        "source": node.source,
        "target": node.target,
        "children": [_node_record(child) for child in node.children],
    }


def _node_of(record: Mapping[str, Any]) -> DerivationNode:
    return DerivationNode(
        record["label"],
        None if record["rule"] is None else Rule.parse(record["rule"]),
        float(record["cost"]),
        _span(record["source"]),
        _span(record["target"]),
        tuple(map(_node_of, record["children"])),
    )


def _span(ends: Sequence[int]) -> tuple[int, int]:
    return int(ends[0]), int(ends[1])
