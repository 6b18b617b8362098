"""A campaign's own noise filter: trained on its answers, and its verdicts written to a file."""

from __future__ import annotations

from pathlib import Path

from paragauge.collect.campaigns.campaign_settings import WRITTEN
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import all_workers
from paragauge.collect.quality.noise_filter import NoiseFilter
from paragauge.collect.quality.noise_training import train_on_clusters
from paragauge.collect.quality.worker_review import as_written_answer, read_sources, review_worker
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import submissions
from paragauge.errors import SettingError
from paragauge.text.table_writers import write_rows

VERDICTS: dict[str, type] = {
    "submission": str,
    "item": str,
    "worker": str,
    "tier": int,
    "sentence": str,
    "noise": float,
    "noisy": str,
    "reasons": str,
}


def train_filter(store: Store, campaign: Campaign, *, seed: int = 7) -> NoiseFilter:
    """A noise filter trained on the campaign: tier 2 is good, what was rejected is noise."""
    _check_written(campaign)
    sources = read_sources(store, campaign)
    trusted, rejected = [], []
    for submission in submissions.stream(store, campaign, controls=False):
        if submission.decision == "reject":
            rejected.append(as_written_answer(submission, sources))
        elif submission.tier == 2:
            trusted.append(as_written_answer(submission, sources))
    return train_on_clusters(trusted, rejected, seed=seed)


def write_verdicts(
    store: Store, campaign: Campaign, filter_: NoiseFilter, path: str | Path
) -> tuple[int, int]:
    """Write the filter's verdict on each answer; how many there are, and how many are likely noise.

    Rejected answers are left out. Each worker is compared with the others, as at the desk.
    """
    _check_written(campaign)
    rows = [
        {
            "submission": answer.submission.public_id,
            "item": answer.submission.item_key,
            "worker": answer.submission.worker_public_id,
            "tier": answer.submission.tier,
            "sentence": answer.submission.text,
            "noise": round(answer.verdict.probability, 4),
            "noisy": "yes" if answer.verdict.noisy else "no",
            "reasons": "; ".join(answer.verdict.reasons),
        }
        for worker in all_workers(store)
        for answer in review_worker(store, campaign, worker, filter_).answers
        if answer.verdict is not None
        and answer.submission.decision != "reject"
        and answer.submission.text
    ]
    write_rows(rows, path, VERDICTS)
    return len(rows), sum(row["noisy"] == "yes" for row in rows)


def _check_written(campaign: Campaign) -> None:
    if campaign.settings.kind not in WRITTEN:
        raise SettingError(
            f"campaign {campaign.slug} is a task of kind '{campaign.settings.kind}'; "
            f"expected {' or '.join(WRITTEN)}"
        )
