"""Tables that the commands of PEM print about models and training."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from paragauge.metrics.pem.card import describe_facts, describe_fit
from paragauge.metrics.pem.model import PEMModel
from paragauge.metrics.pem.train import Trained
from paragauge.metrics.pem.training_stages import Stage
from paragauge.text.terminal_columns import align_columns


def model_record(model: PEMModel) -> dict[str, Any]:
    """What is in a model, for scripts."""
    return {
        "form": model.resources.form.record(),
        "scale": list(model.scale),
        "fingerprints": model.fingerprints,
        "pivots": {
            pivot.language: {"phrases": len(pivot), "edges": len(pivot.arrays.targets)}
            for pivot in model.resources.pivots
        },
        "lm": {"order": model.resources.model.order, "counts": list(model.resources.model.counts)},
        "about": model.about,
    }


def model_rows(model: PEMModel) -> list[tuple[str, str]]:
    """What is in a model, for people."""
    known = model.resources
    rows = [("text", known.form.label)]
    rows += [
        (f"pivot {pivot.language}", f"{len(pivot):,} phrases, {len(pivot.arrays.targets):,} edges")
        for pivot in known.pivots
    ]
    counts = ", ".join(f"{count:,} {n}-grams" for n, count in enumerate(known.model.counts, 1))
    rows.append(("language model", counts))
    if "language model" in model.about:
        facts = dict(model.about["language model"])
        more = "; ".join(filter(None, (facts.pop("smoothing"), describe_facts(facts))))
        rows.append(("smoothing", more))
    rows.append(("scale", f"{model.scale[0]:g} to {model.scale[1]:g}"))
    for name, fit in sorted(model.about.get("fits", {}).items()):
        rows.append((f"regression {name}", describe_fit(fit)))
    rows += list(model.fingerprints.items())
    return rows


def training_summary(trained: Trained, output: Path, left_out: str = "") -> str:
    """The stages and their sizes, how well the regressions predict, and how to use the model.

    `left_out` says what was not used of the ratings and their texts.
    """
    rows = [
        [stage.name, "kept" if stage.kept else "made", _counts_text(stage)]
        for stage in trained.stages.done
    ]
    return "\n".join(
        [
            *align_columns("lll", rows),
            *(f"{name} features: {describe_fit(fit)}" for name, fit in trained.fits.items()),
            *([f"left out: {left_out}"] if left_out else []),
            f"saved to {output}; use: --metrics pem:model={output}",
        ]
    )


def print_times(trained: Trained) -> None:
    """How long each stage took, on standard error if that is a terminal, as progress is.

    Standard output is the same for two runs on the same input.
    """
    times = [f"{stage.name} {stage.seconds:.1f}" for stage in trained.stages.done if not stage.kept]
    if times and sys.stderr.isatty():
        print(f"seconds: {', '.join(times)}", file=sys.stderr)


def _counts_text(stage: Stage) -> str:
    numbers = {name: value for name, value in stage.facts.items() if isinstance(value, int)}
    if stage.name.startswith("regression"):
        numbers = {name: numbers[name] for name in ("ratings", "sources", "controls")}
    return ", ".join(f"{value:,} {name}" for name, value in numbers.items())
