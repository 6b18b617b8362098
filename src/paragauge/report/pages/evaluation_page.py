"""The evaluation of paraphrase resources as one HTML page.

Its tables and figure are those of Weese, Ganitkevitch and Callison-Burch (2014); examples show gold
rules that a resource has and lacks, pairs that it derives, and how far it comes with others.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from paragauge.grammar.derivation import Derivation
from paragauge.grammar.evaluation.evaluate import GrammarEvaluation
from paragauge.grammar.evaluation.rule_examples import RuleExample
from paragauge.grammar.rule_overlap import MODES, OverlapRow
from paragauge.report.pages.blocks.document import document
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    details,
    figure,
    paragraph,
    sortable_table,
)
from paragauge.report.pages.derivation_page import pair_html
from paragauge.report.tables.coverage_tables import HEADS
from paragauge.report.tables.evaluation_tables import (
    GOLD,
    describe_gold,
    equal_sides,
    evaluation_notes,
    sized_grammars,
)
from paragauge.report.tables.grammar_tables import KINDS, overlap_plot
from paragauge.text.tokenizers import TOKENIZED
from paragauge.text.wording import pluralize

BOUND = "Precision is a lower bound and recall is relative: no gold grammar has all paraphrases."


def render_evaluation_page(
    evaluation: GrammarEvaluation, command: str | None = None, single: Sequence[str] = ()
) -> str:
    """The page; `single` are the commands that compute each result by itself."""
    names = ", ".join(evaluation.resources)
    sections = [
        _summary(evaluation),
        _sizes(evaluation),
        _overlap(evaluation),
        _curves(evaluation),
        _coverage(evaluation),
        _phrases(evaluation),
        *(_rules(name, number, evaluation) for number, name in enumerate(evaluation.resources, 1)),
        *(_pairs(name, number, evaluation) for number, name in enumerate(evaluation.resources, 1)),
        _method(evaluation, command, single),
    ]
    return document(
        f"paragauge grammar evaluate: {names}",
        "How good is the paraphrase resource?",
        f"{names}: evaluated on {pluralize(len(evaluation.pairs), 'sentence pair')}",
        [section for section in sections if section is not None],
        styles=("style.css", "alignment.css", "derivation.css", "evaluation.css"),
    )


def _percent(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{100 * value:.{digits}f}%"


def _count(value: int) -> Cell:
    return Cell(f"{value:,}", value, "n")


def _share(value: float | None) -> Cell:
    return Cell(_percent(value, 2), None if value is None else 100 * value, "n")


def _part(row: OverlapRow) -> str:
    return f"{row.overlap:,} of {pluralize(row.gold, 'gold rule')} ({_percent(row.recall, 2)})"


def _both(row: OverlapRow) -> Cell:
    share = "" if row.recall is None else f' <span class="soft">({_percent(row.recall)})</span>'
    return Cell(f"{row.overlap:,}{share}", row.overlap, "n")


def _name(name: str) -> Cell:
    return Cell(f"<bdi>{escape(name)}</bdi>", name, "name")


def _summary(evaluation: GrammarEvaluation) -> Section:
    findings = []
    first = min(row.frequency for row in evaluation.overlap.rows)
    for name, grammar in evaluation.resources.items():
        strict, loose = (evaluation.overlap[name, mode, first] for mode in MODES)
        covered = evaluation.coverages[name]
        phrases = evaluation.parametric.resources[name]
        sets = len(evaluation.pairs) > evaluation.pairs.sets
        any_text = f", and a pair of {covered.any:.1f}% of the sets" if sets else ""
        findings.append(
            f"{name} has {pluralize(len(grammar), 'rule')}, among them {_part(strict)}; if labels are "
            f"ignored, {_part(loose)}."
        )
        same = f"; {evaluation.identical:,} have the same sentence twice" * (evaluation.identical > 0)
        findings.append(
            f"{name} derives {covered.covered.sum():,} of {pluralize(len(covered.pairs), 'pair')} "
            f"({covered.all:.1f}%){any_text}{same}."
        )
        findings.append(
            f"{name} has {phrases.both:,} of {pluralize(phrases.gold, 'gold paraphrase')} of phrases "
            f"({_percent(phrases.recall, 2)}); of what it offers for these phrases, at least "
            f"{_percent(phrases.precision)} is right."
        )
    items = "".join(f"<li>{escape(text)}</li>" for text in findings)
    notes = "".join(paragraph(note, "soft") for note in evaluation_notes(evaluation))
    warning = ""
    if not evaluation.facts["hand"] and evaluation.facts["aligner"] is not None:
        warning = paragraph(
            "The links are automatic, so some gold rules are wrong. Compare resources with each other "
            "on the same text; figures of hand-aligned text are not comparable.",
            "soft",
        )
    return Section("summary", "Summary", f'<ul class="findings">{items}</ul>{warning}{notes}')


def _sizes(evaluation: GrammarEvaluation) -> Section:
    rows = [
        [_name(name), _count(len(grammar)), *(_count(grammar.info["kinds"][kind]) for kind in KINDS)]
        for name, grammar in sized_grammars(evaluation).items()
    ]
    table = sortable_table(["grammar", "rules", *KINDS], rows)
    notes = [describe_gold(evaluation), *equal_sides(evaluation)]
    return Section("size", "Size", table + "".join(paragraph(note, "soft") for note in notes))


def _overlap(evaluation: GrammarEvaluation) -> Section:
    overlap, names = evaluation.overlap, list(evaluation.resources)
    frequencies = list(dict.fromkeys(row.frequency for row in overlap.rows))
    parts = []
    for mode in MODES:
        head = ["grammar", *(f"freq. ≥ {frequency}" for frequency in frequencies)]
        rows = [[_name(GOLD), *(_count(overlap[names[0], mode, n].gold) for n in frequencies)]]
        rows += [[_name(name), *(_both(overlap[name, mode, n]) for n in frequencies)] for name in names]
        kinds = [
            [_name(GOLD), *(_count(overlap[names[0], mode, frequencies[0], k].gold) for k in KINDS)]
        ]
        kinds += [
            [_name(name), *(_both(overlap[name, mode, frequencies[0], kind]) for kind in KINDS)]
            for name in names
        ]
        meaning = {
            "strict": "Gold rules that a resource has, labels included.",
            "non-strict": "Gold rules that a resource has if labels are ignored; label variants of a "
            "rule count once.",
        }[mode]
        parts += [
            f"<h3>{mode.capitalize()} overlap</h3>",
            paragraph(meaning),
            '<div class="multiples">',
            sortable_table(head, rows, caption="By the frequency of gold rules"),
            sortable_table(["grammar", *KINDS], kinds, caption=f"By kind, freq. ≥ {frequencies[0]}"),
            "</div>",
        ]
    rows = [
        [
            _name(row.name),
            Cell.text(row.mode),
            _count(row.frequency),
            _count(row.resource),
            _count(row.gold),
            _count(row.overlap),
            _share(row.precision),
            _share(row.recall),
        ]
        for row in overlap.rows
        if row.kind == "all"
    ]
    head = ["grammar", "overlap", "freq. ≥", "rules", "gold", "both", "precision", "recall"]
    parts += ["<h3>Precision and recall</h3>", sortable_table(head, rows), paragraph(BOUND, "soft")]
    return Section("overlap", "Overlap with the gold grammar", "".join(parts))


def _curves(evaluation: GrammarEvaluation) -> Section | None:
    parts = []
    for curve in (curve for curves in evaluation.curves.values() for curve in curves):
        if not curve.points or not curve.points[-1].overlap:
            continue
        rows = [
            [_count(point.size), _count(point.overlap), _share(point.precision), _share(point.recall)]
            for point in curve.points
        ]
        table = sortable_table(["rules", "both", "precision", "recall"], rows)
        caption = (
            f"{curve.name}: its best rules by {curve.score}, {curve.mode} overlap with "
            f"{pluralize(curve.gold, 'gold rule')} of freq. ≥ {curve.frequency}."
        )
        plot = figure(overlap_plot([curve]), caption) + details("Table of the points", table)
        parts.append(f"<div>{plot}</div>")
    if not parts:
        return None
    text = (
        "Precision and recall as a resource grows from its best rules to all of them. A resource that "
        "shares no rule with the gold grammar has no curve."
    )
    return Section(
        "curve",
        "The best rules first",
        paragraph(text) + f'<div class="multiples">{"".join(parts)}</div>',
    )


def _coverage(evaluation: GrammarEvaluation) -> Section:
    coverages = evaluation.coverages
    sets = evaluation.pairs.sets < len(evaluation.pairs)
    statuses = [
        status
        for status in HEADS
        if not status.startswith("out-") or any(one.counts[status] for one in coverages.values())
    ]
    rows = [
        [
            _name(name),
            Cell.number(one.all, ".1f"),
            *[Cell.number(one.any, ".1f")] * sets,
            Cell.number(one.length, ".1f"),
            *(_count(one.counts[status]) for status in statuses),
        ]
        for name, one in coverages.items()
    ]
    any_head = ["% (any)"] * sets
    head = ["grammar", "% (all)", *any_head, "length", *(HEADS[status] for status in statuses)]
    groups = f" in {pluralize(evaluation.pairs.sets, 'set')}" if sets else ""
    text = (
        f"{pluralize(len(evaluation.pairs), 'pair')}{groups}; a sentence has "
        f"{evaluation.pairs.lengths.mean():.1f} words on average. Length: the mean length of sentences "
        "of covered pairs."
    )
    passing = {
        "none": "No word passes through without a rule.",
        "unknown": "Words in no rule may translate to themselves.",
        "all": "Any word may translate to itself.",
    }[evaluation.settings.parsing.passthrough]
    more = f" {pluralize(evaluation.identical, 'pair has', 'pairs have')} twice the same sentence."
    notes = paragraph(text + (more if evaluation.identical else ""), "soft") + paragraph(
        passing, "soft"
    )
    intro = paragraph("How many sentence pairs the rules of a resource derive.")
    return Section("coverage", "Coverage of sentence pairs", intro + sortable_table(head, rows) + notes)


def _phrases(evaluation: GrammarEvaluation) -> Section:
    sheet = evaluation.parametric
    rows = [
        [
            _name(name),
            _count(score.resource),
            _count(score.both),
            _share(score.precision),
            _share(score.recall),
            _share(score.mean_precision),
            _share(score.mean_recall),
            _share(score.precision_all),
        ]
        for name, score in sheet.resources.items()
    ]
    head = ["resource", "pairs", "both", "precision", "recall"]
    head += ["mean precision", "mean recall", "precision, all pairs"]
    one = next(iter(sheet.resources.values()))
    gold = f"{pluralize(one.gold, 'pair')} of {pluralize(one.sources, 'phrase')}"
    identical = {"drop": "without identical pairs", "keep": "with identical pairs"}
    text = (
        f"Gold: {gold} of at most {sheet.settings.max_length} words, "
        f"{identical[sheet.settings.identity]}. Precision is a lower bound over phrases with gold "
        "paraphrases; means are over phrases."
    )
    intro = paragraph("ParaMetric: the words-only rules against phrases that the links pair.")
    return Section("phrases", "Phrases", intro + sortable_table(head, rows) + paragraph(text, "soft"))


def _rules(name: str, number: int, evaluation: GrammarEvaluation) -> Section:
    examples = evaluation.rules[name]
    ignored = {"strict": "", "non-strict": " Labels are ignored, as no rule has the labels of gold."}
    parts = [
        paragraph(
            "The most frequent gold rules of each kind that change words; rules with the same words on "
            f"both sides are left out.{ignored[examples.mode]}"
        )
    ]
    for is_found, title in ((True, "In the resource"), (False, "Missing")):
        chosen = sorted(
            (one for one in examples.rules if one.is_found == is_found),
            key=lambda one: KINDS.index(one.kind),
        )
        parts.append(f"<h3>{title}</h3>")
        if not chosen:
            parts.append(paragraph("None.", "soft"))
        for kind, group in groupby(chosen, key=lambda one: one.kind):
            rows = [_rule_row(one) for one in group]
            parts.append(
                sortable_table(["label", "source", "target", "count"], rows, caption=kind, css="rules")
            )
    return Section(f"rules-{number}", _title("Rules", name, evaluation), "".join(parts))


def _rule_row(example: RuleExample) -> list[Cell]:
    rule = example.rule
    sides = [Cell(_side(side, rule.labels), side, "words") for side in (rule.source, rule.target)]
    return [
        Cell(f'<bdi class="label">{escape(rule.lhs)}</bdi>', rule.lhs),
        *sides,
        _count(example.count),
    ]


def _side(side: str, labels: Sequence[str]) -> str:
    """A side of a rule, its non-terminals with their labels."""
    parts = []
    for token in side.split(" "):
        number = token[1:-1] if token.startswith("[") and token.endswith("]") else ""
        if number.isdigit() and 1 <= int(number) <= len(labels):
            label = escape(labels[int(number) - 1])
            parts.append(f'<bdi class="slot">{label}<sub>{number}</sub></bdi>')
        else:
            parts.append(escape(token))
    return f'<bdi dir="auto">{" ".join(parts)}</bdi>'


def _pairs(name: str, number: int, evaluation: GrammarEvaluation) -> Section:
    derivations = evaluation.derivations[name]
    derived = {title: one for title, one in derivations.items() if one.roots}
    others = {title: one for title, one in derivations.items() if not one.roots}
    parts = ["<h3>Derived</h3>", *_drawn(derived, "No pair of different sentences is derived.")]
    parts += ["<h3>Not derived</h3>", *_drawn(others, "All pairs are derived.")]
    return Section(f"pairs-{number}", _title("Sentence pairs", name, evaluation), "".join(parts))


def _drawn(derivations: dict[str, Derivation], otherwise: str) -> list[str]:
    if not derivations:
        return [paragraph(otherwise, "soft")]
    return [
        f'<div class="pair"><h4>{escape(title.capitalize())}</h4>{pair_html(derivation)}</div>'
        for title, derivation in derivations.items()
    ]


def _title(what: str, name: str, evaluation: GrammarEvaluation) -> str:
    return what if len(evaluation.resources) == 1 else f"{what}: {name}"


def _method(evaluation: GrammarEvaluation, command: str | None, single: Sequence[str]) -> Section:
    facts = evaluation.facts
    words = "already" if facts["tokenize"] == TOKENIZED else f"by {facts['tokenize']}"
    case = "lowercase" if facts["case"] == "lower" else "their own case"
    text = f"Text was tokenized {words}; words are compared in {case}."
    parts = [paragraph(describe_gold(evaluation)), paragraph(text)]
    signatures = dict.fromkeys(one.signature for one in evaluation.coverages.values())
    items = "".join(f"<li><code>{escape(text)}</code></li>" for text in signatures)
    parts.append(f'<ul class="signatures">{items}</ul>')
    if command:
        parts.append(f'<pre class="command"><code>{escape(command)}</code></pre>')
    if single:
        lines = escape("\n".join(single))
        block = f'<pre class="command"><code>{lines}</code></pre>'
        parts.append(details("Commands that compute each result by itself", block))
    return Section("method", "Method", "".join(parts))
