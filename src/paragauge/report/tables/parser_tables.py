"""The result of `paragauge parser test` as text, JSON, TSV, Markdown or LaTeX."""

from __future__ import annotations

from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.syntax.parseval import ParserTest
from paragauge.text.wording import pluralize


def render_parser_test(test: ParserTest, form: str, *, timed: bool) -> str:
    """Precision, recall, F1, sentences without an error and tags."""
    scores = test.scores
    matching, proposed, right = scores.counts.sum(axis=0).tolist()
    values = {
        "f1": scores.f1,
        "precision": scores.precision,
        "recall": scores.recall,
        "exact": scores.exact,
        "tags": 100 * test.tags_correct / test.words,
    }
    speed = test.sentences / test.seconds if test.seconds > 0 else None
    if form == "json":
        return json_text(
            "parser-test",
            {
                "parser": test.parser,
                "sentences": test.sentences,
                "words": test.words,
                **values,
                "constituents": {"matching": matching, "found": proposed, "right": right},
                **({"sentences_per_second": speed} if timed else {}),
            },
        )
    if form == "tsv":
        return tsv_text(tuple(values), [values])
    counts = f"{matching:,} constituents match, of {proposed:,} found and {right:,} right ones"
    size = f"{pluralize(test.sentences, 'sentence')}, {pluralize(test.words, 'word')}"
    notes = [f"{size}; {counts}. {test.parser}"]
    if timed and speed is not None:
        notes.append(f"{speed:,.0f} sentences/s on one thread, tagging included.")
    cells = [[f"{value:.2f}" for value in values.values()]]
    names = ["F1", "precision", "recall", "exact", "tags"]
    return readable(form, "rrrrr", names, cells, notes)
