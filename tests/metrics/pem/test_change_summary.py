"""The sentences that explanations of PEM start with."""

from __future__ import annotations

import pytest

from paragauge.metrics.pem.change_summary import Change
from paragauge.metrics.pem.explanation_parts import Influence, Overlap
from paragauge.metrics.pem.metric import PEM
from paragauge.metrics.pem.score_summary import summarize_pair, summarize_score
from paragauge.metrics.pem.word_weights import WordWeights

NOTHING = Overlap((), (), (), 0.0, 0.0, 0.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("source", "candidate", "sentence"),
    [
        ("I love this town.", "I hate this town.", "says the opposite: 'hate' against 'love'."),
        (
            "A man is climbing up a rope.",
            "A man is climbing down a rope.",
            "has words of opposite meaning: 'down' against 'up'.",
        ),
        ("It was possible to see it.", "It was not impossible to see it.", None),
        (
            "It costs 34,000 dollars.",
            "It costs 35,000 dollars.",
            "has another number: '35,000' against '34,000'.",
        ),
        ("We met on Friday.", "We met on Monday.", "has another date: 'Monday' against 'Friday'."),
        (
            "Hold the button for five seconds.",
            "Hold the button for five minutes.",
            "has another unit: 'minutes' against 'seconds'.",
        ),
        (
            "Please close the window before it rains.",
            "Please close the window after it rains.",
            "has another time: 'after' against 'before'.",
        ),
        (
            "She lives in Oslo now.",
            "She lives in Paris now.",
            "has another name: 'Paris' against 'Oslo'.",
        ),
        (
            "I think that many birds can sing well.",
            "I think that most birds can sing well.",
            "has another quantity: 'most' against 'many'.",
        ),
        (
            "The coach praised the young goalie.",
            "The young goalie praised the coach.",
            "swaps 'goalie' and 'coach', which stand on the other sides of 'praised' in the source.",
        ),
        (
            "The dog slept in the barn.",
            "The cat slept in the barn.",
            "has 'cat' where the source has 'dog'.",
        ),
        (
            "The meeting was put off until Monday.",
            "They postponed the meeting to Monday.",
            "leaves out 'put off' and adds 'postponed'.",
        ),
        ("A cat looked at the camera.", "A grey cat looked at the camera.", "adds 'grey'."),
        ("A grey cat looked at the camera.", "A cat looked at the camera.", "leaves out 'grey'."),
        ("It rains in Spain.", "Dolphins whistle names.", "shares no content word with the source."),
        (
            "We bought a big house.",
            "We bought a large house.",
            "keeps the content and has 'large' for 'big'.",
        ),
        (
            "On Monday we met in Oslo.",
            "We met in Oslo on Monday.",
            "keeps the content words and changes their order.",
        ),
        ("It rained all day.", "It rains all day.", "changes the tense: 'rains' against 'rained'."),
        ("It rains.", "It rains.", "is a copy of the source."),
        ("It rains.", "it rains", "is a copy of the source, but for case, punctuation or white space."),
        ("It rains.", "", "has no words."),
    ],
)
def test_what_changed(source, candidate, sentence):
    change = summarize_pair(candidate, source, WordWeights.default(), NOTHING)
    if sentence is None:
        assert change.sentence == (
            "An opposite, 'impossible' against 'possible', and a negation in the candidate cancel each "
            "other."
        )
    else:
        assert change.sentence == f"The candidate {sentence}"


@pytest.mark.parametrize(
    ("source", "candidate", "sentence"),
    [
        (
            "A lion is pacing.",
            "No lion is pacing.",
            "The candidate has a negation, 'No', and the source has none.",
        ),
        (
            "He didn\u2019t come home.",
            "He came home.",
            'The source has a negation, "n\'t", and the candidate has none.',
        ),
        (
            "The update makes the phone faster.",
            "The update may make the phone faster.",
            "The candidate says 'may', which the source does not say.",
        ),
    ],
)
def test_what_only_one_side_has(source, candidate, sentence):
    change = summarize_pair(candidate, source, WordWeights.default(), NOTHING)
    assert change.sentence == sentence


@pytest.mark.parametrize(
    ("source", "candidate", "kinds"),
    [
        # The negation is part of what was added.
        ("The bridge will close.", "The bridge will close, although nothing was paid.", {"added"}),
        # Failing is a negation too.
        ("She failed to win the race.", "She did not win the race.", {"other words"}),
        # Unrelated sentences are not opposites because of one word.
        ("A woman is applying makeup.", "A man is playing a guitar.", {"nothing shared"}),
        ("The goats escaped last night.", "It drains the battery in a day.", {"nothing shared"}),
        # A passive swaps no roles.
        ("The dog chased the cat.", "The cat was chased by the dog.", {"order"}),
        ("He can swim.", "He could swim.", {"function words", "forms"}),
    ],
)
def test_what_is_not_claimed(source, candidate, kinds):
    change = summarize_pair(candidate, source, WordWeights.default(), NOTHING)
    assert change.kind in kinds, change.sentence


def test_text_in_other_scripts_is_compared_word_by_word():
    pem = PEM(features="extended")
    explanation = pem.explain("Кошка спит .", "Кошка сидит на окне .")
    assert explanation.summary.change == "The candidate has 2 of the 5 words of the source."
    explanation = pem.explain("Кошка", "окне")
    assert explanation.summary.kind == "nothing shared"
    assert pem.explain("word " * 1001, "word").summary.kind == "words"


def describe(change: Change, target: float, pivot: float, **changes: float) -> str:
    influences = [Influence(name, (name,), points) for name, points in changes.items()]
    return summarize_score(change, {"target_f1": target, "pivot_f1": pivot}, influences, 1.0).score


def test_the_parts_in_a_sentence():
    opposite, order = Change("opposite", True, "x"), Change("order", False, "x")
    assert describe(opposite, 80, 70, meaning=5.0, fluency=-2.0) == (
        "Most of the wording is kept (target F1 80) and most of the meaning is found in the pivot "
        "languages (pivot F1 70), which count shared phrases and hardly notice such a change; compared "
        "with average features, meaning raises the score most (by 5.0 points) and fluency lowers it "
        "most (by 2.0)."
    )
    assert describe(order, 5, 0, meaning=0.1).startswith(
        "Nearly all of the wording is new (target F1 5) and little of the meaning is found"
    )
    assert describe(order, 5, 0, meaning=0.1).endswith(
        "; no part moves the score by more than half a point."
    )
    assert describe(order, 5, 0, meaning=-3.0).endswith(
        "; compared with average features, meaning lowers the score most (by 3.0 points)."
    )


def test_every_form_of_the_explanation_has_the_sentences():
    from paragauge.report.pages.explanation_page import render_explanations

    explanation = PEM().explain("I hate this town.", "I love this town.")
    record = explanation.record()["summary"]
    assert record["kind"] == "opposite"
    assert record["change"] == "The candidate says the opposite: 'hate' against 'love'."
    page = render_explanations({"": explanation})
    assert "says the opposite: &#x27;hate&#x27; against &#x27;love&#x27;." in page
    assert str(explanation).split("\n")[2] == record["change"]


def test_stems_are_shown_as_words():
    explanation = PEM().explain("The parties met on Monday.", "The party meets on Mondays.")
    shown = {gram.text: gram.shown for gram in explanation.target.shared}
    assert shown["mondai"] == "Mondays"
    assert shown["parti"] == "party"
    text = str(explanation)
    assert "mondai" not in text
    assert "parti " not in text
