"""The plots of an evaluation as files, for papers and slides."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.save import file_name, save_plot
from paragauge.report.pages.sections.buckets import bucket_plots
from paragauge.report.pages.sections.differences import significance_plots
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.pages.sections.score_distribution import segment_plots
from paragauge.report.pages.sections.scores import score_plots
from paragauge.report.pages.sections.summary import plane_of
from paragauge.text.atomic_folders import file_set


def figures(evaluation: Evaluation) -> dict[str, Scene]:
    """All plots by the names of their files, without the extension."""
    scenes: dict[str, Scene] = {}
    plane = plane_of(evaluation)
    if plane is not None:
        scenes["plane"] = plane
    for label, scene in score_plots(evaluation).items():
        scenes[f"scores-{file_name(label)}"] = scene
    for label, scene in significance_plots(evaluation).items():
        scenes[f"significance-{file_name(label)}"] = scene
    for grouping in evaluation.groupings:
        for label, scene in bucket_plots(evaluation, grouping).items():
            scenes[f"{grouping.name}-{file_name(label)}"] = scene
    for (system, number), scene in segment_plots(evaluation).items():
        scenes[f"segments-{number + 1}-{file_name(system)}"] = scene
    return scenes


def save_figures(
    scenes: Mapping[str, Scene], folder: str | Path, form: str = "svg", theme: str = "light"
) -> list[Path]:
    """Write plots to a folder, which is created if its parent exists; returns their paths."""
    names = [f"{name}.{form}" for name in scenes]
    with file_set(folder) as hidden:
        for name, scene in zip(names, scenes.values(), strict=True):
            save_plot(scene, hidden / name, theme)
    return [Path(folder, name) for name in names]
