"""The plots of an evaluation as files, for papers and slides."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.report.canvas import Scene
from paragauge.report.evaluation import Evaluation
from paragauge.report.save import file_name, save_plot
from paragauge.report.sections.buckets import bucket_plots
from paragauge.report.sections.differences import significance_plots
from paragauge.report.sections.scores import score_plots
from paragauge.report.sections.spread import segment_plots
from paragauge.report.sections.summary import plane_of


def figures(evaluation: Evaluation) -> dict[str, Scene]:
    """All plots by the names that their files get, without an ending."""
    found: dict[str, Scene] = {}
    plane = plane_of(evaluation)
    if plane is not None:
        found["plane"] = plane
    for label, scene in score_plots(evaluation).items():
        found[f"scores-{file_name(label)}"] = scene
    for label, scene in significance_plots(evaluation).items():
        found[f"significance-{file_name(label)}"] = scene
    for grouping in evaluation.groupings:
        for label, scene in bucket_plots(evaluation, grouping).items():
            found[f"{grouping.name}-{file_name(label)}"] = scene
    for (system, number), scene in segment_plots(evaluation).items():
        found[f"segments-{number + 1}-{file_name(system)}"] = scene
    return found


def save_figures(
    scenes: Mapping[str, Scene], folder: str | Path, form: str = "svg", theme: str = "light"
) -> list[Path]:
    """Write plots to a folder, which is made if only it is missing; gives their paths."""
    target = Path(folder)
    try:
        target.mkdir(exist_ok=True)
    except FileNotFoundError:
        message = f"its folder {target.parent} does not exist; make it first"
        raise FileFormatError(folder, None, message) from None
    except FileExistsError:
        raise FileFormatError(folder, None, "expected a folder, found a file") from None
    paths = []
    for name, scene in scenes.items():
        paths.append(target / f"{name}.{form}")
        save_plot(scene, paths[-1], theme)
    return paths
