"""Options of the commands that fit PEM to rated pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import option, together
from paragauge.cli.options import shared_options
from paragauge.errors import InputError, SettingError
from paragauge.metrics.controls import KINDS
from paragauge.text.rated_pairs import COLUMNS, RatedPairs, read_rated_pairs

RATINGS = "Ratings"

rating_options = together(
    option(
        "--ratings",
        required=True,
        metavar="FILE",
        heading=RATINGS,
        help="Rated pairs: TSV, CSV, JSON Lines or Parquet. Rows of one pair are averaged.",
    ),
    option(
        "--source-column",
        default=COLUMNS[0],
        metavar="NAME",
        heading=RATINGS,
        help="The column of the sources.",
    ),
    option(
        "--candidate-column",
        default=COLUMNS[1],
        metavar="NAME",
        heading=RATINGS,
        help="The column of the paraphrases.",
    ),
    option(
        "--column",
        default=COLUMNS[2],
        metavar="NAME",
        heading=RATINGS,
        help="The column of the ratings.",
    ),
    option(
        "--scale",
        default="1:5",
        metavar="LOW:HIGH",
        heading=RATINGS,
        help="The lowest and the highest rating that people could give.",
    ),
    option(
        "--controls",
        default=",".join(KINDS),
        metavar="NAME,...|none",
        heading=RATINGS,
        help="Control paraphrases that join the training; with copy, rated copies are left out of it.",
    ),
    option(
        "--control-weight",
        type=float,
        default=0.3,
        metavar="W",
        heading=RATINGS,
        help="What a control weighs, compared with a rated pair.",
    ),
)
run_options = together(
    option(
        "--folds",
        type=click.IntRange(2, 1000),
        default=5,
        metavar="N",
        heading=shared_options.UNCERTAINTY,
        help="Parts of the cross-validation, by source.",
    ),
    shared_options.seed,
    option(
        "--output",
        "-o",
        required=True,
        metavar="FOLDER",
        heading=shared_options.OUTPUT,
        writes=streams.FOLDER,
        help="The model. Work in progress is in FOLDER.work.",
    ),
    shared_options.threads,
)


def rated_input(given: dict[str, Any]) -> tuple[Path, RatedPairs, dict[str, Any]]:
    """The output, the rated pairs, and the settings that the regressions need."""
    scale = shared_options.scale_of(given["scale"])
    output = Path(given["output"])
    if set(given["output"]) & set(",:"):
        raise SettingError(
            f"--output {output}: expected a name without , and :, which --metrics could not read; "
            "choose another name"
        )
    if output.exists() and not output.is_dir():
        raise InputError(f"--output {output}: is a file; choose another name")
    columns = (given["source_column"], given["candidate_column"], given["column"])
    settings = {name: given[name] for name in ("control_weight", "folds", "seed", "threads")}
    kinds = () if given["controls"] == "none" else tuple(given["controls"].split(","))
    rated = {**settings, "scale": scale, "controls": kinds}
    return output, read_rated_pairs(given["ratings"], columns, scale), rated
