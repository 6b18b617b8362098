"""The card of a PEM model: what it was made from, for people, in `MODEL_CARD.md` beside its files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paragauge.metrics.pem.model import PEMModel
from paragauge.text.wording import pluralize


def card_text(model: PEMModel) -> str:
    """The card in Markdown: text, pivots, language model, regressions.

    >>> from paragauge.metrics.pem.model import open_model
    >>> print(card_text(open_model("english")).splitlines()[0])
    # PEM model
    """
    resources, about = model.resources, model.about
    low, high = model.scale
    counts = ", ".join(f"{count:,} {n}-grams" for n, count in enumerate(resources.model.counts, 1))
    lines = ["# PEM model", "", f"Predicts ratings from {low:g} to {high:g}."]
    lines += ["", "## Text", "", f"- {resources.form.label}", "", "## Pivots", ""]
    files = about.get("bitexts", {})
    for pivot in resources.pivots:
        origin = describe_facts(files.get(pivot.language, {}))
        size = f"{len(pivot):,} phrases, {len(pivot.arrays.targets):,} edges"
        lines.append(f"- {pivot.language}: {size}{'; ' * bool(origin)}{origin}")
    smoothing = describe_facts(about.get("language model", {"smoothing": "not recorded"}))
    lines += ["", "## Language model", "", f"- {counts}", f"- {smoothing}", "", "## Regressions", ""]
    lines += [f"- {name} features: {describe_fit(fit)}" for name, fit in about.get("fits", {}).items()]
    return "\n".join(lines) + "\n"


def describe_facts(facts: Mapping[str, Any]) -> str:
    """Facts by name as one line.

    >>> describe_facts({"smoothing": "Katz", "prune": [0, 1], "bits": None})
    'smoothing: Katz; prune: 0, 1; bits: none, exact values'
    """
    return "; ".join(f"{name}: {_describe(name, value)}" for name, value in facts.items())


def _describe(name: str, value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "none, exact values" if value is None and name == "bits" else str(value)


def describe_fit(fit: Mapping[str, Any]) -> str:
    """How well a regression predicts."""
    interval = f" [{fit['low']:.3f}, {fit['high']:.3f}]" if fit.get("low") is not None else ""
    return (
        f"Pearson {fit['held_out']:.3f}{interval} held out, {fit['held_out_changed']:.3f} without "
        f"copies, {fit['pearson']:.3f} with its own {pluralize(fit['ratings'], 'rating')}"
    )
