"""Input of commands that need ratings together with texts or scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import click

from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.metric_choice import MetricChoice
from paragauge.cli.options.rating_options import (
    COLUMN_OPTIONS,
    RatingColumns,
    allow_missing,
    print_notes,
    split_names,
    with_rating_columns,
)
from paragauge.cli.options.script_note import note_first_texts
from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.meta.agreement.judge_controls import check_controls
from paragauge.meta.agreement.judges import z_normalize
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_part import EvalSetPart
from paragauge.meta.sets.evalset_texts import read_outputs, with_corpus, with_outputs, with_scores
from paragauge.meta.sets.wmt_folder import read_wmt
from paragauge.metrics.base import Metric
from paragauge.metrics.outside.score_files import read_score_files
from paragauge.text.corpus import Corpus


@dataclass(frozen=True)
class JudgedInput:
    """A table of ratings with the texts and scores of the rated candidates, or a folder with all."""

    ratings: str | None
    wmt: str | None
    pair: tuple[str, ...]
    candidates: tuple[str, ...]
    sources: tuple[str, ...]
    references: tuple[str, ...]
    outputs: tuple[str, ...]
    scores: tuple[str, ...]
    lower: tuple[str, ...]
    exclude: tuple[str, ...]
    z_normalize: bool
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    group: str | None
    segment_range: str | None
    allow_missing: bool
    columns: RatingColumns

    def evalset(self, threads: int) -> EvalSet:
        """The ratings with the texts and scores that the options name."""
        part = EvalSetPart(
            frozenset(split_names(self.exclude)),
            shared_options.parse_range(self.segment_range),
            self.group,
        )
        read = self._trusted_ratings(self._read())
        judged = part.of(read)
        other_groups = set(read.groups) - set(judged.groups)
        judged = self._with_texts(judged, part, threads, other_groups)
        for table in read_score_files(self.scores, judged.systems, self.columns.decimal):
            judged = with_scores(judged, table, allow_missing=self.allow_missing, part=part)
        print_notes(judged.notes)
        for label in split_names(self.lower):
            if label not in judged.scores:
                raise unknown_name("metric of --scores", label, judged.scores)
            judged = judged.with_lower_better(label)
        return judged

    def _read(self) -> EvalSet:
        """The ratings, or everything in the folder of a WMT test set."""
        if self.wmt is None:
            shared_options.refuse_without("--wmt", "pair")
            if self.ratings is None:
                raise InputError("expected RATINGS, a table, or --wmt FOLDER; give one of them")
            return self.columns.read(self.ratings)
        if self.ratings is not None:
            raise SettingError(f"RATINGS ({self.ratings}) and --wmt both give ratings; use one of them")
        texts = ("candidates", "sources", "references", "outputs")
        shared_options.refuse_with("--wmt", *texts, *COLUMN_OPTIONS, "table_format")
        return read_wmt(self.wmt, split_names(self.pair), allow_missing=self.allow_missing)

    def _trusted_ratings(self, judged: EvalSet) -> EvalSet:
        """Without controls and the judges who fail them, and normalized, as asked."""
        if self.positive or self.negative:
            report = check_controls(
                judged, judged.criteria[0], positive=self.positive, negative=self.negative
            )
            judged = report.exclude_from(judged)
            names = ", ".join(report.excluded) or "none"
            click.echo(f"paragauge: judges left out for failing controls: {names}", err=True)
        for criterion in judged.criteria if self.z_normalize else ():
            judged = z_normalize(judged, criterion)
        return judged

    def _with_texts(
        self, judged: EvalSet, part: EvalSetPart, threads: int, other_groups: set[str]
    ) -> EvalSet:
        """The ratings with their texts; the files of other groups are not read."""
        if self.outputs and self.candidates:
            raise SettingError("--outputs and -c both give the texts; use one of them")
        if self.outputs:
            paths = _by_group(self.outputs, judged)
            wanted = {group: path for group, path in paths.items() if group not in other_groups}
            outputs = read_outputs(wanted)
            return with_outputs(judged, outputs, allow_missing=self.allow_missing, part=part)
        if self.candidates:
            systems = shared_options.name_systems(self.candidates)
            corpus = Corpus(systems, self.sources, self.references, threads=threads)
            return with_corpus(judged, corpus, allow_missing=self.allow_missing, part=part)
        if self.sources or self.references:
            raise InputError("-s and -r need the candidates too; give -c for every rated system")
        return judged


with_judged = gather_options(
    "judgments",
    JudgedInput,
    click.argument("ratings", metavar="[RATINGS]", required=False),
    option(
        "--wmt",
        metavar="FOLDER",
        heading=shared_options.INPUT,
        help="Instead of RATINGS: a test set of the WMT metrics tasks, as in mt-metrics-eval.",
    ),
    option(
        "--pair",
        multiple=True,
        metavar="PAIR,...",
        heading=shared_options.INPUT,
        help="Language pairs of --wmt, such as de-en. May repeat. Default: all with human scores.",
    ),
    option(
        "--candidates",
        "-c",
        multiple=True,
        metavar="[NAME=]FILE",
        heading=shared_options.INPUT,
        help="A rated system's sentences, one per line, if the ratings have no texts. May repeat.",
    ),
    shared_options.sources,
    shared_options.references,
    option(
        "--outputs",
        multiple=True,
        metavar="[GROUP=]FILE",
        heading=shared_options.INPUT,
        help="Texts as JSON Lines with segment, source, reference and systems. May repeat.",
    ),
    option(
        "--scores",
        multiple=True,
        metavar="FILE",
        heading=shared_options.INPUT,
        help="Segment scores, as score --segments writes them; without a column segment, scores of "
        "systems. May repeat.",
    ),
    option(
        "--lower",
        multiple=True,
        metavar="METRIC,...",
        heading=shared_options.INPUT,
        help="Metrics of --scores for which lower is better. Known ones (ter) need no mention.",
    ),
    option(
        "--exclude",
        multiple=True,
        metavar="SYSTEM,...",
        heading=shared_options.INPUT,
        help="Systems to leave out, such as controls. May repeat.",
    ),
    option(
        "--z-normalize",
        is_flag=True,
        heading=shared_options.INPUT,
        help="Give each judge's ratings mean 0 and standard deviation 1 first.",
    ),
    option(
        "--positive",
        multiple=True,
        metavar="SYSTEM",
        heading=shared_options.INPUT,
        help="A positive control, as for agree: judges who fail are left out. May repeat.",
    ),
    option(
        "--negative",
        multiple=True,
        metavar="SYSTEM",
        heading=shared_options.INPUT,
        help="A negative control. May repeat.",
    ),
    option(
        "--group",
        metavar="NAME",
        heading=shared_options.INPUT,
        help="Only this group of segments, such as a language pair. Default: all, averaged.",
    ),
    shared_options.segment_range,
    allow_missing,
    with_rating_columns,
)


def score_judged(judged: EvalSet, choice: MetricChoice, threads: int) -> EvalSet:
    """The set with the scores of the metrics that are named, or else of those that the texts allow."""
    if not choice.metrics and judged.scores:
        return judged
    if not choice.metrics and judged.candidates is None:
        raise InputError(
            "the ratings have no texts and no scores; give the files (-c, -s, -r), --outputs or "
            "--scores"
        )
    metrics = build_metrics(judged, choice)
    _note_script(judged, metrics)
    return judged.score_with(metrics, threads)


def _note_script(judged: EvalSet, metrics: Mapping[str, Metric]) -> None:
    """A note if English metrics read a set whose first texts are in another script."""
    sides = {"sources": judged.sources, "references": judged.references}
    firsts = {
        what: next((text for group in texts for text in group), "")
        for what, texts in sides.items()
        if texts is not None
    }
    if judged.candidates:
        firsts["candidates"] = judged.candidates[0]
    note_first_texts(firsts, [label for label, metric in metrics.items() if metric.reads_english])


def build_metrics(judged: EvalSet, choice: MetricChoice) -> dict[str, Metric]:
    """The metrics by label, checked against the texts that the set has."""
    inputs = {"sources": judged.sources, "references": judged.references}
    available = [name for name, texts in inputs.items() if texts is not None]
    return choice.build(available, "expected sources (-s) or references (-r), found neither")


def _by_group(values: tuple[str, ...], judged: EvalSet) -> dict[str, str]:
    paths: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals:
            if judged.groups != ("",):
                raise SettingError(
                    f"--outputs {value}: expected GROUP=FILE, because the ratings have groups: "
                    f"{', '.join(judged.groups)}"
                )
            name, path = "", value
        paths[name] = path
    return paths
