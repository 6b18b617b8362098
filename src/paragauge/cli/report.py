"""`paragauge report`: scores, comparison and everything behind them in one HTML file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.progress import Steps, watched
from paragauge.errors import SettingError, unknown_name
from paragauge.meta.significance.compare import compare_batches
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import score_batches
from paragauge.report.drawing.canvas import THEMES, Scene
from paragauge.report.drawing.save import PLOT_FORMATS
from paragauge.report.pages.html import Section
from paragauge.text.corpus import Corpus
from paragauge.text.plain import counted

PEOPLE = "Human ratings"


@click.command(
    cls=Command,
    examples=(
        "paragauge report -s sources.txt -r refs.tsv -c base.txt -c mine.txt -o report.html",
        "paragauge report -s s.txt -r r.tsv -c a.txt -c b.txt --ratings ratings.tsv -o report.html",
        "paragauge report -r refs.txt -c a.txt -c b.txt -b b -m bleu,chrf -o report.html",
        "paragauge report -s s.txt -c mine.txt -o report.html --plots figures --plot-format png",
    ),
)
@shared_options.corpus_input
@shared_options.baseline
@shared_options.metric_choice
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
    help="The ratings to agree with. May repeat. Default: all criteria.",
)
@shared_options.bootstrap
@shared_options.tests
@shared_options.level
@shared_options.seed
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
@option(
    "--plot-format",
    default="svg",
    metavar="|".join(PLOT_FORMATS),
    heading=shared_options.OUTPUT,
    help="The format of these files; png needs the extra [plot].",
)
@option(
    "--theme",
    default="light",
    metavar="|".join(THEMES),
    heading=shared_options.OUTPUT,
    help="The colours of these files; the report itself has both.",
)
@shared_options.threads
def report(**given: Any) -> None:
    """Write a report on systems as one HTML file."""
    _check_plots(given)
    corpus = shared_options.corpus_of(given)
    chosen = shared_options.metrics_of(given, corpus)
    shared_options.check_outputs(given, corpus, "output")
    baseline = shared_options.baseline_of(given, corpus)
    _check_ratings(given, corpus)
    common = {name: given[name] for name in ("bootstrap", "seed", "level", "threads")}
    from paragauge.report.pages.plot_files import figures, save_figures
    from paragauge.report.pages.report_page import report_writer

    with report_writer(given["output"], chosen, **shared_options.report_settings(given)) as writer:
        batches = watched(corpus.batches())
        comparison = None
        if len(corpus.systems) > 1:
            comparison = compare_batches(
                batches,
                chosen,
                baseline=baseline,
                randomisation=given["randomisation"],
                alpha=given["alpha"],
                correction=given["correction"],
                observers=writer.observers,
                **common,
            )
            sheet = comparison.sheet
        else:
            sheet = score_batches(batches, chosen, observers=writer.observers, **common)
        evaluation = writer.evaluation(sheet, comparison)
        sections, plots = _people(given, corpus, chosen)
        writer.write(evaluation, sections)
        paths = []
        if given["plots"] is not None:
            plots = figures(evaluation) | plots
            paths = save_figures(plots, given["plots"], given["plot_format"], given["theme"])
    count = len(evaluation.systems)
    sys.stdout.write(
        f"{given['output']}: {count} system{'s' * (count != 1)}, {sheet.segments} "
        f"segment{'s' * (sheet.segments != 1)}, {', '.join(map(evaluation.title, evaluation.labels))}\n"
    )
    if paths:
        sys.stdout.write(f"{given['plots']}: {counted(len(paths), 'plot')} ({given['plot_format']})\n")


def _check_ratings(given: dict[str, Any], corpus: Corpus) -> None:
    if given["ratings"] is None:
        if given["criterion"]:
            raise SettingError("--criterion needs --ratings; give the ratings, or leave it out")
        return
    if corpus.table is not None:
        raise SettingError("--ratings needs texts from files (-c, -s, -r), not from --table")
    if "-" in {str(path) for path in (*corpus.systems.values(), *corpus.sources, *corpus.references)}:
        raise SettingError("--ratings reads the texts twice, which standard input cannot; give files")


def _people(
    given: dict[str, Any], corpus: Corpus, metrics: Mapping[str, Metric]
) -> tuple[list[Section], dict[str, Scene]]:
    """The section on agreement with people, and its plots; nothing without ratings."""
    if given["ratings"] is None:
        return [], {}
    from paragauge.meta.correlation.correlation import Settings
    from paragauge.meta.people import people
    from paragauge.meta.sets.evalset_files import read_evalset
    from paragauge.meta.sets.evalset_texts import with_corpus
    from paragauge.report.pages.sections.people import people_plots, people_section

    judged = with_corpus(read_evalset(given["ratings"]), corpus).scored(metrics, given["threads"])
    names = ("bootstrap", "seed", "level", "alpha", "correction", "threads")
    settings = Settings(**{name: given[name] for name in names})
    criteria = given["criterion"] or judged.criteria
    pairs = len(metrics) * (len(metrics) - 1) // 2
    with Steps(2 * len(criteria) * (len(metrics) + pairs)) as step:
        found = people(judged, settings, criteria=criteria, step=step)
    return [people_section(found)], people_plots(found)


def _check_plots(given: dict[str, Any]) -> None:
    """Refuse what the plots cannot be, before anything is computed."""
    if given["plot_format"] not in PLOT_FORMATS:
        raise unknown_name("plot format", given["plot_format"], PLOT_FORMATS)
    if given["theme"] not in THEMES:
        raise unknown_name("theme", given["theme"], THEMES)
    folder = given["plots"]
    if folder is None:
        shared_options.refuse_without("--plots", "plot_format", "theme")
        return
    from paragauge.report.pages.plot_files import check_folder

    check_folder(folder)
    if given["plot_format"] == "png":
        from paragauge.report.drawing.png import require_matplotlib

        require_matplotlib()
