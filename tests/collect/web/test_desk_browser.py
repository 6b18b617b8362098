"""Requesters in a real Chromium: a worker is qualified and sees tier-2 tasks; by keyboard alone.

Screenshots go to $PARAGAUGE_SCREENSHOTS, where that is set.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from paragauge.collect.campaigns import items, memberships
from paragauge.collect.people import accounts, workers
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer

PASSWORD = "correct horse battery"  # noqa: S105
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 900}}
CLIP = {"url": "/static/demo/ball.webm", "start": 1.5, "end": 3}
PAGES = ("", "/review", "/answers", "/items", "/tasks", "/invitations", "/payments", "/export")
PAGES += ("/settings", "/preview")


def checks():
    """The checks of every page, which the tests of workers' pages have."""
    name = "collect_browser_checks"
    if name not in sys.modules:
        path = Path(__file__).with_name("test_browser.py")
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def look(page, name):
    """What holds for every page, in light and dark; with a mouse, buttons in tables may be small."""
    violations = checks()
    everywhere = violations.TOO_SMALL
    if "phone" not in name:
        violations.TOO_SMALL = everywhere.replace(".filter(e =>", ".filter(e => !e.closest('td') &&")
    try:
        violations.look(page, name, page.locator("h1").inner_text())
    finally:
        violations.TOO_SMALL = everywhere


@pytest.fixture
def collected(any_store, make_campaign, worker_in):
    """A campaign with an answer of each of three workers, and an account."""
    accounts.create(any_store, "ada", PASSWORD, "test")
    campaign = make_campaign(title="Clips from the garden", count=6, content=CLIP)
    for text in ("A dog is running.", "A dog runs over the grass.", "dog runing fast"):
        worker = worker_in(any_store)
        task = assignments.next_assignment(any_store, campaign, worker)
        submissions.submit(any_store, task, worker, Answer(text, "English", seconds=21))
        assignments.next_assignment(any_store, campaign, worker)
    return campaign


def log_in(page):
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(lambda url: "/desk/login" not in url)


def test_a_requester_qualifies_a_worker_who_then_sees_tier_2(visit, make_campaign, any_store):
    accounts.create(any_store, "ada", PASSWORD, "test")
    campaign = make_campaign(title="Clips from the garden", count=4, content=CLIP)
    theirs = visit("/c/describe", **PHONE)
    checks().join(theirs)
    assert theirs.get_by_text("$0.01").first.is_visible()
    theirs.get_by_label("Your one-sentence description").fill("A man is watering the flowers.")
    theirs.get_by_label("Language you are typing in").fill("English")
    theirs.get_by_role("button", name="Send and stop").click()
    theirs.wait_for_load_state()

    mine = visit("/desk", **DESK)
    look(mine, "desk-login")
    log_in(mine)
    look(mine, "desk-campaigns")
    mine.get_by_role("link", name="Clips from the garden").click()
    mine.get_by_role("link", name="Review desk").click()
    mine.wait_for_url("**/review")
    look(mine, "desk-review")
    assert "A man is watering the flowers." in mine.locator("tbody").inner_text()
    mine.locator("tbody th a").click()
    mine.wait_for_url("**/workers/**")
    mine.get_by_label("Reason", exact=False).first.fill("whole sentences, no mistakes")
    look(mine, "desk-worker")
    mine.get_by_role("button", name="Grant tier 2").click()
    mine.get_by_role("status").filter(has_text="Granted").wait_for()
    [row] = submissions.stream(any_store, campaign)
    assert row.worker_public_id in mine.url

    theirs.goto("/c/describe")
    theirs.get_by_role("button", name="Start").or_(
        theirs.get_by_role("button", name="Go on")
    ).first.click()
    theirs.wait_for_url(lambda url: "/task/" in url)
    assert theirs.get_by_text("$0.05").first.is_visible()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_page_of_the_desk(visit, collected, any_store, size):
    page = visit("/desk/login", **size)
    log_in(page)
    kind = "phone" if size is PHONE else "desk"
    forms = (
        "/desk/new",
        "/desk/new?kind=judge",
        "/desk/new?from=describe",
        "/desk/log",
        "/desk/accounts",
    )
    item = items.all_items(any_store, collected)[0].public_id
    for path in (*forms, *(f"/desk/c/describe{each}" for each in (*PAGES, f"/items/{item}"))):
        page.goto(path)
        look(page, f"{kind}{re.sub('[^a-z]', '-', path.replace(item, 'one'))}")


def test_charts_say_what_they_show(visit, collected):
    page = visit("/desk/login", **DESK)
    log_in(page)
    page.goto("/desk/c/describe")
    charts = page.get_by_role("img")
    assert charts.count() == 2
    assert "3 answers in all" in charts.first.get_attribute("aria-label")
    page.get_by_text("The same as a table").first.click()
    assert page.locator("figure table").first.is_visible()


def tab_to(page, name, most=80):
    """Press the tab key until the element with this text or label has the focus."""
    script = """() => { const e = document.activeElement;
        const label = e.labels && e.labels[0] && e.labels[0].innerText;
        return [e.innerText, e.getAttribute('aria-label'), label].filter(Boolean).join('|'); }"""
    for _ in range(most):
        page.keyboard.press("Tab")
        if name in page.evaluate(script):
            ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert ring != "none", f"{name} does not show its focus"
            return
    raise AssertionError(f"no way to {name} by keyboard")


def test_by_keyboard_alone(visit, collected, any_store):
    page = visit("/desk", **DESK)
    tab_to(page, "Skip to the content")
    tab_to(page, "Name")
    page.keyboard.type("ada")
    tab_to(page, "Password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "login" not in url)
    for name, path in (("Clips from the garden", "describe"), ("Answers", "answers")):
        tab_to(page, name)
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/{path}")
    tab_to(page, "Choose the answer")
    page.keyboard.press("Space")
    tab_to(page, "Reason")
    page.keyboard.type("not a whole sentence")
    tab_to(page, "Reject chosen")
    page.keyboard.press("Enter")
    page.get_by_role("status").filter(has_text="1 rejected.").wait_for()
    decisions = [row.decision for row in submissions.stream(any_store, collected)]
    assert sorted(decisions) == ["pending", "pending", "reject"]
    worker = next(row for row in submissions.stream(any_store, collected))
    page.goto(f"/desk/c/describe/workers/{worker.worker_public_id}")
    tab_to(page, "Reason")
    page.keyboard.type("good")
    tab_to(page, "Grant tier 2")
    page.keyboard.press("Enter")
    page.get_by_role("status").filter(has_text="Granted").wait_for()
    [decision] = [
        decision
        for row in submissions.stream(any_store, collected)
        for decision in memberships.list_decisions(
            any_store, workers.get(any_store, row.worker_public_id)
        )
    ]
    assert (decision.decision, decision.actor) == ("grant", "ada")


def test_pages_work_without_scripts(visit, collected):
    page = visit("/desk/login", java_script_enabled=False, **DESK)
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Clips from the garden").click()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("status").filter(has_text="Paused").wait_for()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("status").filter(has_text="Resumed").wait_for()
