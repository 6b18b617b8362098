"""Texts that a spreadsheet would run as formulas."""

from __future__ import annotations

import pytest

from paragauge.collect.campaigns.campaign_settings import TierSettings
from paragauge.collect.corpus.campaign_export import ExportSettings, export
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import SettingError

TEXTS = ('=HYPERLINK("https://evil.example")', "+1", "-1 degree", "@SUM(A1)", "A dog runs.")
GUARDED = [f"'{text}" for text in TEXTS[:4]] + [TEXTS[4]]


@pytest.fixture
def campaign(any_store, describe, worker_in):
    campaign = describe(any_store, 1, tiers={1: TierSettings(1, 9)})
    for text in TEXTS:
        worker = worker_in(any_store)
        task = assignments.next_assignment(any_store, campaign, worker)
        submissions.submit(any_store, task, worker, Answer(text, "English", comment="=1+1"))
    return campaign


def read(path) -> list[str]:
    import csv

    with path.open(newline="") as file:
        return [
            row["text"]
            for row in csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        ]


def test_csv_is_guarded_unless_told_otherwise(any_store, campaign, tmp_path) -> None:
    path = tmp_path / "answers.csv"
    # Five comments too.
    assert export(any_store, campaign, path, ExportSettings("answers")).guarded == 9
    assert read(path) == GUARDED
    assert export(any_store, campaign, path, ExportSettings("answers", formula_safe=False)).guarded == 0
    assert read(path) == list(TEXTS)


def test_tsv_is_unchanged_unless_told_otherwise(any_store, campaign, tmp_path) -> None:
    path = tmp_path / "answers.tsv"
    assert export(any_store, campaign, path, ExportSettings("answers")).guarded == 0
    assert read(path) == list(TEXTS)
    assert export(any_store, campaign, path, ExportSettings("answers", formula_safe=True)).guarded == 9
    assert read(path) == GUARDED
    with pytest.raises(SettingError, match="only CSV and TSV are opened as formulas"):
        export(any_store, campaign, tmp_path / "a.jsonl", ExportSettings("answers", formula_safe=True))


def test_lists_are_guarded_too(any_store, campaign, tmp_path) -> None:
    path = tmp_path / "clusters.csv"
    assert export(any_store, campaign, path, ExportSettings("clusters")).guarded == 4
    assert "'@SUM(A1)" in path.read_text()
