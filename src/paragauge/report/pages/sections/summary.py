"""The summary: what was evaluated, what came out, and the plane of meaning and novelty."""

from __future__ import annotations

import math
from html import escape

from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots import plane_plot
from paragauge.report.pages.blocks.html import Section, figure
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.tables.score_tables import statements

MOST_NAMED = 8
# Metrics of the meaning kept; the first of them that was computed is plotted over PINC.
ADEQUACY = (
    "BLEU",
    "MAXSIM-context",
    "BERTScore",
    "MAXSIM-soft",
    "MAXSIM+dep",
    "MAXSIM",
    "METEOR",
    "chrF",
    "cosine",
)
MEANING = "A good paraphrase keeps the meaning (up) and changes the wording (right)."
WIDE, NARROW = (820, 460), (360, 380)  # pixels; the narrow one is for phones


def summary(evaluation: Evaluation) -> Section:
    """What is significant, or which system scores best, and one picture."""
    if evaluation.comparison is not None:
        lines = statements(evaluation.comparison, MOST_NAMED)
    else:
        lines = headlines(evaluation)
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    parts = [f'<ul class="findings">{items}</ul>']
    for css, size in (("wide", WIDE), ("narrow", NARROW)):
        plane = plane_of(evaluation, size)
        if plane is not None:
            parts.append(figure(plane, f"{MEANING} {plane.caption}", css))
    return Section("summary", "Summary", "".join(parts))


def headlines(evaluation: Evaluation) -> list[str]:
    """The best system under each metric, one sentence each."""
    lines = []
    for label in evaluation.labels:
        scores = [evaluation.sheet[system, label] for system in evaluation.systems]
        known = [score for score in scores if score.value == score.value]
        if not known:
            lines.append(f"{evaluation.title(label)}: no system has a score.")
            continue
        sign = 1 if known[0].higher_is_better else -1
        best = max(known, key=lambda score: sign * score.value)
        bounds = "" if best.low is None else f" [{best.low:.2f}, {best.high:.2f}]"
        bounds += f" ({best.beside()})" if best.shown_parts else ""
        if len(scores) == 1:
            lines.append(f"{best.title}: {best.system} has {best.value:.2f}{bounds}.")
        else:
            lines.append(
                f"{best.title}: {best.system} is best of {len(scores)}, {best.value:.2f}{bounds}."
            )
    return lines


def plane_of(evaluation: Evaluation, size: tuple[int, int] = WIDE) -> Scene | None:
    """BLEU or another metric of the meaning kept over PINC, one point per system.

    None if one of the two was not computed, or is undefined for a system.
    """
    sheet, systems = evaluation.sheet, evaluation.systems
    labels = {score.name: score.metric for score in reversed(sheet.scores)}
    kept = next((name for name in ADEQUACY if name in labels), None)
    if kept is None or "PINC" not in labels:
        return None
    pinc, adequacy = labels["PINC"], labels[kept]
    values = [sheet[name, adequacy].value for name in systems]
    if any(math.isnan(value) for value in values):
        return None
    replicates = None
    if sheet.bootstrap:
        replicates = [
            (sheet.resampled[name, pinc], sheet.resampled[name, adequacy]) for name in systems
        ]
    return plane_plot(
        systems,
        [sheet[name, pinc].value for name in systems],
        values,
        titles=("PINC: wording changed →", f"{kept}: meaning kept →"),
        replicates=replicates,
        level=sheet.level,
        width=size[0],
        height=size[1],
    )
