"""One call for every kind of export, as pages and commands need it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.corpus.campaign_answers import (
    CampaignAnswers,
    StoredClusters,
    write_answers,
    write_suggestions,
)
from paragauge.collect.corpus.clusters import Clusters, FilteredClusters, SentenceFilter
from paragauge.collect.corpus.export_consents import write_consents
from paragauge.collect.corpus.export_judgments import write_judgments
from paragauge.collect.corpus.export_languages import check_one_language, write_translations
from paragauge.collect.corpus.export_metrics import write_metrics
from paragauge.collect.corpus.export_pairs import ExportCounts, write_pairs, write_test
from paragauge.collect.corpus.export_scores import write_judges, write_scores
from paragauge.collect.corpus.export_sentences import write_clusters, write_sentences
from paragauge.collect.corpus.splits import PartName, Split, SplitPart
from paragauge.collect.store.store import Store
from paragauge.errors import SettingError, unknown_name
from paragauge.text.table_writers import FormulaGuard
from paragauge.text.tables.table_format import FLAT_FORMATS, written_format

SENTENCES = ("sentences", "clusters", "pairs", "test", "translations", "metrics")
OTHERS = ("judgments", "scores", "judges", "suggestions", "answers", "everything", "consents")
# Exports of which sentences of several languages would go into one row.
ONE_LANGUAGE = ("clusters", "pairs", "test", "metrics")
PLAIN = ("clusters", "pairs", "test", "translations")
AGGREGATES = {"scores": write_scores, "judges": write_judges}


@dataclass(frozen=True)
class ExportSettings:
    """What to export; `parallel` None means all; settings that do not apply to `what` are ignored."""

    what: str
    accepted: bool = False
    sentence_filter: SentenceFilter = field(default_factory=SentenceFilter)
    part: PartName = "all"
    test_share: float = 0.1
    seed: int = 7
    parallel: int | None = 1
    identical: bool = True
    include_source: bool = False
    blocked: bool = True
    plain: bool = False
    dawid_skene: bool = False
    # Whether texts that look like formulas get an apostrophe; None: in CSV, which spreadsheets open.
    formula_safe: bool | None = None
    # Whether clusters, pairs, test sets and metrics may have sentences of several languages.
    mixed_languages: bool = False
    # What to do about several languages, in the words of whoever asked for the export.
    language_advice: str = "choose one (--language), or allow several (--mixed-languages)"
    # Translations: from the first language to the second; empty: between all.
    direction: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.what not in (*SENTENCES, *OTHERS):
            raise unknown_name("export", self.what, (*SENTENCES, *OTHERS))
        if self.plain and self.what not in PLAIN:
            raise SettingError(
                f"{self.what} cannot be written as plain files; expected {', '.join(PLAIN)}"
            )


def export(
    store: Store, campaign: Campaign, path: str | Path, settings: ExportSettings
) -> ExportCounts:
    """Write an export and count it.

    Items are split into training and test before any filter: an item is on the same side whatever the
    filters, so that a test set of one tier shares nothing with a training set of another.
    """
    if settings.formula_safe and (settings.plain or written_format(path) not in FLAT_FORMATS):
        raise SettingError("only CSV and TSV are opened as formulas; leave formula_safe out")
    if settings.formula_safe is False:
        return _export(store, campaign, path, settings)
    with FormulaGuard(others=settings.formula_safe is True) as guard:
        counts = _export(store, campaign, path, settings)
    return replace(counts, guarded=guard.count)


def _export(
    store: Store, campaign: Campaign, path: str | Path, settings: ExportSettings
) -> ExportCounts:
    if settings.what in OTHERS:
        everything = settings.what == "everything"
        collected = CampaignAnswers(store, campaign, settings.accepted, everything)
        if settings.what in AGGREGATES:
            write = AGGREGATES[settings.what]
            done = write(collected, path, blocked=settings.blocked, estimate=settings.dawid_skene)
            return ExportCounts(0, 0, done.rows, unconverged=done.unconverged)
        if settings.what == "judgments":
            rows = write_judgments(collected, path, blocked=settings.blocked)
        elif settings.what == "consents":
            rows = write_consents(store, campaign, path)
        elif settings.what == "suggestions":
            rows = write_suggestions(collected, path)
        else:
            rows = write_answers(collected, path)
        return ExportCounts(0, 0, rows)
    every = StoredClusters(store, campaign, settings.accepted)
    clusters: Clusters = FilteredClusters(every, settings.sentence_filter)
    if settings.part != "all":
        items = (cluster.item for cluster in every)
        split = Split.of(items, share=settings.test_share, seed=settings.seed)
        clusters = SplitPart(clusters, split, settings.part)
    if settings.what == "translations":
        return write_translations(
            clusters,
            path,
            languages=settings.direction,
            parallel=settings.parallel,
            seed=settings.seed,
            plain=settings.plain,
        )
    chosen = settings.sentence_filter.languages is not None or settings.mixed_languages
    if settings.what in ONE_LANGUAGE and not chosen:
        check_one_language(clusters, settings.language_advice)
    if settings.what == "pairs":
        return write_pairs(
            clusters,
            path,
            parallel=settings.parallel,
            seed=settings.seed,
            identical=settings.identical,
            plain=settings.plain,
        )
    if settings.what == "test":
        return write_test(clusters, path, include_source=settings.include_source, plain=settings.plain)
    if settings.what == "clusters":
        return write_clusters(clusters, path, plain=settings.plain)
    if settings.what == "metrics":
        return write_metrics(clusters, path)
    return write_sentences(clusters, path)
