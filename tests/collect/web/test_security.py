"""Attempts that must fail: forged and repeated forms, other workers' tasks, scripts, floods."""

from __future__ import annotations

import logging
import re
from html import unescape

import pytest
from fastapi import APIRouter
from starlette.testclient import TestClient

from paragauge.collect.campaigns import ledger
from paragauge.collect.people import workers
from paragauge.collect.tasks import submissions
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits, Rate
from paragauge.collect.web.http.security import allow_sources, frame_in_mturk

SCRIPT = "</textarea><script>alert(1)</script>\"'>"
ANSWER = {"text": "A dog runs.", "language": "English"}


def begin(browser, slug="describe"):
    me = browser()
    me.join(slug)
    return me, me.start(slug)


def test_every_page_has_the_strict_headers_and_no_inline_script_or_style(
    browser, make_campaign
) -> None:
    make_campaign()
    me, path = begin(browser)
    for page_path in ("/", "/c/describe", path, "/me", "/me/erase", "/sign-in", "/nowhere", "/c/none"):
        page = me.get(page_path)
        policy = page.headers["content-security-policy"]
        for part in (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ):
            assert part in policy.split("; "), page_path
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "same-origin"
        assert page.headers["cache-control"] == "no-store"
        assert not re.search(
            r"<script(?! src=\"/static/)|<style|\sstyle=|\son\w+=|javascript:", page.text
        ), page_path


def test_cookies_are_hidden_from_scripts_and_other_sites(any_store, make_campaign) -> None:
    make_campaign()
    for https, prefix in ((False, "paragauge-"), (True, "__Host-paragauge-")):
        app = create_app(any_store, https=https, limits=Limits.off())
        base = "https://testserver" if https else "http://testserver"
        with TestClient(app, base_url=base) as client:
            page = client.get("/c/describe")
            hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', page.text))
            fields = hidden | {"consent": "yes"}
            joined = client.post("/c/describe/join", data=fields, follow_redirects=False)
            assert joined.status_code == 303
            cookies = [*page.headers.get_list("set-cookie"), *joined.headers.get_list("set-cookie")]
            names = {prefix + name for name in ("form", "worker", "key")}
            assert {cookie.split("=")[0] for cookie in cookies} == names
            for cookie in cookies:
                assert "HttpOnly" in cookie
                assert "SameSite=lax" in cookie
                assert "Path=/" in cookie
                assert "Domain" not in cookie
                assert ("Secure" in cookie) == https
            assert ("strict-transport-security" in page.headers) == https


@pytest.mark.parametrize("where", ["text", "comment", "language", "q0", "key", "email"])
def test_markup_comes_back_as_text(browser, make_campaign, where) -> None:
    make_campaign()
    make_campaign("survey")
    me, path = begin(browser)
    if where in ("text", "comment", "language"):
        page = me.send(path, **{"text": "", "language": "", "comment": "", where: SCRIPT})
    elif where == "q0":
        path = me.start("survey")
        page = me.send(path, q0="no", q1=SCRIPT)
    elif where == "key":
        me.get("/sign-in")
        page = me.send("/sign-in", key=SCRIPT)
    else:
        stranger = browser()
        stranger.get("/c/describe")
        page = stranger.send("/join", consent="yes", email=SCRIPT)
    assert page.status_code == 400
    assert "<script>alert" not in page.text
    assert "</textarea><script" not in page.text


def test_markup_in_items_and_settings_is_shown_as_text(browser, make_campaign) -> None:
    systems = [{"text": SCRIPT, "system": f"{SCRIPT}{n}"} for n in range(2)]
    content = {"source": SCRIPT, "candidates": systems}
    make_campaign("judge", content=content, title=SCRIPT, instructions=SCRIPT, consent=SCRIPT)
    me = browser()
    assert "<script>alert" not in me.get("/").text
    assert "<script>alert" not in me.get("/c/judge").text
    me.join("judge")
    me.start("judge")
    assert (
        me.page.text.count("&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&gt;") >= 4
    )
    assert "<script>alert" not in me.page.text


def test_a_form_without_or_with_anothers_token_is_refused(browser, make_campaign, any_store) -> None:
    campaign = make_campaign()
    me, path = begin(browser)
    foreign = browser().token()
    for fields in ({}, {"csrf": ""}, {"csrf": foreign}, {"csrf": "é" * 64}):
        for form_path in (
            path,
            f"{path}/skip",
            "/c/describe/work",
            "/sign-out",
            "/me/erase",
            "/sign-in",
        ):
            answer = me.post(form_path, ANSWER | fields)
            assert answer.status_code == 403, form_path
            assert "not sent from our page" in answer.text
    assert list(submissions.stream(any_store, campaign)) == []
    assert me.get(path).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver.evil.example"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_from_another_site_is_refused_even_with_the_token(
    browser, make_campaign, headers
) -> None:
    make_campaign()
    me, path = begin(browser)
    token = me.token()
    assert me.post(path, ANSWER | {"csrf": token}, **headers).status_code == 403


def test_a_token_from_before_signing_in_is_worth_nothing_after(browser, make_campaign) -> None:
    make_campaign()
    me = browser()
    before = me.token()
    me.join("describe")
    assert me.post("/c/describe/work", {"csrf": before}).status_code == 403


def test_another_workers_task_cannot_be_read_answered_or_skipped(
    browser, make_campaign, any_store
) -> None:
    campaign = make_campaign()
    me, path = begin(browser)
    other, _ = begin(browser)
    token = other.token()
    assert other.get(path).status_code == 404
    assert other.post(path, ANSWER | {"csrf": token}).status_code == 404
    assert other.post(f"{path}/skip", {"csrf": token}).status_code == 404
    assert list(submissions.stream(any_store, campaign)) == []
    me.get(path)
    me.send(path, **ANSWER)
    (row,) = submissions.stream(any_store, campaign)
    page = other.get(path, params={"done": path.rpartition("/")[2]})
    assert row.public_id not in page.text
    mine = other.start("describe")
    page = other.get(mine, params={"done": path.rpartition("/")[2]})
    assert page.status_code == 200
    assert row.public_id not in page.text
    assert "Saved" not in page.text


def test_a_stranger_is_sent_to_sign_in(browser, make_campaign) -> None:
    make_campaign()
    _, path = begin(browser)
    stranger = browser()
    for page_path in (path, "/me", "/me/erase", "/c/describe/check", "/c/describe/no-task"):
        assert stranger.get(page_path).url.path == "/sign-in"
    token = stranger.token()
    assert stranger.post(f"{path}/skip", {"csrf": token}).url.path == "/sign-in"
    assert stranger.post(path, ANSWER | {"csrf": token}).status_code == 401


def test_sending_again_changes_nothing_and_earns_nothing(browser, make_campaign, any_store) -> None:
    campaign = make_campaign()
    me, path = begin(browser)
    token = me.token()
    for text in ("A dog runs.", "Another text.", ""):
        me.post(path, {"csrf": token, "text": text, "language": "English"})
    (row,) = submissions.stream(any_store, campaign)
    assert row.text == "A dog runs."
    (worker,) = workers.all_workers(any_store)
    assert ledger.get_balance(any_store, campaign, worker).earned == 1
    page = me.get(path)
    assert "Saved, thank you" in page.text
    me.post(f"{path}/skip", {"csrf": token})
    assert ledger.get_balance(any_store, campaign, worker).earned == 1


def test_an_expired_task_is_refused_and_gives_the_text_back(
    browser, make_campaign, any_store, clock
) -> None:
    campaign = make_campaign(expires_minutes=10)
    me, path = begin(browser)
    token = me.token()
    clock.forward(minutes=11)
    assert me.get(path).status_code == 410
    page = me.post(path, ANSWER | {"csrf": token})
    assert page.status_code == 410
    assert "The time for this task was over" in page.text
    assert "A dog runs." in page.text
    assert list(submissions.stream(any_store, campaign)) == []
    assert me.start("describe").startswith("/task/")


TYPED = "A dog </textarea><script>alert(1)</script> runs."


def given_back(page) -> list[str]:
    texts = re.findall(r"<textarea[^>]*readonly[^>]*>([^<]*)</textarea>", page.text)
    return [unescape(text) for text in texts]


def test_an_ended_session_gives_the_text_back(browser, make_campaign, any_store, clock) -> None:
    campaign = make_campaign()
    me, path = begin(browser)
    token = me.token()
    clock.forward(days=91)
    fields = {"csrf": token, "text": TYPED, "comment": "Nice.", "language": "English"}
    page = me.post(path, fields)
    assert page.status_code == 401
    assert given_back(page) == [TYPED, "Nice."]
    assert "<script>alert" not in page.text
    assert 'href="/sign-in"' in page.text
    assert list(submissions.stream(any_store, campaign)) == []
    # Without a text there is nothing to copy.
    assert me.post(path, {"csrf": token, "text": " "}).url.path == "/sign-in"


def test_a_stale_token_gives_the_text_back_and_the_task_goes_on(
    browser, make_campaign, any_store
) -> None:
    campaign = make_campaign()
    me, path = begin(browser)
    fields = {"csrf": "0" * 64, "text": TYPED, "language": "English"}
    page = me.post(path, fields)
    assert page.status_code == 403
    assert given_back(page) == [TYPED]
    assert "<script>alert" not in page.text
    assert f'href="{path}"' in page.text
    assert list(submissions.stream(any_store, campaign)) == []
    # What another site sends is not shown, nor is what is sent to any other page.
    assert given_back(me.post(path, fields, Origin="https://evil.example")) == []
    assert given_back(me.post("/sign-in", fields)) == []
    me.get(path)
    me.send(path, **ANSWER)
    (row,) = submissions.stream(any_store, campaign)
    assert row.text == ANSWER["text"]


def test_an_expired_session_must_sign_in_again(browser, make_campaign, clock) -> None:
    make_campaign()
    me, path = begin(browser)
    clock.forward(days=91)
    assert me.get(path).url.path == "/sign-in"


def test_a_task_beyond_the_workers_tier_is_not_given(browser, make_campaign) -> None:
    make_campaign()
    me, path = begin(browser)
    assert "Tier 1" in me.page.text
    token = me.token()
    page = me.post("/c/describe/work", {"csrf": token, "tier": "2"})
    assert page.url.path == path


def test_large_and_crooked_requests(browser, make_campaign, any_store) -> None:
    make_campaign()
    app = create_app(any_store, limits=Limits.off(), most_bytes=2000)
    with TestClient(app) as client:
        assert client.post("/sign-in", content=b"x" * 2001).status_code == 413
        chunks = (b"x" * 500 for _ in range(10))
        page = client.post(
            "/sign-in", content=chunks, headers={"content-type": "application/x-www-form-urlencoded"}
        )
        assert page.status_code == 413
        assert "larger than 2,000 bytes" in page.text
        assert client.get("/", headers={"content-length": "many"}).status_code == 400
        assert client.request("DELETE", "/sign-in").status_code == 405
        broken = client.post(
            "/sign-in", content=b"--x", headers={"content-type": "multipart/form-data; boundary=y"}
        )
        assert broken.status_code in (400, 403)
        many = "&".join(f"f{n}=" for n in range(400))
        assert client.post("/sign-in", content=many).status_code in (400, 403, 413)


def test_guessing_keys_is_slow(any_store) -> None:
    now = [0.0]
    limits = Limits(
        session=Rate(1e9, 1e9), address=Rate(1e9, 1e9), signing_in=Rate(0.1, 3), clock=lambda: now[0]
    )
    with TestClient(create_app(any_store, limits=limits)) as client:
        token = re.findall(r'name="csrf" value="(\w+)"', client.get("/sign-in").text)[0]
        fields = {"csrf": token, "key": "guess"}
        answers = [client.post("/sign-in", data=fields) for _ in range(4)]
        assert [page.status_code for page in answers] == [400, 400, 400, 429]
        assert answers[-1].headers["retry-after"] == "10"
        assert "Please try again in 10 seconds." in answers[-1].text
        now[0] = 10
        assert client.post("/sign-in", data=fields).status_code == 400


def test_an_address_that_floods_waits_and_proxies_are_believed_only_if_trusted(any_store) -> None:
    limits = Limits(address=Rate(1, 2), clock=lambda: 0.0)

    def statuses(proxies) -> list[int]:
        app = create_app(any_store, limits=limits, proxies=proxies)
        with TestClient(app) as client:
            headers = [{"X-Forwarded-For": f"192.0.2.{n}"} for n in range(3)]
            return [client.get("/", headers=header).status_code for header in headers]

    assert statuses([]) == [200, 200, 429]
    assert statuses(["testclient"]) == [200, 200, 200]


def test_redirects_never_leave_for_the_host_of_a_request(app) -> None:
    with TestClient(app, follow_redirects=False) as client:
        for path, expected in {
            "/sign-in/": "/sign-in",
            "//evil.example/": "/evil.example",
            "/%5Cevil.example/": "/%5Cevil.example",
            "/c/x%0d%0aSet-Cookie:a=b/": "/c/xSet-Cookie:a=b",
            "/%09/evil.example/": "/evil.example",
        }.items():
            answer = client.get(f"http://testserver{path}", headers={"Host": "evil.example"})
            assert (answer.status_code, answer.headers["location"]) == (303, expected)
        assert client.post("/sign-in/", headers={"Host": "evil.example"}).status_code == 404


def test_a_session_that_floods_waits_and_others_do_not(any_store, make_campaign) -> None:
    make_campaign()
    app = create_app(any_store, limits=Limits(session=Rate(1, 2), clock=lambda: 0.0))
    with TestClient(app) as client:
        client.cookies.set("paragauge-worker", "token")
        assert [client.get("/").status_code for _ in range(3)] == [200, 200, 429]
        client.cookies.clear()
        assert client.get("/").status_code == 200


def test_the_log_has_no_secret(browser, make_campaign, caplog) -> None:
    make_campaign()
    with caplog.at_level(logging.INFO, logger="paragauge.collect"):
        me = browser()
        me.get("/join/SECRET?also=SECRET")
        me.get("/SECRET")
        me.join("describe")
        me.start("describe")
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("paragauge")]
    assert not [line for line in lines if "SECRET" in line or me.page.url.path in line]
    assert any(re.fullmatch(r"GET /join/\{token\} 404 [\d.]+ ms", line) for line in lines)
    assert any(line.startswith("GET - 404") for line in lines)
    assert any(line.startswith("GET /task/{name} 200") for line in lines)


def test_our_own_mistake_is_a_page_without_details(any_store, caplog) -> None:
    app = create_app(any_store, limits=Limits.off())
    router = APIRouter()

    @router.get("/broken")
    def broken() -> None:
        raise RuntimeError("SECRET")

    app.include_router(router)
    with caplog.at_level(logging.ERROR), TestClient(app) as client:
        page = client.get("/broken")
    assert page.status_code == 500
    assert "Our mistake" in page.text
    assert "SECRET" not in page.text
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert "RuntimeError: SECRET" in caplog.text, "the log has what went wrong"


def test_only_what_a_page_allows_is_added_to_the_policy(any_store) -> None:
    from starlette.responses import Response

    response = Response()
    allow_sources(response, "img-src", "https://a.example")
    allow_sources(response, "img-src", "https://b.example")
    policy = response.headers["content-security-policy"]
    assert "img-src 'self' https://a.example https://b.example;" in policy
    frame_in_mturk(response)
    policy = response.headers["content-security-policy"]
    assert "frame-ancestors https://www.mturk.com https://worker.mturk.com" in policy
    assert "img-src 'self' https://a.example" in policy
