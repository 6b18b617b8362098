"""The application in-process, with browsers that fill in forms, and in a real Chromium."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI
from starlette.testclient import TestClient

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_settings import (
    CampaignSettings,
    Criterion,
    Question,
    SurveyQuestion,
    TierSettings,
)
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import accounts
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer, Submission
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits

PASSWORD = "correct horse battery"  # noqa: S105
CLIP = {"url": "https://media.example/clip.webm", "start": 25, "end": 30}
PICTURE = {"url": "https://pictures.example/boat.gif", "alt": "A boat"}
SENTENCE = {"text": "A woman is slicing some tomatoes."}
JUDGED = {
    "source": "A woman is slicing some tomatoes.",
    "candidates": [{"system": f"system-{n}", "text": f"Candidate number {n}."} for n in range(3)],
}
CRITERIA = (
    Criterion("adequacy", "Does it keep the meaning?", 1, 5),
    Criterion("fluency", "Is it good English?", 1, 3, ("no", "nearly", "yes")),
)
KINDS: dict[str, dict[str, Any]] = {
    "describe": {},
    "suggest": {},
    "paraphrase": {},
    "judge": {"criteria": CRITERIA},
    "survey": {
        "survey": (
            SurveyQuestion("enjoyed", "Which was more fun?", ("clips", "sentences"), True),
            SurveyQuestion("why", "Why?"),
        )
    },
}
CONTENT = {
    "describe": CLIP,
    "suggest": {"prompt": "Somebody cooks."},
    "paraphrase": SENTENCE,
    "judge": JUDGED,
    "survey": {},
}
CHECK = (Question("How many sentences?", ("one", "two"), 0, "One sentence is enough."),)


class Forms(HTMLParser):
    """The forms of a page: action, and the fields a browser would send untouched."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "form":
            self.forms.append((named["action"] or "", {}))
        elif tag == "input" and named.get("type") == "hidden":
            self.forms[-1][1][named["name"] or ""] = named["value"] or ""


class Browser:
    """Reads pages and sends their forms as a browser does."""

    def __init__(self, app: FastAPI) -> None:
        self.client = TestClient(app, base_url="http://testserver", follow_redirects=True)
        self.page: Any = None

    def get(self, path: str, **more: Any) -> Any:
        self.page = self.client.get(path, **more)
        return self.page

    def send(self, action: str, **fields: Any) -> Any:
        """Fill in and send the form of the last page whose action ends so."""
        forms = [form for form in Forms(self.page.text).forms if form[0].endswith(action)]
        assert len(forms) == 1, (action, forms)
        path, hidden = forms[0]
        self.page = self.client.post(
            path, data=hidden | fields, headers={"Origin": "http://testserver"}
        )
        return self.page

    def post(self, path: str, fields: dict[str, Any], **headers: str) -> Any:
        """Send what no page of ours offers."""
        return self.client.post(path, data=fields, headers=headers)

    def token(self) -> str:
        return Forms(self.get("/sign-in").text).forms[-1][1]["csrf"]

    def join(self, slug: str, **fields: str) -> str:
        """Register oneself; the key."""
        self.get(f"/c/{slug}")
        self.send("/join", **({"consent": "yes"} | fields))
        assert self.page.status_code == 200, self.page.text
        return unescape(re.findall(r'id="key">([^<]+)<', self.page.text)[0])

    def start(self, slug: str) -> str:
        """Ask for a task, agreeing to the campaign's text if it is new; its path."""
        page = self.get(f"/c/{slug}")
        if 'name="consent"' in page.text:
            self.send("/join", consent="yes")
        else:
            self.send("/work")
        return str(self.page.url.path)


@pytest.fixture
def app(any_store: Store) -> FastAPI:
    return create_app(any_store, limits=Limits.off())


@pytest.fixture
def browser(app: FastAPI) -> Iterator[Callable[[], Browser]]:
    """Opens a browser that knows nothing yet."""
    opened: list[Browser] = []

    def opening() -> Browser:
        opened.append(Browser(app))
        return opened[-1]

    yield opening
    for window in opened:
        window.client.close()


@pytest.fixture
def make_campaign(any_store: Store) -> Callable[..., Campaign]:
    """Make a campaign with `count` items: make_campaign("judge", ranking=True, criteria=())."""

    def make(kind: str = "describe", count: int = 3, content: Any = None, **more: Any) -> Campaign:
        settings: dict[str, Any] = {"kind": kind, "title": f"Campaign {kind}", "budget_cents": 1000}
        settings["tiers"] = {1: TierSettings(1, 2), 2: TierSettings(5, 2)}
        slug = more.pop("slug", kind)
        item_kind = {"kind": more.pop("item_kind")} if "item_kind" in more else {}
        settings |= KINDS[kind] | more
        campaign = campaigns.create(any_store, CampaignSettings(**settings), slug, "ada")
        rows = [
            {"key": f"item{n}", "content": content or CONTENT[kind], **item_kind} for n in range(count)
        ]
        items.add(any_store, campaign, rows, "ada")
        return campaign

    return make


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed as always, with less work."""
    cheap = PasswordHasher(time_cost=1, memory_cost=64)
    monkeypatch.setattr(accounts, "_hasher", lambda: cheap)


@pytest.fixture
def requester(browser: Callable[[], Browser], any_store: Store) -> Browser:
    """A browser in which ada is logged in."""
    accounts.create(any_store, "ada", PASSWORD, "test")
    opened = browser()
    opened.get("/desk/login")
    assert opened.send("/login", name="ada", password=PASSWORD).url.path == "/desk"
    return opened


@pytest.fixture
def answer_task(any_store: Store) -> Callable[..., Submission | None]:
    """A worker answers their next task: answer_task(campaign, worker, text); the submission."""

    def answer(
        campaign: Campaign, worker: Worker, text: str = "A dog runs.", **more: Any
    ) -> Submission | None:
        task = assignments.next_assignment(any_store, campaign, worker)
        receipt = submissions.submit(
            any_store, task, worker, Answer(**{"text": text, "language": "English"} | more)
        )
        return submissions.get(any_store, receipt.public_id)

    return answer


@pytest.fixture
def worker(any_store: Store, worker_in: Callable[..., Worker]) -> Worker:
    return worker_in(any_store)


@pytest.fixture
def served(app: FastAPI) -> Iterator[str]:
    """The address of the application on a port of its own."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", access_log=False)
    server = uvicorn.Server(config)
    listener = config.bind_socket()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture
def visit(chromium: Any, served: str) -> Iterator[Callable[..., Any]]:
    """Opens a page of the application; at the end, no script failed and no policy was broken."""
    contexts: list[Any] = []
    problems: list[str] = []

    def opening(path: str, **settings: Any) -> Any:
        context = chromium.new_context(base_url=served, **settings)
        # A limit for a busy machine: waiting ends when the page is ready.
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.goto(path)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert [problem for problem in problems if "status of 4" not in problem] == []
