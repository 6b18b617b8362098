"""Erasing a person's data on their request.

Deleted: name, e-mail address, external id, keys and sessions. Emptied, since people write about
themselves there, or others about them: comments, reasons of reviews and decisions, notes of payments
and of the invitations that they used, `reason` and `note` in the log. A language in their own words
becomes its tag, or is emptied if it is not known.

Kept, under the anonymous id: answers (or emptied too, if the person wants that), because they are the
corpus; judgments, which are numbers, because scores are computed from them; payments and decisions
without their texts, because money and places must add up; consents, because they show that the answers
may be used; times. A clip that the person suggested and that became an item stays, since others have
described it. Ids of assignments at Mechanical Turk stay, so that nothing is paid twice.

This is the only place where rows lose content; the log records that it happened, not what was there.
SQLite's file is written anew afterwards, since pages that were split or freed keep old bytes; if that
fails, the log says so (`store.rewrite`), and the next erasure does it.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from paragauge.collect.people.workers import Worker
from paragauge.collect.store.schema import (
    assignments,
    checks,
    decisions,
    persons,
    worker_keys,
    workers,
)
from paragauge.collect.store.schema_answers import (
    changes,
    invitations,
    judgments,
    ledger,
    replaced_answers,
    reviews,
    sessions,
    submissions,
)
from paragauge.collect.store.store import Store, Transaction
from paragauge.lexicon.language_names import find_language_tag

TEXTS = ("reason", "note")  # free texts in the details of changes


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
            # Overwrite deleted data, should the file not be written anew.
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        for table in (persons, worker_keys, sessions):
            connection.execute(sa.delete(table).where(table.c.worker_id == worker.id))
        _empty_answers(connection, worker, answers=answers)
        _empty_texts_about(transaction, worker)
        mine = workers.c.id == worker.id
        connection.execute(sa.update(workers).where(mine).values(erased_at=transaction.at))
        transaction.log("worker.erase", worker.public_id, answers=answers)
    if not store.rewrite():
        with store.write("store") as transaction:
            transaction.log("store.rewrite", "file", done=False)


def _empty_answers(connection: sa.Connection, worker: Worker, *, answers: bool) -> None:
    """Empty comments and languages in the person's own words; with `answers`, the answers too."""
    mine = submissions.c.worker_id == worker.id
    emptied: dict[str, object] = {"comment": ""}
    if answers:
        emptied |= {"text": ""}
        own = checks.c.worker_id == worker.id
        connection.execute(sa.update(checks).where(own).values(answers={}))
    own_answers = sa.select(submissions.c.id).where(mine)
    connection.execute(
        sa.delete(replaced_answers).where(replaced_answers.c.submission_id.in_(own_answers))
    )
    connection.execute(sa.update(submissions).where(mine).values(emptied))
    for stated in connection.execute(
        sa.select(submissions.c.language).where(mine).distinct()
    ).scalars():
        tag = find_language_tag(stated) or ""
        if tag != stated:
            same = mine & (submissions.c.language == stated)
            connection.execute(sa.update(submissions).where(same).values(language=tag))
    if answers:
        # Judgments are numbers and stay; survey answers and suggestions are emptied.
        judged = sa.select(judgments.c.submission_id)
        words = mine & submissions.c.id.not_in(judged)
        connection.execute(sa.update(submissions).where(words).values(data={}))


def _empty_texts_about(transaction: Transaction, worker: Worker) -> None:
    """Empty what requesters wrote about the person."""
    connection = transaction.connection
    own = sa.select(submissions.c.id).where(submissions.c.worker_id == worker.id)
    connection.execute(sa.update(reviews).where(reviews.c.submission_id.in_(own)).values(reason=""))
    mine = decisions.c.worker_id == worker.id
    connection.execute(sa.update(decisions).where(mine).values(reason=""))
    # Notes of other kinds are not typed by anybody; those of the sandbox tell sums from money.
    typed = (ledger.c.worker_id == worker.id) & ledger.c.kind.in_(("bonus", "paid"))
    connection.execute(sa.update(ledger).where(typed).values(note=""))
    used = sa.select(changes.c.subject).where(
        changes.c.action == "invitation.accept",
        changes.c.details["worker"].as_string() == worker.public_id,
    )
    note = sa.update(invitations).where(invitations.c.public_id.in_(used)).values(note="")
    connection.execute(note)
    tasks = (
        sa.select(table.c.public_id).where(table.c.worker_id == worker.id)
        for table in (submissions, assignments)
    )
    about = sa.or_(changes.c.subject == worker.public_id, *map(changes.c.subject.in_, tasks))
    has_text = sa.or_(*(changes.c.details[name].as_string().is_not(None) for name in TEXTS))
    update = sa.update(changes).where(about, has_text)
    connection.execute(update.values(details=_without_texts(connection)))


def _without_texts(connection: sa.Connection) -> Any:
    """The details of a change without free texts, as the database computes it."""
    if connection.dialect.name == "sqlite":
        return sa.func.json_remove(changes.c.details, *(f"$.{name}" for name in TEXTS))
    details: Any = sa.literal_column("details::jsonb")
    for name in TEXTS:
        details = details.op("-")(sa.literal(name, sa.Text))
    return sa.cast(details, sa.JSON)
