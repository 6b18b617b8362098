"""Long lists at the desk: search, many answers at once, items, invitations, payments, accounts."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from html import unescape

import pytest

from paragauge.collect.campaigns import budget, campaigns, items, ledger
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.people import accounts, workers
from paragauge.collect.people.workers import Person
from paragauge.collect.tasks import reviews, submissions
from paragauge.collect.tasks.answers import Answer
from paragauge.collect.tasks.assignments import next_assignment

PASSWORD = "correct horse battery"  # noqa: S105
pytestmark = pytest.mark.usefixtures("quick_passwords")


def decisions_of(store, campaign):
    return {each.public_id: each.decision for each in submissions.stream(store, campaign)}


def test_answers_are_found_by_worker_item_and_words(
    requester, any_store, make_campaign, worker_in, answer_task
):
    campaign = make_campaign()
    ada, bob = worker_in(any_store), worker_in(any_store)
    answer_task(campaign, ada, "A Dog jumps over 100% of the fence.")
    answer_task(campaign, bob, "Boats sail.", comment="seen on a dog day")
    answer_task(campaign, bob, "Rain falls.")

    def found(query):
        page = requester.get(f"/desk/c/describe/answers?{query}").text
        return {text for text in ("A Dog jumps", "Boats sail", "Rain falls") if text in page}

    assert found("words=dog") == {"A Dog jumps", "Boats sail"}
    assert found("words=100%25+of") == {"A Dog jumps"}
    assert found("words=%25%25") == set()
    assert found(f"worker={bob.public_id}&words=rain") == {"Rain falls"}
    keys = {each.text: each.item_key for each in submissions.stream(any_store, campaign)}
    assert "Rain falls" in found(f"item={keys['Rain falls.']}")
    assert found("item=nowhere") == set()
    assert found("hint=warning&tier=1") <= {"A Dog jumps", "Boats sail", "Rain falls"}


def test_hints_filter_answers(requester, any_store, make_campaign, worker, answer_task):
    campaign = make_campaign()
    answer_task(campaign, worker, "The boat sails. It is red.", seconds=20.0)
    answer_task(campaign, worker, "A man is playing the guitar.", seconds=20.0)
    page = requester.get("/desk/c/describe/answers?hint=warning").text
    assert "The boat sails. It is red." in page
    assert "guitar" not in page
    assert "latest 1,000 answers" in page


def test_a_form_that_cannot_be_done_keeps_what_was_chosen(
    requester, any_store, make_campaign, worker, answer_task
):
    campaign = make_campaign()
    first, second = (answer_task(campaign, worker, f"Answer {n}.") for n in range(2))
    requester.get("/desk/c/describe/answers?decision=pending&words=Answer")
    page = requester.send("/answers", do="reject", submission=[first.public_id], reason="  ").text
    assert "Give a reason" in page
    ticked = re.findall(r'value="([^"]+)" id="s-[^"]+" checked', page)
    assert ticked == [first.public_id]
    # The filters stay, too.
    assert 'value="pending" selected' in page
    assert 'name="words" value="Answer"' in page
    assert second.public_id in page


def test_what_fails_among_many_is_named_and_stays_chosen(
    requester, any_store, make_campaign, worker, answer_task
):
    campaign = make_campaign(count=2, budget_cents=2)
    first, second = (answer_task(campaign, worker, f"Answer {n}.") for n in range(2))
    reviews.decide(any_store, first, "reject", "ada", "no")
    campaigns.change_settings(
        any_store,
        campaign,
        CampaignSettings.from_json(campaign.settings.to_json() | {"budget_cents": 1}),
        "ada",
    )
    requester.get("/desk/c/describe/answers")
    both = [first.public_id, second.public_id]
    page = requester.send("/answers", do="accept", submission=both).text
    assert "1 of 2 done. Not done, and still chosen:" in page
    assert "the budget does not allow this acceptance" in page
    assert re.findall(r'value="([^"]+)" id="s-[^"]+" checked', page) == [first.public_id]
    assert decisions_of(any_store, campaign) == {first.public_id: "reject", second.public_id: "accept"}


def test_decisions_about_many_answers_are_undone(
    requester, any_store, make_campaign, worker, answer_task
):
    campaign = make_campaign()
    stored = [answer_task(campaign, worker, f"Answer {n}.") for n in range(3)]
    reviews.decide(any_store, stored[0], "accept", "grace")
    spent = budget.compute_costs(any_store, campaign).spent
    requester.get("/desk/c/describe/answers")
    shown = [each.public_id for each in stored]
    page = requester.send("/answers", do="reject-page", shown=shown, reason="a mistake").text
    assert "3 rejected." in page
    assert set(decisions_of(any_store, campaign).values()) == {"reject"}
    link = unescape(re.findall(r'href="([^"]+)">See them, and undo', page)[0])
    page = requester.get(link).text
    ticked = re.findall(r'value="([^"]+)" id="s-[^"]+" checked', page)
    assert sorted(ticked) == sorted(shown)
    assert "3 undone" in requester.send("/answers", do="undo", submission=ticked).text
    expected = {shown[0]: "accept", shown[1]: "pending", shown[2]: "pending"}
    assert decisions_of(any_store, campaign) == expected
    assert budget.compute_costs(any_store, campaign).spent == spent
    assert find_problems(any_store) == []
    # What was undone is kept, and the log says so.
    assert len(reviews.list_reviews(any_store, stored[0])) == 2
    assert "review.undo" in requester.get("/desk/log").text
    # Undoing twice is undoing the decision before; without one, nothing happens.
    requester.get(link)
    page = requester.send("/answers", do="undo", submission=[shown[1]]).text
    assert "0 undone" in page


def test_an_undone_review_counts_nowhere(store, describe, worker_in):
    campaign, worker = describe(store, 1), worker_in(store)
    task = next_assignment(store, campaign, worker)
    receipt = submissions.submit(store, task, worker, Answer("A dog.", "English"))
    submission = submissions.get(store, receipt.public_id)
    reviews.decide(store, submission, "reject", "ada", "no")
    last = reviews.read_last_review(store, submission)
    assert reviews.undo(store, submission, "ada", last)
    assert not reviews.undo(store, submission, "ada", last)
    assert submissions.get(store, receipt.public_id).decision == "pending"
    assert ledger.get_balance(store, campaign, worker).pending == task.pay_cents
    reviews.decide(store, submission, "accept", "ada")
    assert not reviews.undo(store, submission, "ada", last)
    assert ledger.get_balance(store, campaign, worker).owed == task.pay_cents
    assert find_problems(store) == []


def test_the_page_of_an_item_has_its_clip_and_answers(
    requester, any_store, make_campaign, worker, answer_task
):
    campaign = make_campaign(count=1)
    answer_task(campaign, worker, "A dog runs.")
    [item] = items.all_items(any_store, campaign)
    page = requester.get(f"/desk/c/describe/items/{item.public_id}")
    assert 'src="https://media.example/clip.webm#t=25,30"' in page.text
    assert "A dog runs." in page.text
    assert "media-src 'self' https://media.example" in page.headers["content-security-policy"]
    assert requester.get("/desk/c/describe/items/nothing").status_code == 404
    make_campaign(slug="other", count=0)
    assert requester.get(f"/desk/c/other/items/{item.public_id}").status_code == 404


def test_retiring_asks_first_and_can_be_undone(requester, any_store, make_campaign, worker):
    campaign = make_campaign(count=1)
    [item] = items.all_items(any_store, campaign)
    listed = requester.get("/desk/c/describe/items").text
    assert "/items/retire" not in listed
    assert f"/items/{item.public_id}#retire" in listed
    requester.get(f"/desk/c/describe/items/{item.public_id}")
    assert "can be brought back" in requester.page.text
    assert "Retired: nobody gets" in requester.send("/items/retire").text
    assert next_assignment(any_store, campaign, worker).reason == "nothing-left"
    assert "Workers get this item again" in requester.send("/items/bring-back").text
    assert next_assignment(any_store, campaign, worker).item.id == item.id


def sheet(rows):
    """An Excel file with one sheet of texts."""
    cells = "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in row) + "</row>"
        for row in rows
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default '
        'Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="A" '
        'sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship '
        f'Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData>'
        "</worksheet>",
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["excel", "csv", "semicolons"])
def test_items_come_in_from_spreadsheets(requester, any_store, make_campaign, kind):
    if kind == "excel":
        pytest.importorskip("python_calamine")
    campaign = make_campaign("paraphrase", count=0)
    rows = [["key", "text"], ["s1", "A dog, running."], ["s2", "Rain falls."]]
    if kind == "excel":
        content = sheet(rows)
    else:
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=";" if kind == "semicolons" else ",").writerows(rows)
        content = buffer.getvalue().encode()
    requester.get("/desk/c/paraphrase/items")
    path, hidden = next(
        (path, fields)
        for path, fields in type(requester).__init__.__globals__["Forms"](requester.page.text).forms
        if path.endswith("/items")
    )
    answer = requester.client.post(
        path, data=hidden, files={"file": ("items", content)}, headers={"Origin": "http://testserver"}
    )
    assert "2 added." in answer.text
    texts = [item.content["text"] for item in items.all_items(any_store, campaign)]
    assert texts == ["A dog, running.", "Rain falls."]


def test_many_people_are_invited_at_once(requester, browser, make_campaign):
    make_campaign(open_registration=False)
    requester.get("/desk/c/describe/invitations")
    page = requester.send(
        "/invitations/many", people="Ada\r\n\r\nBob <b@x.org>\r\n", days="7", tier="2"
    )
    pairs = re.findall(r"([^\n\t]+)\t(http://testserver/join/[\w-]+)", unescape(page.text))
    assert [name.rpartition('link">')[2] for name, _ in pairs] == ["Ada", "Bob <b@x.org>"]
    assert len({link for _, link in pairs}) == 2
    # A reload shows the same links.
    again = requester.client.send(page.request)
    assert re.findall(r"/join/[\w-]+", again.text) == re.findall(r"/join/[\w-]+", page.text)
    guest = browser()
    guest.get(pairs[0][1].removeprefix("http://testserver"))
    assert guest.send(pairs[0][1][-20:], consent="yes").status_code == 200
    assert browser().get(pairs[0][1].removeprefix("http://testserver")).status_code == 404
    requester.get("/desk/c/describe/invitations")
    assert "expected 1 to 500" in requester.send("/invitations/many", people=" ", days="7").text


def test_payments_are_a_file(requester, any_store, make_campaign, answer_task):
    campaign = make_campaign()
    person = Person(email="=cmd@x.org", external_id="5f3")
    worker, _ = workers.register(any_store, "link", person)
    kept, waiting = (answer_task(campaign, worker, f"Answer {n}.") for n in range(2))
    reviews.decide(any_store, kept, "accept", "ada")
    assert waiting is not None
    assert "=cmd@x.org" in requester.get("/desk/c/describe/payments").text
    answer = requester.get("/desk/c/describe/payments/file")
    assert answer.headers["content-disposition"] == 'attachment; filename="describe-payments.csv"'
    [row] = csv.DictReader(io.StringIO(answer.text))
    amounts = {name: value for name, value in row.items() if name.endswith("_cents")}
    assert amounts == {
        "accepted_cents": "1",
        "pending_cents": "1",
        "bonus_cents": "0",
        "paid_cents": "0",
        "paid_then_rejected_cents": "0",
        "owed_cents": "1",
    }
    assert (row["worker"], row["email"], row["external_id"]) == (worker.public_id, "'=cmd@x.org", "5f3")
    accounts.change_role(any_store, accounts.create(any_store, "eve", "x" * 10, "t"), "owner", "t")
    accounts.change_role(any_store, accounts.get(any_store, "ada"), "viewer", "t")
    assert "email" not in requester.get("/desk/c/describe/payments/file").text
    assert "=cmd@x.org" not in requester.get("/desk/c/describe/payments").text


def test_judgments_too_fast_or_all_alike_are_hints(requester, any_store, make_campaign, worker):
    campaign = make_campaign("judge", count=6)
    for _ in range(6):
        task = next_assignment(any_store, campaign, worker)
        values = {str(n): {"adequacy": 3, "fluency": 3} for n in range(3)}
        submissions.submit(any_store, task, worker, Answer(data={"judgments": values}, seconds=0.8))
    page = requester.get("/desk/c/judge/review").text
    assert "6 of 6 answers too fast to have read the candidates" in page
    assert "all values the same in 6 of 6 answers" in page
    page = requester.get("/desk/c/judge/answers").text
    assert "0.8 seconds for 6 values: too fast" in page


def test_accounts_and_tokens_are_listed_and_closed(requester, browser, any_store):
    requester.get("/desk/accounts")
    assert "write the name ada to confirm" in requester.send("/accounts/close", confirm="eve").text
    assert "last owner" in requester.send("/accounts/close", confirm="ada").text
    page = requester.send("/accounts", name="grace", password=PASSWORD, role="reviewer")
    assert "The account was created." in page.text
    page = requester.send("/tokens", name="notebook", scope="viewer", days="30")
    token = re.findall(r'aria-label="New token" value="([^"]+)"', page.text)[0]
    assert accounts.find_by_token(any_store, token).role == "viewer"
    # A reload shows the same token and makes no other.
    assert token in requester.client.send(page.request).text
    assert len(accounts.list_tokens(any_store)) == 1
    requester.get("/desk/accounts")
    assert "notebook" in requester.page.text
    requester.send("/tokens/withdraw")
    assert accounts.find_by_token(any_store, token) is None
    grace = browser()
    grace.get("/desk/login")
    grace.send("/login", name="grace", password=PASSWORD)
    assert grace.get("/desk/accounts").status_code == 403
    assert "/desk/accounts" not in grace.get("/desk").text
    accounts.close(any_store, accounts.get(any_store, "grace"), "ada")
    assert grace.get("/desk").url.path == "/desk/login"
