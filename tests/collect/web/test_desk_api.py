"""The JSON API: its description is valid and true, and random requests break nothing."""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given
from hypothesis.errors import Unsatisfiable
from starlette.testclient import TestClient

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, TierSettings
from paragauge.collect.people import accounts, workers
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits

MISSING = "the API is NOT tested: pip install '.[test]'"
schemathesis = pytest.importorskip("schemathesis", reason=MISSING)
checks = pytest.importorskip("schemathesis.checks", reason=MISSING)
openapi_spec_validator = pytest.importorskip("openapi_spec_validator", reason=MISSING)
API = "/api/v1"
CLIP = {"url": "https://example.org/a.webm", "start": 1, "end": 5}
NEW = {"kind": "describe", "title": "Birds", "budget_cents": 100}


@contextmanager
def serve_collection(place, randomness):
    """A store with a campaign, three items and an answer; the application; a token; the worker."""
    with Store.open(place / "collection.db", create=True, randomness=randomness) as store:
        account = accounts.create(store, "ada", "correct horse battery", "test")
        _, token = accounts.create_token(store, account, "test", "test")
        tiers = {1: TierSettings(2, 3), 2: TierSettings(5, 2)}
        plan = CampaignSettings(kind="describe", title="Clips", budget_cents=1000, tiers=tiers)
        campaign = campaigns.create(store, plan, "clips", "ada")
        items.add(store, campaign, [{"key": f"v{n}", "content": CLIP} for n in range(3)], "ada")
        worker, _ = workers.register(store, "link")
        task = assignments.next_assignment(store, campaign, worker)
        receipt = submissions.submit(store, task, worker, Answer("A dog runs.", "English"))
        app = create_app(store, limits=Limits.off())
        yield store, app, token, worker, receipt.public_id


@pytest.fixture(scope="module")
def served(tmp_path_factory, seeded_source):
    with serve_collection(tmp_path_factory.mktemp("api"), seeded_source()) as parts:
        yield parts


@pytest.fixture
def client(served):
    with TestClient(served[1], headers={"Authorization": f"Bearer {served[2]}"}) as test_client:
        yield test_client


@pytest.mark.hypothesis
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_requests_at_random(tmp_path, seeded_source, property_settings, mode):
    """Requests that fit the description, and some that do not, to every operation."""
    limits = property_settings(max_examples=4, suppress_health_check=list(HealthCheck))
    with serve_collection(tmp_path, seeded_source()) as served:
        shake(*served[1:], mode, limits)


def shake(app, token, worker, submission, mode, limits):
    schema = schemathesis.openapi.from_asgi(f"{API}/openapi.json", app)
    names = [
        checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    operations = [operation.ok() for operation in schema.get_all_operations()]
    assert len(operations) >= 14
    for operation in operations:
        strategy = operation.as_strategy(generation_mode=schemathesis.GenerationMode(mode))

        @limits
        @given(case=strategy)
        def one(case):
            parameters = case.path_parameters or {}
            # Half of the requests reach what exists.
            if len(str(parameters.get("slug", ""))) % 2:
                parameters["slug"] = "clips"
            if len(str(parameters.get("public_id", ""))) % 2:
                parameters["public_id"] = worker.public_id if "workers" in case.path else submission
            case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=names)

        try:
            one()
        except Unsatisfiable:
            assert mode == "negative"  # Nothing about the operation can be wrong.


def test_the_description_is_valid(client):
    schema = client.get(f"{API}/openapi.json").json()
    openapi_spec_validator.validate(schema)
    assert all(path.startswith(API) for path in schema["paths"])
    # Every operation says what it answers without a token, and that it wants one.
    for operations in schema["paths"].values():
        for operation in operations.values():
            assert "401" in operation["responses"]
            assert operation["security"] == [{"HTTPBearer": []}]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic YTpi"},
        {"Authorization": "Bearer"},
    ],
)
def test_no_token_no_answer(served, headers):
    with TestClient(served[1]) as client:
        for path in ("/status", "/campaigns/clips", "/campaigns/none", "/campaigns/clips/export"):
            answer = client.get(API + path, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
        assert client.post(f"{API}/campaigns", headers=headers, json={}).status_code == 401


def test_a_session_of_the_desk_is_no_token(served):
    with TestClient(served[1], base_url="http://testserver") as client:
        page = client.get("/desk/login").text
        csrf = page.split('name="csrf" value="')[1].split('"')[0]
        fields = {"csrf": csrf, "name": "ada", "password": "correct horse battery", "next": ""}
        assert client.post("/desk/login", data=fields).url.path == "/desk"
        assert client.get(f"{API}/campaigns").status_code == 401


def test_campaigns(client):
    response = client.post(f"{API}/campaigns", json={"slug": "birds", "settings": NEW})
    assert (response.status_code, response.json()["costs"]["budget"]) == (201, 100)
    again = client.post(f"{API}/campaigns", json={"slug": "birds", "settings": NEW})
    assert (again.status_code, again.json()["detail"][:29]) == (409, "a campaign birds exists alrea")
    wrong = client.post(f"{API}/campaigns", json={"slug": "x", "settings": NEW | {"kind": "draw"}})
    assert wrong.status_code == 422
    assert "unknown kind of task 'draw'" in wrong.json()["detail"]
    path = f"{API}/campaigns/birds"
    changed = client.patch(path, json={"state": "paused", "budget_cents": 50}).json()
    assert (changed["state"], changed["costs"]["budget"]) == ("paused", 50)
    assert client.patch(path, json={"state": "closed"}).json()["state"] == "closed"
    assert client.patch(path, json={"state": "active"}).status_code == 409
    rows = [{"key": "v1", "content": CLIP}]
    assert client.post(f"{path}/items", json=rows).status_code == 409
    assert client.patch(path, json={"color": "red"}).status_code == 422


def test_campaigns_come_in_parts(client):
    for slug in ("one", "two"):
        client.post(f"{API}/campaigns", json={"slug": slug, "settings": NEW})
    names = [campaign["slug"] for campaign in client.get(f"{API}/campaigns").json()]
    part = client.get(f"{API}/campaigns?offset=1&limit=1").json()
    assert [campaign["slug"] for campaign in part] == names[1:2]
    for wrong in ("limit=-1", "offset=-1", "limit=x"):
        assert client.get(f"{API}/campaigns?{wrong}").status_code == 422


def test_items(client, served):
    path = f"{API}/campaigns/clips/items"
    rows = [{"key": "w1", "content": CLIP, "wanted": {"1": 2}}, {"key": "w2", "content": CLIP}]
    added = client.post(path, json=rows)
    assert [item["key"] for item in added.json()] == ["w1", "w2"]
    bad = client.post(path, json=[{"key": "w3", "content": CLIP}, {"key": "w3", "content": CLIP}])
    assert bad.status_code == 422
    listed = client.get(path, params={"limit": 1, "offset": 1}).json()
    assert (len(listed["rows"]), listed["total"]) == (1, 5)
    retired = client.post(f"{path}/{added.json()[0]['public_id']}/retire")
    assert retired.json()["state"] == "retired"
    assert client.get(path).json()["total"] == 4


def test_reviews_and_grants(client, served):
    _, _, _, worker, submission = served
    path = f"{API}/submissions/{submission}"
    assert client.get(path).json()["decision"] == "pending"
    assert client.post(f"{path}/reviews", json={"decision": "reject"}).status_code == 422
    done = client.post(f"{path}/reviews", json={"decision": "reject", "reason": "no"}).json()
    assert (done["decision"], done["reason"]) == ("reject", "no")
    assert client.post(f"{path}/reviews", json={"decision": "accept"}).json()["decision"] == "accept"
    listed = client.get(f"{API}/campaigns/clips/submissions", params={"decision": "accept"}).json()
    assert [row["public_id"] for row in listed["rows"]] == [submission]
    decisions = f"{API}/campaigns/clips/workers/{worker.public_id}/decisions"
    response = client.post(decisions, json={"decision": "grant", "reason": "good"})
    assert (response.status_code, response.json()["tier"]) == (201, 2)
    people = client.get(f"{API}/campaigns/clips/workers", params={"show": "qualified"}).json()
    assert people["rows"][0]["worker"] == worker.public_id


def test_statistics_and_export(client):
    statistics = client.get(f"{API}/campaigns/clips/statistics").json()
    assert statistics["tiers"][0]["submitted"] == 1
    assert statistics["corpus"]["answers"] == 1
    path = f"{API}/campaigns/clips/export"
    rows = client.get(path, params={"what": "sentences", "format": "tsv"}).text.splitlines()
    assert rows[1].startswith("v")
    assert "A dog runs." in rows[1]
    assert client.get(path, params={"what": "judgments"}).status_code == 422


@pytest.mark.parametrize("text", ["\0", "\ud800", "x" * 1001])
def test_text_that_cannot_be_stored(client, served, text):
    decisions = f"{API}/campaigns/clips/workers/{served[3].public_id}/decisions"
    answer = client.post(
        decisions,
        content=b'{"decision": "warn", "reason": ' + json.dumps(text).encode() + b"}",
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 422
    settings_ = NEW | {"title": text if len(text) == 1 else "\ud801"}
    body = json.dumps({"slug": "odd", "settings": settings_})
    answer = client.post(f"{API}/campaigns", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
