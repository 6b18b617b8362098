"""Workers, standing, invitations, accounts, sessions, and erasure."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from paragauge.collect.campaigns import invitations, memberships
from paragauge.collect.people import accounts, erasure, sessions, workers
from paragauge.collect.people.workers import Person
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.store.columns import metadata
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import AnswerError, RefusedError, SettingError

PASSWORD = "correct horse battery"  # noqa: S105


def read_everything(store: Store) -> str:
    """All that is stored, as text."""
    with store.read() as connection:
        rows = [connection.execute(sa.select(table)).all() for table in metadata.sorted_tables]
    return repr(rows)


def test_a_worker_returns_with_the_key_or_the_id_at_the_source(store) -> None:
    worker, key = workers.register(store, "mturk", Person("Ada", "ada@example.org", "A1B2"))
    assert workers.find_by_key(store, key) == worker
    assert workers.find_by_external_id(store, "A1B2") == worker
    assert workers.get(store, worker.public_id) == worker
    assert workers.get_by_id(store, worker.id) == worker
    assert workers.get_person(store, worker) == Person("Ada", "ada@example.org", "A1B2")
    for wrong in ("", "x", "\0", "\ud800", key[:-1]):
        assert workers.find_by_key(store, wrong) is None
        assert workers.get(store, wrong) is None
        assert workers.find_by_external_id(store, wrong) is None
    assert key not in read_everything(store)


@pytest.mark.parametrize("name", ["x" * 201, "a\0", "a\nb", "\ud800"])
def test_names_are_one_short_line(any_store, name) -> None:
    with pytest.raises(AnswerError) as error:
        workers.register(any_store, "link", Person(name=name))
    assert error.value.field == "name"
    assert workers.all_workers(any_store) == []


def test_one_id_at_a_source_is_one_worker(store) -> None:
    workers.register(store, "mturk", Person(external_id="A1"))
    with pytest.raises(RefusedError, match="already registered") as error:
        workers.register(store, "mturk", Person(external_id="A1"))
    assert error.value.reason == "exists"
    assert len(workers.all_workers(store)) == 1


def test_standing_in_one_campaign_and_in_all(store, describe, worker_in) -> None:
    one, two = describe(store, slug="one"), describe(store, slug="two")
    worker = worker_in(store)

    def stands() -> list[tuple[int, str]]:
        standings = [memberships.get_standing(store, campaign, worker) for campaign in (one, two)]
        return [(standing.tier, standing.state) for standing in standings]

    assert stands() == [(1, "active"), (1, "active")]
    memberships.grant(store, one, worker, "ada", "good")
    assert stands() == [(2, "active"), (1, "active")]
    memberships.warn(store, two, worker, "ada", "two controls failed")
    assert stands() == [(2, "active"), (1, "warned")]
    memberships.block(store, None, worker, "ada", "cheats")
    assert stands() == [(2, "blocked"), (1, "blocked")]
    assert assignments.next_assignment(store, one, worker) == assignments.Refusal("blocked")
    memberships.unblock(store, None, worker, "ada")
    assert stands() == [(2, "active"), (1, "warned")]
    memberships.refuse(store, one, worker, "ada", "copies")
    assert memberships.get_standing(store, one, worker).refused
    assert stands() == [(1, "active"), (1, "warned")]
    memberships.grant(store, None, worker, "ada")
    assert stands() == [(2, "active"), (2, "warned")]
    memberships.refuse(store, one, worker, "ada", "not here")
    assert stands() == [(1, "active"), (2, "warned")]
    memberships.block(store, one, worker, "ada", "cheats")
    memberships.warn(store, one, worker, "ada", "late")
    assert stands() == [(1, "blocked"), (2, "warned")]
    memberships.unblock(store, one, worker, "ada")
    memberships.refuse(store, None, worker, "ada", "nowhere")
    assert stands() == [(1, "active"), (1, "warned")]
    memberships.block(store, None, worker, "ada", "cheats")
    memberships.warn(store, None, worker, "ada", "late")
    assert stands() == [(1, "blocked"), (1, "blocked")]
    decided = [
        (decision.decision, decision.reason) for decision in memberships.list_decisions(store, worker)
    ]
    assert decided[:3] == [("grant", "good"), ("warn", "two controls failed"), ("block", "cheats")]
    assert len(decided) == 13
    actions = [change.action for change in read_changes(store, subject=worker.public_id)]
    assert actions.count("worker.grant") == 2


def test_a_blocked_worker_holds_no_task(store, describe, worker_in) -> None:
    campaign, worker = describe(store, 1), worker_in(store)
    task = assignments.next_assignment(store, campaign, worker)
    memberships.block(store, campaign, worker, "ada", "cheats")
    assert assignments.list_open(store, campaign) == []
    with pytest.raises(RefusedError):
        submissions.submit(store, task, worker, Answer("A dog.", "English"))
    assert list(submissions.stream(store)) == []


def test_a_worker_uses_an_invitation_once_and_it_undoes_no_refusal(
    store, clock, describe, worker_in
) -> None:
    campaign = describe(store)
    _, token = invitations.create(store, campaign, "ada", most_uses=2, tier=2)
    worker = worker_in(store)
    for _ in range(3):
        invitations.accept_as(store, token, worker)
    assert invitations.all_invitations(store)[0].uses == 1
    assert memberships.get_standing(store, campaign, worker).tier == 2
    clock.forward(days=1)
    memberships.refuse(store, campaign, worker, "ada", "copies")
    invitations.accept_as(store, token, worker)
    assert memberships.get_standing(store, campaign, worker).tier == 1
    other, _ = invitations.accept(store, token)
    invitations.accept_as(store, token, other)
    assert invitations.all_invitations(store)[0].uses == 2
    # An older invitation does not undo the refusal, a new one does.
    clock.forward(days=1)
    _, token = invitations.create(store, campaign, "ada", tier=2)
    invitations.accept_as(store, token, worker)
    assert memberships.get_standing(store, campaign, worker).tier == 2


def test_an_invitation_serves_so_often_and_so_long(store, clock, describe) -> None:
    campaign = describe(store)
    invitation, token = invitations.create(
        store, campaign, "ada", most_uses=2, tier=2, days=1, note="class"
    )
    assert token not in read_everything(store)
    for uses in (1, 2):
        worker, key = invitations.accept(store, token, Person("Ada"))
        assert workers.find_by_key(store, key) == worker
        assert memberships.get_standing(store, campaign, worker).tier == 2
        assert invitations.all_invitations(store)[0].uses == uses
    assert invitations.find(store, token) is None
    for wrong in (token, "", "x"):
        with pytest.raises(RefusedError, match="used up, expired or withdrawn"):
            invitations.accept(store, wrong)

    _, token = invitations.create(store, None, "ada", tier=2, days=1)
    worker, _ = invitations.accept(store, token)
    assert memberships.get_standing(store, campaign, worker).tier == 2
    clock.forward(days=1)
    assert invitations.find(store, token) is None

    invitation, token = invitations.create(store, None, "ada")
    assert invitations.find(store, token) == invitation
    invitations.withdraw(store, invitation, "ada")
    invitations.withdraw(store, invitation, "ada")
    assert invitations.find(store, token) is None
    with pytest.raises(RefusedError, match="expected 1 to"):
        invitations.create(store, None, "ada", most_uses=0)


def test_accounts(store) -> None:
    ada = accounts.create(store, "ada", PASSWORD, "command line")
    assert PASSWORD not in read_everything(store)
    assert accounts.log_in(store, "ada", PASSWORD) == ada
    for name, password in (("ada", "wrong"), ("bob", PASSWORD), ("a\0", "x"), ("ada", "\ud800")):
        assert accounts.log_in(store, name, password) is None
    with pytest.raises(RefusedError, match="an account ada exists already"):
        accounts.create(store, "ada", PASSWORD, "command line")
    with pytest.raises(SettingError, match="a password of 10 to 1000 characters, found 5"):
        accounts.create(store, "bob", "short", "command line")
    with pytest.raises(SettingError, match="a name of at most 60 letters, digits"):
        accounts.create(store, "a b", PASSWORD, "command line")
    token = sessions.start(store, ada)
    _, of_the_api = accounts.create_token(store, ada, "notebook", "ada")
    assert accounts.find_by_token(store, of_the_api) == ada
    accounts.change_password(store, ada, PASSWORD[::-1], "ada")
    assert sessions.find(store, token) is None
    assert accounts.find_by_token(store, of_the_api) is None
    assert accounts.log_in(store, "ada", PASSWORD) is None
    assert accounts.log_in(store, "ada", PASSWORD[::-1]) == ada
    with pytest.raises(RefusedError, match="ada is the last owner"):
        accounts.close(store, ada, "ada")
    accounts.create(store, "eve", PASSWORD, "command line")
    accounts.close(store, ada, "ada")
    assert accounts.log_in(store, "ada", PASSWORD[::-1]) is None
    assert [account.state for account in accounts.all_accounts(store)] == ["closed", "active"]


def test_passwords_are_hashed_as_rfc_9106_says(monkeypatch) -> None:
    monkeypatch.undo()
    hasher = accounts._hasher()
    assert (hasher.type.name, hasher.time_cost, hasher.memory_cost) == ("ID", 3, 65536)


def test_tokens_of_the_api(store, clock) -> None:
    account = accounts.create(store, "ada", PASSWORD, "command line")
    name, token = accounts.create_token(store, account, "script", "ada", days=1)
    _, other = accounts.create_token(store, account, "other", "ada")
    assert token not in read_everything(store)
    assert accounts.find_by_token(store, token) == account
    assert accounts.find_by_token(store, token + "x") is None
    clock.forward(days=1)
    assert accounts.find_by_token(store, token) is None
    assert accounts.find_by_token(store, other) == account
    assert accounts.withdraw_token(store, name, "ada")
    assert not accounts.withdraw_token(store, name, "ada")
    accounts.create(store, "eve", PASSWORD, "command line")
    accounts.close(store, account, "ada")
    assert accounts.find_by_token(store, other) is None


def test_sessions_end(store, clock, worker_in) -> None:
    worker, account = worker_in(store), accounts.create(store, "ada", PASSWORD, "command line")
    tokens = [
        sessions.start(store, worker),
        sessions.start(store, account),
        sessions.start(store, account),
    ]
    assert not any(token in read_everything(store) for token in tokens)
    started = [sessions.find(store, token) for token in tokens]
    assert [session and (session.worker, session.account) for session in started][:2] == [
        (worker, None),
        (None, account),
    ]
    sessions.end(store, tokens[1])
    sessions.end(store, tokens[1])
    assert sessions.find(store, tokens[1]) is None
    clock.forward(hours=12)
    assert sessions.find(store, tokens[2]) is None
    assert sessions.find(store, tokens[0]) is not None
    assert sessions.clear_expired(store) == 1
    assert sessions.find(store, "\0") is None


@pytest.mark.parametrize("answers", [False, True])
def test_erasure_leaves_nothing_of_the_person(store, describe, worker_in, answers) -> None:
    campaign = describe(store)
    person = Person("Ada Lovelace", "ada@example.org", "A1B2C3", {"country": "Albion"})
    worker, key = workers.register(store, "link", person)
    other = worker_in(store)
    token = sessions.start(store, worker)
    for writer in (worker, other):
        task = assignments.next_assignment(store, campaign, writer)
        submissions.submit(store, task, writer, Answer("A dog.", "English", f"I am Ada, {writer.id}"))
    erasure.erase(store, worker, "requester", answers=answers)
    erasure.erase(store, worker, "requester", answers=answers)
    before = read_everything(store)
    for secret in ("Lovelace", "ada@example.org", "A1B2C3", "Albion", f"I am Ada, {worker.id}"):
        assert secret not in before
    assert f"I am Ada, {other.id}" in before
    assert workers.get_person(store, worker) is None
    assert workers.find_by_key(store, key) is None
    assert sessions.find(store, token) is None
    texts = [row.text for row in submissions.stream(store)]
    assert texts == (["", "A dog."] if answers else ["A dog.", "A dog."])
    assert [change.action for change in read_changes(store)][-1] == "worker.erase"
