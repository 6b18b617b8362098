"""Score sheets and comparisons as text, Markdown, LaTeX, TSV and JSON.

Text, Markdown and LaTeX are for reading: one row per system, one column per metric, two decimals.
TSV and JSON are for programs: one record per score, full precision, `low` and `high` empty (null)
when no interval was asked for. Parts that a metric always shows have columns beside its score; in TSV
they are the last columns, which are there only if some metric has such parts.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paragauge.errors import unknown_name
from paragauge.meta.significance.comparison import Comparison, Difference
from paragauge.metrics.corpus_score import FIELDS as SCORE_FIELDS
from paragauge.metrics.corpus_score import Score
from paragauge.metrics.scoring import ScoreSheet
from paragauge.report.schemas.json_schemas import schema_id
from paragauge.report.tables.terminal import BOLD, CELLS, Terminal, current_terminal
from paragauge.text.table_writers import tsv_cell
from paragauge.text.terminal_columns import pad_text, width
from paragauge.text.wording import p_text
from paragauge.version import __version__

FORMATS = ("text", "json", "tsv", "markdown", "latex")
CORRECTED = {
    "holm": " corrected by Holm's method",
    "bonferroni": " corrected by Bonferroni's method",
    "fdr": " corrected for the false discovery rate",
    "none": "",
}


def render_scores(sheet: ScoreSheet, form: str = "text") -> str:
    """A score sheet in one of the formats."""
    if form == "json":
        return json_text("score", sheet.to_dict())
    if form == "tsv":
        return tsv_text([*SCORE_FIELDS, *sheet.shown_parts()], sheet.to_rows())
    header, rows, spans = _score_grid(sheet)
    alignment = "l" + "r" * (len(header) - 1)
    return readable(form, alignment, header, rows, [*_notes(sheet), *_signatures(sheet)], spans)


def render_comparison(comparison: Comparison, form: str = "text") -> str:
    """A comparison in one of the formats."""
    if form == "json":
        return json_text("compare", comparison.to_dict())
    if form == "tsv":
        fields = [field.name for field in dataclasses.fields(Difference)]
        names = comparison.sheet.shown_parts()
        more = [prefix + name for prefix in ("", "baseline_") for name in names]
        return tsv_text([*fields, *more], comparison.to_rows())
    header, rows = _difference_grid(comparison)
    notes = [*statements(comparison), test_note(comparison), *_notes(comparison.sheet, brackets=False)]
    alignment = "ll" + "r" * (len(header) - 3) + "l"
    return readable(form, alignment, header, rows, [*notes, *_signatures(comparison.sheet)])


def statements(comparison: Comparison, most: int | None = None) -> list[str]:
    """What is significant, one sentence per metric; at most `most` systems are named."""
    sentences = []
    for metric in dict.fromkeys(row.metric for row in comparison.differences):
        rows = [row for row in comparison.differences if row.metric == metric]
        title = comparison.sheet[comparison.baseline, metric].title
        parts = []
        for word, is_better in (("better than", True), ("worse than", False)):
            names = [row.system for row in rows if row.significant and row.better is is_better]
            if names:
                verb = "is" if len(names) == 1 else "are"
                parts.append(
                    f"{join_names(names, most)} {verb} significantly {word} {comparison.baseline}"
                )
        valued = [row for row in rows if not math.isnan(row.difference)]
        others = [row.system for row in valued if not row.significant]
        if len(valued) < len(rows):
            lost = [row.system for row in rows if math.isnan(row.difference)]
            parts.append(f"no difference can be computed for {join_names(lost, most)}")
        if others:
            parts.append(f"no significant difference for {join_names(others, most)}")
        sentences.append(f"{title}: {'; '.join(parts)}.")
    return sentences


def test_note(comparison: Comparison) -> str:
    """How significance was decided, in one line."""
    tests = []
    if comparison.randomization:
        tests.append(f"approximate randomization ({comparison.randomization} trials)")
    if comparison.sheet.bootstrap:
        tests.append(f"paired bootstrap ({comparison.sheet.bootstrap} resamples)")
    correction = CORRECTED[comparison.correction]
    return (
        f"Two-sided tests: {' and '.join(tests)}; seed {comparison.sheet.seed}. Significant: "
        f"p{correction} below {comparison.alpha:g} by {tests[0].split(' (')[0]}."
    )


def _score_grid(sheet: ScoreSheet) -> tuple[list[str], list[list[str]], list[tuple[str, int]]]:
    """Header, rows, and headings over the columns if several metrics have parts."""
    systems = dict.fromkeys(score.system for score in sheet.scores)
    metrics = {score.metric: score for score in sheet.scores}
    rows = []
    for system in systems:
        cells = [system]
        for metric in metrics:
            score = sheet[system, metric]
            cells += [_interval(score), *_part_cells(score, score.shown_parts)]
        rows.append(cells)
    several = sum(bool(score.shown_parts) for score in metrics.values()) > 1
    header, spans = ["system"], [("", 1)]
    for score in metrics.values():
        grouped = several and score.shown_parts
        header += ["score" if grouped else score.title, *score.shown_parts.values()]
        spans.append((score.title if grouped else "", 1 + len(score.shown_parts)))
    return header, rows, spans if several else []


def _interval(score: Score) -> str:
    value = _number(score.value)
    if score.low is None or score.high is None:
        return value
    return f"{value} [{_number(score.low)}, {_number(score.high)}]"


def _difference_grid(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    sheet = comparison.sheet
    level = f"{100 * sheet.level:g}%"
    corrected = {"holm": "p (Holm)", "bonferroni": "p (Bonf.)", "fdr": "p (FDR)"}.get(
        comparison.correction, "p (used)"
    )
    # Parts of one name may be of two kinds: fluency from 0 to 100, or a logarithm.
    parts = list(dict.fromkeys(part for score in sheet.scores for part in score.shown_parts.items()))
    titles = [title for _, title in parts]
    header = ["metric", "system", "score", *titles, "difference", f"{level} interval"]
    header += ["p (rand.)", "p (boot.)", corrected, "verdict"]
    rows = []
    for metric in dict.fromkeys(score.metric for score in sheet.scores):
        base = sheet[comparison.baseline, metric]
        name = f"{comparison.baseline} (baseline)"
        rows.append([base.title, name, _number(base.value), *_titled_cells(base, parts), *[""] * 6])
        for row in (row for row in comparison.differences if row.metric == metric):
            rows.append(
                [
                    base.title,
                    row.system,
                    _number(row.value),
                    *_titled_cells(sheet[row.system, metric], parts),
                    *_difference_cells(row),
                    row.verdict,
                ]
            )
    return header, rows


def _difference_cells(row: Difference) -> list[str]:
    """The difference, its interval and the p-values; empty where there is no difference."""
    if math.isnan(row.difference):
        return [""] * 5
    bounds = "" if row.low is None else f"[{row.low:+.2f}, {row.high:+.2f}]"
    tests = (row.p_randomization, row.p_bootstrap, row.p_corrected)
    return [f"{row.difference:+.2f}", bounds, *map(p_text, tests)]


def _part_cells(score: Score, names: Iterable[str]) -> list[str]:
    return [_number(score.parts[name]) if name in score.shown_parts else "" for name in names]


def _titled_cells(score: Score, parts: Iterable[tuple[str, str]]) -> list[str]:
    """The parts that have both this name and this title, empty for the others."""
    return [
        _number(score.parts[name]) if score.shown_parts.get(name) == title else ""
        for name, title in parts
    ]


def _notes(sheet: ScoreSheet, *, brackets: bool = True) -> list[str]:
    notes = [f"{sheet.segments} segment{'s' * (sheet.segments != 1)}."]
    if sheet.bootstrap and brackets:
        notes[0] += (
            f" Brackets: {100 * sheet.level:g}% interval, Poisson bootstrap, "
            f"{sheet.bootstrap} resamples, seed {sheet.seed}."
        )
    return notes + input_notes(sheet)


def input_notes(sheet: ScoreSheet) -> list[str]:
    """What was odd in the input: empty lines, and tabs where they mean nothing."""
    notes = []
    if sheet.candidates:
        counts = ", ".join(
            f"{name} {low}" + f"-{high}" * (high > low)
            for name, (low, high) in list(sheet.candidates.items())[:10]
        )
        notes.append(f"Candidates a segment: {counts}. Metrics without pick score the first.")
    alone = dict.fromkeys(
        score.name
        for score in sheet.scores
        if "|alone:" in score.signature
        and ("|cands:" not in score.signature or "|cands:1|" in score.signature)
        and "|against:sources" not in score.signature
    )
    if alone:
        notes.append(
            f"Every segment has one candidate, so that {join_names(list(alone))} had nothing to "
            "compare: give several on a line of a .tsv file, separated by tabs."
        )
    for metric in dict.fromkeys(score.metric for score in sheet.scores if math.isnan(score.value)):
        lost = [score for score in sheet.scores if score.metric == metric and math.isnan(score.value)]
        names = join_names([score.system or "the candidates" for score in lost])
        notes.append(f"No segment has a value by {lost[0].title} for {names} (nan).")
    if sheet.empty:
        notes.append(f"Empty lines (scored as empty): {_join_counts(sheet.empty)}.")
    if sheet.tabbed:
        counts = _join_counts(sheet.tabbed)
        notes.append(f"Lines with tabs, which count as spaces except in reference files: {counts}.")
    return notes


def _join_counts(counts: dict[str, int]) -> str:
    parts = [f"{name} {count}" for name, count in list(counts.items())[:10]]
    more = len(counts) - len(parts)
    return ", ".join(parts) + (f" and {more} more" if more else "")


def _signatures(sheet: ScoreSheet) -> list[str]:
    return list(dict.fromkeys(score.signature for score in sheet.scores))


def readable(
    form: str,
    alignment: str,
    header: list[str],
    rows: list[list[str]],
    notes: list[str],
    spans: Sequence[tuple[str, int]] = (),
) -> str:
    """A table and notes as text, Markdown or LaTeX.

    `spans` are headings over several columns each, from left to right.
    """
    if form == "text":
        table = _text_table(alignment, header, rows, spans)
        return "\n".join([*table, *([""] * bool(notes)), *notes]) + "\n"
    if form == "markdown":
        over = [title for title, width in spans for _ in range(width)]
        if over:  # Markdown has one header row only
            named = zip(over, header, strict=True)
            header = [f"{title}: {cell}" if title and cell else cell for title, cell in named]
        escaped = [[_markdown(cell) for cell in row] for row in [header, *rows]]
        lines = ["| " + " | ".join(row) + " |" for row in escaped]
        lines.insert(1, "|" + "|".join({"l": "---", "r": "---:"}[side] for side in alignment) + "|")
        listed = [f"- {_code(note)}" for note in notes]
        return "\n".join([*lines, *([""] * bool(notes)), *listed]) + "\n"
    if form == "latex":
        body = [" & ".join(map(_latex, row)) + r" \\" for row in rows]
        groups = [
            rf"\multicolumn{{{width}}}{{c}}{{{_latex(title)}}}" if title else "&" * (width - 1)
            for title, width in spans
        ]
        return "\n".join(
            [
                *(f"% {note}" for note in notes),
                rf"\begin{{tabular}}{{{alignment}}}",
                r"\hline",
                *([" & ".join(groups) + r" \\"] if groups else []),
                " & ".join(map(_latex, header)) + r" \\",
                r"\hline",
                *body,
                r"\hline",
                r"\end{tabular}",
                "",
            ]
        )
    raise unknown_name("format", form, FORMATS)


def _text_table(
    alignment: str, header: list[str], rows: list[list[str]], spans: Sequence[tuple[str, int]] = ()
) -> list[str]:
    widths = [max(map(width, column)) for column in zip(header, *rows, strict=True)]
    over, column = "", 0
    for title, size in spans:
        # A heading wider than its columns widens the last of them.
        room = sum(widths[column : column + size]) + 2 * (size - 1)
        widths[column + size - 1] += max(0, width(title) - room)
        over += pad_text(title, max(room, width(title)) + 2)
        column += size
    terminal = current_terminal()
    whole = sum(widths) + 2 * (len(widths) - 1)
    if terminal.columns is not None and max(whole, width(over.rstrip())) > terminal.columns:
        return _long_table(alignment, header, rows, spans, terminal)
    lines = [terminal.paint(over.rstrip(), BOLD)] if spans else []
    for number, row in enumerate([header, *rows]):
        line = "  ".join(map(pad_text, row, widths, alignment)).rstrip()
        lines.append(_paint_last(line, row[-1], terminal) if number else terminal.paint(line, BOLD))
    return lines


def _paint_last(line: str, cell: str, terminal: Terminal) -> str:
    """A line whose last cell is in color if it is a verdict."""
    if cell not in CELLS:
        return line
    return line.removesuffix(cell) + terminal.paint(cell, CELLS[cell])


def _long_table(
    alignment: str,
    header: list[str],
    rows: list[list[str]],
    spans: Sequence[tuple[str, int]],
    terminal: Terminal,
) -> list[str]:
    """A record for each row: what it is about, then its cells one under the other."""
    over = [title for title, size in spans for _ in range(size)] or [""] * len(header)
    names = [
        f"{title}: {name}" if title and name else title or name
        for title, name in zip(over, header, strict=True)
    ]
    # The first columns of text say what a row is about; there is always one.
    about = next((i for i, side in enumerate(alignment) if side != "l"), len(alignment))
    about = max(1, min(about, len(header) - 1))
    lines: list[str] = []
    for row in rows:
        title = ", ".join(cell for cell in row[:about] if cell)
        lines += [""] * bool(lines) + [terminal.paint(title, BOLD)]
        cells = [(name, cell) for name, cell in zip(names, row, strict=True) if cell][
            sum(bool(cell) for cell in row[:about]) :
        ]
        room = max((width(name) for name, _ in cells), default=0)
        lines += [
            f"  {pad_text(name, room)}  {terminal.paint(cell, CELLS.get(cell))}" for name, cell in cells
        ]
    return lines


def _number(value: float) -> str:
    return "nan" if math.isnan(value) else f"{value:.2f}"


def join_names(names: Sequence[str], most: int | None = None) -> str:
    """Join names for a sentence; beyond `most`, only the first ones and how many more.

    >>> join_names(["a", "b", "c"]), join_names(["a", "b", "c"], 2)
    ('a, b and c', 'a and 2 more')
    """
    if most is not None and len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _code(note: str) -> str:
    return f"`{note}`" if "|v:" in note else note


def _markdown(text: str) -> str:
    # Before =, neither < nor > can start a tag or a quotation.
    return re.sub(r"([\\|*_`]|[<>](?!=))", r"\\\1", text)


def _latex(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {char: f"\\{char}" for char in "&%$#_{}"} | {"<": "$<$", ">": "$>$"}
    special |= {"<=": r"$\leq$", ">=": r"$\geq$"}
    # After the end of a row, LaTeX would read a bracket as an argument.
    parts = re.findall(r"[<>]=|.", text, re.DOTALL)
    return "".join(special.get(part, part) for part in parts).replace("[", "{[}", int(text[:1] == "["))


def json_text(name: str, content: dict[str, Any]) -> str:
    """A record as JSON, in the form of the schema with this name.

    The name and version of the schema come first and the version of the package last; numbers that are
    not finite become null.

    >>> print(json_text("encoder-info", {"width": 384, "mean": float("nan")}), end="")
    {
      "schema": "paragauge/encoder-info/1",
      "width": 384,
      "mean": null,
      "paragauge": "..."
    }
    """
    document = {"schema": schema_id(name)} | content
    document["paragauge"] = document.pop("paragauge", __version__)
    return json.dumps(_finite(document), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def made_by(info: Mapping[str, Any]) -> dict[str, Any]:
    """The description of a folder for JSON: the version that made it has a name of its own.

    >>> made_by({"rules": 2, "paragauge": "0.1.0"})
    {'rules': 2, 'made_by': '0.1.0'}
    """
    record = {name: value for name, value in info.items() if name != "paragauge"}
    return record | {"made_by": info.get("paragauge")}


def _finite(value: Any) -> Any:
    """Replace NaN and infinity, which JSON does not have, by null."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def tsv_text(fields: Sequence[str], records: list[dict[str, Any]]) -> str:
    """Records as TSV with a header."""
    lines = ["\t".join(fields)]
    lines += ["\t".join(tsv_cell(record[name]) for name in fields) for record in records]
    return "\n".join(lines) + "\n"
