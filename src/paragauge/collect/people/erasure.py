"""Erasure of what is known of a person, on their request.

Name, address, id at the source, keys and sessions are deleted, and comments emptied: people write of
themselves there. The answers stay in the corpus under a name that says nothing, or are emptied too
where the person wants that; only judgments, which are numbers, stay in any case. This is the one place
where rows lose content; the log keeps that it happened, not what was there.
"""

from __future__ import annotations

import sqlalchemy as sa

from paragauge.collect.people.workers import Worker
from paragauge.collect.store.schema import checks, persons, worker_keys, workers
from paragauge.collect.store.schema_answers import judgments, sessions, submissions
from paragauge.collect.store.store import Store


def erase(store: Store, worker: Worker, actor: str, *, answers: bool = False) -> None:
    """Erase the person behind a worker; with `answers`, what they wrote too.

    >>> from paragauge.collect.store.store import temporary_store
    >>> from paragauge.collect.people.workers import Person, get_person, register
    >>> with temporary_store() as store:
    ...     worker, key = register(store, "link", Person(email="ada@example.org"))
    ...     erase(store, worker, "requester")
    ...     get_person(store, worker) is None
    True
    """
    with store.write(actor) as transaction:
        connection = transaction.connection
        if connection.dialect.name == "sqlite":
            # What is deleted is overwritten, not only left to be used again.
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        for table in (persons, worker_keys, sessions):
            connection.execute(sa.delete(table).where(table.c.worker_id == worker.id))
        emptied: dict[str, object] = {"comment": ""}
        if answers:
            emptied |= {"text": ""}
            mine = checks.c.worker_id == worker.id
            connection.execute(sa.update(checks).where(mine).values(answers={}))
        mine = submissions.c.worker_id == worker.id
        connection.execute(sa.update(submissions).where(mine).values(emptied))
        if answers:
            # Judgments are numbers and stay; what a survey or suggestion says goes.
            judged = sa.select(judgments.c.submission_id)
            words = mine & submissions.c.id.not_in(judged)
            connection.execute(sa.update(submissions).where(words).values(data={}))
        mine = workers.c.id == worker.id
        connection.execute(sa.update(workers).where(mine).values(erased_at=transaction.at))
        transaction.log("worker.erase", worker.public_id, answers=answers)
    store.empty_log()
