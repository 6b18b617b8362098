"""Options of the commands that fit PEM to rated pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paragauge.cli import streams
from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.errors import InputError, SettingError
from paragauge.metrics.control_systems import KINDS, check_kinds
from paragauge.metrics.pem.train import TrainSettings
from paragauge.text.rated_pairs import COLUMNS, RatedPairs, read_rated_pairs

RATINGS = "Ratings"


@dataclass(frozen=True)
class RatedInput:
    """Rated pairs, and how the regressions learn from them."""

    ratings: str
    source_column: str
    candidate_column: str
    column: str
    scale: str
    controls: str
    control_weight: float

    def read(self) -> RatedPairs:
        """The rated pairs of the file."""
        columns = (self.source_column, self.candidate_column, self.column)
        return read_rated_pairs(self.ratings, columns, shared_options.parse_scale(self.scale))


@dataclass(frozen=True)
class TrainingRun:
    """Cross-validation, output and threads of a training."""

    folds: int
    seed: int
    output: str
    threads: int

    def folder(self) -> Path:
        """The folder of the model, if it can be written and named in --metrics."""
        output = Path(self.output)
        if set(self.output) & set(",:"):
            raise SettingError(
                f"--output {output}: expected a name without , and :, which --metrics could not read; "
                "choose another name"
            )
        if output.exists() and not output.is_dir():
            raise InputError(f"--output {output}: is a file; choose another name")
        return output

    def settings(self, rated: RatedInput) -> TrainSettings:
        """The settings of the regressions; everything else has its default."""
        return TrainSettings(
            scale=shared_options.parse_scale(rated.scale),
            controls=() if rated.controls == "none" else check_kinds(rated.controls.split(",")),
            control_weight=rated.control_weight,
            folds=self.folds,
            seed=self.seed,
            threads=self.threads,
        )


with_rated_pairs = gather_options(
    "rated",
    RatedInput,
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
        help="The lowest and the highest possible rating.",
    ),
    option(
        "--controls",
        default=",".join(KINDS),
        metavar="NAME,...|none",
        heading=RATINGS,
        help="Control paraphrases to train on too; with copy, rated copies are left out.",
    ),
    option(
        "--control-weight",
        type=float,
        default=0.3,
        metavar="W",
        heading=RATINGS,
        help="Weight of a control, compared with a rated pair.",
    ),
)
with_run = gather_options(
    "run",
    TrainingRun,
    count_option(
        "--folds",
        least=2,
        most=1000,
        default=5,
        heading=shared_options.UNCERTAINTY,
        help="Folds of the cross-validation, by source.",
    ),
    shared_options.seed,
    option(
        "--output",
        "-o",
        required=True,
        metavar="FOLDER",
        heading=shared_options.OUTPUT,
        writes=streams.FOLDER,
        help="The model. Unfinished work is in FOLDER.work.",
    ),
    shared_options.threads,
)
