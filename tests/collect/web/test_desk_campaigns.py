"""Campaigns made, changed, cloned and previewed at the desk, without a campaign file."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

import pytest

from paragauge.collect.campaigns import campaigns, item_listings, items
from paragauge.collect.campaigns.campaign_settings import (
    BadExample,
    CampaignSettings,
    ControlRules,
    Criterion,
    PanelSettings,
    Question,
    SurveyQuestion,
    TierSettings,
)
from paragauge.collect.campaigns.demo import read_demo_campaigns
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.web.http.forms import Form
from paragauge.collect.web.requester.campaign_form import (
    KINDS,
    new_values,
    read_settings,
    settings_as_fields,
)

pytestmark = pytest.mark.usefixtures("quick_passwords")
FULL = CampaignSettings(
    kind="judge",
    title="Wie gut?",
    instructions="Read.\n- Twice",
    consent="I agree.",
    contact="lab@example.org",
    good_examples=("One.", "Zwei."),
    bad_examples=(BadExample("Bad", "too short"), BadExample("Worse", "shorter")),
    tiers={1: TierSettings(3, 4), 2: TierSettings(6, 2)},
    budget_cents=12_345,
    fee_percent=20,
    seed=99,
    expires_minutes=30,
    correct_minutes=5,
    both_tiers=True,
    open_registration=False,
    auto_accept=True,
    comprehension=(Question("Which?", ("a", "b"), 1, "It is b."),),
    comprehension_tries=3,
    max_length=400,
    criteria=(
        Criterion("adequacy", "The same?", 1, 3, ("no", "partly", "yes")),
        Criterion("fluency", "Fluent?", 0, 100),
    ),
    controls=ControlRules(4, 1, 3, 0),
)


class Fields(HTMLParser):
    """What a browser would send of the form with this action, untouched."""

    def __init__(self, html, action):
        super().__init__(convert_charrefs=True)
        self.action, self.inside, self.values, self.area, self.off = action, False, {}, None, 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == "form":
            self.inside = named["action"] == self.action
        if not self.inside:
            return
        if tag == "fieldset":
            self.off += "disabled" in named
        if tag == "input" and not self.off:
            kind = named.get("type", "text")
            if kind != "checkbox" or "checked" in named:
                self.values[named["name"]] = named.get("value", "")
        if tag == "textarea" and not self.off:
            self.area = named["name"]
            self.values[self.area] = ""

    def handle_data(self, text):
        if self.area:
            self.values[self.area] += text

    def handle_endtag(self, tag):
        if tag == "textarea":
            self.area = None
        if tag == "fieldset" and self.off:
            self.off -= 1


def open_form(requester, path, action):
    """The fields of a page's form."""
    return Fields(requester.get(path).text, action).values


def read_fields(fields, base=None, **more):
    return read_settings(Form({name: [text] for name, text in fields.items()}), base, **more)


SURVEY = CampaignSettings(
    kind="survey",
    title="Two questions",
    survey=(SurveyQuestion("fun", "Fun?", ("yes", "no"), True), SurveyQuestion("why", "Why?")),
)
EVERY = [FULL, SURVEY, *(file.settings for file in read_demo_campaigns())]


@pytest.mark.parametrize("settings", EVERY, ids=lambda settings: settings.title)
def test_the_form_has_every_setting(settings):
    expected = dataclasses.replace(settings, instructions=settings.instructions.strip())
    assert read_fields(settings_as_fields(settings), settings) == expected


def test_every_setting_can_be_changed():
    """Change each field; what has no field is in this list."""
    no_field = {"kind", "seed"}
    changed = {
        "title": "?",
        "instructions": "New",
        "consent": "",
        "contact": "",
        "good_examples": (),
        "bad_examples": (),
        "tiers": {1: TierSettings(1, 1), 2: TierSettings(0, 0)},
        "budget_cents": 1,
        "fee_percent": 0,
        "expires_minutes": 1,
        "correct_minutes": 0,
        "accept_after_days": 7,
        "both_tiers": False,
        "open_registration": True,
        "auto_accept": False,
        "comprehension": (),
        "comprehension_tries": 1,
        "max_length": 9,
        "criteria": (),
        "ranking": True,
        "ranking_ties": False,
        "controls": None,
        "panel": PanelSettings("id", "", "", 3, "https://a.example/c?id={participant}", "C0DE", ""),
    }
    elsewhere = {"languages", "main_language", "one_sentence", "survey"}  # of other kinds of task
    names = {field.name for field in dataclasses.fields(CampaignSettings)}
    assert names == no_field | set(changed) | elsewhere
    new = dataclasses.replace(FULL, **changed)
    assert read_fields(settings_as_fields(new), FULL) == new
    paraphrase = CampaignSettings(
        kind="paraphrase",
        title="?",
        languages=("English", "中文"),
        main_language="English",
        one_sentence=False,
    )
    assert read_fields(settings_as_fields(paraphrase), paraphrase) == paraphrase


@pytest.mark.parametrize("kind", [kind for kind, _, _ in KINDS])
def test_a_campaign_of_each_kind_with_a_title_only(requester, any_store, kind):
    fields = open_form(requester, f"/desk/new?kind={kind}", "/desk/new")
    page = requester.send("/new", **fields | {"title": "Vögel & Fische", "do": "draft"})
    assert page.url.path == "/desk/c/vogel-fische"
    campaign = campaigns.get(any_store, "vogel-fische")
    assert campaign.state == "paused", "nobody gets a task before the preview"
    assert campaign.settings == read_fields(
        new_values(kind) | {"title": "Vögel & Fische", "kind": [kind][0]}
    )
    assert requester.get("/desk/c/vogel-fische/preview/task").status_code == 200


def test_the_first_page_of_new_campaigns_has_the_kinds(requester, make_campaign):
    make_campaign(title="Clips from the garden")
    page = requester.get("/desk/new").text
    assert all(f'href="/desk/new?kind={kind}"' in page for kind, _, _ in KINDS)
    assert '<option value="describe">Clips from the garden' in page
    assert requester.get("/desk/new?kind=draw").status_code == 200
    assert requester.get("/desk/new?from=nothing").status_code == 404


def test_more_rows_keep_what_was_typed(requester, any_store):
    fields = open_form(requester, "/desk/new?kind=describe", "/desk/new")
    typed = {"title": "Birds", "bad-0-text": "Bird", "bad-0-reason": "no <b>sentence</b>", "do": "more"}
    page = requester.send("/new", **fields | typed)
    again = Fields(page.text, "/desk/new").values
    assert (again["title"], again["bad-0-reason"]) == ("Birds", "no <b>sentence</b>")
    assert "bad-4-text" in again
    assert "bad-4-text" not in fields
    assert campaigns.all_campaigns(any_store) == []
    requester.send("/new", **again | {"bad-4-text": "Birds!", "bad-4-reason": "who?", "do": "create"})
    [campaign] = campaigns.all_campaigns(any_store)
    reasons = [example.reason for example in campaign.settings.bad_examples]
    assert reasons == ["no <b>sentence</b>", "who?"]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("scale-0-low", "x", "the lowest value is not a whole number (row 1)"),
        ("ask-0-question", "Which?", "the number of the right option is not a whole number"),
        ("every", "1", "every: expected 2 to 1000000, found 1"),
        ("correct_minutes", "-1", "correct_minutes: expected 0 to 525600, found -1"),
        ("scale-1-name", "adequacy", "every criterion needs a unique name"),
    ],
)
def test_a_wrong_setting_is_said(requester, make_campaign, field, value, message):
    make_campaign("judge", criteria=FULL.criteria)
    fields = open_form(requester, "/desk/c/judge/settings", "/desk/c/judge/settings")
    page = requester.send("/settings", **fields | {field: value, "controls": "yes", "do": "save"})
    assert page.status_code == 400
    assert message in page.text
    assert Fields(page.text, "/desk/c/judge/settings").values[field] == value


def test_settings_are_changed(requester, any_store, make_campaign):
    campaign = make_campaign(seed=99)
    fields = open_form(requester, "/desk/c/describe/settings", "/desk/c/describe/settings")
    page = requester.send("/settings", **fields | {"do": "save"})
    assert "Saved." in page.text
    assert campaigns.get(any_store, "describe").settings == campaign.settings, "nothing else changed"
    new = {"title": "Neu", "languages": "English\nDeutsch", "wanted1": "7", "all_items": "yes"}
    fields = open_form(requester, "/desk/c/describe/settings", "/desk/c/describe/settings")
    requester.send("/settings", **fields | new | {"do": "save"})
    settings = campaigns.get(any_store, "describe").settings
    assert (settings.title, settings.languages) == ("Neu", ("English", "Deutsch"))
    assert settings.seed == 99
    listed = items.read_coverage(any_store, campaign)
    assert {place.wanted for place in listed if place.tier == 1} == {7}


def test_an_older_form_does_not_undo_a_change(requester, any_store, make_campaign):
    make_campaign()
    path = "/desk/c/describe/settings"
    mine = open_form(requester, path, path)
    theirs = open_form(requester, path, path)
    requester.send("/settings", **theirs | {"title": "Theirs", "do": "save"})
    requester.get(path)
    page = requester.send("/settings", **mine | {"title": "Mine", "do": "save"})
    assert page.status_code == 400
    assert "Somebody changed the settings" in page.text
    assert 'value="Mine"' in page.text, "what was typed can be copied"
    assert campaigns.get(any_store, "describe").settings.title == "Theirs"


def test_scales_are_fixed_once_there_are_judgments(requester, any_store, make_campaign, worker):
    campaign = make_campaign("judge")
    task = assignments.next_assignment(any_store, campaign, worker)
    values = {str(n): {"adequacy": 3, "fluency": 2} for n in range(3)}
    submissions.submit(any_store, task, worker, Answer(data={"judgments": values}))
    path = "/desk/c/judge/settings"
    fields = open_form(requester, path, path)
    assert "scale-0-name" not in fields, "the fields are disabled"
    forced = {"scale-0-name": "other", "scale-0-question": "?", "title": "New", "ranking": "yes"}
    requester.send("/settings", **fields | forced | {"do": "save"})
    settings = campaigns.get(any_store, "judge").settings
    assert (settings.title, settings.criteria) == ("New", campaign.settings.criteria)
    assert not settings.ranking


def test_all_items_get_the_new_number_but_never_less_than_taken(
    requester, any_store, make_campaign, worker_in, answer_task
):
    campaign = make_campaign(count=2, tiers={1: TierSettings(1, 2)})
    row = {"key": "gold", "control": "gold", "expected": {"words": ["dog"]}}
    clip = items.all_items(any_store, campaign)[0].content
    items.add(any_store, campaign, [row | {"content": clip}], "ada")
    for _ in range(3):
        answer_task(campaign, worker_in(any_store))
    path = "/desk/c/describe/settings"
    fields = open_form(requester, path, path)
    new = {"wanted1": "1", "wanted2": "4", "all_items": "yes", "do": "save"}
    requester.send("/settings", **fields | new)
    listed = items.read_coverage(any_store, campaign)
    assert sorted((place.tier, place.wanted) for place in listed) == [(1, 1), (1, 2), (2, 4), (2, 4)]
    gold = next(item for item in items.all_items(any_store, campaign) if item.control)
    assert item_listings.read_tier_progress(any_store, [gold.id])[gold.id][1].wanted > 1000


def test_a_clone_with_its_items(requester, any_store, make_campaign):
    original = make_campaign(seed=5, consent="Agreed.", count=3)
    [first, *_] = items.all_items(any_store, original)
    items.retire(any_store, first, "ada")
    fields = open_form(requester, "/desk/new?from=describe", "/desk/new")
    assert fields["title"] == "Campaign describe (copy)"
    page = requester.send("/new", **fields | {"do": "create"})
    assert "with the items of the other one: 2." in page.text
    clone = campaigns.get(any_store, "campaign-describe-copy")
    assert dataclasses.replace(clone.settings, title=original.settings.title) == original.settings
    copied = items.all_items(any_store, clone)
    assert [item.content for item in copied] == [first.content] * 2
    fields = open_form(requester, "/desk/new?from=describe", "/desk/new")
    del fields["items"]
    requester.send("/new", **fields | {"slug": "empty", "do": "create"})
    assert items.all_items(any_store, campaigns.get(any_store, "empty")) == []
    # The same form again shows what it made; another form with the same name is refused.
    page = requester.post("/desk/new", fields | {"slug": "empty", "do": "create"})
    assert page.url.path == "/desk/c/empty"
    del fields["once"]
    requester.get("/desk/new?from=describe")
    page = requester.send("/new", **fields | {"slug": "empty", "do": "create"})
    assert (page.status_code, "choose another name" in page.text) == (400, True)


@pytest.mark.parametrize("kind", ["describe", "paraphrase", "judge"])
@pytest.mark.parametrize("count", [0, 1])
def test_a_preview_stores_nothing(requester, any_store, make_campaign, kind, count):
    campaign = make_campaign(kind, count=1, contact="lab@example.org")
    if not count:
        items.retire(any_store, items.all_items(any_store, campaign)[0], "ada")
    base = f"/desk/c/{kind}/preview"
    assert requester.get(base).status_code == 200
    start = requester.get(f"{base}/start").text
    assert "I have read this" in start
    assert "nothing is stored" in start
    assert 'href="mailto:lab@example.org"' in start
    assert requester.send("/preview/task", consent="yes").status_code == 200
    requester.get(f"{base}/task")
    assert requester.send("/preview/task").status_code == 400
    answer = {"text": "Somebody cuts vegetables.", "language": "English"}
    answer |= {f"p{place}-c{scale}": "2" for place in range(3) for scale in range(2)}
    page = requester.send("/preview/task", **answer)
    assert "it would be stored now" in page.text
    assert list(submissions.stream(any_store)) == []
    assert assignments.list_open(any_store, campaign) == []
