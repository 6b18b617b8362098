"""The result of training context classifiers as text, JSON, TSV, Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.rewrite.context.context_model import ContextModel
from paragauge.text.wording import pluralize

FIELDS = ("learner", "words", "positives", "negatives", "held_out", "accuracy", "weights")


@dataclass(frozen=True)
class Training:
    """A model that was trained."""

    learner: str
    model: ContextModel

    def record(self) -> dict[str, Any]:
        """The row of the table."""
        positives, negatives, held_out, _ = self.model.classifiers.counts.sum(axis=0).tolist()
        accuracy = self.model.accuracy()
        return {
            "learner": self.learner,
            "words": len(self.model),
            "positives": positives,
            "negatives": negatives,
            "held_out": held_out,
            "accuracy": accuracy if held_out else None,
            "weights": len(self.model.classifiers.features),
        }


def render_training(trained: Sequence[Training], best: Training, output: str, form: str) -> str:
    """A row for each learner, and what was written."""
    records = [training.record() for training in trained]
    about = best.model.about
    if form == "json":
        content = {"model": output, "name": best.model.name, "bytes": Path(output).stat().st_size}
        text = {name: about[name] for name in ("sentences", "tokens")}
        return json_text(
            "rewrite-train-context", {**content, **text, "learner": best.learner, "learners": records}
        )
    if form == "tsv":
        return tsv_text(FIELDS, records)
    rows = [
        [
            r["learner"],
            *(f"{r[name]:,}" for name in ("words", "positives", "negatives", "held_out")),
            "" if r["accuracy"] is None else f"{100 * r['accuracy']:.1f}",
            f"{r['weights']:,}",
        ]
        for r in records
    ]
    header = ["learner", "words", "examples", "others", "held out", "accuracy %", "weights"]
    note = (
        f"{output}: {best.learner}, {Path(output).stat().st_size:,} bytes, from {about['sentences']:,} "
        f"sentences with {pluralize(about['tokens'], 'token')}. {best.model.name}"
    )
    return readable(form, "lrrrrrr", header, rows, [note])
