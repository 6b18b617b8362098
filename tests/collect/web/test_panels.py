"""Participants of panels: the forms of links that panels document, the way back, and forged ids.

Prolific (docs.prolific.com, the study object): `PROLIFIC_PID`, `STUDY_ID`, `SESSION_ID`; back by
`https://app.prolific.com/submissions/complete?cc=CODE`. CloudResearch Connect: `participantId`,
`projectId`, `assignmentId`; back by the redirect URL of the project, or a code. Sona (sona-systems.com,
external study credit granting): `%SURVEY_CODE%` in the study's URL; back by `webstudy_credit.aspx` with
`experiment_id`, `credit_token` and the same `survey_code`.
"""

from __future__ import annotations

import html
import re

import pytest

from paragauge.collect.campaigns import campaigns, ledger
from paragauge.collect.campaigns.campaign_settings import PanelSettings, Question
from paragauge.collect.people import workers
from paragauge.collect.tasks import reviews, submissions
from paragauge.errors import SettingError

pytestmark = pytest.mark.usefixtures("quick_passwords")
PROLIFIC = "https://app.prolific.com/submissions/complete?cc="
SONA = "https://school.sona-systems.com/webstudy_credit.aspx?experiment_id=12&credit_token=a1b2"
PANELS = {
    "prolific": (
        PanelSettings(tasks=2, complete_url=f"{PROLIFIC}C1DONE", screen_out_url=f"{PROLIFIC}SCREEN1"),
        "PROLIFIC_PID=5f3e9c0a1b2c3d4e5f6a7b8c&STUDY_ID=60a1&SESSION_ID=60b2",
        f"{PROLIFIC}C1DONE",
    ),
    "connect": (
        PanelSettings(
            "participantId", "projectId", "assignmentId", 2,
            "https://connect.cloudresearch.com/participant/project/9A8B/complete",
        ),
        "participantId=AB12CD34&projectId=9A8B&assignmentId=77aa",
        "https://connect.cloudresearch.com/participant/project/9A8B/complete",
    ),
    "sona": (
        PanelSettings("id", "", "", 2, f"{SONA}&survey_code={{participant}}"),
        "id=12345",
        f"{SONA}&survey_code=12345",
    ),
}  # fmt: skip
CHECK = (Question("How many sentences?", ("one", "two"), 0, "One is enough."),)
WRITTEN = {"text": "A dog runs.", "language": "English"}


def arrive(browser, query, slug="describe"):
    me = browser()
    me.get(f"/c/{slug}/panel?{query}")
    assert me.page.status_code == 200
    me.send(f"/panel?{html.unescape(query)}", consent="yes")
    return me


@pytest.mark.parametrize("name", PANELS)
def test_a_participant_comes_works_and_goes_back(browser, any_store, make_campaign, name):
    panel, query, back = PANELS[name]
    campaign = make_campaign(count=3, panel=panel, open_registration=False)
    me = arrive(browser, query)
    for _ in range(2):
        assert me.page.url.path.startswith("/task/")
        assert back not in html.unescape(me.get("/c/describe/panel/end").text)
        me.get(me.start("describe"))
        me.send(me.page.url.path, **WRITTEN)
    assert me.page.url.path == "/c/describe/panel/end"
    assert f'href="{html.escape(back)}"' in me.page.text
    [worker] = workers.all_workers(any_store)
    assert worker.source == "panel"
    person = workers.get_person(any_store, worker)
    assert person.external_id == f"{panel.participant}:{query.split('=')[1].split('&')[0]}"
    if panel.study:
        visited = person.details["panel"]["describe"]
        assert f"{panel.study}={visited['study']}" in query
        assert f"{panel.session}={visited['session']}" in query
    # Asking for more leads back, too; coming again is the same worker.
    me.get("/c/describe")
    assert me.send("/work").url.path == "/c/describe/panel/end"
    again = arrive(browser, query)
    assert again.page.url.path == "/c/describe/panel/end"
    assert len(workers.all_workers(any_store)) == 1
    assert len(list(submissions.stream(any_store, campaign))) == 2


def test_who_stops_early_sees_no_code_until_nothing_is_left(browser, make_campaign):
    make_campaign(count=2, panel=PanelSettings(tasks=3, code="C0DE"))
    me = arrive(browser, "PROLIFIC_PID=1")
    me.send(me.page.url.path, **WRITTEN)
    page = me.get("/c/describe/panel/end").text
    assert "C0DE" not in page
    assert "2 tasks are left" in page
    me.send("/work")
    me.send(me.page.url.path, **WRITTEN)
    # There are two items only: who has done all of them is done.
    assert 'value="C0DE"' in me.page.text


def test_who_comes_to_a_full_campaign_is_sent_back_without_a_code(browser, make_campaign):
    make_campaign(count=0, panel=PanelSettings(code="C0DE"))
    me = arrive(browser, "PROLIFIC_PID=1")
    assert "Please return it at the panel" in me.page.text
    assert "C0DE" not in me.page.text


def test_who_fails_the_questions_is_screened_out(browser, make_campaign):
    panel = PANELS["prolific"][0]
    make_campaign(panel=panel, comprehension=CHECK, comprehension_tries=1)
    me = arrive(browser, PANELS["prolific"][1])
    assert me.page.url.path == "/c/describe/check"
    # Before the questions, there is no way to either link.
    assert me.get("/c/describe/panel/end").url.path == "/c/describe/check"
    me.send("/check", q0="1")
    assert re.search(r'href="/c/describe/panel/end"', me.page.text)
    page = me.get("/c/describe/panel/end").text
    assert "cc=SCREEN1" in page
    assert "cc=C1DONE" not in page


@pytest.mark.parametrize(
    "query",
    ["", "PROLIFIC_PID=", "PROLIFIC_PID=%7B%7B%25PROLIFIC_PID%25%7D%7D", "PROLIFIC_PID=a%00", "x=1",
     "PROLIFIC_PID=1&STUDY_ID=<script>", "PROLIFIC_PID=" + "a" * 65],
)  # fmt: skip
def test_links_without_a_participant_are_refused(browser, any_store, make_campaign, query):
    make_campaign(panel=PanelSettings())
    me = browser()
    page = me.get(f"/c/describe/panel?{query}")
    assert page.status_code == 400
    assert "does not say who you are" in page.text
    assert workers.all_workers(any_store) == []


def test_a_link_proves_nothing(browser, any_store, make_campaign):
    """Whoever knows an id can work under it, but sees no earnings and erases nothing."""
    make_campaign(panel=PanelSettings())
    thief = arrive(browser, "PROLIFIC_PID=1")
    for path in ("/me", "/me/erase"):
        answer = thief.get(path)
        assert answer.status_code == 403
        assert "at the panel that sent you" in answer.text
    # Opening a link signs nobody in; a page of another site cannot send the form.
    victim = browser()
    victim.get("/c/describe/panel?PROLIFIC_PID=2")
    assert victim.get("/c/describe/panel/end").url.path == "/sign-in"
    forged = victim.post("/c/describe/panel?PROLIFIC_PID=2", {"consent": "yes"}, Origin="https://e.vil")
    assert forged.status_code == 403
    assert len(workers.all_workers(any_store)) == 1
    # Without a panel, there is no such page.
    make_campaign(slug="plain")
    assert browser().get("/c/plain/panel?PROLIFIC_PID=1").status_code == 404
    guest = browser()
    guest.join("plain")
    assert guest.get("/c/describe/panel/end").status_code == 404


def test_two_tabs_make_one_worker(store, describe):
    from paragauge.collect.people.workers import Person, register
    from paragauge.errors import RefusedError

    register(store, "panel", Person(external_id="PROLIFIC_PID:1"))
    with pytest.raises(RefusedError):
        register(store, "panel", Person(external_id="PROLIFIC_PID:1"))


def test_what_participants_are_owed_is_a_file_for_the_panel(
    requester, browser, any_store, make_campaign
):
    campaign = make_campaign(count=2, panel=PanelSettings(tasks=2, code="C"))
    me = arrive(browser, "PROLIFIC_PID=5f3")
    for _ in range(2):
        me.send(me.page.url.path, **WRITTEN)
    for submission in submissions.stream(any_store, campaign):
        reviews.decide(any_store, submission, "accept", "ada")
    [worker] = workers.all_workers(any_store)
    ledger.give_bonus(any_store, campaign, worker, 150, "ada", "good")
    file = requester.get("/desk/c/describe/payments/panel")
    assert file.text == "5f3,1.52\n"
    make_campaign(slug="plain")
    assert requester.get("/desk/c/plain/payments/panel").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"participant": ""}, "expected the name of a URL parameter"),
        ({"participant": "a b"}, "distinct names"),
        ({"participant": "id", "study": "id"}, "distinct names"),
        ({"complete_url": "javascript:alert(1)"}, "starts with https://"),
        ({"complete_url": "https://user@evil.example/"}, "starts with https://"),
        ({"complete_url": "https://a.example/{pid}"}, r"expected \{participant\}"),
        ({"tasks": 0}, "expected 1 to 100000"),
    ],
)
def test_wrong_settings_are_refused(wrong, message):
    with pytest.raises(SettingError, match=message):
        PanelSettings(**wrong)


def test_settings_of_a_panel_come_back_from_the_store(any_store, make_campaign):
    campaign = make_campaign(panel=PANELS["sona"][0])
    assert campaigns.get(any_store, campaign.slug).settings.panel == PANELS["sona"][0]
