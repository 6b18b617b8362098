"""Erasing a person's data on their request.

Name, e-mail address, external id, keys and sessions are deleted, and comments are emptied, since people
write about themselves there. The answers stay in the corpus under an anonymous id, or are emptied too
if the person wants that; only judgments, which are numbers, always stay. This is the only place where
rows lose content; the log records that it happened, not what was there.
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
            # Overwrite deleted data instead of only freeing its space.
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
            # Judgments are numbers and stay; survey answers and suggestions are emptied.
            judged = sa.select(judgments.c.submission_id)
            words = mine & submissions.c.id.not_in(judged)
            connection.execute(sa.update(submissions).where(words).values(data={}))
        mine = workers.c.id == worker.id
        connection.execute(sa.update(workers).where(mine).values(erased_at=transaction.at))
        transaction.log("worker.erase", worker.public_id, answers=answers)
    store.empty_log()
