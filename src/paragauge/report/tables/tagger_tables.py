"""The result of `paragauge tagger test` as text, JSON, TSV, Markdown or LaTeX."""

from __future__ import annotations

from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.syntax.tagger_evaluation import TaggerTest
from paragauge.text.wording import counted


def render_tagger_test(found: TaggerTest, form: str, confusions: int, *, timed: bool) -> str:
    """A row for all words, one for known and one for unknown ones, then the worst confusions."""
    unknown = found.words - found.known
    rows = [
        ("all", found.words, found.correct, found.accuracy),
        ("known", found.known, found.known_correct, found.known_accuracy),
        ("unknown", unknown, found.correct - found.known_correct, found.unknown_accuracy),
    ]
    worst = found.confusions[:confusions]
    speed = found.words / found.seconds if found.seconds > 0 else None
    if form == "json":
        return json_text(
            {
                "tagger": found.tagger,
                "sentences": found.sentences,
                **{
                    name: {"words": words, "correct": correct, "accuracy": accuracy}
                    for name, words, correct, accuracy in rows
                },
                "confusions": [
                    {"right": right, "given": given, "times": times} for right, given, times in worst
                ],
                **({"words_per_second": speed} if timed else {}),
            }
        )
    if form == "tsv":
        fields = ("words", "count", "correct", "accuracy")
        return tsv_text(fields, [dict(zip(fields, row, strict=True)) for row in rows])
    notes = [f"{counted(found.sentences, 'sentence')}. {found.tagger}"]
    if worst:
        listed = ", ".join(f"{right} as {given} {times:,}" for right, given, times in worst)
        notes.append(f"Most frequent confusions: {listed}.")
    if timed and speed is not None:
        notes.append(f"{speed:,.0f} words/s on one thread.")
    cells = [
        [name, f"{words:,}", f"{correct:,}", "-" if share is None else f"{100 * share:.2f}"]
        for name, words, correct, share in rows
    ]
    return readable(form, "lrrr", ["words", "count", "correct", "accuracy"], cells, notes)
