"""Workers in a real Chromium: on a phone, by keyboard alone, with and without scripts.

Screenshots go to $PARAGAUGE_SCREENSHOTS, where that is set.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from paragauge.collect.campaigns import memberships
from paragauge.collect.campaigns.campaign_settings import Criterion, Question
from paragauge.collect.people import workers
from paragauge.collect.tasks import submissions

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DEMO = {"url": "/static/demo/ball.webm", "start": 1.5, "end": 3}
SENTENCES = (
    "Somebody cuts tomatoes into thin slices.",
    "A lady is chopping some vegetables.",
    "Tomatoes a woman slicing some is.",
)
JUDGED = {
    "source": "A woman is slicing some tomatoes.",
    "candidates": [{"system": f"s{n}", "text": text} for n, text in enumerate(SENTENCES)],
}
SEMANTIC = ("different meaning", "little in common", "mostly the same", "the same meaning")
SCALES = (
    Criterion("semantic", "Does it mean the same as the sentence above?", 1, 4, SEMANTIC),
    Criterion("overall", "How good is it as a paraphrase?", 1, 5),
)
# No element reaches beyond the screen, and whatever can be tapped is large enough for a finger.
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
TOO_SMALL = """() => [...document.querySelectorAll('main :is(button, .button, select, .scale label)')]
    .filter(e => e.offsetParent !== null && e.getBoundingClientRect().height < 43.5)
    .map(e => e.outerHTML.slice(0, 80))"""
# Every field has a label, and ids are unique.
UNLABELED = """() => [...document.querySelectorAll('input:not([type=hidden]), textarea, select')]
    .filter(e => !e.labels.length && !e.getAttribute('aria-label')).map(e => e.outerHTML)"""
TWICE = """() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
    return ids.filter((id, n) => ids.indexOf(id) !== n); }"""
# Contrast of text (WCAG 2.2, 1.4.3): at least 4.5 for every piece of text on its background.
CONTRAST = """() => {
    const parse = c => c.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, n) => sum + v * [.2126, .7152, .0722][n], 0);
    const back = e => { for (; e; e = e.parentElement) {
        const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; }
        return [255, 255, 255]; };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faint = [];
    for (let node; (node = walker.nextNode());) {
        const e = node.parentElement;
        if (!node.data.trim() || !e.checkVisibility()) continue;
        if (e.closest('[aria-hidden], .sr, .skip')) continue;
        const a = light(parse(getComputedStyle(e).color)), b = light(back(e));
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${node.data.trim().slice(0, 40)}`);
    }
    return faint; }"""


def look(page: Any, name: str, heading: str) -> None:
    """Check what holds for every page, in light and dark; keep pictures if somebody wants to look."""
    page.get_by_role("heading", name=heading, level=1).wait_for()
    page.wait_for_load_state()
    folder = os.environ.get("PARAGAUGE_SCREENSHOTS")
    assert not page.evaluate(TOO_WIDE)
    assert page.evaluate(TOO_SMALL) == []
    assert page.evaluate(UNLABELED) == []
    assert page.evaluate(TWICE) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(CONTRAST) == [], (name, scheme)
        if folder:
            page.screenshot(path=str(Path(folder) / f"{name}-{scheme}.png"), full_page=True)
    page.emulate_media(color_scheme="light")


def join(page: Any) -> None:
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("button", name="I have kept it").click()


def test_a_worker_describes_and_skips_on_a_phone(visit, make_campaign, any_store) -> None:
    campaign = make_campaign(title="Clips from the garden", content=DEMO)
    page = visit("/", **PHONE)
    look(page, "landing", "Help research on language")
    page.get_by_role("link", name="See Clips from the garden").click()
    look(page, "campaign", "Clips from the garden")
    page.get_by_role("button", name="Take part").click()
    assert page.url.endswith("/c/describe"), "the browser asks for consent before anything is sent"
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Take part").click()
    look(page, "key", "Welcome")
    page.get_by_role("button", name="I have kept it").click()
    page.get_by_role("heading", name="Watch and describe").wait_for()
    page.get_by_text("Instructions and examples").click()
    look(page, "describe-first", "Watch and describe")
    first = page.url
    page.get_by_role("button", name="Skip this task").click()
    page.wait_for_url(lambda url: "/task/" in url and url != first)
    page.get_by_label("Your one-sentence description").fill("A ball bounces over the grass.")
    page.get_by_label("Language you are typing in").fill("English")
    look(page, "describe", "Watch and describe")
    page.get_by_role("button", name="Send and go on").click()
    page.get_by_role("status").filter(has_text="Saved, thank you. $0.01 added.").wait_for()
    assert page.get_by_label("Language you are typing in").input_value() == "English"
    page.get_by_label("Your one-sentence description").fill("A second sentence.")
    page.get_by_role("button", name="Send and stop").click()
    look(page, "receipt", "Saved, thank you")
    page.get_by_role("link", name="Earnings").first.click()
    look(page, "earnings", "Earnings")
    texts = [row.text for row in submissions.stream(any_store, campaign)]
    assert texts == ["A ball bounces over the grass.", "A second sentence."]


def test_a_worker_judges_on_a_phone(visit, make_campaign, any_store) -> None:
    campaign = make_campaign("judge", count=2, content=JUDGED, criteria=SCALES)
    page = visit("/c/judge", **PHONE)
    join(page)
    look(page, "judge-empty", "Compare sentences")
    sentences = page.locator(".sentence-text").all_inner_texts()
    assert sorted(sentences) == sorted(SENTENCES)
    page.locator("form[data-once]").evaluate("form => form.noValidate = true")
    page.get_by_role("button", name="Send and go on").click()
    page.get_by_text("6 things are still missing").wait_for()
    assert page.evaluate("document.activeElement.matches('[data-problems]')"), "told at once"
    look(page, "judge-missing", "Compare sentences")
    for place in range(3):
        group = page.locator(".candidate").nth(place)
        group.get_by_role("radio", name=SEMANTIC[place]).check()
        group.get_by_role("radio", name="5 highest").check()
    # The sentence that candidates are compared with stays in sight.
    page.locator(".candidate").last.scroll_into_view_if_needed()
    source = page.locator("blockquote.judged").bounding_box()
    assert 0 <= source["y"] < PHONE["viewport"]["height"] / 2
    look(page, "judge-filled", "Compare sentences")
    page.get_by_role("button", name="Send and go on").click()
    page.get_by_role("status").filter(has_text="Saved").wait_for()
    (row,) = submissions.stream(any_store, campaign)
    for place, text in enumerate(sentences):
        values = row.data["judgments"][str(SENTENCES.index(text))]
        assert values == {"semantic": place + 1, "overall": 5}


@pytest.mark.parametrize("scripts", [True, False])
def test_only_the_segment_plays(visit, make_campaign, scripts) -> None:
    make_campaign(content=DEMO)
    page = visit("/c/describe", java_script_enabled=scripts)
    join(page)
    video = page.locator("video")
    video.wait_for()
    if not scripts:
        assert video.get_attribute("src").endswith("#t=1.5,3")
        assert page.get_by_role("button", name="Replay segment").count() == 0
        assert page.get_by_role("link", name="open all of the clip").is_visible()
        return
    page.get_by_text("End of the segment.").wait_for()
    state = "v => [v.muted, v.paused, v.currentTime, v.duration]"
    muted, paused, time, length = video.evaluate(state)
    assert muted
    assert paused
    assert 3 <= time < 3.5 < length
    # From the end, the browser's own play button plays the segment again, from its start.
    watched = (
        "v => new Promise(done => { const seen = []; v.ontimeupdate = () => seen.push(v.currentTime);"
    )
    again = video.evaluate(f"{watched} v.onpause = () => done(seen); v.play(); }})")
    assert 1.4 <= min(again) < 2.5
    assert max(again) < 3.5
    video.evaluate("v => { v.playbackRate = 4; }")
    page.get_by_role("button", name="Play all").click()
    page.get_by_text("Playing all of the clip.").wait_for()
    assert video.evaluate("v => new Promise(done => { v.onended = () => done(v.currentTime); })") > 5
    page.get_by_role("button", name="Replay segment").click()
    page.get_by_text("End of the segment.").wait_for()
    assert 3 <= video.evaluate("v => v.currentTime") < 3.5


def test_by_keyboard_alone(visit, make_campaign, any_store) -> None:
    campaign = make_campaign("judge", count=1, content=JUDGED, criteria=SCALES[:1])
    page = visit("/")
    keyboard = page.keyboard

    def to(name: str) -> None:
        """Tab until the named thing has the focus, and see that the focus is shown."""
        for _ in range(60):
            keyboard.press("Tab")
            outlines = page.evaluate(
                "() => { const e = document.activeElement; return (e.labels?.[0]?.innerText "
                "?? e.getAttribute('aria-label') ?? e.innerText ?? '').trim() }"
            )
            if name in outlines:
                script = "e => getComputedStyle(e.closest('.scale label, .option') ?? e).outlineStyle"
                assert page.evaluate(f"({script})(document.activeElement)") != "none", name
                return
        raise AssertionError(f"no way to {name} by Tab")

    keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the content"
    to("See Campaign judge")
    keyboard.press("Enter")
    page.wait_for_url("**/c/judge")
    to("I have read this")
    keyboard.press("Space")
    to("Take part")
    keyboard.press("Enter")
    page.get_by_role("heading", name="Your key").wait_for()
    to("I have kept it")
    keyboard.press("Enter")
    page.wait_for_url("**/task/*")
    for _ in range(3):
        to("different meaning")
        keyboard.press("Space")
        keyboard.press("ArrowDown")
    to("Send and go on")
    keyboard.press("Enter")
    page.get_by_text("All done").wait_for()
    (row,) = submissions.stream(any_store, campaign)
    assert row.data == {"judgments": {str(n): {"semantic": 2} for n in range(3)}}


def test_everything_but_playing_a_segment_works_without_scripts(
    visit, make_campaign, any_store
) -> None:
    campaign = make_campaign("paraphrase", count=2)
    page = visit("/c/paraphrase", java_script_enabled=False, **PHONE)
    join(page)
    page.get_by_label("In your own words").fill("A woman is slicing some tomatoes!")
    page.get_by_label("Language you are typing in").fill("English")
    page.get_by_role("button", name="Send and go on").click()
    page.get_by_role("alert").get_by_text("This is the sentence itself.").wait_for()
    page.get_by_label("In your own words").fill("Somebody cuts tomatoes.")
    page.get_by_role("button", name="Send and go on").click()
    page.get_by_role("status").filter(has_text="Saved").wait_for()
    page.get_by_role("button", name="Skip this task").click()
    page.get_by_role("heading", name="All done").wait_for()
    assert [row.text for row in submissions.stream(any_store, campaign)] == ["Somebody cuts tomatoes."]


def test_other_pages_on_a_wide_screen(visit, make_campaign, any_store) -> None:
    check = Question(
        "How many sentences do you write?", ("One", "As many as I like"), 0, "One is enough."
    )
    make_campaign("survey", title="Two questions", slug="survey")
    make_campaign("suggest", title="Videos we could use", slug="suggest")
    boat = {"url": "/static/demo/boat.webp", "alt": ""}
    make_campaign(slug="picture", item_kind="image", content=boat)
    scales = (*SCALES, Criterion("fluency", "How well is it written?", 0, 100))
    campaign = make_campaign("judge", content=JUDGED, criteria=scales, comprehension=(check,))
    page = visit("/c/judge", viewport={"width": 1100, "height": 800})
    look(page, "wide-campaign", "Campaign judge")
    join(page)
    page.get_by_label("As many as I like").check()
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Not quite.").wait_for()
    look(page, "wide-check", "A few questions first")
    page.get_by_label("One", exact=True).check()
    page.get_by_role("button", name="Try again").click()
    (worker,) = workers.all_workers(any_store)
    memberships.warn(any_store, campaign, worker, "ada", "Two controls were judged upside down.")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("Two controls were judged upside down.").wait_for()
    look(page, "wide-judge", "Compare sentences")
    for slug, heading in (("survey", "A short survey"), ("suggest", "Suggest a video")):
        page.goto(f"/c/{slug}")
        look(
            page, f"wide-{slug}-consent", "Two questions" if slug == "survey" else "Videos we could use"
        )
        page.get_by_label("I have read this").check()
        page.get_by_role("button", name="Start").click()
        look(page, f"wide-{slug}", heading)
    memberships.block(any_store, campaign, worker, "ada")
    page.goto("/c/judge")
    page.get_by_role("button", name="Start").click()
    look(page, "wide-blocked", "No more tasks here")
    page.goto("/c/picture")
    assert page.get_by_text("You will be shown a picture").is_visible()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Play again").click()
    page.wait_for_function("document.querySelector('img').naturalWidth > 0")
    look(page, "wide-picture", "Look at a picture")
    page.goto("/nothing/here")
    look(page, "wide-error", "Nothing here")
    page.goto("/me/erase")
    look(page, "wide-erase", "Erase my data")


def test_drafts_are_kept_until_they_are_sent(visit, make_campaign, any_store) -> None:
    campaign = make_campaign("paraphrase", count=2)
    page = visit("/c/paraphrase", **PHONE)
    join(page)
    text, drafts = page.get_by_label("In your own words"), "Object.keys(localStorage).length"
    assert page.get_by_text("Task 1 of 2").is_visible()
    text.fill("Somebody cuts")
    page.get_by_label("Language you are typing in").fill("English")
    page.reload()
    assert text.input_value() == "Somebody cuts"
    assert page.get_by_text("What you had typed before is back.").is_visible()
    look(page, "draft", "Say it in other words")
    page.get_by_role("button", name="Start over").click()
    assert text.input_value() == ""
    page.reload()
    assert text.input_value() == ""
    assert not page.get_by_text("What you had typed before").is_visible()
    text.fill("Somebody cuts tomatoes.")
    page.goto("/typing")
    look(page, "typing", "Typing in other scripts")
    page.go_back()
    assert text.input_value() == "Somebody cuts tomatoes."
    page.get_by_label("Language you are typing in").fill("English")
    page.get_by_role("button", name="Send and go on").click()
    page.get_by_role("status").filter(has_text="Saved").wait_for()
    assert page.evaluate(drafts) == 0, "what was sent is forgotten"
    assert page.get_by_text("Task 2 of 2").is_visible()
    text.fill("A draft that stays behind")
    assert page.evaluate(drafts) == 1
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Help research").wait_for()
    assert page.evaluate(drafts) == 0, "whoever comes next in this browser sees no draft"
    assert [row.text for row in submissions.stream(any_store, campaign)] == ["Somebody cuts tomatoes."]


def test_number_keys_choose_and_control_enter_sends(visit, make_campaign, any_store) -> None:
    campaign = make_campaign("judge", count=2, content=JUDGED, criteria=SCALES)
    page = visit("/c/judge", viewport={"width": 1100, "height": 800})
    join(page)
    look(page, "judge-keys", "Compare sentences")
    for key in "152433":
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    page.get_by_role("status").filter(has_text="Saved").wait_for()
    (row,) = submissions.stream(any_store, campaign)
    given = [
        [row.data["judgments"][str(n)][name] for name in ("semantic", "overall")] for n in row.order
    ]
    assert given == [[1, 5], [2, 4], [3, 3]]
    # In a text field a number is a number, and the keys can be turned off for good.
    page.get_by_text("Comment (optional)").click()
    page.get_by_label("Please provide any comments").press_sequentially("1 of 3")
    assert page.locator("[type=radio]:checked").count() == 0
    page.get_by_label("Number keys choose.").uncheck()
    page.reload()
    assert page.get_by_label("Please provide any comments").input_value() == "1 of 3"
    page.locator("h1").click()
    page.keyboard.press("2")
    assert page.locator("[type=radio]:checked").count() == 0
    page.get_by_label("Number keys choose.").check()
    page.locator("[type=radio]").first.focus()
    page.keyboard.press("2")
    assert page.locator("[type=radio]:checked").count() == 1
