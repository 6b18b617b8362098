"""The plots of an evaluation as files, for papers and slides."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.save import file_name, save_plot
from paragauge.report.pages.sections.buckets import bucket_plots
from paragauge.report.pages.sections.differences import significance_plots
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.pages.sections.score_distribution import segment_plots
from paragauge.report.pages.sections.scores import score_plots
from paragauge.report.pages.sections.summary import plane_of


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


def check_folder(folder: str | Path) -> None:
    """Refuse a path that is not a folder and cannot become one."""
    if Path(folder).exists() and not Path(folder).is_dir():
        raise FileFormatError(folder, None, "expected a folder, found a file; choose another name")
    if not Path(folder).absolute().parent.is_dir():
        message = f"its folder {Path(folder).parent} does not exist; make it first"
        raise FileFormatError(folder, None, message)


def save_figures(
    scenes: Mapping[str, Scene], folder: str | Path, form: str = "svg", theme: str = "light"
) -> list[Path]:
    """Write plots to a folder, which is created if its parent exists; returns their paths."""
    check_folder(folder)
    target = Path(folder)
    target.mkdir(exist_ok=True)
    paths = []
    for name, scene in scenes.items():
        paths.append(target / f"{name}.{form}")
        save_plot(scene, paths[-1], theme)
    return paths
