"""Tables that `paragauge generate` prints, as text, JSON, TSV, Markdown or LaTeX."""

from __future__ import annotations

import dataclasses

from paragauge.generate.search_tuning import SearchTuning
from paragauge.generate.tuning import TuningResult
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.wording import pluralize


def render_search_tuning(tuned: SearchTuning, output: str, form: str) -> str:
    """A row for each round, with the weights of the objective, and the best objective."""
    names = tuned.objective.names
    records = [
        {"round": row.number, "score": row.score, "texts": row.texts, "best": row.number == tuned.best}
        | dict(zip(names, row.weights, strict=True))
        for row in tuned.history
    ]
    if form == "json":
        return json_text(
            "generate-tune-search",
            {
                "output": output,
                "metric": tuned.metric,
                "best": tuned.best,
                "objective": tuned.objective.label,
                "weights": dict(zip(names, tuned.objective.weights, strict=True)),
                "rounds": [
                    {
                        "round": row.number,
                        "score": row.score,
                        "texts": row.texts,
                        "best": row.number == tuned.best,
                        "weights": dict(zip(names, row.weights, strict=True)),
                    }
                    for row in tuned.history
                ],
            },
        )
    if form == "tsv":
        return tsv_text(("round", "score", "texts", *names, "best"), records)
    rows = [
        [
            f"{row.number}{' (best)' if row.number == tuned.best else ''}",
            f"{row.score:.2f}",
            f"{row.texts:,}",
            *(f"{weight:.4g}" for weight in row.weights),
        ]
        for row in tuned.history
    ]
    first, best = tuned.history[0].score, tuned.history[tuned.best].score
    notes = [
        (
            f"{output}: {pluralize(len(names), 'weight')} from round {tuned.best}: {best:.2f}, "
            f"{best - first:+.2f} by tuning."
        ),
        tuned.objective.label,
        tuned.metric,
    ]
    columns = ["round", "score", "texts", *names]
    return readable(form, "l" + "r" * (len(columns) - 1), columns, rows, notes)


def render_tuning(tuned: TuningResult, output: str, form: str) -> str:
    """A row for each round of tuning, and the weights."""
    records = [
        {
            "iteration": iteration.number,
            "score": iteration.score,
            "hypotheses": iteration.hypotheses,
            "pairs": iteration.pairs,
            "best": iteration.number == tuned.best,
        }
        for iteration in tuned.history
    ]
    weights = dict(zip(tuned.names, tuned.weights.tolist(), strict=True))
    if form == "json":
        return json_text(
            "generate-tune",
            {
                "output": output,
                "metric": tuned.metric,
                "best": tuned.best,
                "converged": tuned.converged,
                "weights": weights,
                "iterations": [
                    record | {"weights": dict(zip(tuned.names, iteration.weights, strict=True))}
                    for record, iteration in zip(records, tuned.history, strict=True)
                ],
                "settings": dataclasses.asdict(tuned.settings),
            },
        )
    if form == "tsv":
        return tsv_text(("iteration", "score", "hypotheses", "pairs", "best"), records)
    rows = [
        [
            f"{iteration.number}{' (best)' if iteration.number == tuned.best else ''}",
            f"{iteration.score:.2f}",
            f"{iteration.hypotheses:,}",
            f"{iteration.pairs:,}" if iteration.pairs else "",
        ]
        for iteration in tuned.history
    ]
    first, best = tuned.history[0].score, tuned.history[tuned.best].score
    notes = [
        f"{output}: {pluralize(len(weights), 'weight')} from iteration {tuned.best}: "
        f"{best:.2f}, {best - first:+.2f} by tuning."
        + (" The weights converged." if tuned.converged else ""),
        ", ".join(f"{name} {weight:.4f}" for name, weight in weights.items()),
        tuned.metric,
    ]
    return readable(form, "lrrr", ["iteration", "score", "hypotheses", "pairs"], rows, notes)
