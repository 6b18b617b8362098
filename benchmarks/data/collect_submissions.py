"""Workers who answer all tasks of a new campaign, one after the other, in a store on disk.

The number of items is fixed, and more answers mean more workers: what is measured is whether an answer
takes longer the more are stored.

python -m benchmarks.data.collect_submissions STORE ANSWERS
"""

from __future__ import annotations

import sys

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, TierSettings
from paragauge.collect.people import workers
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.submissions import Answer

ITEMS = 50  # all of which a worker answers


def submit_answers(address: str, count: int) -> int:
    """How many answers were stored: `count`."""
    tiers = {1: TierSettings(1, -(-count // ITEMS))}
    settings = CampaignSettings(kind="describe", title="Clips", tiers=tiers, budget_cents=100_000_000)
    content = {"url": "https://example.org/clip.webm", "start": 1, "end": 5}
    stored = 0
    with Store.open(address, create=True) as store:
        campaign = campaigns.create(store, settings, "clips", "benchmark")
        rows = [{"key": f"clip{number}", "content": content} for number in range(ITEMS)]
        items.add(store, campaign, rows, "benchmark")
        while stored < count:
            worker, _ = workers.register(store, "link")
            for _ in range(min(ITEMS, count - stored)):
                task = assignments.next_assignment(store, campaign, worker)
                if not isinstance(task, Assignment):
                    raise SystemExit(f"no task is left after {stored} of {count} answers")
                submissions.submit(store, task, worker, Answer("A dog runs.", "English"))
                stored += 1
    return stored


if __name__ == "__main__":
    print(submit_answers(sys.argv[1], int(sys.argv[2])))
