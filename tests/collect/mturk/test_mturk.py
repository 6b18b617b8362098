"""Mechanical Turk against a stand-in of its API: HITs, answers, approval, bonuses, qualifications."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from paragauge.collect.campaigns import budget, consent, items, ledger, memberships
from paragauge.collect.campaigns.campaign_settings import ControlRules
from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.mturk import records
from paragauge.collect.mturk.bonuses import send_bonuses
from paragauge.collect.mturk.client import Mturk, MturkError, connect
from paragauge.collect.mturk.external_question import build_question, read_answers
from paragauge.collect.mturk.hits import count_needed_tasks, create_hits, expire_hits
from paragauge.collect.mturk.qualifications import sync_qualifications
from paragauge.collect.mturk.sync import settle, sync
from paragauge.collect.people import erasure, workers
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.answers import Answer
from paragauge.errors import RefusedError, SettingError

pytest.importorskip(
    "boto3", reason="Mechanical Turk is not tested without boto3 (pip install '.[mturk]')"
)
SITE = "https://birds.example.org"
SECRET = "wJalrXUtnFEMI-not-a-real-secret"  # noqa: S105


@pytest.fixture
def aws(monkeypatch, tmp_path):
    """No credentials of this machine; those of the tests."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_MTURK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)


@pytest.fixture
def service(aws):
    path = Path(__file__).parents[1] / "mturk_stand_in.py"
    spec = importlib.util.spec_from_file_location("mturk_stand_in", path)
    sys.modules["mturk_stand_in"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    stand_in = module.StandIn()
    yield stand_in
    stand_in.close()


@pytest.fixture
def mturk(service) -> Mturk:
    return connect(endpoint=service.url)


@pytest.fixture
def paying(mturk) -> Mturk:
    """The stand-in, taken for production."""
    return replace(mturk, environment="production")


def work(store, campaign, service, person: str, number: int, text="A dog runs.") -> str:
    """A worker accepts the HIT with this number, answers here, and submits it; the assignment's id."""
    hit = records.read_hits(store)[number]
    name = f"ASSIGNMENT{number}{person}"
    _, worker, token = records.record_arrival(store, hit, name, person)
    entry = records.use_entry_link(store, token)
    assert entry == (hit, worker)
    assignment = assignments.next_assignment(store, campaign, worker, hit.tier)
    submissions.submit(store, assignment, worker, Answer(text, "English"))
    task, _, _ = records.record_arrival(store, hit, name, person)
    return service.submit(hit.external_id, person, {"receipt": records.get_receipt(store, task)}, name)


def states(service) -> list[str]:
    return [assignment["AssignmentStatus"] for assignment in service.assignments.values()]


def test_from_hits_to_pay(store, describe, service, paying):
    """On SQLite and on PostgreSQL."""
    mturk = paying
    campaign = describe(store, 3, fee_percent=20)
    assert count_needed_tasks(store, mturk, campaign, 1) == 6
    (hit,) = create_hits(store, mturk, campaign, SITE, 1, "ada")
    assert count_needed_tasks(store, mturk, campaign, 1) == 0
    assert create_hits(store, mturk, campaign, SITE, 1, "ada") == []
    (created,) = service.hits.values()
    assert created["MaxAssignments"] == 6
    assert f"<ExternalURL>{SITE}/mturk/{hit.key}</ExternalURL>" in created["Question"]
    (kind,) = service.hit_types.values()
    assert kind["Reward"] == "0.01"
    assert [requirement["Comparator"] for requirement in kind["QualificationRequirements"]] == [
        "DoesNotExist"
    ]

    for person in ("W1", "W2", "W3"):
        work(store, campaign, service, person, 0)
    counts = sync(store, mturk, campaign, "ada")
    assert (counts.new, counts.all, counts.strays) == (3, 3, ())
    assert sync(store, mturk, campaign, "ada").new == 0
    first, second, _ = submissions.stream(store, campaign)
    reviews.decide(store, first, "accept", "ada")
    reviews.decide(store, second, "reject", "ada", "Not a sentence.")
    done = settle(store, mturk, campaign, "ada")
    assert (done.approved, done.rejected, done.waiting) == (1, 1, 1)
    assert states(service) == ["Approved", "Rejected", "Submitted"]
    assert [assignment.get("RequesterFeedback") for assignment in service.assignments.values()][
        1
    ] == "Not a sentence."
    assert settle(store, mturk, campaign, "ada", pending=True).approved == 1
    assert settle(store, mturk, campaign, "ada", pending=True).approved == 0
    worker = workers.find_by_external_id(store, "mturk:W1")
    balance = ledger.get_balance(store, campaign, worker)
    assert (balance.earned, balance.paid) == (1, 1)
    # Three answers came and one was rejected, so four of six are wanted; the HIT offers three of them.
    assert count_needed_tasks(store, mturk, campaign, 1) == 1
    assert expire_hits(store, mturk, campaign, "ada") == 1
    assert [hit["HITStatus"] for hit in service.hits.values()] == ["Reviewable"]
    assert count_needed_tasks(store, mturk, campaign, 1) == 4
    assert expire_hits(store, mturk, campaign, "ada") == 0


def test_hits_that_are_over_offer_nothing(any_store, clock, describe, service, mturk):
    campaign = describe(any_store, 3)
    create_hits(any_store, mturk, campaign, SITE, 1, "ada", days=2)
    clock.forward(days=1)
    assert count_needed_tasks(any_store, mturk, campaign, 1) == 0
    clock.forward(days=1)
    assert count_needed_tasks(any_store, mturk, campaign, 1) == 6
    assert [hit.places for hit in create_hits(any_store, mturk, campaign, SITE, 1, "ada")] == [6]


def test_the_sandbox_costs_nothing(store, describe, service, mturk):
    """On SQLite and on PostgreSQL."""
    campaign = describe(store, 3, fee_percent=20)
    create_hits(store, mturk, campaign, SITE, 1, "ada")
    for person in ("W1", "W2"):
        work(store, campaign, service, person, 0)
    sync(store, mturk, campaign, "ada")
    first, second = submissions.stream(store, campaign)
    reviews.decide(store, second, "reject", "ada")
    assert budget.compute_costs(store, campaign).spent == 2
    assert settle(store, mturk, campaign, "ada", pending=True).approved == 1
    worker = workers.find_by_external_id(store, "mturk:W1")
    ledger.give_bonus(store, campaign, worker, 25, "ada", "Well done.")
    assert send_bonuses(store, mturk, campaign, "ada") == (1, 25)
    assert len(service.bonuses) == 1
    costs = budget.compute_costs(store, campaign)
    assert (costs.spent, costs.earned, costs.fees, costs.paid, costs.reserved) == (0, 0, 0, 0, 0)
    balance = ledger.get_balance(store, campaign, worker)
    assert (balance.earned, balance.paid) == (0, 0)
    notes = [
        entry.note for entry in ledger.read_entries(store, campaign, worker) if entry.kind == "revoke"
    ]
    assert notes == [
        "mturk ASSIGNMENT0W1 (sandbox: nothing was paid)",
        "mturk bonus (sandbox: nothing was paid)",
    ]
    assert find_problems(store) == []
    # The answer itself counts as any other.
    assert submissions.get(store, first.public_id).decision == "pending"
    for decision in ("reject", "accept"):
        assert reviews.decide(store, first, decision, "ada") == 0
        assert budget.compute_costs(store, campaign).spent == 0
        assert find_problems(store) == []
    # After an erasure, sums of the sandbox are still no money.
    erasure.erase(store, worker, "ada")
    assert "Well done." not in [entry.note for entry in ledger.read_entries(store, campaign, worker)]
    for decision in ("reject", "accept"):
        assert find_problems(store) == []
        assert reviews.decide(store, first, decision, "ada") == 0
        assert budget.compute_costs(store, campaign).spent == 0


def test_controls_are_marked_when_work_is_handed_in(any_store, describe, service, mturk):
    store = any_store
    campaign = describe(store, 4, controls=ControlRules(every=2, warn_after=1, block_after=2))
    clip = {"url": "https://media.example/gold.webm", "start": 1, "end": 5}
    row = {"key": "gold", "kind": "video", "content": clip, "control": "gold"}
    items.add(store, campaign, [row | {"expected": {"words": ["horse"]}}], "ada")
    for number in range(4):
        create_hits(store, mturk, campaign, SITE, 1, "ada", tasks=1)
        work(store, campaign, service, "W1", number)
    worker = workers.find_by_external_id(store, "mturk:W1")
    assert {submission.control for submission in submissions.stream(store, campaign)} == {None, "gold"}
    assert memberships.get_standing(store, campaign, worker).state == "active"
    assert sync(store, mturk, campaign, "ada").new == 4
    assert memberships.get_standing(store, campaign, worker).state == "warned"
    (warned,) = [
        decision
        for decision in memberships.list_decisions(store, worker)
        if decision.decision == "warn"
    ]
    assert warned.actor == "controls"


def test_lost_answers_make_nothing_twice(any_store, describe, service, paying):
    mturk = paying
    store, campaign = any_store, describe(any_store, 6)
    service.lose["CreateHITWithHITType"] = 1
    service.throttle["CreateHITType"] = 1
    created = create_hits(store, mturk, campaign, SITE, 1, "ada")
    assert [hit.places for hit in created] == [9, 3]
    assert len(service.hits) == 2
    work(store, campaign, service, "W1", 0)
    sync(store, mturk, campaign, "ada")
    service.lose["ApproveAssignment"] = 1
    assert settle(store, mturk, campaign, "ada", pending=True).approved == 1
    worker = workers.find_by_external_id(store, "mturk:W1")
    ledger.give_bonus(store, campaign, worker, 25, "ada", "Well done.")
    service.lose["SendBonus"] = 1
    assert send_bonuses(store, mturk, campaign, "ada") == (1, 25)
    assert send_bonuses(store, mturk, campaign, "ada") == (0, 0)
    assert [(bonus["BonusAmount"], bonus["Reason"]) for bonus in service.bonuses] == [
        ("0.25", "Well done.")
    ]
    balance = ledger.get_balance(store, campaign, worker)
    assert (balance.earned, balance.paid) == (26, 26)


def test_a_run_that_was_cut_off_is_taken_up(any_store, describe, service, mturk, monkeypatch):
    store, campaign = any_store, describe(any_store, 9)
    service.balance = 9
    with pytest.raises(MturkError, match=r"refused create_hit_with_hit_type: .*insufficient funds"):
        create_hits(store, mturk, campaign, SITE, 1, "ada")
    assert len(service.hits) == 1
    # The next one was made, and the process ended before that was written down.
    service.balance = 1000
    call = Mturk.call

    def cut_off(self, operation, **parameters):
        answer = call(self, operation, **parameters)
        if operation == "create_hit_with_hit_type":
            raise KeyboardInterrupt
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(Mturk, "call", cut_off)
        with pytest.raises(KeyboardInterrupt):
            create_hits(store, mturk, campaign, SITE, 1, "ada")
    service.tokens.clear()  # MTurk forgets them after a day
    assert len(create_hits(store, mturk, campaign, SITE, 1, "ada")) == 1
    assert len(service.hits) == 2
    assert all(hit.external_id for hit in records.read_hits(store))


def test_qualifications_follow_where_workers_stand(any_store, describe, service, mturk):
    store, campaign = any_store, describe(any_store, 3)
    create_hits(store, mturk, campaign, SITE, 1, "ada")
    create_hits(store, mturk, campaign, SITE, 2, "ada")
    kinds = list(service.hit_types.values())
    assert [requirement["Comparator"] for requirement in kinds[1]["QualificationRequirements"]] == [
        "DoesNotExist",
        "Exists",
    ]
    assert kinds[1]["Reward"] == "0.05"
    work(store, campaign, service, "W1", 0)
    worker = workers.find_by_external_id(store, "mturk:W1")
    assert sync_qualifications(store, mturk, campaign, "ada") == 0
    memberships.grant(store, campaign, worker, "ada")
    assert sync_qualifications(store, mturk, campaign, "ada") == 1
    names = {number: qualification["Name"] for number, qualification in service.qualifications.items()}
    assert [("tier-2" in names[kind], person) for kind, person in service.held] == [(True, "W1")]
    work(store, campaign, service, "W1", 1)
    memberships.block(store, campaign, worker, "ada")
    assert sync_qualifications(store, mturk, campaign, "ada") == 1
    memberships.unblock(store, campaign, worker, "ada")
    memberships.refuse(store, campaign, worker, "ada")
    assert sync_qualifications(store, mturk, campaign, "ada") == 2
    assert service.held == set()
    assert sync_qualifications(store, mturk, campaign, "ada") == 0


def test_nobody_is_paid_for_another(any_store, describe, service, mturk):
    store, campaign = any_store, describe(any_store, 3)
    (hit,) = create_hits(store, mturk, campaign, SITE, 1, "ada")
    external = records.read_hits(store)[0].external_id
    work(store, campaign, service, "W1", 0)
    with pytest.raises(RefusedError, match="accepted by somebody else"):
        records.record_arrival(store, hit, "ASSIGNMENT0W1", "W2")
    with pytest.raises(RefusedError, match="must be opened from Mechanical Turk"):
        records.record_arrival(store, hit, "A'; --", "W2")
    receipt = records.get_receipt(store, records.read_assignments(store)[0])
    # Somebody hands in without an answer, with the receipt of another, and with nothing of use.
    records.record_arrival(store, hit, "B1", "W2")
    service.submit(external, "W2", {"receipt": receipt}, "B1")
    service.submit(external, "W3", {"receipt": receipt}, "B2")
    service.submit(external, "W4", {}, "B3")
    counts = sync(store, mturk, campaign, "ada")
    assert (counts.new, counts.strays) == (1, ("B1", "B2", "B3"))
    assert settle(store, mturk, campaign, "ada", pending=True).approved == 1
    assert states(service) == ["Approved", "Submitted", "Submitted", "Submitted"]


def test_a_link_to_a_task_is_used_once(any_store, describe, mturk):
    store, campaign = any_store, describe(any_store, 3)
    (hit,) = create_hits(store, mturk, campaign, SITE, 1, "ada")
    _, _, token = records.record_arrival(store, hit, "A1", "W1")
    assert records.use_entry_link(store, token) is not None
    assert records.use_entry_link(store, token) is None
    assert records.use_entry_link(store, "") is None


def test_sandbox_unless_asked_and_no_secret_in_messages(aws, service, monkeypatch):
    assert connect().client.meta.endpoint_url == (
        "https://mturk-requester-sandbox.us-east-1.amazonaws.com"
    )
    assert "sandbox" not in connect(production=True).client.meta.endpoint_url
    connection = connect(endpoint=service.url)
    assert connection.environment == "sandbox"
    assert connection.balance_cents() == 10_000
    assert SECRET not in "".join(service.authorizations)
    with pytest.raises(MturkError) as error:
        connection.call("approve_assignment", AssignmentId="NONE")
    assert str(error.value) == (
        "Mechanical Turk (sandbox) refused approve_assignment: Assignment NONE does not exist."
    )
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    with pytest.raises(MturkError, match="no AWS credentials found; set AWS_ACCESS_KEY_ID"):
        connect(endpoint=service.url).balance_cents()


def test_settings_that_cannot_work(any_store, describe, mturk):
    campaign = describe(any_store, 1)
    with pytest.raises(SettingError, match=r"'http://birds.example.org/mturk/x': expected https://"):
        create_hits(any_store, mturk, campaign, "http://birds.example.org", 1, "ada")
    assert records.read_hits(any_store) == []


@pytest.mark.parametrize("text", ["", "<a", "<a><b/></a>", "<!DOCTYPE x []><a/>", "\0", "<Answer/>"])
def test_answers_that_are_none(text):
    assert read_answers(text) == {}


def test_questions_escape_the_address():
    assert "a&amp;b" in build_question("https://x.org/?a&b")


def test_pages(any_store, describe, service, mturk):
    testclient = pytest.importorskip(
        "starlette.testclient", reason="pages are not tested without httpx"
    )
    from paragauge.collect.web.app import create_app

    store, campaign = any_store, describe(any_store, 2)
    (hit,) = create_hits(store, mturk, campaign, SITE, 1, "ada")
    client = testclient.TestClient(create_app(store, mturk=True), base_url="http://127.0.0.1")
    page = f"/mturk/{hit.key}"
    preview = client.get(page, params={"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert preview.status_code == 200
    assert "Accept the HIT to begin." in preview.text
    assert "https://workersandbox.mturk.com" in preview.headers["content-security-policy"]
    assert records.read_assignments(store) == []
    parameters = {"assignmentId": "A1", "workerId": "W1", "hitId": "H1"}
    parameters["turkSubmitTo"] = "https://workersandbox.mturk.com"
    opened = client.get(page, params=parameters)
    link = opened.text.split('href="/mturk/enter/')[1].split('"')[0]
    task = client.get(f"/mturk/enter/{link}", follow_redirects=False)
    assert task.status_code == 303
    assert task.headers["location"].startswith("/task/")
    assert client.get(task.headers["location"]).status_code == 200
    assert client.get(f"/mturk/enter/{link}").status_code == 410
    # Who comes from MTurk may be somebody else: nothing that is known of the worker is shown.
    assert client.get("/me").status_code == 403
    # By opening the link they agreed to the text that the page in the frame shows.
    (agreed,) = consent.list_consents(store, campaign)
    assert link.endswith(f"?consent={agreed.version}")
    assert "What you write is kept as you wrote it" in opened.text
    assert client.get("/me/erase").status_code == 403
    worker = workers.find_by_external_id(store, "mturk:W1")
    mine = assignments.get(store, task.headers["location"].removeprefix("/task/"), worker)
    receipt = submissions.submit(store, mine, worker, Answer("A dog runs.", "English"))
    assert "go back to Mechanical Turk" in client.get(task.headers["location"]).text
    done = client.get(page, params=parameters)
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in done.text
    assert f'name="receipt" value="{receipt.public_id}"' in done.text
    assert client.get("/mturk/nothing").status_code == 404
    assert (
        client.get(page, params=parameters | {"turkSubmitTo": "https://evil.example"}).status_code
        == 400
    )
    assert client.get(page, params=parameters | {"workerId": "W2"}).status_code == 403
    without = testclient.TestClient(create_app(store), base_url="http://127.0.0.1")
    assert without.get(page).status_code == 404
