"""The evaluation of paraphrase resources as tables, in the order of Weese, Ganitkevitch and
Callison-Burch (2014): sizes (table 2), overlap (tables 3 to 5), the curve (figure 4), coverage (table
6), and ParaMetric.

JSON has the values that the single commands print, in their form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from paragauge.grammar.evaluation.evaluate import GrammarEvaluation, PlannedStage
from paragauge.grammar.evaluation.stored_results import examples_record
from paragauge.grammar.grammar_folder import Grammar
from paragauge.report.tables.coverage_tables import render_coverage
from paragauge.report.tables.grammar_tables import (
    KINDS,
    curve_records,
    overlap_record,
    render_curves,
    render_overlap,
)
from paragauge.report.tables.parametric_tables import SHARES, parametric_record, render_parametric
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.wording import pluralize

GOLD = "gold grammar"
FIELDS = ("resource", "measure", "mode", "frequency", "kind", "size", "value")


def render_evaluation(evaluation: GrammarEvaluation, form: str = "text") -> str:
    """All results in one of the formats."""
    if form == "json":
        return json_text("grammar-evaluate", _record(evaluation))
    if form == "tsv":
        return tsv_text(FIELDS, list(_values(evaluation)))
    parts = [
        render_sizes(evaluation, form),
        render_overlap(evaluation.overlap, GOLD, form),
        *(render_curves([curve], form) for curves in evaluation.curves.values() for curve in curves),
        render_coverage(list(evaluation.coverages.values()), form),
        render_parametric(evaluation.parametric, form, evaluation.settings.case),
    ]
    return "\n".join(parts)


def sized_grammars(evaluation: GrammarEvaluation) -> dict[str, Grammar]:
    """The gold grammar and the resources, by their names in tables."""
    return {GOLD: evaluation.gold, **evaluation.resources}


def render_sizes(evaluation: GrammarEvaluation, form: str) -> str:
    """The number of rules of each grammar, by kind."""
    rows = [
        [name, f"{len(grammar):,}", *(f"{grammar.info['kinds'][kind]:,}" for kind in KINDS)]
        for name, grammar in sized_grammars(evaluation).items()
    ]
    notes = [describe_gold(evaluation), *equal_sides(evaluation)]
    return readable(form, "lrrrr", ["grammar", "rules", *KINDS], rows, notes)


def describe_gold(evaluation: GrammarEvaluation) -> str:
    """How the gold grammar was made, in one sentence."""
    facts = evaluation.facts
    pairs = pluralize(len(evaluation.pairs), "sentence pair")
    if facts["hand"]:
        links = "aligned by hand"
    elif facts["aligner"] is None:
        links = "with the links that were given"
    else:
        links = f"aligned by {facts['aligner']}"
    if "parser" not in facts:
        trees = "without trees"
    else:
        trees = "with the trees that were given" if facts["parser"] is None else "parsed by our parser"
    return f"The gold grammar is from {pairs}, {links}, {trees}."


def equal_sides(evaluation: GrammarEvaluation) -> list[str]:
    """A sentence on gold rules that copy words, if there are any."""
    equal = evaluation.facts["equal_sides"]
    if not equal:
        return []
    rules = pluralize(equal, "gold rule has", "gold rules have")
    return [f"{rules} the same words on both sides; resources like PPDB have no such rules."]


def evaluation_notes(evaluation: GrammarEvaluation) -> list[str]:
    """What was left out, and what cannot be known."""
    notes, facts = [], evaluation.facts
    if evaluation.pairs.skipped:
        dropped = pluralize(evaluation.pairs.skipped, "pair was", "pairs were")
        notes.append(f"{dropped} dropped, a side is empty.")
    if facts.get("unaligned"):
        long = pluralize(facts["unaligned"], "pair is", "pairs are")
        notes.append(f"{long} too long for the aligner and without links.")
    if facts.get("flat"):
        long = pluralize(facts["flat"], "sentence is", "sentences are")
        notes.append(f"{long} too long for the parser and with flat trees.")
    for name in evaluation.resources:
        if name not in evaluation.curves:
            notes.append(f"{name} has no score that ranks its rules, so there is no curve.")
    return notes


def render_plan(stages: list[PlannedStage], form: str) -> str:
    """The stages that an evaluation will run, and roughly how long they take."""
    records = [
        {
            "stage": planned.stage.name,
            "work": planned.stage.title,
            "kept": planned.is_done,
            "seconds": 0.0 if planned.is_done else round(planned.stage.seconds, 1),
        }
        for planned in stages
    ]
    if form == "json":
        return json_text("grammar-evaluate-plan", {"stages": records})
    if form == "tsv":
        return tsv_text(("stage", "work", "kept", "seconds"), records)
    rows = [
        [str(row["stage"]), str(row["work"]), "kept" if row["kept"] else duration(row["seconds"])]
        for row in records
    ]
    total = sum(float(str(row["seconds"])) for row in records)
    note = f"About {duration(total)} in all, to a factor of about three; nothing was run."
    return readable(form, "lll", ["stage", "work", "time"], rows, [note])


def duration(seconds: Any) -> str:
    """A rough time in words.

    >>> duration(0.2), duration(45), duration(300), duration(9000)
    ('1 second', '45 seconds', '5 minutes', '2.5 hours')
    """
    if seconds < 90:
        return pluralize(max(1, round(seconds)), "second")
    if seconds < 5400:
        return pluralize(round(seconds / 60), "minute")
    return f"{seconds / 3600:.1f} hours"


def _record(evaluation: GrammarEvaluation) -> dict[str, Any]:
    case = evaluation.settings.case
    return {
        "sizes": {
            name: {"rules": len(grammar), **grammar.info["kinds"]}
            for name, grammar in sized_grammars(evaluation).items()
        },
        "gold": {
            "made": describe_gold(evaluation),
            **evaluation.facts,
            "settings": evaluation.settings.rules.record(),
        },
        "notes": evaluation_notes(evaluation),
        "overlap": overlap_record(evaluation.overlap, GOLD),
        "curves": curve_records([one for curves in evaluation.curves.values() for one in curves]),
        "coverage": [coverage.record() for coverage in evaluation.coverages.values()],
        "parametric": parametric_record(evaluation.parametric, case),
        "rules": {name: examples_record(examples) for name, examples in evaluation.rules.items()},
        "derivations": {
            name: {title: derivation.record() for title, derivation in derivations.items()}
            for name, derivations in evaluation.derivations.items()
        },
    }


def _values(evaluation: GrammarEvaluation) -> Iterator[dict[str, Any]]:
    """Every figure in a row of its own."""
    for name, grammar in sized_grammars(evaluation).items():
        for kind in ("all", *KINDS):
            size = len(grammar) if kind == "all" else grammar.info["kinds"][kind]
            yield _value(name, "rules", size, kind=kind)
    for row in evaluation.overlap.rows:
        cell = {"mode": row.mode, "frequency": row.frequency, "kind": row.kind}
        for measure in ("gold", "resource", "overlap", "precision", "recall"):
            yield _value(row.name, measure, getattr(row, measure), **cell)
    for curve in (curve for curves in evaluation.curves.values() for curve in curves):
        for point in curve.points:
            for measure in ("precision", "recall"):
                cell = {"mode": curve.mode, "frequency": curve.frequency, "size": point.size}
                yield _value(curve.name, f"{measure} of the best", getattr(point, measure), **cell)
    for name, coverage in evaluation.coverages.items():
        yield _value(name, "% (all)", coverage.all)
        yield _value(name, "% (any)", coverage.any)
        yield _value(name, "length", coverage.length)
        for status, number in coverage.counts.items():
            yield _value(name, status, number)
    for name, score in evaluation.parametric.resources.items():
        for share in SHARES:
            yield _value(name, f"ParaMetric {share}", getattr(score, share))


def _value(resource: str, measure: str, value: object, **cell: object) -> dict[str, Any]:
    return {**dict.fromkeys(FIELDS), "resource": resource, "measure": measure, "value": value, **cell}
