"""`paragauge report`: scores, comparison and everything behind them in one HTML file."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.corpus_input import CorpusInput, choose_baseline, with_corpus_beside_ratings
from paragauge.cli.options.given_scores_options import (
    GivenScoresChoice,
    check_segments,
    computed_metrics,
    with_scores_beside_ratings,
)
from paragauge.cli.options.metric_choice import SetMetricChoice, with_set_metrics
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.options.rating_options import (
    COLUMN_OPTIONS,
    RatingColumns,
    allow_missing,
    named_criteria,
    print_notes,
    split_names,
    with_columns_beside_texts,
)
from paragauge.cli.options.ratings_beside_texts import texts_beside_ratings
from paragauge.cli.options.script_note import note_script
from paragauge.cli.options.shared_options import ComparisonTests
from paragauge.cli.progress import Steps, track_segments
from paragauge.errors import SettingError, unknown_name
from paragauge.meta.contrast.contrast_set import GOOD_KINDS, ContrastSet, read_contrast_set
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.significance.comparison import Comparison
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import Observer, ScoreSheet, score_batches
from paragauge.report.drawing.canvas import THEMES, Scene
from paragauge.report.drawing.save import PLOT_FORMATS
from paragauge.report.pages.blocks.html import Section
from paragauge.text.atomic_folders import check_parent
from paragauge.text.corpus import Corpus
from paragauge.text.wording import pluralize

PEOPLE = "Human ratings"
CONTRASTS = "Contrasts"
ENGLISH = "english"


@click.command(
    cls=Command,
    examples=(
        "paragauge report -s sources.txt -r refs.tsv -c base.txt -c mine.txt -o report.html",
        "paragauge report -s s.txt -r r.tsv -c a.txt -c b.txt --ratings ratings.tsv -o report.html",
        "paragauge report -r refs.txt -c a.txt -c b.txt -b b -m bleu,chrf -o report.html",
        "paragauge report -s s.txt -r r.tsv -c mine.txt --contrast english -o report.html",
        "paragauge report -s s.txt -c mine.txt -o report.html --plots figures --plot-format png",
    ),
)
@with_corpus_beside_ratings
@shared_options.baseline
@with_set_metrics
@with_scores_beside_ratings
@option(
    "--ratings",
    metavar="FILE",
    heading=PEOPLE,
    help="Ratings of the candidates: segment (line number), system, judge, criteria.",
)
@option(
    "--criterion",
    multiple=True,
    metavar="NAME",
    heading=PEOPLE,
    help="The ratings to correlate with. May repeat. Default: all criteria.",
)
@allow_missing
@with_columns_beside_texts
@option(
    "--contrast",
    metavar="SET",
    heading=CONTRASTS,
    help="Also test whether the metrics notice a change of meaning, with a contrast set: english "
    "(the one that comes with the package) or a table with the columns source, kind and candidate.",
)
@option(
    "--good",
    multiple=True,
    metavar="NAME,...",
    heading=CONTRASTS,
    help="The kinds that are good paraphrases. May repeat. Default: few-changes and many-changes.",
)
@shared_options.with_tests
@option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="The HTML file to write.",
)
@shared_options.max_segments
@option(
    "--plots",
    metavar="DIR",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="Also write each plot to a file of its own in this folder.",
)
@choice_option(
    "--plot-format",
    choices=PLOT_FORMATS,
    default="svg",
    heading=shared_options.OUTPUT,
    help="The format of these files; png needs the extra [plot].",
)
@choice_option(
    "--theme",
    choices=THEMES,
    default="light",
    heading=shared_options.OUTPUT,
    help="The colors of these files; the report itself has both.",
)
@shared_options.threads
def report(
    texts: CorpusInput,
    baseline: str | None,
    choice: SetMetricChoice,
    given: GivenScoresChoice,
    ratings: str | None,
    criterion: tuple[str, ...],
    allow_missing: bool,
    columns: RatingColumns,
    contrast: str | None,
    good: tuple[str, ...],
    tests: ComparisonTests,
    output: str,
    max_segments: int,
    plots: str | None,
    plot_format: str,
    theme: str,
    threads: int,
) -> None:
    """Write a report on systems as one HTML file."""
    _check_plots(plots, plot_format, theme)
    if ratings is None:
        corpus = texts.corpus(threads, several=True)
    else:
        corpus, columns = texts_beside_ratings(texts, columns, threads, several=True)
    given = replace(given, decimal=columns.decimal)
    metrics = given.metrics(choice, corpus)
    contrast_file = None if contrast == ENGLISH else contrast
    inputs = [ratings, contrast_file, *given.scores, *choice.model_files()]
    shared_options.check_outputs({"--output": output}, corpus, inputs)
    pairs = _contrast_set(contrast, good)
    if pairs is not None and not computed_metrics(metrics):
        raise SettingError("--contrast needs a metric that is computed; name one with -m")
    base = choose_baseline(baseline, corpus)
    judged = _read_ratings(
        ratings,
        criterion,
        corpus,
        columns,
        allow_missing=allow_missing,
        has_scores=bool(given.scores),
    )
    from paragauge.report.pages.plot_files import figures, save_figures
    from paragauge.report.pages.report_page import report_writer
    from paragauge.report.pages.sections.contrasts import PLOT_NAME

    with report_writer(
        output,
        metrics,
        bootstrap=tests.bootstrap,
        seed=tests.seed,
        level=tests.level,
        threads=threads,
        limit=max_segments,
        command=shared_options.command_line(),
    ) as writer:
        sheet, comparison = _score(corpus, metrics, base, tests, writer.observers, threads)
        check_segments(metrics, sheet.segments)
        evaluation = writer.evaluation(sheet, comparison)
        sections, scenes = _people(
            judged, criterion, metrics, given, tests, threads, allow_missing=allow_missing
        )
        if pairs is not None:
            section, scene = _contrast(computed_metrics(metrics), pairs, good, tests, threads)
            sections.append(section)
            scenes[PLOT_NAME] = scene
        writer.write(evaluation, sections)
        paths = []
        if plots is not None:
            paths = save_figures(figures(evaluation) | scenes, plots, plot_format, theme)
    labels = ", ".join(map(evaluation.title, evaluation.labels))
    sys.stdout.write(
        f"{output}: {pluralize(len(evaluation.systems), 'system')}, "
        f"{sheet.segments} segment{'s' * (sheet.segments != 1)}, {labels}\n"
    )
    if paths:
        sys.stdout.write(f"{plots}: {pluralize(len(paths), 'plot')} ({plot_format})\n")


def _score(
    corpus: Corpus,
    metrics: Mapping[str, Metric],
    baseline: str,
    tests: ComparisonTests,
    observers: Sequence[Observer],
    threads: int,
) -> tuple[ScoreSheet, Comparison | None]:
    """The scores, and the comparison with the baseline if there are several systems."""
    batches = track_segments(note_script(corpus.batches(), metrics))
    if len(corpus.systems) == 1:
        sheet = score_batches(
            batches,
            metrics,
            bootstrap=tests.bootstrap,
            seed=tests.seed,
            level=tests.level,
            threads=threads,
            observers=observers,
        )
        return sheet, None
    comparison = tests.compare(batches, metrics, baseline, threads, observers)
    return comparison.sheet, comparison


def _read_ratings(
    ratings: str | None,
    criterion: tuple[str, ...],
    corpus: Corpus,
    columns: RatingColumns,
    *,
    allow_missing: bool,
    has_scores: bool,
) -> EvalSet | None:
    """The ratings with the texts of the corpus, checked before anything is computed."""
    if ratings is None:
        if criterion:
            raise SettingError("--criterion needs --ratings; give the ratings, or leave it out")
        alone = [name for name in COLUMN_OPTIONS if name != "decimal" or not has_scores]
        shared_options.refuse_without("--ratings", *alone, "allow_missing")
        return None
    if corpus.table is not None:
        raise SettingError("--ratings needs texts from files (-c, -s, -r), not from --table")
    if "-" in {str(path) for path in (*corpus.systems.values(), *corpus.sources, *corpus.references)}:
        raise SettingError("--ratings reads the texts twice, which standard input cannot; give files")
    from paragauge.meta.sets.evalset_texts import with_corpus as add_corpus

    judged = add_corpus(columns.read(ratings), corpus, allow_missing=allow_missing)
    print_notes(judged.notes)
    return judged


def _people(
    judged: EvalSet | None,
    criterion: tuple[str, ...],
    metrics: dict[str, Metric],
    given: GivenScoresChoice,
    tests: ComparisonTests,
    threads: int,
    *,
    allow_missing: bool,
) -> tuple[list[Section], dict[str, Scene]]:
    """The section on agreement with people, and its plots; nothing without ratings."""
    if judged is None:
        return [], {}
    from paragauge.meta.correlation.correlation import CorrelationSettings
    from paragauge.meta.metrics_and_judges import people
    from paragauge.meta.sets.evalset_texts import with_scores
    from paragauge.metrics.outside.score_files import read_score_files
    from paragauge.report.pages.sections.people import people_plots, people_section

    judged = judged.score_with(computed_metrics(metrics), threads)
    for table in read_score_files(given.scores, judged.systems, given.decimal):
        judged = with_scores(judged, table, allow_missing=allow_missing)
    for label, metric in metrics.items():
        if not metric.higher_is_better and judged.scores[label].higher_is_better:
            judged = judged.with_lower_better(label)
    settings = CorrelationSettings(
        bootstrap=tests.bootstrap,
        seed=tests.seed,
        level=tests.level,
        alpha=tests.alpha,
        correction=tests.correction,
        threads=threads,
    )
    criteria = named_criteria(criterion, judged) or judged.criteria
    pairs = len(metrics) * (len(metrics) - 1) // 2
    with Steps(2 * len(criteria) * (len(metrics) + pairs)) as step:
        agreement = people(judged, settings, criteria=criteria, step=step)
    return [people_section(agreement)], people_plots(agreement)


def _contrast_set(contrast: str | None, good: tuple[str, ...]) -> ContrastSet | None:
    """The contrast set, checked before anything is computed."""
    if contrast is None:
        if good:
            raise SettingError("--good needs --contrast; name a contrast set, or leave it out")
        return None
    pairs = read_contrast_set() if contrast == ENGLISH else read_contrast_set(contrast)
    pairs.check(split_names(good) or GOOD_KINDS)
    return pairs


def _contrast(
    metrics: Mapping[str, Metric],
    pairs: ContrastSet,
    good: tuple[str, ...],
    tests: ComparisonTests,
    threads: int,
) -> tuple[Section, Scene]:
    """The section on contrasts and its plot."""
    from paragauge.meta.contrast.evaluation import contrast
    from paragauge.report.drawing.plots.contrast_shares import contrast_plot
    from paragauge.report.pages.sections.contrasts import contrast_section

    with Steps(len(metrics)) as step:
        sheet = contrast(
            metrics,
            pairs,
            good=split_names(good) or GOOD_KINDS,
            bootstrap=tests.bootstrap,
            seed=tests.seed,
            level=tests.level,
            threads=threads,
            step=step,
        )
    return contrast_section(sheet), contrast_plot(sheet)


def _check_plots(folder: str | None, plot_format: str, theme: str) -> None:
    """Refuse plots that cannot be drawn, before anything is computed."""
    if plot_format not in PLOT_FORMATS:
        raise unknown_name("plot format", plot_format, PLOT_FORMATS)
    if theme not in THEMES:
        raise unknown_name("theme", theme, THEMES)
    if folder is None:
        shared_options.refuse_without("--plots", "plot_format", "theme")
        return
    check_parent(folder)
    if plot_format == "png":
        from paragauge.report.drawing.png import require_resvg

        require_resvg()
