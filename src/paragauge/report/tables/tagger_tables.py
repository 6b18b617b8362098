"""The result of `paragauge tagger test` as text, JSON, TSV, Markdown or LaTeX."""

from __future__ import annotations

from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.syntax.tagger_evaluation import TaggerTest
from paragauge.text.wording import pluralize


def render_tagger_test(test: TaggerTest, form: str, confusions: int, *, timed: bool) -> str:
    """A row for all words, one for known and one for unknown ones, then the worst confusions."""
    unknown = test.words - test.known
    rows = [
        ("all", test.words, test.correct, test.accuracy),
        ("known", test.known, test.known_correct, test.known_accuracy),
        ("unknown", unknown, test.correct - test.known_correct, test.unknown_accuracy),
    ]
    worst = test.confusions[:confusions]
    speed = test.words / test.seconds if test.seconds > 0 else None
    if form == "json":
        return json_text(
            "tagger-test",
            {
                "tagger": test.tagger,
                "sentences": test.sentences,
                **{
                    name: {"words": words, "correct": correct, "accuracy": accuracy}
                    for name, words, correct, accuracy in rows
                },
                "confusions": [
                    {"right": right, "given": proposed, "times": times}
                    for right, proposed, times in worst
                ],
                **({"words_per_second": speed} if timed else {}),
            },
        )
    if form == "tsv":
        fields = ("words", "count", "correct", "accuracy")
        return tsv_text(fields, [dict(zip(fields, row, strict=True)) for row in rows])
    notes = [f"{pluralize(test.sentences, 'sentence')}. {test.tagger}"]
    if worst:
        listed = ", ".join(f"{right} as {proposed} {times:,}" for right, proposed, times in worst)
        notes.append(f"Most frequent confusions: {listed}.")
    if timed and speed is not None:
        notes.append(f"{speed:,.0f} words/s on one thread.")
    cells = [
        [name, f"{words:,}", f"{correct:,}", "-" if share is None else f"{100 * share:.2f}"]
        for name, words, correct, share in rows
    ]
    return readable(form, "lrrr", ["words", "count", "correct", "accuracy"], cells, notes)
