"""Options that bring scores of segments computed elsewhere, such as COMET's."""

from __future__ import annotations

from dataclasses import dataclass

import click

from paragauge.cli.command import gather_options, option
from paragauge.cli.options.metric_choice import MetricChoice
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.options.rating_options import split_names
from paragauge.cli.options.shared_options import METRIC
from paragauge.errors import SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.outside.given_scores import GivenScores, read_given_scores
from paragauge.text.corpus import Corpus
from paragauge.text.tables.dialect import DECIMALS


@dataclass(frozen=True)
class GivenScoresChoice:
    """Tables with scores of segments, and the metrics of them for which lower is better."""

    scores: tuple[str, ...]
    lower: tuple[str, ...]
    decimal: str = "."

    def metrics(self, choice: MetricChoice, corpus: Corpus) -> dict[str, Metric]:
        """The metrics to compute and those of the tables, by label.

        Without -m, only those of the tables. A note says what can be tested about them.
        """
        if not self.scores:
            if self.lower:
                raise SettingError("--lower needs --scores; give it too, or leave --lower out")
            return choice.for_corpus(corpus)
        given = read_given_scores(
            self.scores, list(corpus.systems), split_names(self.lower), decimal=self.decimal
        )
        computed = choice.for_corpus(corpus) if choice.metrics else {}
        for label in given:
            if label in computed:
                raise SettingError(
                    f"metric '{label}' is computed and in {given[label].path}; leave one of them out"
                )
        click.echo(
            f"paragauge: {', '.join(given)}: scores of segments from {', '.join(self.scores)}; scores "
            "of systems, intervals and tests are of their mean",
            err=True,
        )
        return {**computed, **given}


def check_segments(metrics: dict[str, Metric], segments: int) -> None:
    """Refuse given scores of more segments than the texts have."""
    for metric in metrics.values():
        if isinstance(metric, GivenScores):
            metric.check_segments(segments)


def computed_metrics(metrics: dict[str, Metric]) -> dict[str, Metric]:
    """The metrics that can score other texts too: those that are not given."""
    return {label: one for label, one in metrics.items() if not isinstance(one, GivenScores)}


_scores_options = (
    option(
        "--scores",
        multiple=True,
        metavar="FILE",
        heading=METRIC,
        help="Segment scores computed elsewhere, such as COMET's: columns segment (line number), "
        "system, and one per metric. May repeat.",
    ),
    option(
        "--lower",
        multiple=True,
        metavar="METRIC,...",
        heading=METRIC,
        help="Metrics of --scores for which lower is better. Known ones (ter) need no mention.",
    ),
)
with_given_scores = gather_options(
    "given",
    GivenScoresChoice,
    *_scores_options,
    choice_option(
        "--decimal",
        choices=DECIMALS,
        default=".",
        heading=METRIC,
        help="The sign before decimals in --scores.",
    ),
)
# For commands with ratings, whose --decimal is that of scores too.
with_scores_beside_ratings = gather_options(
    "given", GivenScoresChoice, *_scores_options, defaults=("decimal",)
)
