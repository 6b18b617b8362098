"""Options of the commands that fit PEM to rated pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from paragauge.cli import streams
from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.options.rating_options import RatingColumns, allow_missing, with_rating_columns
from paragauge.errors import InputError, SettingError
from paragauge.metrics.control_systems import PEM_KINDS, check_kinds
from paragauge.metrics.pem.rated_corpus import gather_rated_pairs
from paragauge.metrics.pem.train import TrainSettings
from paragauge.text.corpus import Corpus
from paragauge.text.rated_pairs import COLUMNS, RatedPairs, read_rated_pairs
from paragauge.text.ratings import read_ratings
from paragauge.text.wording import pluralize

RATINGS = "Ratings"
OVERALL = "overall"  # the usual criterion of ratings by segment and system, as for paragauge fit


@dataclass(frozen=True)
class RatedInput:
    """Rated pairs, in one table or in files with their ratings, and how the regressions learn."""

    sources: str | None
    candidates: tuple[str, ...]
    ratings: str
    segment_range: str | None
    criterion: str | None
    scale: str
    controls: str
    control_weight: float
    allow_missing: bool
    columns: RatingColumns

    def read(self, threads: int = 0) -> RatedPairs:
        """The rated pairs of a table with texts, or of the files that -s and -c name."""
        scale = shared_options.parse_scale(self.scale)
        segments = shared_options.parse_range(self.segment_range)
        if not self.candidates:
            shared_options.refuse_without("the candidates (-c)", "sources")
            shared_options.refuse_without("the candidates (-c)", "allow_missing")
            roles = self.columns.roles(("source", "candidate", "segment", "system", "judge"))
            source, candidate = (roles.get(role, role) for role in COLUMNS[:2])
            return read_rated_pairs(
                self.ratings,
                (source, candidate, self.columns.criterion(self.criterion, COLUMNS[2])),
                scale,
                segments,
                self.columns.dialect(),
                roles.get("segment"),
                [roles[role] for role in ("system", "judge") if role in roles],
            )
        if self.sources is None:
            raise InputError("-c needs the sources too; give them with -s")
        systems = shared_options.name_systems(self.candidates)
        corpus = Corpus(systems, (self.sources,), threads=threads)
        ratings = read_ratings(
            self.ratings,
            self.columns.criterion(self.criterion, OVERALL),
            list(systems),
            scale,
            columns=self.columns.roles(("segment", "system", "judge")),
            separator=self.columns.separator,
            dialect=self.columns.dialect(),
        )
        batches = list(corpus.batches())
        means, gaps = ratings.match(
            list(systems), sum(map(len, batches)), segments, allow_missing=self.allow_missing
        )
        pairs = gather_rated_pairs(batches, means, segments)
        unrated = f"{pluralize(pairs.unrated, 'candidate')} without a rating" if pairs.unrated else ""
        return replace(pairs, left_out="; ".join([*gaps, *[unrated] * bool(unrated)]))


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
        help="Rated pairs: a table with the columns source, candidate and rating; with -c, segment "
        "(from 1), system and the rating. Rows of one pair are averaged.",
    ),
    option(
        "--sources",
        "-s",
        metavar="FILE",
        heading=RATINGS,
        help="The sentences that were paraphrased, one per line, if the ratings have no texts.",
    ),
    option(
        "--candidates",
        "-c",
        multiple=True,
        metavar="[NAME=]FILE",
        heading=RATINGS,
        help="A rated system's sentences, one per line. Repeat for more systems.",
    ),
    option(
        "--range",
        "segment_range",
        metavar="FIRST:LAST",
        heading=RATINGS,
        help="Only the segments with these numbers, such as 1:200. Default: all.",
    ),
    option(
        "--criterion",
        metavar="NAME",
        heading=RATINGS,
        help=f"The column with the ratings to fit to. Default: {COLUMNS[2]}, or with -c {OVERALL}.",
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
        default=",".join(PEM_KINDS),
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
    allow_missing,
    with_rating_columns,
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
        help="The model. Results of its stages are in FOLDER.work, which stays when the model is "
        "complete and may be removed then.",
    ),
    shared_options.threads,
)
