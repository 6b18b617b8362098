"""Workers who answer all tasks of a new campaign, one after the other, in a store on disk.

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

EACH = 50  # answers of a worker


def submit_answers(address: str, count: int) -> int:
    """How many answers were stored: `count`, with as many items, each of which wants one."""
    settings = CampaignSettings(
        kind="describe", title="Clips", tiers={1: TierSettings(1, 1)}, budget_cents=100_000_000
    )
    content = {"url": "https://example.org/clip.webm", "start": 1, "end": 5}
    stored = 0
    with Store.open(address, create=True) as store:
        campaign = campaigns.create(store, settings, "clips", "benchmark")
        rows = [{"key": f"clip{number}", "content": content} for number in range(count)]
        items.add(store, campaign, rows, "benchmark")
        while stored < count:
            worker, _ = workers.register(store, "link")
            for _ in range(min(EACH, count - stored)):
                task = assignments.next_assignment(store, campaign, worker)
                if not isinstance(task, Assignment):
                    raise SystemExit(f"no task is left after {stored} of {count} answers")
                submissions.submit(store, task, worker, Answer("A dog runs.", "English"))
                stored += 1
    return stored


if __name__ == "__main__":
    print(submit_answers(sys.argv[1], int(sys.argv[2])))
