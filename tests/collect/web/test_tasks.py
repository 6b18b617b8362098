"""The five tasks: what is shown, what is stored, and what is asked again."""

from __future__ import annotations

import re

import pytest

from paragauge.collect.campaigns import items
from paragauge.collect.people import workers
from paragauge.collect.tasks import assignments, submissions


def begin(browser, slug):
    me = browser()
    me.join(slug)
    return me, me.start(slug)


def list_stored(store, campaign):
    return list(submissions.stream(store, campaign))


def test_a_clip_is_muted_and_plays_its_segment_without_scripts(browser, make_campaign) -> None:
    make_campaign()
    me, _ = begin(browser, "describe")
    page = me.page
    assert 'src="https://media.example/clip.webm#t=25,30"' in page.text
    assert re.search(r"<video [^>]*muted", page.text)
    assert "autoplay" not in page.text
    assert "Segment starts: 25 | ends: 30 | length: 5 seconds" in page.text
    policy = page.headers["content-security-policy"]
    assert "media-src 'self' https://media.example;" in policy
    assert "img-src 'self';" in policy
    for words in (
        "ONE SENTENCE",
        "A dog is catching a Frisbee.",
        "Tomato slicing",
        "Incomplete sentence",
    ):
        assert words in page.text


def test_pictures_and_youtube_have_their_own_way(browser, make_campaign) -> None:
    make_campaign(
        slug="gif", item_kind="image", content={"url": "https://p.example/boat.gif", "alt": "Boat"}
    )
    url = "https://www.youtube.com/watch?v=mv89psg6zh4"
    make_campaign(slug="tube", content={"url": url, "start": 33, "end": 46})
    me, _ = begin(browser, "gif")
    assert '<img src="https://p.example/boat.gif" alt="Boat">' in me.page.text
    assert "img-src 'self' https://p.example;" in me.page.headers["content-security-policy"]
    me.start("tube")
    assert (
        "youtube-nocookie.com/embed/mv89psg6zh4?rel=0&amp;mute=1&amp;autoplay=1&amp;start=33&amp;end=46"
        in (me.page.text)
    )
    assert "frame-src https://www.youtube-nocookie.com;" in me.page.headers["content-security-policy"]


def test_a_description_is_stored_acknowledged_and_followed_by_the_next(
    browser, make_campaign, any_store, clock
) -> None:
    campaign = make_campaign()
    me, path = begin(browser, "describe")
    clock.forward(seconds=25)
    page = me.send(path, text=" Ein Hund läuft. ", language="German", comment="Nice!")
    assert page.status_code == 200
    assert page.url.path != path
    assert "Saved, thank you. $0.01 added." in page.text
    (row,) = list_stored(any_store, campaign)
    assert (row.text, row.language, row.comment) == ("Ein Hund läuft.", "German", "Nice!")
    assert row.seconds == 25
    assert row.public_id in page.text
    assert 'value="German"' in page.text, "the language is remembered"


def test_send_and_stop_shows_the_receipt(browser, make_campaign, any_store) -> None:
    campaign = make_campaign()
    me, path = begin(browser, "describe")
    page = me.send(path, text="A dog runs.", language="English", then="stop")
    assert page.url.path == path
    (row,) = list_stored(any_store, campaign)
    assert row.public_id in page.text
    assert "A dog runs." in page.text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": " ", "language": "English"}, "Please write one sentence, or skip this task."),
        ({"text": "A dog.", "language": ""}, "Please say which language you write in."),
        ({"text": "x" * 501, "language": "English"}, "at most 500 characters; this has 501."),
        (
            {"text": "A\x07dog.", "language": "English"},
            "This has control characters; please remove them.",
        ),
        (
            {"text": "A dog.", "language": "x" * 101},
            "Please write at most 100 characters; this has 101.",
        ),
    ],
)
def test_a_wrong_description_comes_back_as_typed(
    browser, make_campaign, any_store, fields, said
) -> None:
    campaign = make_campaign()
    me, path = begin(browser, "describe")
    page = me.send(path, **fields, comment="What I <i>think</i>")
    assert page.status_code == 400
    assert said in page.text
    assert 'role="alert"' in page.text
    assert "What I &lt;i&gt;think&lt;/i&gt;" in page.text
    assert fields["text"].strip() in page.text
    assert list_stored(any_store, campaign) == []


def test_more_than_one_sentence_is_asked_about_and_the_writer_decides(
    browser, make_campaign, any_store
) -> None:
    campaign = make_campaign()
    me, path = begin(browser, "describe")
    page = me.send(path, text="A dog runs. It barks.", language="English")
    assert page.status_code == 400
    assert "This looks like more than one sentence." in page.text
    assert list_stored(any_store, campaign) == []
    me.send(path, text="A dog runs. It barks.", language="English", one="yes")
    assert [row.text for row in list_stored(any_store, campaign)] == ["A dog runs. It barks."]
    make_campaign(slug="free", one_sentence=False)
    path = me.start("free")
    assert me.send(path, text="A dog runs. It barks.", language="English").status_code == 200


def test_languages_may_be_limited(browser, make_campaign, any_store) -> None:
    campaign = make_campaign(languages=("English", "Deutsch"))
    me, path = begin(browser, "describe")
    assert "<option>Deutsch</option>" in me.page.text
    page = me.send(path, text="Un chien.", language="French")
    assert "Please choose one of: English, Deutsch." in page.text
    assert list_stored(any_store, campaign) == []


def test_skipping_gives_the_next_and_the_same_never_again(browser, make_campaign, any_store) -> None:
    campaign = make_campaign(count=2)
    me, path = begin(browser, "describe")
    page = me.send("/skip")
    assert page.url.path not in (path, "/c/describe/no-task")
    me.send("/skip")
    assert "All done" in me.page.text
    page = me.get(path)
    assert page.status_code == 410
    assert "You skipped this task" in page.text
    (worker,) = workers.all_workers(any_store)
    states = [
        assignment.state for assignment in assignments.list_of_worker(any_store, campaign, worker)
    ]
    assert states == ["skipped", "skipped"]


def test_a_suggested_video_is_checked_and_never_fetched(browser, make_campaign, any_store) -> None:
    campaign = make_campaign("suggest")
    me, path = begin(browser, "suggest")
    assert "Somebody cooks." in me.page.text
    page = me.send(path, url="javascript:alert(1)", start="1:05", end="x")
    assert page.status_code == 400
    assert "it starts with http:// or https://." in page.text
    assert "Please give a time in seconds" in page.text
    assert 'value="javascript:alert(1)"' in page.text
    assert 'href="javascript' not in page.text
    page = me.send(path, url="https://video.example/?v=1", start="1:05", end="1:04")
    assert "The segment must end after it starts." in page.text
    me.send(path, url="https://video.example/?v=1", start="1:05", end="70.5", text="A cook.")
    (row,) = list_stored(any_store, campaign)
    assert row.data == {"url": "https://video.example/?v=1", "start": 65.0, "end": 70.5}
    assert row.text == "A cook."


def test_a_paraphrase_is_not_the_sentence_itself(browser, make_campaign, any_store) -> None:
    campaign = make_campaign("paraphrase")
    me, path = begin(browser, "paraphrase")
    page = me.send(path, text="a woman is slicing some tomatoes", language="English")
    assert "This is the sentence itself." in page.text
    me.send(path, text="Somebody cuts tomatoes.", language="English")
    assert [row.text for row in list_stored(any_store, campaign)] == ["Somebody cuts tomatoes."]


def test_judgments_go_from_blind_places_to_candidates(browser, make_campaign, any_store) -> None:
    campaign = make_campaign("judge", count=1)
    orders = set()
    for _ in range(2):
        me, path = begin(browser, "judge")
        order = [int(number) for number in re.findall(r"Candidate number (\d)\.", me.page.text)]
        orders.add(tuple(order))
        assert "system-" not in me.page.text
        page = me.send(path, **{"p0-c0": "1", "p2-c1": "9"})
        assert page.status_code == 400
        assert "5 things are still missing" in page.text
        assert re.search(r'name="p0-c0" value="1" required checked', page.text)
        # Adequacy tells which candidate it was: its number and one.
        fields = {f"p{place}-c0": str(number + 1) for place, number in enumerate(order)}
        me.send(path, **fields, **{f"p{place}-c1": "3" for place in range(3)})
    for row in list_stored(any_store, campaign):
        expected = {str(n): {"adequacy": n + 1, "fluency": 3} for n in range(3)}
        assert row.data == {"judgments": expected}
        assert row.order in orders


@pytest.mark.parametrize("ties", [True, False])
def test_a_ranking_may_or_may_not_have_ties(browser, make_campaign, any_store, ties) -> None:
    campaign = make_campaign("judge", criteria=(), ranking=True, ranking_ties=ties)
    me, path = begin(browser, "judge")
    order = [int(number) for number in re.findall(r"Candidate number (\d)\.", me.page.text)]
    page = me.send(path, **{"p0-rank": "1", "p1-rank": "1", "p2-rank": "2"})
    if ties:
        places = {str(order[0]): 1, str(order[1]): 1, str(order[2]): 2}
        assert [row.data for row in list_stored(any_store, campaign)] == [{"ranking": places}]
    else:
        assert "Sentence 1 already has this place." in page.text
        assert list_stored(any_store, campaign) == []


def test_a_survey_asks_what_is_required(browser, make_campaign, any_store) -> None:
    campaign = make_campaign("survey", count=1)
    me, path = begin(browser, "survey")
    page = me.send(path, q0="both", q1="Because & so")
    assert "Please choose one of the answers." in page.text
    assert "Because &amp; so" in page.text
    me.send(path, q0="clips", q1="Because & so")
    (row,) = list_stored(any_store, campaign)
    assert row.data == {"answers": {"enjoyed": "clips", "why": "Because & so"}}


def test_own_instructions_take_the_place_of_the_usual(browser, make_campaign) -> None:
    make_campaign(instructions="Look <closely>.\n- Once\n- Twice", good_examples=("A cat sleeps.",))
    me, _ = begin(browser, "describe")
    assert "<p>Look &lt;closely&gt;.</p>" in me.page.text
    assert "<ul><li>Once</li><li>Twice</li></ul>" in me.page.text
    assert "A cat sleeps." in me.page.text
    assert "Tomato slicing" not in me.page.text


def test_a_file_of_the_server_needs_no_other_origin(browser, make_campaign, any_store) -> None:
    make_campaign(content={"url": "/media/a/b.webm", "start": 0, "end": 2})
    me, _ = begin(browser, "describe")
    assert 'src="/media/a/b.webm#t=0,2"' in me.page.text
    assert "media-src 'self';" in me.page.headers["content-security-policy"]
    assert items.KINDS["describe"] == ("video", "image")


@pytest.mark.parametrize("kind", ["describe", "survey", "suggest"])
def test_an_answer_is_corrected_on_its_page(browser, any_store, make_campaign, kind):
    make_campaign(kind, count=1)
    me = browser()
    me.join(kind)
    me.start(kind)
    sent, better = {
        "describe": ({"text": "A dog rnus.", "language": "English"}, {"text": "A dog runs."}),
        "survey": ({"q0": "clips", "q1": "Becuase."}, {"q1": "Because."}),
        "suggest": (
            {"url": "https://example.org/v.webm", "start": "1", "end": "4"},
            {"end": "5"},
        ),
    }[kind]
    me.send(me.page.url.path, **sent)
    task = re.findall(r'href="(/task/[^"]+/correct)"', me.page.text)[0]
    page = me.get(task).text
    assert "You are correcting an answer" in page
    assert all(value in page for value in sent.values())
    assert "Skip this task" not in page
    me.send("/correct", **sent | better)
    [stored] = submissions.stream(any_store)
    shown = stored.text or str(stored.data)
    assert next(iter(better.values())) in shown
    # Another worker has no such page.
    other = browser()
    other.join(kind)
    assert other.get(task).status_code == 404
