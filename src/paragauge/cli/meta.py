"""`paragauge meta`: which metric agrees with people, and is the difference real?"""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from typing import cast

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.judged_input import JudgedInput, build_metrics, score_judged, with_judged
from paragauge.cli.options.metric_choice import MetricChoice, with_metrics
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.options.rating_options import named_criteria, split_names
from paragauge.cli.progress import Steps
from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.meta import evaluation
from paragauge.meta.agreement.substitution_tables import (
    SUBSTITUTION_LAYOUTS,
    SubstitutionLayout,
    substitution_layout,
)
from paragauge.meta.correlation.correlation import (
    STATISTICS,
    TESTS,
    CorrelationSettings,
    StatisticName,
    TestName,
    statistic_name,
    views_of,
)
from paragauge.meta.correlation.paper_layout import Layout
from paragauge.meta.correlation.paper_tables import (
    LAYOUTS,
    REWRITINGS,
    USUAL_METRICS,
    LayoutName,
    layout,
    usual_metrics,
)
from paragauge.meta.correlation.repeated_documents import Documents
from paragauge.meta.correlation.statistic import (
    CONSTANT,
    EXCHANGES,
    VIEWS,
    ConstantPolicy,
    ExchangeUnit,
    View,
)
from paragauge.meta.correlation.system_level import RESAMPLE, ResampledUnit
from paragauge.meta.correlation.table_cells import people
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.significance.multiple_comparisons import CORRECTIONS, Correction
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import MOST_REPLICATES
from paragauge.report.drawing.save import check_plot, save_plot
from paragauge.report.pages.sections.people import metric_matrix
from paragauge.report.tables.correlation_tables import render_correlations, render_layout
from paragauge.rewrite.evaluation.sample_files import CRITERION, read_key

AGREEMENT = "Agreement with people"
EVERY_LAYOUT = (*LAYOUTS, *SUBSTITUTION_LAYOUTS)
REWRITING_LAYOUTS = ("kauchak-4", "kauchak-5", "kauchak-6")
TESTING = ("test", "exchange", "draws", "document_size", "documents", "alpha", "correction")


@dataclass(frozen=True)
class Question:
    """Which correlations to compute."""

    criterion: tuple[str, ...]
    predictor: tuple[str, ...]
    statistic: tuple[str, ...]
    view: tuple[str, ...]
    where: str | None
    judge: tuple[str, ...]
    constant: ConstantPolicy
    difference: float
    layout: LayoutName | SubstitutionLayout | None
    key: str | None

    def pairs(self, judged: EvalSet) -> list[tuple[StatisticName, View]]:
        """Statistics with their views; of several statistics, the combinations that exist."""
        # `views_of` and the settings refuse unknown names.
        named = [statistic_name(name) for name in split_names(self.statistic)]
        statistics: list[StatisticName] = named or ["pearson"]
        views = cast("list[View]", split_names(self.view))
        if len(statistics) == 1 and views:
            return [(statistics[0], view) for view in views]
        combined = [
            (name, view)
            for name in statistics
            for view in (views or evaluation.usual_views(name, judged))
            if view in views_of(name) or view not in VIEWS
        ]
        for name in statistics:
            if name not in {statistic for statistic, _ in combined}:
                raise SettingError(
                    f"{name} has none of these views; its views are {' and '.join(views_of(name))}"
                )
        return combined


@dataclass(frozen=True)
class Uncertainty:
    """How intervals and tests are computed."""

    bootstrap: int
    resample: ResampledUnit
    test: TestName
    exchange: ExchangeUnit
    draws: int
    document_size: int
    documents: int
    alpha: float
    correction: Correction
    level: float
    seed: int

    def settings(
        self,
        question: Question,
        threads: int,
        *,
        test: TestName,
        statistic: StatisticName = "pearson",
        view: View = "pooled",
    ) -> CorrelationSettings:
        """The settings of one statistic and view."""
        return CorrelationSettings(
            statistic=statistic,
            view=view,
            test=test,
            exchange=self.exchange,
            bootstrap=self.bootstrap,
            draws=self.draws,
            seed=self.seed,
            level=self.level,
            alpha=self.alpha,
            correction=self.correction,
            constant=question.constant,
            resample=self.resample,
            difference=question.difference,
            documents=Documents(self.document_size, self.documents, self.seed),
            threads=threads,
        )


with_question = gather_options(
    "question",
    Question,
    option(
        "--criterion",
        multiple=True,
        metavar="NAME",
        heading=AGREEMENT,
        help="The ratings to correlate with. May repeat. Default: all criteria.",
    ),
    option(
        "--predictor",
        multiple=True,
        metavar="NAME",
        heading=AGREEMENT,
        help="A criterion to treat as a metric too. May repeat.",
    ),
    option(
        "--statistic",
        multiple=True,
        metavar="NAME,...",
        heading=AGREEMENT,
        help=f"{', '.join(STATISTICS)}; spa is soft-accuracy, acc-t accuracy-tuned. May repeat. "
        "Default: pearson.",
    ),
    choice_option(
        "--view",
        choices=VIEWS,
        multiple=True,
        heading=AGREEMENT,
        help="Over all candidates, averaged over sources or over systems, or between systems. May "
        "repeat. Default: all that the statistic has and the data allow; for coefficients, pooled "
        "and system.",
    ),
    option(
        "--where",
        metavar="CONDITION",
        heading=AGREEMENT,
        help="Only candidates that meet this, such as 'adequacy>=4 and bleu>60'.",
    ),
    option(
        "--judge",
        multiple=True,
        metavar="NAME|each",
        heading=AGREEMENT,
        help="Only the ratings of this judge, or of each in turn. Default: the mean of all.",
    ),
    choice_option(
        "--constant",
        choices=CONSTANT,
        default="zero",
        heading=AGREEMENT,
        help="A source or system on which only the metric is constant: counts as 0, or is left out.",
    ),
    option(
        "--difference",
        type=float,
        default=0.0,
        metavar="D",
        heading=AGREEMENT,
        help="For the WMT taus: leave out pairs whose ratings differ by D or less.",
    ),
    choice_option(
        "--layout",
        choices=EVERY_LAYOUT,
        heading=AGREEMENT,
        help="Print a table as in a paper: tables 1 to 3 of Liu et al. (2010), tables 3 and 4 of "
        "Chen and Dolan (2011), tables 1 to 4 of Chan and Ng (2008), tables 4 to 8 of Kauchak and "
        "Barzilay (2006), table 7 of Weese et al. (2014).",
    ),
    option(
        "--key",
        metavar="FILE",
        heading=AGREEMENT,
        help="The key of rewrite sample, for the layouts kauchak-7 and kauchak-8.",
    ),
)
with_uncertainty = gather_options(
    "uncertainty",
    Uncertainty,
    shared_options.bootstrap,
    choice_option(
        "--resample",
        choices=RESAMPLE,
        default="segments",
        heading=shared_options.UNCERTAINTY,
        help="What the bootstrap resamples, at system level.",
    ),
    choice_option(
        "--test",
        choices=TESTS,
        default="permutation",
        heading=shared_options.UNCERTAINTY,
        help="How differences between metrics are tested; with documents, values are means over them.",
    ),
    choice_option(
        "--exchange",
        choices=EXCHANGES,
        default="segments",
        heading=shared_options.UNCERTAINTY,
        help="What the permutation test exchanges: scores of whole segments, or of single cells.",
    ),
    count_option(
        "--draws",
        least=1,
        most=MOST_REPLICATES,
        default=1000,
        heading=shared_options.UNCERTAINTY,
        help="Draws of the permutation test.",
    ),
    count_option(
        "--document-size",
        least=2,
        default=300,
        heading=shared_options.UNCERTAINTY,
        help="Segments in a document, for --test documents and layouts kauchak-4 and kauchak-5.",
    ),
    count_option(
        "--documents",
        least=2,
        most=10000,
        default=10,
        heading=shared_options.UNCERTAINTY,
        help="How many documents, for --test documents.",
    ),
    shared_options.alpha,
    choice_option(
        "--correction",
        choices=CORRECTIONS,
        default="holm",
        heading=shared_options.UNCERTAINTY,
        help="Correction of p-values for all pairs of metrics.",
    ),
    shared_options.level,
    shared_options.seed,
)


@click.command(
    cls=Command,
    examples=(
        "paragauge meta ratings.tsv -s src.txt -r refs.tsv -c a.txt -c b.txt -m bleu,pinc",
        "paragauge meta da.tsv.gz -m bleu,chrf --view pooled --test williams",
        "paragauge meta ratings.tsv --scores segments.tsv --statistic kendall --view by-source",
        "paragauge meta ranks.tsv --outputs de-en=de-en.jsonl -m bleu --statistic kendall-wmt14",
        "paragauge meta ratings.tsv -s src.txt -r refs.tsv -c a.txt -c b.txt --layout pinc-4",
        "paragauge meta da.tsv -m bleu,bleu:rewrite=wordnet,bleu:rewrite=context --layout kauchak-5",
        "paragauge meta judgments.tsv --layout kauchak-7 --key key.tsv",
        "paragauge meta ratings.tsv --scores paradigm.tsv --layout paradigm-7",
        "paragauge meta ratings.csv --decimal , --encoding windows-1252 -s src.txt -c a.txt -c b.txt",
        "paragauge meta --wmt wmt23 --pair en-de,zh-en --criterion mqm --statistic spa,acc-t",
    ),
)
@with_judged
@with_metrics
@with_question
@with_uncertainty
@shared_options.form
@option(
    "--matrix",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Also print who beats whom, pair by pair.",
)
@option(
    "--plot",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also draw who beats whom, for the first statistic: .svg or .png.",
)
@shared_options.theme
@shared_options.threads
def meta(
    judgments: JudgedInput,
    choice: MetricChoice,
    question: Question,
    uncertainty: Uncertainty,
    form: str,
    matrix: bool,
    plot: str | None,
    theme: str,
    threads: int,
) -> None:
    """Correlate metrics with human judgments.

    Every correlation has an interval, and metrics are tested against each other. RATINGS is a table
    of ratings or rankings (TSV, CSV, JSON, Excel or Parquet).
    """
    shared_options.check_format(form)
    _check_use(question, choice, judgments)
    if question.layout is not None:
        shared_options.refuse_with(f"--layout {question.layout}", *_without_effect(question.layout))
    elif uncertainty.test == "documents":
        shared_options.refuse_with("--test documents", "bootstrap", "resample", "exchange", "draws")
    else:
        shared_options.refuse_without("--test documents", "document_size", "documents")
    judged = judgments.evalset(threads)
    if plot is not None:
        check_plot(plot, theme)
    if question.layout is not None:
        plain = uncertainty.settings(question, threads, test="none")
        sys.stdout.write(render_layout(_build_layout(question, judged, choice, plain), form))
        return
    predictors = split_names(question.predictor)
    if choice.metrics or not predictors or judged.scores:
        judged = score_judged(judged, choice, threads)
    labels = [*judged.scores, *predictors]
    judged = evaluation.score_condition(judged, question.where, threads, choice.defaults())
    criteria = named_criteria(question.criterion, judged) or _rated_criteria(judged, predictors)
    judges: list[str | None] = [None]
    if question.judge:
        judges = [*(people(judged) if question.judge == ("each",) else question.judge)]
    test = uncertainty.test
    chosen = [
        uncertainty.settings(question, threads, test=test, statistic=statistic, view=view)
        for statistic, view in question.pairs(judged)
    ]
    pairs = len(labels) * (len(labels) - 1) // 2 * (test != "none")
    steps = len(criteria) * len(judges) * len(chosen) * (len(labels) + pairs)
    with Steps(steps) as step:
        results = evaluation.meta(
            judged,
            labels,
            criteria,
            chosen,
            judges=judges,
            where=question.where,
            step=step,
            allow_missing=judgments.allow_missing,
        )
    if plot is not None:
        drawing = metric_matrix(results[0])
        if drawing is None:
            raise InputError("--plot: a matrix needs at least three metrics with a value, and a test")
        save_plot(drawing, plot, theme)
    sys.stdout.write(render_correlations(results, form, matrix=matrix))


def _without_effect(name: LayoutName | SubstitutionLayout) -> tuple[str, ...]:
    """The options of uncertainty and output that have no effect with a layout."""
    names: tuple[str, ...] = ("matrix", "plot", "theme", *TESTING)
    if name in ("pinc-3", "pinc-4", "kauchak-7"):  # without a level of systems to resample
        return (*names, "resample")
    if name == "paradigm-7":
        return names
    if name == "kauchak-8":
        return (*names, "bootstrap", "resample", "seed", "level")
    if name not in REWRITING_LAYOUTS:
        return names
    if name in ("kauchak-4", "kauchak-5"):
        names = tuple(option for option in names if option not in ("documents", "document_size"))
    return (*names, "bootstrap", "resample", *["seed", "level"] * (name == "kauchak-6"))


def _build_layout(
    question: Question, judged: EvalSet, choice: MetricChoice, settings: CorrelationSettings
) -> Layout:
    """The table of a paper."""
    name = question.layout or "pem-1"
    criteria = named_criteria(question.criterion, judged)
    if name == "paradigm-7":
        if choice.metrics or not judged.scores:
            judged = score_judged(judged, choice, settings.threads)
        return layout(
            name, judged, settings, criteria=criteria or _rated_criteria(judged, list(judged.scores))
        )
    if name == "maxsim":
        return layout(
            name,
            judged,
            settings,
            criteria=criteria or _rated_criteria(judged, []),
            metrics=_table_metrics(name, judged, choice),
        )
    if len(criteria) > 1:
        raise SettingError("--layout: expected one --criterion, the overall score")
    if name == "kauchak-7" or name == "kauchak-8":
        if question.key is None:
            raise SettingError(f"--layout {name} needs the key of the sample; give --key")
        if len(question.judge) > 1:
            raise SettingError(f"--layout {name}: expected at most one --judge")
        return substitution_layout(
            name,
            judged,
            read_key(question.key),
            settings,
            criterion=criteria[0] if criteria else CRITERION,
            judge=question.judge[0] if question.judge else None,
        )
    usual = "overall"
    if name in REWRITING_LAYOUTS:
        usual = judged.criteria[0] if len(judged.criteria) == 1 else "adequacy"
    criterion = criteria[0] if criteria else usual
    metrics = None
    if name in REWRITING_LAYOUTS:
        chosen = dataclasses.replace(choice, metrics=choice.metrics or REWRITINGS)
        metrics = build_metrics(judged, chosen)
    elif name in USUAL_METRICS:
        metrics = _table_metrics(name, judged, choice)
    elif name == "pem-2":
        judged = evaluation.score_condition(judged, question.where, settings.threads, choice.defaults())
    return layout(name, judged, settings, overall=criterion, where=question.where, metrics=metrics)


def _table_metrics(name: LayoutName, judged: EvalSet, choice: MetricChoice) -> dict[str, Metric] | None:
    """The metrics to score for a table: those that are named; without scores, the paper's."""
    if not choice.metrics:
        if judged.scores:
            return None
        choice = dataclasses.replace(choice, metrics=tuple(usual_metrics(name, judged)))
        if not choice.metrics:
            raise InputError(
                "the ratings have no texts and no scores; give the files (-c, -s, -r), --outputs or "
                "--scores"
            )
    return build_metrics(judged, choice)


def _rated_criteria(judged: EvalSet, predictors: list[str]) -> list[str]:
    """The criteria that have ratings; those that have none are named on standard error."""
    rated = evaluation.rated_criteria(judged, predictors)
    for name in judged.criteria:
        if name not in (*rated, *predictors):
            click.echo(f"paragauge: criterion '{name}' has no ratings and is left out", err=True)
    return rated


def _check_use(question: Question, choice: MetricChoice, judgments: JudgedInput) -> None:
    """Refuse options that would have no effect."""
    statistics = split_names(question.statistic)
    if question.difference and not any(name.startswith("kendall-wmt") for name in statistics):
        raise SettingError("--difference is for the WMT taus; give one: --statistic kendall-wmt14")
    if question.key is not None and question.layout not in SUBSTITUTION_LAYOUTS:
        raise SettingError(
            "--key needs --layout kauchak-7 or kauchak-8; give it too, or leave --key out"
        )
    if question.layout is None:
        return
    if question.layout not in EVERY_LAYOUT:
        raise unknown_name("layout", question.layout, EVERY_LAYOUT)
    unused: dict[str, object] = {
        "--statistic": question.statistic,
        "--view": question.view,
        "--judge": () if question.layout == "kauchak-8" else question.judge,
        "--predictor": question.predictor,
    }
    if question.layout not in ("paradigm-7", *USUAL_METRICS, *REWRITING_LAYOUTS):
        unused["--metrics"] = choice.metrics
    if question.layout in ("pinc-3", *REWRITING_LAYOUTS):
        unused["--scores"] = judgments.scores
    if question.layout == "pinc-3":
        unused["--criterion"] = question.criterion
    if question.layout in SUBSTITUTION_LAYOUTS:
        unused["--scores"] = judgments.scores
        unused["--where"] = question.where
    if question.layout == "kauchak-6":
        unused["--criterion"] = question.criterion
    for flag, values in unused.items():
        if values:
            raise SettingError(f"{flag} does not go with --layout {question.layout}; leave it out")
