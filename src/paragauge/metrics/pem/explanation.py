"""The explanation of a PEM score, and its text form."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paragauge.metrics.pem.explanation_parts import (
    AdequacyView,
    Feature,
    FluencyView,
    Influence,
    Overlap,
    PivotView,
    Summary,
)
from paragauge.metrics.pem.explanation_text import (
    fluency_lines,
    network_lines,
    overlap_lines,
    wrap_sentence,
)
from paragauge.text.terminal_columns import align_columns

CHANGE = (
    "Change: the rating predicted, minus that if the feature (or its group) had its mean in training.",
    "It describes the regression and implies no cause; changes do not add up.",
)


@dataclass(frozen=True)
class PEMExplanation:
    """What makes up the score of a source and a candidate; `print` shows it as text in columns.

    `value` is the metric's, from 0 to 100; `rating` is the same on the `scale` of the ratings, and
    `usual` the rating predicted if all features had their mean in training. `source` and `candidate`
    are the words as they are in the model, lowercase or stemmed; those of `surface` as in the text.
    With the paper's features there are `pivots` and the language model's `fluency`; with learned parts
    neither, but `adequacy`, unless another metric is in its place.
    """

    metric: str
    value: float
    rating: float
    usual: float
    scale: tuple[float, float]
    signature: str
    source_text: str
    candidate_text: str
    source: tuple[str, ...]
    candidate: tuple[str, ...]
    source_surface: tuple[str, ...]
    candidate_surface: tuple[str, ...]
    parts: Mapping[str, float]
    pivots: tuple[PivotView, ...]
    target: Overlap
    fluency: FluencyView | None
    adequacy: AdequacyView | None
    features: tuple[Feature, ...]
    influences: tuple[Influence, ...]
    summary: Summary

    def __str__(self) -> str:
        return _as_text(self)

    @property
    def in_points(self) -> bool:
        """Whether the ratings are from 0 to 100, like the score, so that points add nothing."""
        return self.scale == (0.0, 100.0)

    def points(self, change: float) -> float:
        """A change of the rating on the scale from 0 to 100."""
        low, high = self.scale
        return 100.0 * change / (high - low)

    def record(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        values: dict[str, Any] = {"kind": "pem"} | dataclasses.asdict(self)
        values["scale"] = list(self.scale)
        overlaps = [(self.target, values["target"])]
        overlaps += [
            (pivot.overlap, fields["overlap"])
            for pivot, fields in zip(self.pivots, values["pivots"], strict=True)
        ]
        for overlap, fields in overlaps:
            for gram, record in zip(overlap.shared, fields["shared"], strict=True):
                record["shared"] = gram.shared
            for name in ("shared", "lost", "added"):
                for gram, record in zip(getattr(overlap, name), fields[name], strict=True):
                    record["surface"] = gram.shown
        for influence in [*values["features"], *values["influences"]]:
            influence["points"] = self.points(influence["change"])
        return values


def _as_text(explanation: PEMExplanation) -> str:
    """The whole explanation."""
    low, high = explanation.scale
    rating = f"rating {explanation.rating:.2f} on a scale of {low:g} to {high:g}"
    blocks = [
        [f"{explanation.metric} {explanation.value:.2f} ({rating})"],
        [*wrap_sentence(explanation.summary.change), *wrap_sentence(explanation.summary.score)],
        align_columns(
            "ll",
            [
                ["source", explanation.source_text or "(empty)"],
                ["candidate", explanation.candidate_text or "(empty)"],
            ],
        ),
        _part_lines(explanation),
        _influence_lines(explanation),
    ]
    for pivot in explanation.pivots:
        blocks.append([f"{pivot.language}: the phrases and their translations"])
        for side, phrases in (("source", pivot.source), ("candidate", pivot.candidate)):
            blocks[-1] += network_lines(side, phrases)
        blocks.append([f"{pivot.language}: n-grams", *overlap_lines(pivot.overlap)])
    blocks.append(["wording: n-grams of the sentences", *overlap_lines(explanation.target)])
    if explanation.fluency is not None:
        blocks.append(fluency_lines(explanation.fluency))
    return "\n\n".join("\n".join(block) for block in [*blocks, [explanation.signature]])


def _part_lines(explanation: PEMExplanation) -> list[str]:
    fluency = explanation.fluency
    if fluency is None:
        return _learned_lines(explanation)
    rows = [["part", "value", "P", "R", "shared", "candidate", "source", ""]]
    several = len(explanation.pivots) > 1
    if several:
        note = f"mean of {len(explanation.pivots)} pivot languages"
        rows.append(["pivot F1", f"{explanation.parts['pivot_f1']:.2f}", *[""] * 5, note])
    for pivot in explanation.pivots:
        title = f"  {pivot.language}" if several else f"pivot F1 ({pivot.language})"
        rows.append([title, *_overlap_numbers(pivot.overlap), "meaning kept"])
    count = len(fluency.tokens)
    note = f"mean ln P of {count} token{'s' * (count != 1)}: {fluency.log10:.2f} × ln 10 / {count}"
    rows.append(["fluency", f"{fluency.value:.2f}", *[""] * 5, note])
    rows.append(["target F1", *_overlap_numbers(explanation.target), "wording kept"])
    return align_columns("lrrrrrrl", rows)


def _learned_lines(explanation: PEMExplanation) -> list[str]:
    adequacy = explanation.adequacy
    notes = {
        "adequacy": "meaning kept",
        "fluency": "how correct the sentence is",
        "dissimilarity": "share of new wording",
    }
    rows = [[name, f"{value:.2f}", notes[name]] for name, value in explanation.parts.items()]
    if adequacy is not None:
        rows[1:1] = [
            ["  rating", f"{adequacy.rating:.2f}", "how well people would say it is kept"],
            ["  similarity", f"{adequacy.similarity:.2f}", "how similar they would call the two"],
            ["  changed", f"{adequacy.change:.0f} %", "probability of another meaning"],
            ["  reversed", f"{adequacy.reversal:.0f} %", "probability of the opposite"],
        ]
    return align_columns("lrl", [["part", "value", ""], *rows])


def _overlap_numbers(overlap: Overlap) -> list[str]:
    shares = (overlap.f1, overlap.precision, overlap.recall)
    sums = (overlap.shared_weight, overlap.candidate_weight, overlap.source_weight)
    return [*(f"{100 * number:.2f}" for number in shares), *(f"{number:.2f}" for number in sums)]


def _influence_lines(explanation: PEMExplanation) -> list[str]:
    def change(value: float) -> list[str]:
        points = [] if explanation.in_points else [f"{explanation.points(value):+.2f}"]
        return [f"{value:+.3f}", *points]

    rows = [["feature", "value", "mean", "std. dev.", "change"]]
    rows[0] += [] if explanation.in_points else ["of 100"]
    features = {feature.name: feature for feature in explanation.features}
    for group in explanation.influences:
        if len(group.features) > 1:
            rows.append(
                [f"{group.name} (all {len(group.features)})", "", "", "", *change(group.change)]
            )
        for name in group.features:
            feature = features[name]
            title = f"  {name}" if len(group.features) > 1 else name
            numbers = [f"{feature.value:.3f}", f"{feature.mean:.3f}", f"{feature.standard:+.2f}"]
            rows.append([title, *numbers, *change(feature.change)])
    usual = f"With all features at their means the rating would be {explanation.usual:.2f}."
    return [*align_columns("lrrrrr"[: len(rows[0])], rows), *CHANGE, usual]
