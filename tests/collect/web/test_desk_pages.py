"""What a requester does at the desk, page by page, in-process."""

from __future__ import annotations

import re
import tempfile

import pytest
from starlette.testclient import TestClient

from paragauge.collect.campaigns import (
    budget,
    campaigns,
    invitations,
    item_listings,
    items,
    ledger,
)
from paragauge.collect.campaigns.campaign_settings import TierSettings
from paragauge.collect.people import accounts, workers
from paragauge.collect.people.workers import Person
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.paging import PageRange
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.rate_limit import Limits

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "correct horse battery"  # noqa: S105
NEW = {"title": "Birds", "slug": "birds", "kind": "describe", "instructions": "", "budget": "12.50"}
NEW |= {"pay1": "1", "wanted1": "5", "pay2": "5", "wanted2": "3", "fee": "20"}


def test_log_in_and_out(browser, any_store):
    accounts.create(any_store, "ada", PASSWORD, "test")
    visitor = browser()
    assert visitor.get("/desk/log").url.path == "/desk/login"
    assert visitor.send("/login", name="ada", password=PASSWORD.upper()).status_code == 401
    assert "Wrong name or password" in visitor.page.text
    assert 'value="ada"' in visitor.page.text
    assert PASSWORD.upper() not in visitor.page.text
    # The page that was asked for first comes after the log-in.
    assert visitor.send("/login", name="ada", password=PASSWORD).url.path == "/desk/log"
    cookie = visitor.client.cookies["paragauge-requester"]
    assert visitor.send("/logout").url.path == "/desk/login"
    visitor.client.cookies.set("paragauge-requester", cookie)
    assert visitor.get("/desk").url.path == "/desk/login"


@pytest.mark.parametrize("path", ["//evil.example", "https://evil.example", "/\\evil.example", "/c/x"])
def test_the_log_in_leads_to_the_desk_only(browser, any_store, path):
    accounts.create(any_store, "ada", PASSWORD, "test")
    visitor = browser()
    visitor.get("/desk/login", params={"next": path})
    assert visitor.send("/login", name="ada", password=PASSWORD).url.path == "/desk"


def test_a_campaign_from_the_form(requester, any_store):
    requester.get("/desk/new?kind=describe")
    page = requester.send("/new", **NEW, open_registration="yes")
    assert (page.url.path, page.status_code) == ("/desk/c/birds", 200)
    campaign = campaigns.get(any_store, "birds")
    assert (campaign.settings.budget_cents, campaign.settings.fee_percent) == (1250, 20)
    assert campaign.settings.tiers[2].per_item == 3
    assert campaign.settings.open_registration
    assert "Birds" in requester.get("/desk").text


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("budget", "lots", "the budget is not an amount"),
        ("pay1", "-", "pay in cents is not a whole number"),
        ("fee", "900", "fee_percent: expected 0 to 100, found 900"),
        ("slug", "Big Birds", "expected a name of at most 60 lowercase letters"),
        ("title", "  ", "a campaign needs a title"),
    ],
)
def test_a_wrong_field_is_said_and_what_was_typed_stays(requester, any_store, field, value, message):
    requester.get("/desk/new?kind=describe")
    page = requester.send("/new", **NEW | {field: value})
    assert page.status_code == 400
    assert message in page.text
    assert 'role="alert"' in page.text
    assert field == "slug" or 'value="birds"' in page.text
    assert campaigns.all_campaigns(any_store) == []


def test_an_unknown_kind_is_said(requester, any_store):
    requester.get("/desk/new?kind=describe")
    page = requester.send("/new", **NEW | {"kind": "draw"})
    assert page.status_code == 400
    assert "unknown kind of task" in page.text
    assert campaigns.all_campaigns(any_store) == []


TOML = b"""
slug = "clips"
kind = "describe"
title = "Clips"
budget_cents = 500
[[items]]
key = "v1"
url = "https://example.org/a.webm"
start = 1
end = 5
"""


def upload(requester, content, todo="create"):
    hidden = requester.get("/desk/new").text
    token = re.findall(r'name="csrf" value="([^"]+)"', hidden)[0]
    return requester.client.post(
        "/desk/new/file", data={"csrf": token, "do": todo}, files={"file": ("c.toml", content)}
    )


def test_a_campaign_from_a_file(requester, any_store):
    assert "the file is valid, with 1 item." in upload(requester, TOML, "check").text
    assert campaigns.all_campaigns(any_store) == []
    assert upload(requester, TOML).url.path == "/desk/c/clips"
    [item] = items.all_items(any_store, campaigns.get(any_store, "clips"))
    assert item.key == "v1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TOML.replace(b"describe", b"draw"), "campaign.toml:3: "),
        (
            TOML.replace(b"start = 1", b"start = 9"),
            "campaign.toml:6: expected seconds with start before end",
        ),
        (b'slug="x"\nkind="describe"\ntitle="T"\nitems="/etc/passwd"', "cannot name another one"),
        (b"\xff\xfe", "UTF-8"),
        (b"", "expected slug"),
    ],
)
def test_a_wrong_file_makes_nothing(requester, any_store, content, message):
    page = upload(requester, content)
    assert page.status_code == 400
    assert message in page.text
    assert tempfile.gettempdir() not in page.text
    assert campaigns.all_campaigns(any_store) == []


def test_pause_resume_close(requester, any_store, make_campaign):
    make_campaign()
    requester.get("/desk/c/describe")
    # What cannot be taken back asks first.
    assert 'type="checkbox" required> It is done' in requester.page.text
    for step, state in (("pause", "paused"), ("resume", "active"), ("close", "closed")):
        token = re.findall(r'name="csrf" value="([^"]+)"', requester.page.text)[0]
        fields = {"csrf": token, "to": step}
        requester.page = requester.post("/desk/c/describe/state", fields)
        assert campaigns.get(any_store, "describe").state == state
    again = requester.post("/desk/c/describe/state", {"csrf": token, "to": "resume"})
    assert again.status_code == 400
    assert "is closed; create another campaign" in again.text


def test_a_budget_is_never_below_what_is_spent(
    requester, any_store, make_campaign, worker, answer_task
):
    campaign = make_campaign(slug="paid", budget_cents=100)
    answer_task(campaign, worker)
    requester.get("/desk/c/paid")
    assert "the budget cannot be" in requester.send("/budget", budget="0").text
    assert "is not an amount" in requester.send("/budget", budget="free").text
    assert requester.send("/budget", budget="$1,000.50").status_code == 200
    assert campaigns.get(any_store, "paid").settings.budget_cents == 100_050


def test_the_dashboard_shows_the_figures(requester, make_campaign, worker, answer_task):
    campaign = make_campaign()
    answer_task(campaign, worker)
    page = requester.get("/desk/c/describe").text
    assert "# workers (English)" in page
    assert 'aria-label="Answers per day: 1 columns, 1 answers in all, most at 1 Mar (1)."' in page
    assert "style=" not in page
    assert re.findall("<script ([^?>]*)", page) == ['src="/static/desk.js']


def test_items_are_added_retired_and_reopened(requester, any_store, make_campaign):
    campaign = make_campaign(count=1)
    requester.get("/desk/c/describe/items")
    table = "key\turl\tstart\tend\nv2\thttps://example.org/b.webm\t1\t5"
    assert "1 added." in requester.send("describe/items", lines=table).text
    assert "already" in requester.send("describe/items", lines=table).text
    assert "expected a table" in requester.send("describe/items", lines=" ").text
    commas = 'key,url,start,end\r\nv3,"https://example.org/a,b.webm",1,5'
    assert "1 added." in requester.send("describe/items", lines=commas).text
    semicolons = table.replace("\t", ";")
    assert "already" in requester.send("describe/items", lines=semicolons).text
    assert "1 added." in requester.send("describe/items", lines=semicolons.replace("v2", "v4")).text
    wrong = requester.send("describe/items", lines=semicolons.replace("v2", "v5;")).text
    message = "expected 4 semicolon-separated fields as in the header, found 5"
    assert f"items.csv:2: {message}" in wrong
    bad = requester.send("describe/items", lines=table.replace("https", "javascript")).text
    assert "expected a link that starts with http" in bad
    first, second, third, fourth = items.all_items(any_store, campaign)
    fields = {"csrf": requester.token(), "item": first.public_id}
    assert "one more answer" in requester.post("/desk/c/describe/items/reopen", fields).text
    assert item_listings.read_tier_progress(any_store, [first.id])[first.id][1].wanted == 3
    assert requester.post("/desk/c/describe/items/retire", fields).status_code == 200
    assert [item.state for item in items.all_items(any_store, campaign)] == [
        "retired",
        "active",
        "active",
        "active",
    ]
    assert (second.key, third.content["url"]) == ("v2", "https://example.org/a,b.webm")
    assert (fourth.key, fourth.content["url"]) == ("v4", "https://example.org/b.webm")
    for show in ("active", "uncovered", "retired", "controls", "nonsense"):
        assert requester.get(f"/desk/c/describe/items?show={show}").status_code == 200


def test_an_item_of_another_campaign_is_not_found(requester, any_store, make_campaign):
    make_campaign()
    other = make_campaign(slug="other")
    [item, *_] = items.all_items(any_store, other)
    fields = {"csrf": requester.token(), "item": item.public_id}
    assert requester.post("/desk/c/describe/items/retire", fields).status_code == 404


def test_an_open_task_is_released(requester, any_store, make_campaign, worker):
    campaign = make_campaign()
    task = assignments.next_assignment(any_store, campaign, worker)
    assert task.item.key in requester.get("/desk/c/describe/tasks").text
    assert "Released" in requester.send("/release").text
    assert budget.compute_costs(any_store, campaign).reserved == 0
    fields = {"csrf": requester.token(), "assignment": task.public_id, "worker": worker.public_id}
    assert "Released" in requester.post("/desk/c/describe/tasks/release", fields).text
    task = assignments.next_assignment(any_store, campaign, worker)
    assignments.skip(any_store, task, worker)
    fields["assignment"] = task.public_id
    assert requester.post("/desk/c/describe/tasks/release", fields).status_code == 409


def test_invitations(requester, any_store, make_campaign):
    make_campaign()
    requester.get("/desk/c/describe/invitations")
    assert "from 1 to" in requester.send("/invitations", limit="0", days="").text
    page = requester.send("/invitations", limit="1", days="2", note="Bob", tier="2").text
    [link] = re.findall(r'value="(http://testserver/join/[^"]+)"', page)
    assert invitations.find(any_store, link.rsplit("/", 1)[1]).tier == 2
    # Only the hash is kept: the link is not shown again.
    assert link not in requester.get("/desk/c/describe/invitations").text
    assert "no longer works" in requester.send("/revoke").text
    assert invitations.find(any_store, link.rsplit("/", 1)[1]) is None
    fields = {"csrf": requester.token(), "invitation": "nothing"}
    assert requester.post("/desk/c/describe/invitations/revoke", fields).status_code == 404


def test_invitations_behind_a_proxy_are_links_to_https(any_store, make_campaign):
    make_campaign()
    accounts.create(any_store, "ada", PASSWORD, "test")
    app = create_app(any_store, https=True, limits=Limits.off())
    hidden = lambda page: re.findall(r'name="csrf" value="(\w+)"', page)[-1]  # noqa: E731
    # The proxy ends https and passes on http; the cookies are for https only.
    with TestClient(app, base_url="https://clips.example") as client:
        page = client.get("/desk/login").text
        fields = {"csrf": hidden(page), "name": "ada", "password": PASSWORD}
        client.post("/desk/login", data=fields)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)
        behind = {"Cookie": cookies, "Origin": "https://clips.example"}
        address = "http://clips.example/desk/c/describe/invitations"
        fields = {"csrf": hidden(client.get(address, headers=behind).text)}
        page = client.post(address, data=fields | {"limit": "1"}, headers=behind).text
    assert re.findall(r'value="(http.+?/join/)', page) == ["https://clips.example/join/"]


def test_payments(requester, any_store, make_campaign, worker, answer_task):
    campaign = make_campaign(budget_cents=20)
    reviews.decide(any_store, answer_task(campaign, worker), "accept", "ada")
    requester.get("/desk/c/describe/payments")
    who = worker.public_id
    assert "Choose at least one" in requester.send("/payments", do="paid").text
    assert "above 0" in requester.send("/payments", do="bonus", worker=who, cents="-5").text
    assert "exceeds the budget" in requester.send("/payments", do="bonus", worker=who, cents="20").text
    assert "1 given a bonus" in requester.send("/payments", do="bonus", worker=who, cents="9").text
    assert ledger.get_balance(any_store, campaign, worker).owed == 10
    assert "1 marked as paid" in requester.send("/payments", do="paid", worker=who).text
    assert "0 marked as paid" in requester.send("/payments", do="paid", worker=who).text
    assert ledger.get_balance(any_store, campaign, worker).owed == 0
    [row], total = paged_lists.list_earnings(any_store, campaign, PageRange())
    assert (row.earned, row.bonus, row.paid, row.owed, total) == (1, 9, 10, 0, 1)


def test_erasure(requester, any_store, make_campaign):
    make_campaign()
    worker, _ = workers.register(any_store, "link", Person(email="bob@example.org"))
    # Those who run the campaign can write to the worker.
    assert "bob@example.org" in requester.get(f"/desk/c/describe/workers/{worker.public_id}").text
    assert requester.send("/erase", confirm="yes").status_code == 400
    assert workers.get_person(any_store, worker).email == "bob@example.org"
    requester.get(f"/desk/c/describe/workers/{worker.public_id}")
    assert "was erased" in requester.send("/erase", confirm="Erase").text
    assert workers.get_person(any_store, worker) is None
    assert "bob@" not in requester.get(f"/desk/c/describe/workers/{worker.public_id}").text


@pytest.mark.parametrize(("wish", "left"), [({}, "A dog runs."), ({"answers": "yes"}, "")])
def test_erasure_of_answers_too(requester, any_store, make_campaign, worker, answer_task, wish, left):
    submission = answer_task(make_campaign(), worker)
    requester.get(f"/desk/c/describe/workers/{worker.public_id}")
    requester.send("/erase", confirm="erase", **wish)
    assert submissions.get(any_store, submission.public_id).text == left


def test_the_log(requester, make_campaign):
    make_campaign()
    page = requester.get("/desk/log").text
    assert "campaign.create" in page
    only = requester.get("/desk/log?action=items.add&actor=ada").text
    assert "1 change<" in only
    assert requester.get("/desk/log?action=%00&actor=%ff&page=x").status_code == 200


@pytest.mark.parametrize("kind", ["describe", "judge", "suggest"])
def test_downloads(requester, make_campaign, worker, answer_task, kind):
    campaign = make_campaign(kind)
    data = {
        "describe": {},
        "suggest": {"url": "https://example.org/v.webm", "start": 2, "end": 6},
        "judge": {"judgments": {str(n): {"adequacy": 3, "fluency": 2} for n in range(3)}},
    }[kind]
    answer_task(campaign, worker, "A dog runs." if kind == "describe" else "", data=data)
    page = requester.get(f"/desk/c/{kind}/export").text
    names = re.findall(r'name="what" value="(\w+)"', page)
    assert len(names) == {"describe": 9, "judge": 6, "suggest": 4}[kind]
    for name in names:
        for form in ("tsv", "csv", "jsonl", "parquet"):
            path = f"/desk/c/{kind}/export/file?what={name}&format={form}&part=all&tier=&language="
            file = requester.get(path)
            assert file.status_code == 200
            assert f'filename="{kind}-{name}.{form}"' in file.headers["content-disposition"]
            assert file.content or form == "jsonl"
    assert requester.get(f"/desk/c/{kind}/export/file?what=passwords").status_code == 400


def test_scores_of_what_was_written(
    requester, any_store, make_campaign, worker, answer_task, worker_in
):
    campaign = make_campaign(count=1, tiers={1: TierSettings(1, 3)})
    answer_task(campaign, worker, "A dog runs fast.")
    assert "No two sentences about the same item yet." in requester.get("/desk/c/describe/scores").text
    answer_task(campaign, worker_in(any_store), "A dog runs.")
    page = requester.get("/desk/c/describe/scores?accepted=&tier=1&language=English").text
    cells = re.findall(r'<th scope="row">(\w+)</th><td class="n">([\d.]+)</td>', page)
    # PINC: new are 1 of 5 words, 2 of 4 pairs, 2 of 3 triples, 2 of 2 quadruples; the other way round,
    # none of 4 words, 1 of 3 pairs, 1 of 2 triples, the one quadruple.
    there, back = (1 / 5 + 2 / 4 + 2 / 3 + 1) / 4, (0 + 1 / 3 + 1 / 2 + 1) / 4
    assert dict(cells)["PINC"] == f"{100 * (there + back) / 2:.2f}"
    assert "2 sentences about 1 item, language English, tier 1." in page
    for path, problem in (("language=Klingon&accepted=yes", "No two sentences"), ("tier=2", "No two")):
        assert problem in requester.get(f"/desk/c/describe/scores?{path}").text
    answer_task(campaign, worker_in(any_store), "Ein Hund rennt.", language="German")
    refused = requester.get("/desk/c/describe/scores")
    assert refused.status_code == 400
    assert "choose one, or ask for several languages together" in refused.text
    refused = requester.get("/desk/c/describe/scores?part=<b>&language=<b>")
    assert (refused.status_code, "<b>" in refused.text) == (400, False)
    make_campaign("judge")
    refused = requester.get("/desk/c/judge/scores")
    assert (refused.status_code, "has no metrics to download" in refused.text) == (400, True)


def test_downloads_with_estimates(requester, make_campaign, worker, answer_task):
    campaign = make_campaign("judge")
    data = {"judgments": {str(n): {"adequacy": 3, "fluency": 2} for n in range(3)}}
    answer_task(campaign, worker, "", data=data)
    path = "/desk/c/judge/export/file?format=tsv&what="
    assert requester.get("/desk/c/judge/export").text.count('name="dawid_skene"') == 2
    header, first, *_ = requester.get(f"{path}scores&dawid_skene=yes").text.split("\n")
    assert header.endswith("likeliest\texpected\tconverged")
    assert first.split("\t")[-3:] == ["3.0", "3.0", "yes"]
    assert "did not converge" in requester.get("/desk/c/judge/export").text
    assert "agrees" in requester.get(f"{path}judges&dawid_skene=yes").text
    assert "likeliest" not in requester.get(f"{path}scores").text


def test_a_closed_campaign_takes_no_items(requester, any_store, make_campaign):
    campaign = campaigns.close(any_store, make_campaign("paraphrase", count=1), "ada")
    secret = re.search(r'name="csrf" value="([^"]+)"', requester.get("/desk/c/paraphrase").text)
    fields = {"csrf": secret[1], "lines": "key\ttext\nnew\tA dog."}
    refused = requester.post("/desk/c/paraphrase/items", fields)
    assert refused.status_code == 400
    assert "campaign paraphrase is closed; create another campaign" in refused.text
    assert len(items.all_items(any_store, campaign)) == 1


def test_unknown_campaigns_and_workers(requester, make_campaign):
    make_campaign()
    for path in ("/desk/c/none", "/desk/c/none/items", "/desk/c/describe/workers/none"):
        assert requester.get(path).status_code == 404


def test_long_lists_have_pages(requester, any_store, make_campaign):
    make_campaign(count=55)
    page = requester.get("/desk/c/describe/items").text
    assert "Page 1 of 2" in page
    assert 'rel="next" href="/desk/c/describe/items?page=2"' in page
    assert "item54" in requester.get("/desk/c/describe/items?page=2").text
