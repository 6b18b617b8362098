"""A process that answers tasks of a store without end and prints what was acknowledged to it."""

from __future__ import annotations

import os
import sys

from paragauge.collect.campaigns import campaigns
from paragauge.collect.people import workers
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import StoreError


def main(address: str) -> None:
    """Work until killed, or until the database is."""
    with Store.open(address) as store:
        campaign = campaigns.get(store, "clips")
        assert campaign is not None
        while True:
            worker, _ = workers.register(store, "link")
            while isinstance(task := assignments.next_assignment(store, campaign, worker), Assignment):
                receipt = submissions.submit(store, task, worker, Answer("A dog.", "English"))
                # One write, so that a line is whole or not there.
                os.write(sys.stdout.fileno(), f"{receipt.public_id}\n".encode())


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except StoreError:
        sys.exit(1)
