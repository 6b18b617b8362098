"""Erasing a person: every string about them is gone from tables and files, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from paragauge.collect.campaigns import campaigns, invitations, items, ledger, memberships
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, SurveyQuestion
from paragauge.collect.people import erasure, sessions, workers
from paragauge.collect.people.workers import Person
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.store.columns import metadata
from paragauge.collect.store.schema import workers as workers_table
from paragauge.collect.store.schema_answers import submissions as submissions_table
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer

# Whatever names the person, wherever it may be written; with `answers`, what they wrote too.
NAMING = {
    "name": "Lovelace-1",
    "email": "ada-2@example.org",
    "external": "A1B2C3-3",
    "details": "Albion-4",
    "comment": "comment-5",
    "language": "Adas-own-6",
    "rejection": "rejection-7",
    "grant": "grant-8",
    "warning": "warning-9",
    "bonus": "bonus-10",
    "payment": "payment-11",
    "invitation": "invitation-12",
    "release": "release-13",
    "everywhere": "everywhere-14",
}
WRITTEN = {"text": "text-15", "survey": "survey-16", "data": "data-17"}


def answer(store, campaign, worker, **fields):
    task = assignments.next_assignment(store, campaign, worker)
    submissions.submit(store, task, worker, Answer(**fields))
    return list(submissions.stream(store, campaign, worker=worker))[-1]


def live(store, describe):
    """A person about whom everything is known, among others; the campaign, the worker and their key."""
    campaign = describe(store, 4)
    questions = (SurveyQuestion("why", "Why?"),)
    settings = CampaignSettings(kind="survey", title="Why", survey=questions)
    survey = campaigns.create(store, settings, "survey", "ada")
    items.add(store, survey, [{"key": "survey", "content": {}}], "ada")
    words = NAMING | WRITTEN
    person = Person(words["name"], words["email"], words["external"], {"country": words["details"]})
    _, token = invitations.create(store, campaign, "ada", note=words["invitation"], tier=2)
    worker, key = invitations.accept(store, token, person)
    sessions.start(store, worker)
    other, _ = invitations.accept(store, token, Person(email="other@example.org"))
    stays = {"text": "A dog.", "comment": "other-comment", "language": "Klingon"}
    reviews.decide(store, answer(store, campaign, other, **stays), "reject", "ada", "other-reason")
    memberships.warn(store, campaign, other, "ada", "other-warning")
    first = answer(
        store,
        campaign,
        worker,
        text=words["text"],
        language=words["language"],
        comment=words["comment"],
        data={"typed": words["data"]},
    )
    reviews.decide(store, first, "reject", "ada", words["rejection"])
    answer(store, campaign, worker, text="A cat.", language="English (UK)")
    assignments.reassign(
        store, assignments.next_assignment(store, campaign, worker), "ada", words["release"]
    )
    answer(store, survey, worker, data={"answers": {"why": words["survey"]}})
    memberships.grant(store, campaign, worker, "ada", words["grant"])
    memberships.warn(store, campaign, worker, "ada", words["warning"])
    memberships.refuse(store, None, worker, "ada", words["everywhere"])
    ledger.give_bonus(store, campaign, worker, 3, "ada", words["bonus"])
    ledger.pay(store, campaign, worker, 3, "ada", words["payment"])
    return campaign, worker, key


def read_everything(store: Store) -> str:
    with store.read() as connection:
        rows = [list(connection.execute(sa.select(table))) for table in metadata.tables.values()]
    return "\n".join(
        json.dumps(row, default=str, ensure_ascii=False) for table in rows for row in map(list, table)
    )


@pytest.mark.parametrize("answers", [False, True])
def test_no_table_keeps_a_string_about_the_person(store, describe, answers) -> None:
    campaign, worker, key = live(store, describe)
    before = read_everything(store)
    assert [word for word in (NAMING | WRITTEN).values() if word not in before] == []
    erasure.erase(store, worker, "ada", answers=answers)
    erasure.erase(store, worker, "ada", answers=answers)
    after = read_everything(store)
    gone = NAMING | (WRITTEN if answers else {})
    assert [name for name, word in gone.items() if word in after] == []
    kept = {} if answers else WRITTEN
    assert [name for name, word in kept.items() if word not in after] == []
    # Nothing of the other worker's is touched; the note spoke of both of them.
    for word in ("other@example.org", "other-comment", "other-reason", "other-warning", "Klingon"):
        assert after.count(word) == before.count(word)
    assert workers.find_by_key(store, key) is None
    mine = list(submissions.stream(store, campaign, worker=worker))
    assert [row.language for row in mine] == ["", "en"]
    assert [row.decision for row in mine] == ["reject", "pending"]
    assert ledger.get_balance(store, campaign, worker).paid == 3
    assert memberships.get_standing(store, campaign, worker).state == "warned"
    actions = [decision.decision for decision in memberships.list_decisions(store, worker)]
    assert actions == ["grant", "grant", "warn", "refuse"]
    assert [row.action for row in read_changes(store)][-1] == "worker.erase"


@pytest.mark.parametrize("answers", [False, True])
def test_no_byte_of_the_file_keeps_a_string_about_the_person(sqlite_store, describe, answers) -> None:
    store, path = sqlite_store, Path(sqlite_store.url)
    # Among many others, so that pages are split while the person's rows are on them.
    crowd = [workers.register(store, "link", Person(email=f"{n}@example.org"))[0] for n in range(50)]
    _, worker, *_ = live(store, describe)
    crowd += [workers.register(store, "link", Person(email=f"x{n}@example.org"))[0] for n in range(50)]
    for each in crowd:
        memberships.warn(store, None, each, "ada", f"a reason of some length for {each.public_id}")

    def find_words() -> set[str]:
        content = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
        return {name for name, word in (NAMING | WRITTEN).items() if word.encode() in content}

    assert find_words() == set(NAMING | WRITTEN)
    erasure.erase(store, worker, "ada", answers=answers)
    assert find_words() == (set() if answers else set(WRITTEN))
    assert workers.get_person(store, crowd[0]).email == "0@example.org"


def test_bytes_of_pages_that_were_split_go_too(sqlite_store) -> None:
    store, path = sqlite_store, Path(sqlite_store.url)

    def keep_old_bytes(connection, *_) -> None:
        # What most builds of SQLite do; Debian's overwrites by default.
        connection.execute("PRAGMA secure_delete=OFF")

    sa.event.listen(store.engine, "checkout", keep_old_bytes)
    word = "Lovelace" * 20
    person = Person(details={"note": word})
    numbers = range(60)
    registered = [workers.register(store, "link", person)[0] for _ in numbers]
    for worker in registered:
        erasure.erase(store, worker, "ada")
    content = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    assert b"LovelaceLovelace" not in content


def test_the_database_lets_an_erasure_empty_texts_and_nothing_else(store, describe) -> None:
    live(store, describe)
    tables = metadata.tables
    forbidden = [
        ("submissions", {"language": "Klingon"}),
        ("submissions", {"language": "de-AT"}),
        ("submissions", {"tier": 2, "comment": ""}),
        ("reviews", {"reason": "another"}),
        ("reviews", {"decision": "accept", "reason": ""}),
        ("decisions", {"reason": "another"}),
        ("decisions", {"actor": "eve", "reason": ""}),
        ("ledger", {"note": "another"}),
        ("ledger", {"earned_cents": 1000}),
        ("changes", {"details": {}}),
        ("changes", {"details": {"reason": "another"}}),
        ("changes", {"actor": "eve"}),
    ]
    for name, values in forbidden:
        refused = pytest.raises(sa.exc.DBAPIError, match=f"rows of {name} are only ever added")
        with refused, store.write("eve") as transaction:
            transaction.connection.execute(sa.update(tables[name]).values(values))


def test_a_file_that_cannot_be_rewritten_is_in_the_log(sqlite_store, monkeypatch) -> None:
    worker, _ = workers.register(sqlite_store, "link", Person(email="ada@example.org"))
    monkeypatch.setattr(Store, "rewrite", lambda self: False)
    erasure.erase(sqlite_store, worker, "ada")
    last = list(read_changes(sqlite_store))[-1]
    assert (last.action, last.details) == ("store.rewrite", {"done": False})
    with sqlite_store.read() as connection:
        assert connection.execute(sa.select(workers_table.c.erased_at)).scalar() is not None
        assert connection.execute(sa.select(submissions_table)).first() is None
