"""A campaign from nothing to a scored corpus, in a real Chromium, by keyboard alone, on desk and phone.

The command line is used for nothing but `serve`, which prints the link for the first account: the
requester creates the campaign, adds items, invites, reviews, scores and downloads at the desk; workers
come by their links. Screenshots go to $PARAGAUGE_SCREENSHOTS.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from paragauge import BLEU, PINC, score
from paragauge.collect.people import accounts

TEXTS = (
    "A red ball is bouncing down the stairs.",
    "A ball hops down some steps.",
    "The ball rolls down a staircase.",
)
ITEMS = "key,url,start,end\nball,/static/demo/ball.webm,1,5\n"


def neighbor(name):
    """Another module of tests in this folder."""
    known = f"collect_walk_{name}"
    if known not in sys.modules:
        path = Path(__file__).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(known, path)
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


@pytest.mark.usefixtures("quick_passwords")
@pytest.mark.parametrize("device", ["desk", "phone"])
def test_from_nothing_to_scores_by_keyboard(visit, app, any_store, tmp_path, device):
    desk = neighbor("test_desk_browser")
    size = desk.PHONE if device == "phone" else desk.DESK
    app.state.first_code = "x4P9s0mYlq2wTzB7nC6vJh1kR8dE3fGa"
    page = visit(f"/desk/first/{app.state.first_code}", **size)

    def press(name, key="Enter"):
        desk.tab_to(page, name, 150)
        page.keyboard.press(key)

    def write(name, text):
        desk.tab_to(page, name, 150)
        page.keyboard.insert_text(text)

    def look(name):
        desk.look(page, f"walk-{device}-{name}")

    look("first-account")
    write("Name", "ada")
    write("Password", desk.PASSWORD)
    write("The same again", desk.PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk")
    assert [account.role for account in accounts.all_accounts(any_store)] == ["owner"]
    press("Create the first one")
    page.wait_for_url("**/desk/new")
    press("Watch and describe")
    page.wait_for_url("**/desk/new?kind=describe")
    write("Title", "Balls")
    look("new")
    press("Create campaign")
    page.wait_for_url("**/desk/c/balls**")
    press("Items")
    page.wait_for_url("**/items")
    write("A table separated by tabs", ITEMS)
    press("Add items")
    page.get_by_role("status").filter(has_text="1 added.").wait_for()
    look("items")
    press("Invitations")
    page.wait_for_url("**/invitations")
    write("People, one on each line", "Ann\nBea\nCem")
    press("Create links")
    links = page.get_by_label("People and links").input_value()
    look("links")
    paths = re.findall(r"https?://[^/]+(/join/\S+)", links)
    assert len(paths) == 3

    for text, path in zip(TEXTS, paths, strict=True):
        worker = visit(path, **desk.PHONE)
        for name, key in (("I have read this", "Space"), ("Take part", "Enter")):
            desk.tab_to(worker, name)
            worker.keyboard.press(key)
        worker.wait_for_url("**/key")
        desk.tab_to(worker, "I have kept it")
        worker.keyboard.press("Enter")
        worker.wait_for_url("**/task/**")
        desk.tab_to(worker, "Your one-sentence description")
        worker.keyboard.insert_text(text)
        desk.tab_to(worker, "Language you are typing in")
        worker.keyboard.insert_text("English")
        worker.keyboard.press("Control+Enter")
        worker.get_by_role("heading", name="All done").wait_for()

    press("Answers")
    page.wait_for_url("**/answers")
    press("Choose all on this page", "Space")
    assert page.locator("tbody input:checked").count() == 3
    press("Accept chosen")
    page.get_by_role("status").filter(has_text="3 accepted.").wait_for()
    look("accepted")
    while not page.evaluate("document.activeElement.matches('tbody th a')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/items/*")
    look("item")
    press("Payments")
    page.wait_for_url("**/payments")
    look("payments")
    press("Export")
    page.wait_for_url("**/export")
    look("export")
    desk.tab_to(page, "Test set", 150)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    path = tmp_path / "test.tsv"
    download.value.save_as(path)

    header, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert header[:2] == ["item", "source"]
    sources = [row[1] for row in rows]
    assert sorted(sources) == sorted(TEXTS)
    references = [row[2:] for row in rows]
    sheet = score({"copy": sources}, [PINC(), BLEU()], sources=sources, references=references)
    assert sheet["copy", "pinc"].value == 0
    assert 0 < sheet["copy", "bleu"].value < 100

    # The same sentences scored against each other, at the desk.
    press("Show the scores")
    page.wait_for_url("**/scores?**")
    look("scores")
    shown = {
        row.locator("th").inner_text(): row.locator("td").first.inner_text()
        for row in page.locator("tbody tr").all()
    }
    sheet = score({"people": sources}, [PINC(), BLEU()], sources=references, references=references)
    assert shown == {name: f"{sheet['people', name.lower()].value:.2f}" for name in ("BLEU", "PINC")}
