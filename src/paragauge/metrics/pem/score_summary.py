"""A PEM explanation in two sentences: the most serious change, and what the parts make of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from paragauge.errors import InputError
from paragauge.metrics.pem.adequacy.polarity import match_polarity
from paragauge.metrics.pem.adequacy.word_changes import link_words
from paragauge.metrics.pem.change_summary import Change, summarize_changes
from paragauge.metrics.pem.explanation_parts import Influence, Overlap, Summary
from paragauge.metrics.pem.features import same_text
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.text.lines import Lines

# From this value of a part on: how much that is.
WORDING = (
    (99.95, "All of the wording is kept"),
    (60.0, "Most of the wording is kept"),
    (40.0, "About half of the wording is kept"),
    (15.0, "Most of the wording is new"),
    (0.0, "Nearly all of the wording is new"),
)
MEANING = ((60.0, "most"), (40.0, "about half"), (15.0, "less than half"), (0.0, "little"))
KEPT = (
    (70.0, "The meaning is kept"),
    (45.0, "Much of the meaning is kept"),
    (25.0, "Part of the meaning is kept"),
    (0.0, "Little of the meaning is kept"),
)
CORRECT = ((60.0, "it reads well"), (35.0, "it reads fairly well"), (0.0, "it reads badly"))
NEW_WORDING = (
    (80.0, "nearly all of the wording is new"),
    (50.0, "most of the wording is new"),
    (30.0, "much of the wording is new"),
    (10.0, "some of the wording is new"),
    (0.05, "hardly any of the wording is new"),
    (0.0, "none of the wording is new"),
)
HIGH = 50.0  # from this value on a part did not notice a changed meaning
LEAST_POINTS = 0.5
LARGE_NUMBER = re.compile(r"\b\d{4,18}\b", re.ASCII)
SINGLE_WORDS = (
    *("opposite", "negation", "number", "date", "unit", "time", "name", "quantifier", "modality"),
    *("roles", "tense"),
)


def summarize_pair(candidate: str, source: str, weights: WordWeights, target: Overlap) -> Change:
    """What changed between two sentences; `target` are their n-grams, for those not in English."""
    if same_text(candidate, source):
        but = "" if candidate == source else ", but for case, punctuation or white space"
        return Change("copy", False, f"The candidate is a copy of the source{but}.")
    if _is_english(candidate + source):
        try:
            change = _summarize(candidate, source, weights)
            if change.kind == "negation":  # perhaps of an expression that denies nothing
                plain = _summarize(*match_polarity(candidate, source), weights)
                change = change if plain.kind == "negation" else plain
            return replace(change, sentence=restore_commas(change.sentence, candidate + source))
        except InputError:  # too long for the links of all words
            pass
    shared = sum(gram.shared for gram in target.shared if gram.order == 1)
    if not shared:
        return Change("nothing shared", True, "The candidate shares no word with the source.")
    words = shared + sum(
        gram.source - gram.shared for gram in (*target.shared, *target.lost) if gram.order == 1
    )
    return Change(
        "words", False, f"The candidate has {shared:.0f} of the {words:.0f} words of the source."
    )


def _summarize(candidate: str, source: str, weights: WordWeights) -> Change:
    (pair,) = link_words(Lines.of([candidate]), Lines.of([source]), weights, threads=1)
    return summarize_changes(pair)


def restore_commas(sentence: str, text: str) -> str:
    """The sentence with numbers as the text has them: words are linked without commas in numbers.

    >>> restore_commas("'34000' against '35000'", "It costs $34,000, not 35000.")
    "'34,000' against '35000'"
    """
    return LARGE_NUMBER.sub(
        lambda number: with_commas if (with_commas := f"{int(number[0]):,}") in text else number[0],
        sentence,
    )


def _is_english(text: str) -> bool:
    """Whether most letters are ASCII, as far as the script shows; words are tagged as English."""
    letters = [character for character in text if character.isalpha()]
    return sum(map(str.isascii, letters)) >= len(letters) / 2


def summarize_score(
    change: Change, parts: Mapping[str, float], influences: Sequence[Influence], scale: float
) -> Summary:
    """The change, and the parts that make up the score; `scale` is how many points a rating of 1 is.

    >>> change = Change("synonyms", False, "The candidate has 'big' for 'large'.")
    >>> influences = [Influence("fluency", ("fluency",), -0.12)]
    >>> summarize_score(change, {"target_f1": 50.0, "pivot_f1": 80.0}, influences, 25.0).score
    'About half of the wording is kept (target F1 50) and most of the meaning is found in the pivot ...'
    """
    effects = _describe_effects(influences, scale)
    if "adequacy" in parts:
        return Summary(change.kind, change.sentence, f"{_describe_learned(parts)}; {effects}.")
    wording, meaning = parts["target_f1"], parts["pivot_f1"]
    noticed = min(wording, meaning) < HIGH or change.kind not in SINGLE_WORDS
    sentence = (
        f"{_level(WORDING, wording)} (target F1 {wording:.0f}) and {_level(MEANING, meaning)} of the "
        f"meaning is found in the pivot languages (pivot F1 {meaning:.0f})"
    )
    if not noticed:
        sentence += ", which count shared phrases and hardly notice such a change"
    return Summary(change.kind, change.sentence, f"{sentence}; {effects}.")


def _describe_learned(parts: Mapping[str, float]) -> str:
    """The three learned parts in words."""
    adequacy, fluency, new = (parts[name] for name in ("adequacy", "fluency", "dissimilarity"))
    return (
        f"{_level(KEPT, adequacy)} (adequacy {adequacy:.0f}), {_level(CORRECT, fluency)} (fluency "
        f"{fluency:.0f}), and {_level(NEW_WORDING, new)} (dissimilarity {new:.0f})"
    )


def _level(levels: Sequence[tuple[float, str]], value: float) -> str:
    return next((words for least, words in levels if value >= least), levels[-1][1])


def _describe_effects(influences: Sequence[Influence], scale: float) -> str:
    """Which groups of features raise and lower the score most, compared with average features."""
    points = {influence.name: influence.change * scale for influence in influences}
    highest, lowest = max(points, key=lambda n: points[n]), min(points, key=lambda n: points[n])
    up, down = points[highest] >= LEAST_POINTS, points[lowest] <= -LEAST_POINTS
    if not up and not down:
        return "no part moves the score by more than half a point"
    raised = f"{highest} raises the score most (by {points[highest]:.1f} points)"
    if not up:
        effects = f"{lowest} lowers the score most (by {-points[lowest]:.1f} points)"
    else:
        effects = f"{raised} and {lowest} lowers it most (by {-points[lowest]:.1f})" if down else raised
    return f"compared with average features, {effects}"
