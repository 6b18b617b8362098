"""`paragauge explain --browser`: what its server refuses, and the page in a real Chromium."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from paragauge import BLEU, METEOR, PINC, TER, MaxSim
from paragauge.cli.explain_server import COOKIE, MOST_BYTES, ExplainServer
from paragauge.report.pages.why_page import LONGEST

METRICS = {"bleu": BLEU(), "pinc": PINC(), "meteor": METEOR(), "ter": TER(), "maxsim": MaxSim()}
PHONE, DESK = {"width": 390, "height": 800}, {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def server() -> Iterator[ExplainServer]:
    with ExplainServer(METRICS, {"source": "A dog <i>ran</i>."}) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def ask(
    server: ExplainServer, method: str, path: str, body: bytes = b"", **changes: str | None
) -> tuple[int, dict[str, str], str]:
    """The status, the headers and the text of an answer to a request with changed headers."""
    headers: dict[str, str | None] = {
        "Host": f"127.0.0.1:{server.server_port}",
        "Origin": f"http://127.0.0.1:{server.server_port}",
        "X-Paragauge-Token": server.token,
        "Cookie": f"{COOKIE}={server.cookie}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }
    headers |= {name.replace("_", "-"): value for name, value in changes.items()}
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    outcome = answer.status, dict(answer.getheaders()), answer.read().decode("utf-8")
    connection.close()
    return outcome


def ask_card(server: ExplainServer, **request: object) -> tuple[int, dict[str, str]]:
    status, _, text = ask(server, "POST", "/explain", json.dumps(request).encode("utf-8"))
    return status, json.loads(text)


def test_the_page_escapes_and_locks_itself(server: ExplainServer) -> None:
    status, headers, page = ask(server, "GET", "/")
    assert status == 200
    assert "A dog &lt;i&gt;ran&lt;/i&gt;.</textarea>" in page
    assert server.token in page
    assert server.cookie not in page
    assert server.token not in server.url
    assert headers["Set-Cookie"] == f"{COOKIE}={server.cookie}; Path=/; HttpOnly; SameSite=Strict"
    assert (headers["X-Frame-Options"], headers["Cache-Control"]) == ("DENY", "no-store")
    assert "default-src &#x27;none&#x27;" in page
    assert not re.search(r'(src|href)="https?:', page)
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": None}, 403),
        ({"X_Paragauge_Token": "guess"}, 403),
        ({"X_Paragauge_Token": None}, 403),
        ({"Cookie": None}, 403),
        ({"Cookie": f"{COOKIE}=guess"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Length": None}, 411),
        ({"Content_Length": "-1"}, 411),
        ({"Content_Length": str(MOST_BYTES + 1)}, 413),
    ],
)
def test_requests_from_elsewhere_are_refused(
    server: ExplainServer, changes: dict[str, Any], status: int
) -> None:
    answer = ask(server, "POST", "/explain", b"", **changes)
    assert answer[0] == status
    assert json.loads(answer[2])["error"]


def test_other_addresses_are_refused(server: ExplainServer) -> None:
    assert ask(server, "GET", "/../etc/passwd")[0] == 404
    assert ask(server, "GET", "/", Host="evil.example")[0] == 421
    assert ask(server, "POST", "/", b"{}")[0] == 404


def test_cards(server: ExplainServer) -> None:
    status, card = ask_card(server, metric="bleu", candidate="a <b> c", references=["a <b> d"])
    assert status == 200
    assert "a &lt;b" not in card["html"].replace("</span> <span", "")
    assert "&lt;" in card["html"]
    assert "<b> c" not in card["html"]
    assert "“" in card["html"]
    _, several = ask_card(server, metric="ter", candidate="a", references=["a", "b"])
    assert several["html"].count("<h3>reference") == 2
    assert ask_card(server, metric="bleu", candidate="a", source="b") == (
        200,
        {"error": "BLEU needs references; give references="},
    )


def test_cards_of_english_metrics_note_other_scripts(server: ExplainServer) -> None:
    noted = '<p class="bad">This metric is made for English'
    chinese = {"candidate": "\u732b\u5728\u57ab\u5b50\u4e0a", "references": ["\u732b"]}
    english = {"candidate": "a cat", "references": ["the cat"], "source": "\u732b"}
    for metric, texts, due in (
        ("meteor", chinese, True),
        ("bleu", chinese, False),
        ("meteor", english, False),  # which has no use for the source
    ):
        _, card = ask_card(server, metric=metric, **texts)
        assert (noted in card["html"]) is due


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"metric": "chrf", "candidate": "a"}, "expected one of the page's metrics"),
        ({"metric": ["bleu"]}, "expected one of the page's metrics"),
        ({"metric": "bleu", "references": "a"}, "expected at most 8 references, one on a line"),
        ({"metric": "bleu", "references": ["a"] * 9}, "expected at most 8 references, one on a line"),
        (
            {"metric": "bleu", "candidate": "a" * (LONGEST + 1)},
            "candidate: expected text of at most 2,000 characters",
        ),
        ({"metric": "bleu", "source": 7}, "sources: expected text of at most 2,000 characters"),
        (["bleu"], "expected an object"),
    ],
)
def test_bad_requests(server: ExplainServer, request_: object, message: str) -> None:
    status, _, text = ask(server, "POST", "/explain", json.dumps(request_).encode("utf-8"))
    assert (status, json.loads(text)) == (400, {"error": message})
    assert ask(server, "POST", "/explain", b"{")[0] == 400


def test_options(fails: Any) -> None:
    assert fails("explain", "--browser", "--segment", 1) == (
        "--browser shows sentences that you type; leave out files and --html"
    )
    assert fails("explain", "--port", 1, "--candidate", "a", "--reference", "b") == (
        "--port is that of --browser; give --browser too"
    )
    assert fails("explain", "--browser", "-m", "fluency").startswith(
        "metric 'fluency' cannot be explained"
    )
    with ExplainServer(METRICS) as other:
        assert fails("explain", "--browser", "-m", "bleu", "--port", other.server_port).startswith(
            f"--port {other.server_port}: cannot listen there ("
        )


@pytest.fixture
def visit(chromium: Any, server: ExplainServer) -> Iterator[Any]:
    """Opens the page; after the test, it asked nobody else and complained about nothing."""
    contexts: list[Any] = []
    problems: list[str] = []

    def opening(**settings: Any) -> Any:
        context = chromium.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith(server.url) else problems.append(request.url)
            ),
        )
        page.goto(server.url)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert problems == []


def wait_for(page: Any, count: int) -> None:
    page.locator("#status", has_text=re.compile(rf"^{count} metrics$")).wait_for()


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_typing_shows_all_metrics(visit: Any, viewport: dict[str, int], scheme: str) -> None:
    page = visit(viewport=viewport, color_scheme=scheme)
    page.fill("#source", "")
    page.fill("#references", "The large dogs were <running> home.")
    page.locator("#candidate").press_sequentially("The big dog ran home.")
    wait_for(page, 4)  # PINC needs a source
    cards = page.locator(".cards .card:visible")
    assert cards.locator("h2").all_inner_texts() == ["bleu", "meteor", "ter", "maxsim"]
    for card in cards.all():
        assert len(re.findall(r"\.(\s|$)", card.locator(".answer > p").nth(1).inner_text())) >= 2
        assert card.locator(".w.reference").count() >= 2
    assert "< running >" in cards.first.inner_text()
    page.fill("#source", "A big dog went home.")
    wait_for(page, 5)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    value = page.locator("#card-0 .value").inner_text()
    page.fill("#candidate", "The large dogs were <running> home.")
    wait_for(page, 5)
    assert page.locator("#card-0 .value").inner_text() == "100.00" != value
    colors = page.evaluate(
        "['color', 'backgroundColor'].map(name => getComputedStyle(document.body)[name])"
    )
    light_on_dark = [sum(map(int, re.findall(r"\d+", color))) for color in colors]
    assert (light_on_dark[0] > light_on_dark[1]) == (scheme == "dark")


def test_keys_alone_are_enough(visit: Any) -> None:
    page = visit(viewport=DESK)
    page.keyboard.press("Tab")  # the link that skips
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    focused = "document.activeElement"
    while page.evaluate(f"{focused}.id") != "candidate":
        page.keyboard.press("Tab")
    page.keyboard.type("the dog ran home")
    page.keyboard.press("Tab")
    page.keyboard.type("home ran the dog")
    wait_for(page, 5)
    page.keyboard.press("Tab")
    assert page.evaluate(f"{focused}.textContent") == "the"
    lit = page.locator("#card-0 .lit")
    assert lit.all_inner_texts() == ["the", "the"]
    page.keyboard.press("ArrowRight")
    assert lit.all_inner_texts() == ["dog", "dog"]
    while page.evaluate(f"{focused}.tagName") != "SUMMARY":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("#card-0 details").first.get_attribute("open") is not None
    assert "one kept" in page.locator("#card-0").inner_text()


def test_pointing_lights_up_partners(visit: Any) -> None:
    page = visit(viewport=DESK)
    page.fill("#references", "a large dog")
    page.fill("#candidate", "the big dog")
    wait_for(page, 5)
    card = page.locator("article[data-metric=meteor]")
    card.locator(".w", has_text="big").hover()
    assert card.locator(".lit").all_inner_texts() == ["big", "large"]
