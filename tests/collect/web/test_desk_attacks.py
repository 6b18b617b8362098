"""Attacks on the requester's side: each is tried, and fails."""

from __future__ import annotations

import re
import threading
from html.parser import HTMLParser

import pytest
from argon2 import PasswordHasher
from starlette.testclient import TestClient

from paragauge.collect.campaigns import budget, campaigns, invitations, items, ledger, memberships
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, TierSettings
from paragauge.collect.people import accounts, sessions, workers
from paragauge.collect.people.workers import Person
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits, Rate

PASSWORD = "correct horse battery"  # noqa: S105
ATTACK = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}"
LINK = "https://example.org/%22%3E?a='\"><b onmouseover=alert(3)>"
PAGES = ["", "/review", "/answers", "/items", "/tasks", "/invitations", "/payments", "/export"]
PAGES += ["/settings", "/preview"]


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Passwords are hashed as always, with less work."""
    cheap = PasswordHasher(time_cost=1, memory_cost=64)
    monkeypatch.setattr(accounts, "_hasher", lambda: cheap)


@pytest.fixture
def account(any_store):
    return accounts.create(any_store, "ada", PASSWORD, "test")


@pytest.fixture
def requester(browser, account):
    opened = browser()
    opened.get("/desk/login")
    opened.send("/login", name="ada", password=PASSWORD)
    return opened


class Strict(HTMLParser):
    """Fails on anything that runs: a script, an event handler, a link that is no link, a style."""

    def handle_starttag(self, tag, attrs):
        ours = re.match(r"/static/\w+\.js\?v=\w+$", dict(attrs).get("src") or "")
        assert tag != "script" or ours
        assert tag not in ("img", "b", "iframe", "object", "style")
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            assert name != "style"
            if name in ("href", "src", "action"):
                assert re.match(r"(/|https?://|#|\?)", value or ""), (tag, value)


def test_script_in_every_stored_field_is_shown_as_text(requester, any_store):
    store = any_store
    tiers = {1: TierSettings(1, 3), 2: TierSettings(5, 3)}
    plan = {"title": ATTACK, "instructions": ATTACK, "budget_cents": 500, "tiers": tiers}
    campaign = campaigns.create(store, CampaignSettings(kind="describe", **plan), "clips", ATTACK)
    suggest = campaigns.create(store, CampaignSettings(kind="suggest", **plan), "suggest", ATTACK)
    rows = [
        {"key": f"{ATTACK}{n}", "content": {"url": LINK.replace(" ", "%20"), "start": 1, "end": 2}}
        for n in range(2)
    ]
    items.add(store, campaign, rows, ATTACK)
    items.add(store, suggest, [{"key": ATTACK, "content": {"prompt": ATTACK}}], ATTACK)
    worker, _ = workers.register(store, ATTACK, Person(name=ATTACK, email=ATTACK))
    task = assignments.next_assignment(store, campaign, worker)
    receipt = submissions.submit(store, task, worker, Answer(ATTACK, ATTACK, ATTACK, seconds=3))
    reviews.decide(store, submissions.get(store, receipt.public_id), "accept", ATTACK, ATTACK)
    assignments.next_assignment(store, campaign, worker)
    hint = assignments.next_assignment(store, suggest, worker)
    data = {"url": LINK.replace(" ", "%20"), "start": 1, "end": 2}
    submissions.submit(store, hint, worker, Answer(comment=ATTACK, data=data))
    memberships.warn(store, campaign, worker, ATTACK, ATTACK)
    ledger.give_bonus(store, campaign, worker, 5, ATTACK, ATTACK)
    invitations.create(store, campaign, ATTACK, note=ATTACK)
    paths = [f"/desk/c/{slug}{page}" for slug in ("clips", "suggest") for page in PAGES]
    paths += ["/desk", "/desk/log", f"/desk/log?actor={ATTACK}", "/desk/c/suggest/suggestions"]
    paths += [f"/desk/c/clips/workers/{worker.public_id}", f"/desk/login?next={ATTACK}"]
    paths += [f"/desk/c/clips/scores?language={ATTACK}"]
    count = 0
    for path in paths:
        page = requester.get(path)
        assert page.status_code == 200, path
        Strict().feed(page.text)
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert "<script>alert" not in page.text
        count += page.text.count("&lt;script&gt;alert(1)")
    assert count > 40


def test_what_is_typed_wrongly_is_shown_as_text(requester, make_campaign):
    make_campaign()
    fields = dict.fromkeys(("title", "slug", "instructions", "budget", "pay1", "bad-0-text"), ATTACK)
    for kind in ("describe", ATTACK):
        requester.get("/desk/new?kind=describe")
        Strict().feed(requester.send("/new", **fields | {"kind": kind}).text)
    requester.get("/desk/c/describe/items")
    Strict().feed(requester.send("describe/items", lines=ATTACK).text)
    requester.get("/desk/c/describe")
    Strict().feed(requester.send("/budget", budget=ATTACK).text)


POSTS = [
    "/desk/login",
    "/desk/logout",
    "/desk/new",
    "/desk/new/file",
    "/desk/c/describe/settings",
    "/desk/c/describe/preview/task",
    "/desk/c/describe/state",
    "/desk/c/describe/budget",
    "/desk/c/describe/items",
    "/desk/c/describe/items/retire",
    "/desk/c/describe/items/bring-back",
    "/desk/c/describe/items/reopen",
    "/desk/c/describe/tasks/release",
    "/desk/c/describe/workers/x",
    "/desk/c/describe/workers/x/key",
    "/desk/c/describe/answers",
    "/desk/c/describe/suggestions",
    "/desk/c/describe/invitations",
    "/desk/c/describe/invitations/many",
    "/desk/c/describe/invitations/revoke",
    "/desk/accounts",
    "/desk/accounts/role",
    "/desk/accounts/close",
    "/desk/accounts/tokens",
    "/desk/accounts/tokens/withdraw",
    "/desk/c/describe/payments",
    "/desk/workers/x/erase",
]


def list_form_paths(routes):
    """The paths that take forms, those of included routers too."""
    for route in routes:
        if "POST" in (getattr(route, "methods", None) or ()):
            yield route.path
        yield from list_form_paths(getattr(getattr(route, "original_router", None), "routes", ()))


def test_every_form_is_in_the_list_of_attacks(app):
    paths = {path for path in list_form_paths(app.routes) if path.startswith("/desk")}
    named = {path.replace("{slug}", "describe").replace("{public_id}", "x") for path in paths}
    # The form of the first account has tests of its own.
    assert named - {"/desk/first/{code}"} == set(POSTS)


def test_cross_site_posts_are_refused(requester, make_campaign, any_store):
    make_campaign()
    token = requester.token()
    before = len(list(read_changes(any_store)))
    fields = {"to": "close", "budget": "999", "do": "grant", "reason": "x", "name": "ada"}
    for path in POSTS:
        for extra, headers in (
            ({}, {}),
            ({"csrf": "0" * 64}, {}),
            ({"csrf": token}, {"Origin": "https://evil.example"}),
            ({"csrf": token}, {"Sec-Fetch-Site": "cross-site"}),
            ({"csrf": token}, {"Origin": "null"}),
        ):
            assert requester.post(path, fields | extra, **headers).status_code == 403, path
        # Nor does reading a page change anything.
        requester.get(path)
    assert len(list(read_changes(any_store))) == before


def test_a_token_of_another_browser_does_not_count(requester, browser, make_campaign, any_store):
    make_campaign()
    stolen = browser().token()
    answer = requester.post("/desk/c/describe/state", {"csrf": stolen, "to": "close"})
    assert answer.status_code == 403
    assert campaigns.get(any_store, "describe").state == "active"


def test_guessing_passwords_is_limited(any_store, account):
    now = [0.0]
    limits = Limits(signing_in=Rate(0.1, 5), clock=lambda: now[0])
    with TestClient(create_app(any_store, limits=limits)) as client:
        page = client.get("/desk/login").text
        token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
        fields = {"csrf": token, "name": "ada", "next": ""}
        answers = [
            client.post("/desk/login", data=fields | {"password": f"guess {n}"}).status_code
            for n in range(7)
        ]
        assert answers == [401] * 5 + [429] * 2
        # Not even the right one is looked at then.
        right = fields | {"password": PASSWORD}
        refused = client.post("/desk/login", data=right)
        assert (refused.status_code, refused.headers["retry-after"].isdigit()) == (429, True)
        now[0] += 20
        assert client.post("/desk/login", data=right).url.path == "/desk"


def test_one_name_tried_from_many_addresses_is_limited(any_store, account):
    limits = Limits(signing_in=Rate(0.1, 3), clock=lambda: 0.0)
    app = create_app(any_store, limits=limits, proxies=["testclient"])
    with TestClient(app) as client:
        token = re.findall(r'name="csrf" value="([^"]+)"', client.get("/desk/login").text)[0]
        fields = {"csrf": token, "name": "ada", "next": "", "password": "guess"}
        answers = [
            client.post("/desk/login", data=fields, headers={"X-Forwarded-For": f"192.0.2.{n}"})
            for n in range(5)
        ]
        assert [answer.status_code for answer in answers] == [401] * 3 + [429] * 2


def test_unknown_names_take_as_long(any_store, account, monkeypatch):
    """The same work is done: one password is checked, whether the name exists or not."""
    checked = []
    hasher = accounts._hasher()

    class Counting:
        def verify(self, stored, password):
            checked.append(stored)
            return hasher.verify(stored, password)

        def hash(self, password):
            return hasher.hash(password)

    monkeypatch.setattr(accounts, "_hasher", Counting)
    for name in ("ada", "nobody", "", "ada\0", "é"):
        assert accounts.log_in(any_store, name, "wrong") is None
    assert len(checked) == 5
    assert all(stored.startswith("$argon2id$") for stored in checked)


def test_a_planted_session_is_worth_nothing(browser, account, any_store):
    victim = browser()
    victim.client.cookies.set(
        "paragauge-requester", "planted-by-somebody", domain="testserver.local", path="/"
    )
    victim.get("/desk/login")
    before = dict(victim.client.cookies)
    victim.send("/login", name="ada", password=PASSWORD)
    after = victim.client.cookies["paragauge-requester"]
    assert after != "planted-by-somebody"
    assert victim.client.cookies["paragauge-form"] != before["paragauge-form"]
    thief = browser()
    thief.client.cookies.set("paragauge-requester", "planted-by-somebody")
    assert thief.get("/desk").url.path == "/desk/login"


def test_logging_in_again_ends_the_session_before(requester, browser):
    old = requester.client.cookies["paragauge-requester"]
    requester.get("/desk/login")
    requester.send("/login", name="ada", password=PASSWORD)
    thief = browser()
    thief.client.cookies.set("paragauge-requester", old)
    assert thief.get("/desk").url.path == "/desk/login"


def test_the_cookie_is_kept_from_scripts_and_other_sites(any_store, account):
    with TestClient(create_app(any_store, https=True), base_url="https://testserver") as client:
        token = re.findall(r'name="csrf" value="([^"]+)"', client.get("/desk/login").text)[0]
        fields = {"csrf": token, "name": "ada", "password": PASSWORD, "next": ""}
        answer = client.post("/desk/login", data=fields, follow_redirects=False)
        [cookie] = [
            cookie
            for cookie in answer.headers.get_list("set-cookie")
            if "paragauge-requester" in cookie
        ]
        assert cookie.startswith("__Host-paragauge-requester=")
        for part in ("HttpOnly", "Secure", "SameSite=lax", "Path=/"):
            assert part in cookie


def test_a_worker_cannot_reach_the_desk(browser, make_campaign, any_store, account):
    make_campaign()
    worker = browser()
    worker.join("describe")
    session = worker.client.cookies["paragauge-worker"]
    token = worker.token()
    # The worker's own session under the requester's name is not one either.
    for cookie in (None, session):
        if cookie:
            worker.client.cookies.set("paragauge-requester", cookie)
        for page in ("/desk", "/desk/log", *(f"/desk/c/describe{page}" for page in PAGES)):
            assert worker.get(page).url.path == "/desk/login"
        for path in POSTS[2:]:
            answer = worker.post(path, {"csrf": token, "to": "close", "do": "grant", "reason": "me"})
            assert answer.url.path == "/desk/login"
    assert campaigns.get(any_store, "describe").state == "active"
    assert worker.client.get("/api/v1/status").status_code == 401


def test_a_closed_account_is_out_at_once(requester, any_store, account):
    accounts.create(any_store, "eve", PASSWORD, "test")
    accounts.close(any_store, account, "test")
    assert requester.get("/desk").url.path == "/desk/login"
    token = sessions.start(any_store, account)
    assert sessions.find(any_store, token) is None


def test_bonuses_at_once_do_not_overrun_the_budget(any_store, account, app, make_campaign, worker_in):
    campaign = make_campaign(budget_cents=100)
    worker = worker_in(any_store)
    _, token = accounts.create_token(any_store, account, "t", "test")
    cookie = sessions.start(any_store, account)
    results = []

    def give():
        with TestClient(app) as client:
            client.cookies.set("paragauge-requester", cookie)
            page = client.get("/desk/c/describe/payments").text
            csrf = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
            fields = {"csrf": csrf, "do": "bonus", "cents": "30", "worker": worker.public_id}
            results.append(client.post("/desk/c/describe/payments", data=fields).status_code)

    def shrink():
        with TestClient(app, headers={"Authorization": f"Bearer {token}"}) as client:
            client.patch("/api/v1/campaigns/describe", json={"budget_cents": 70})

    threads = [threading.Thread(target=give) for _ in range(6)]
    threads.append(threading.Thread(target=shrink))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    costs = budget.compute_costs(any_store, campaign)
    assert costs.spent <= costs.budget
    assert costs.spent == 30 * results.count(200)
    assert 2 <= results.count(200) <= 3


def test_one_unknown_answer_and_nothing_is_decided(requester, any_store, make_campaign, worker_in):
    campaign, worker = make_campaign(), worker_in(any_store)
    task = assignments.next_assignment(any_store, campaign, worker)
    receipt = submissions.submit(any_store, task, worker, Answer("A dog runs.", "English"))
    chosen = {"do": "accept", "submission": [receipt.public_id, "unknown"]}
    answer = requester.post("/desk/c/describe/answers", {"csrf": requester.token(), **chosen})
    assert answer.status_code == 404
    assert submissions.get(any_store, receipt.public_id).decision == "pending"


def test_replays_change_nothing(requester, any_store, make_campaign, worker_in):
    campaign = make_campaign()
    worker = worker_in(any_store)
    task = assignments.next_assignment(any_store, campaign, worker)
    receipt = submissions.submit(any_store, task, worker, Answer("A dog runs.", "English"))
    stored = submissions.get(any_store, receipt.public_id)
    reviews.decide(any_store, stored, "accept", "ada")
    token = requester.token()
    reject = {"csrf": token, "do": "reject", "reason": "no", "submission": receipt.public_id}
    paid = {"csrf": token, "do": "paid", "worker": worker.public_id}
    requester.post("/desk/c/describe/payments", paid)
    for _ in range(3):
        requester.post("/desk/c/describe/payments", paid)
    assert ledger.get_balance(any_store, campaign, worker).paid == 1
    spent = budget.compute_costs(any_store, campaign).spent
    for _ in range(3):
        requester.post("/desk/c/describe/answers", reject)
    assert budget.compute_costs(any_store, campaign).spent == spent > 0
    assert ledger.get_balance(any_store, campaign, worker).owed == 0
    assert len(reviews.list_reviews(any_store, stored)) == 2


@pytest.mark.parametrize("text", ["\0", "a" * 5000, "\x1b[31m𝒳\u202e' OR 1=1 --%s%n[]"])
def test_odd_text_in_any_field_is_no_mistake_of_ours(
    requester, make_campaign, worker_in, any_store, text
):
    make_campaign()
    worker = worker_in(any_store)
    token = requester.token()
    names = ("title", "slug", "kind", "budget", "pay1", "wanted1", "fee", "to", "lines", "item", "do")
    names += ("assignment", "worker", "submission", "reason", "note", "limit", "days", "cents", "back")
    names += ("confirm", "target", "invitation", "name", "password", "next", "instructions", "shown")
    fields = {"csrf": token} | dict.fromkeys(names, text)
    todo = {"workers": "warn", "answers": "reject", "payments": "bonus", "suggestions": "approve"}
    for path in POSTS[2:]:
        valid = next((step for part, step in todo.items() if f"/{part}" in path), "x")
        path = path.replace("/x", f"/{worker.public_id}")
        for step in (text, valid):
            assert requester.post(path, fields | {"do": step}).status_code < 500, path
    query = dict.fromkeys(
        ("show", "decision", "tier", "page", "action", "actor", "what", "format"), text
    )
    for page in ("/desk/log", *(f"/desk/c/describe{page}" for page in [*PAGES, "/export/file"])):
        assert requester.get(page, params=query).status_code < 500, page
