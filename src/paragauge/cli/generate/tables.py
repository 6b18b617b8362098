"""What `paragauge generate` prints, as text, JSON, TSV, Markdown or LaTeX."""

from __future__ import annotations

import dataclasses

from paragauge.generate.tune import Tuned
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.plain import counted


def render_tuning(done: Tuned, output: str, form: str) -> str:
    """A row for each round, and the weights."""
    records = [
        {
            "iteration": each.number,
            "score": each.score,
            "hypotheses": each.hypotheses,
            "pairs": each.pairs,
            "best": each.number == done.best,
        }
        for each in done.history
    ]
    weights = dict(zip(done.names, done.weights.tolist(), strict=True))
    if form == "json":
        return json_text(
            {
                "output": output,
                "metric": done.metric,
                "best": done.best,
                "converged": done.converged,
                "weights": weights,
                "iterations": [
                    record | {"weights": dict(zip(done.names, each.weights, strict=True))}
                    for record, each in zip(records, done.history, strict=True)
                ],
                "settings": dataclasses.asdict(done.settings),
            }
        )
    if form == "tsv":
        return tsv_text(("iteration", "score", "hypotheses", "pairs", "best"), records)
    rows = [
        [
            f"{each.number}{' (best)' if each.number == done.best else ''}",
            f"{each.score:.2f}",
            f"{each.hypotheses:,}",
            f"{each.pairs:,}" if each.pairs else "",
        ]
        for each in done.history
    ]
    first, best = done.history[0].score, done.history[done.best].score
    notes = [
        f"{output}: {counted(len(weights), 'weight')} from iteration {done.best}: "
        f"{best:.2f}, {best - first:+.2f} by tuning."
        + (" The weights converged." if done.converged else ""),
        ", ".join(f"{name} {weight:.4f}" for name, weight in weights.items()),
        done.metric,
    ]
    return readable(form, "lrrr", ["iteration", "score", "hypotheses", "pairs"], rows, notes)
