"""Downloads of collected data as files, the same for pages and the JSON API."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from paragauge.collect.campaigns.campaign_settings import WRITTEN
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.corpus.campaign_export import ExportSettings, export
from paragauge.collect.corpus.clusters import SentenceFilter
from paragauge.collect.corpus.export_pairs import ExportCounts
from paragauge.collect.store.store import Store
from paragauge.errors import SettingError

What = Literal[
    "answers",
    "sentences",
    "clusters",
    "pairs",
    "test",
    "judgments",
    "scores",
    "judges",
    "suggestions",
    "consents",
    "translations",
    "metrics",
    "everything",
]
Format = Literal["tsv", "csv", "jsonl", "parquet"]
Side = Literal["all", "train", "test"]
TYPES = {
    "tsv": "text/tab-separated-values; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
}


@dataclass(frozen=True)
class DownloadOrder:
    """What to download: `parallel` (0: all) and `part` are for pairs and clusters of sentences,
    `dawid_skene` for scores and judges, `to_language` for translations from `language`.
    """

    what: What
    format: Format = "tsv"
    tier: int | None = None
    language: str = ""
    accepted: bool = False
    parallel: int = 1
    part: Side = "all"
    dawid_skene: bool = False
    mixed_languages: bool = False
    to_language: str = ""


def list_downloads(campaign: Campaign) -> list[tuple[What, str, str]]:
    """The downloads of a campaign: name, title and description."""
    kind = campaign.settings.kind
    downloads: list[tuple[What, str, str]] = []
    if kind in WRITTEN:
        downloads += [
            ("clusters", "Clusters", "One row for each item, with all its sentences."),
            ("pairs", "Training pairs", "Sentence pairs to train a paraphraser with."),
            ("test", "Test set", "Sources, each with all parallel sentences as references."),
            ("sentences", "Sentences", "One row for each sentence: worker, tier, language, time."),
            ("metrics", "BLEU and PINC", "Each sentence against the others about its item."),
            ("translations", "Translations", "Sentences about the same item in different languages."),
        ]
    if kind == "judge":
        downloads += [
            ("judgments", "Evaluation set", "The table that paragauge meta and agree read."),
            ("scores", "Scores", "The mean, median and spread of each candidate's judgments."),
            ("judges", "Judges", "How far each judge is from the others."),
        ]
    if kind == "suggest":
        downloads.append(("suggestions", "Suggested clips", "A table of items for another campaign."))
    raw = "As they came: order of candidates, comments, times."
    every = "The raw answers, and those that were rejected or are to controls, marked."
    agreed = "Who agreed to which text, and when."
    return [
        *downloads,
        ("answers", "Raw answers", raw),
        ("everything", "All answers", every),
        ("consents", "Consents", agreed),
    ]


def download(store: Store, campaign: Campaign, order: DownloadOrder) -> FileResponse:
    """The file, which is deleted from the server once it is sent."""
    _check_kind(campaign, order)
    part = "" if order.part == "all" else f"-{order.part}"
    name = f"{campaign.slug}-{order.what}{part}.{order.format}"
    folder = tempfile.TemporaryDirectory()
    try:
        export(store, campaign, Path(folder.name, name), _settings(order))
    except BaseException:
        folder.cleanup()
        raise
    path = Path(folder.name, name)
    sent = BackgroundTask(folder.cleanup)
    return FileResponse(path, media_type=TYPES[order.format], filename=name, background=sent)


def count_download(store: Store, campaign: Campaign, order: DownloadOrder) -> ExportCounts:
    """What a file would have, counted."""
    _check_kind(campaign, order)
    with tempfile.TemporaryDirectory() as folder:
        return export(store, campaign, Path(folder, f"counted.{order.format}"), _settings(order))


def _check_kind(campaign: Campaign, order: DownloadOrder) -> None:
    if order.what not in {name for name, _, _ in list_downloads(campaign)}:
        raise SettingError(
            f"a campaign of kind {campaign.settings.kind} has no {order.what} to download"
        )


def _settings(order: DownloadOrder) -> ExportSettings:
    tiers = frozenset({order.tier}) if order.tier else None
    direction = tuple(filter(None, (order.language, order.to_language)))
    languages = frozenset(direction) or None
    return ExportSettings(
        order.what,
        order.accepted,
        SentenceFilter(tiers, languages),
        part=order.part,
        parallel=order.parallel or None,
        dawid_skene=order.dawid_skene,
        mixed_languages=order.mixed_languages,
        language_advice="choose one, or ask for several languages together",
        direction=direction if order.what == "translations" else (),
    )
