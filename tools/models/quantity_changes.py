"""Rules that change when or how much: other dates and units, other quantifiers.

    date-unit    another unit, day, month, season or time: "two weeks" becomes "two years"
    quantifier   another quantity: "all dogs" becomes "few dogs", "always" becomes "rarely"

Each rule lists every change that fits the words beside it and draws one. What would not be English
("I went tomorrow", "at morning") or would mean nearly the same ("wait a second") is not on the lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from paragauge.meta.contrast.tagged_sentence import TaggedSentence
from tools.models.sentence_batch import SentenceBatch, choose_text, is_negative

UNITS = ("second", "minute", "hour", "day", "week", "month", "year", "decade", "century")
CALENDAR_UNITS = ("week", "month", "year")  # the units after "last", "next" and "this"
BRIEF = ("second", "minute")  # "wait a minute", "wait a second"
BEFORE_UNIT = frozenset(("a", "an", "every", "per", "few", "several", "many"))
MEASURES = (
    ("miles", "kilometers", "meters", "feet", "inches", "yards"),
    ("dollars", "euros", "pounds", "cents", "yen"),
    ("kilograms", "pounds", "tons", "grams", "ounces"),
    ("mile", "kilometer", "meter", "foot", "inch"),
    ("percent", "points"),
)
NAMED = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    (
        *("January", "February", "March", "April", "June", "July"),
        *("August", "September", "October", "November", "December"),
    ),
)
SEASONS = ("spring", "summer", "autumn", "winter")
BEFORE_SEASON = frozenset(("in", "last", "this", "next", "every", "that"))
DAYTIMES = ("morning", "afternoon", "evening")
TIME_PHRASES = {
    "yesterday": ("last week", "last month", "last year"),
    "tomorrow": ("next week", "next month", "next year"),
    "last night": ("last week", "last month", "last year"),
    "at night": ("in the morning", "in the afternoon"),
    "a.m.": ("p.m.",),
    "p.m.": ("a.m.",),
}
NO_ORDER = frozenset(  # words before "after" and "before" that make it mean something else
    "look looks looked looking take takes took name named run runs running ran chase go never ever "  # noqa: SIM905
    "long just day even as like soon ask asked not year week".split()
)
NO_ORDER_NEXT = frozenset(("all", "another", "other", "long", "that", "now", "court", "tomorrow"))

FREQUENCIES = {
    "always": ("never", "rarely", "sometimes"),
    "usually": ("never", "rarely"),
    "often": ("never", "rarely"),
    "sometimes": ("never", "always"),
    "rarely": ("often", "always"),
    "seldom": ("often", "always"),
    "never": ("always", "often"),
}
INDEFINITE = {
    "everyone": ("nobody", "someone"),
    "everybody": ("nobody", "somebody"),
    "someone": ("nobody", "everyone"),
    "somebody": ("nobody", "everybody"),
    "nobody": ("everybody", "somebody"),
    "everything": ("nothing",),
    "something": ("nothing",),
    "nothing": ("something", "everything"),
}
AMOUNTS = {
    "all": ("some", "few", "no"),
    "some": ("all", "most", "no"),
    "most": ("few", "no"),
    "many": ("few", "no"),
    "several": ("all", "no"),
    "few": ("many", "all"),
}
NEGATIVES = frozenset(("no", "never", "nobody", "nothing", "few", "rarely"))
POLARITY = frozenset(
    ("any", "anybody", "anyone", "anything", "ever", "yet", "either", "anymore", "but")
)
NOT_EACH = frozenset(  # "every day", "each other"
    ("day", "time", "week", "month", "year", "morning", "night", "hour", "other", "one")
)
BEFORE_AMOUNT = frozenset(
    "the a an how so as too very not these those last next past first every great good at their his "  # noqa: SIM905
    "her my our your its there not".split()
)
BEFORE_FREQUENCY = frozenset(
    ("how", "more", "as", "very", "too", "so", "most", "not", "have", "has", "had")
)
BEFORE_MORE = frozenset(
    "no any once one the and two three some many few much even a what far nothing or not".split()  # noqa: SIM905
)

Choices = Iterator[str]


def change_date_or_unit(
    sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator
) -> str | None:
    """Another unit of time, measure, day, month, season or time of day."""
    texts = [
        text
        for place in range(len(sentence.tokens))
        for rule in (_other_units, _other_measures, _other_names, _other_times, _other_order)
        for text in rule(sentence, place)
    ]
    texts += _other_phrases(sentence)
    return choose_text(texts, random)


def _other_units(sentence: TaggedSentence, place: int) -> Choices:
    token = sentence.tokens[place]
    before, after = sentence.beside(place)
    plural = token.tag == "NNS"
    unit = {"centuries": "century"}.get(
        token.lower, token.lower.removesuffix("s") if plural else token.lower
    )
    if unit not in UNITS or token.tag not in ("NN", "NNS") or sentence.next_tag(place) in ("NN", "JJ"):
        return
    counted = place > 0 and sentence.tokens[place - 1].tag == "CD"
    if before in ("last", "next", "this") and unit in CALENDAR_UNITS and not plural:
        units: tuple[str, ...] = CALENDAR_UNITS
    elif (before in BEFORE_UNIT or counted) and (before, unit) != ("one", "day") and after != "by":
        units = UNITS[:-1]
    else:
        return
    for other in units:
        if other != unit and not {unit, other} <= set(BRIEF):
            yield sentence.replace_word(place, f"{other}s" if plural else other)


def _other_measures(sentence: TaggedSentence, place: int) -> Choices:
    if not place or sentence.tokens[place - 1].tag != "CD":
        return
    for words in MEASURES:
        if sentence.tokens[place].lower in words:
            for other in words:
                if other != sentence.tokens[place].lower:
                    yield sentence.replace_word(place, other)


def _other_names(sentence: TaggedSentence, place: int) -> Choices:
    token = sentence.tokens[place]
    beside = {token.tag, sentence.next_tag(place)} if place else {""}
    for names in NAMED:
        if token.text in names and beside == {"NNP", sentence.next_tag(place)}:
            if sentence.next_tag(place) == "NNP" or sentence.beside(place)[0] in (
                "good",
                "black",
                "easter",
            ):
                continue
            yield from (sentence.replace_word(place, other) for other in names if other != token.text)


def _other_times(sentence: TaggedSentence, place: int) -> Choices:
    token = sentence.tokens[place]
    before, _ = sentence.beside(place)
    if sentence.next_tag(place).startswith("NN"):
        return
    if token.lower in SEASONS and before in BEFORE_SEASON:
        yield from (sentence.replace_word(place, word) for word in SEASONS if word != token.lower)
    if token.lower in DAYTIMES and before in ("this", "the", "every", "that", "tomorrow", "yesterday"):
        yield from (sentence.replace_word(place, word) for word in DAYTIMES if word != token.lower)


def _other_order(sentence: TaggedSentence, place: int) -> Choices:
    token = sentence.tokens[place]
    before, after = sentence.beside(place)
    if token.lower not in ("before", "after") or token.tag != "IN" or not after[:1].isalnum():
        return
    if before not in NO_ORDER and after not in NO_ORDER_NEXT:
        yield sentence.replace_word(place, "after" if token.lower == "before" else "before")


def _other_phrases(sentence: TaggedSentence) -> list[str]:
    """Other phrases of time; "today" becomes a day that goes with the tense."""
    tags = {token.tag for token in sentence.tokens}
    past = "VBD" in tags and not tags & {"VBZ", "VBP", "MD"}
    phrases = TIME_PHRASES | {
        "today": ("yesterday", "last week") if past else ("tomorrow", "next week")
    }
    texts = []
    for phrase, others in phrases.items():
        ends = r"(?!\w|[’'-]\w)" if phrase[-1].isalpha() else ""
        for match in re.finditer(rf"(?<![\w-]){re.escape(phrase)}{ends}", sentence.text, re.IGNORECASE):
            if (
                sentence.text[: match.start()]
                .lower()
                .endswith(("before ", "after ", "early ", "late "))
            ):
                continue
            for other in others:
                new = other.capitalize() if match[0][0].isupper() else other
                texts.append(sentence.replace(match.start(), match.end(), new))
    return texts


def change_quantity(
    sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator
) -> str | None:
    """Another quantifier, frequency or comparison."""
    if POLARITY & {token.lower for token in sentence.tokens}:
        return None
    negative = is_negative(sentence)
    texts = []
    for place in range(len(sentence.tokens)):
        for rule in (_other_amounts, _other_frequencies, _other_indefinite, _other_comparisons):
            texts += [
                text for word, text in rule(sentence, place) if not (negative and word in NEGATIVES)
            ]
    return choose_text(texts, random)


WordChoices = Iterator[tuple[str, str]]  # the new word and the new sentence


def _other_amounts(sentence: TaggedSentence, place: int) -> WordChoices:
    token = sentence.tokens[place]
    before, after = sentence.beside(place)
    following = sentence.next_tag(place)
    if token.lower == "few" and before == "a" and following == "NNS":
        article = sentence.tokens[place - 1]
        new = "Many" if article.text[0].isupper() else "many"
        if place < 2 or sentence.tokens[place - 2].lower not in ("quite", "only", "in", "for"):
            yield "many", sentence.replace(article.start, token.end, new)
    elif token.lower in ("every", "each"):
        if following == "NN" and after not in NOT_EACH:
            yield "no", sentence.replace_word(place, "no")
    elif token.lower not in AMOUNTS or before in BEFORE_AMOUNT or after == "times":
        return
    elif following == "NNS" or (following == "JJ" and _is_plural_at(sentence, place + 2)):
        yield from ((word, sentence.replace_word(place, word)) for word in AMOUNTS[token.lower])
    else:
        all_the = token.lower == "all" and after in ("the", "these", "those", "my", "his", "her")
        noun = place + 3 if after == "of" else place + 2
        if (after == "of" or all_the) and _is_plural_at(sentence, noun):
            for word in AMOUNTS[token.lower]:
                new = "none" if word == "no" else word
                yield word, sentence.replace_word(place, f"{new} of" if all_the else new)


def _is_plural_at(sentence: TaggedSentence, place: int) -> bool:
    return place < len(sentence.tokens) and sentence.tokens[place].tag == "NNS"


def _other_frequencies(sentence: TaggedSentence, place: int) -> WordChoices:
    token = sentence.tokens[place]
    before, after = sentence.beside(place)
    if token.lower not in FREQUENCIES or before in BEFORE_FREQUENCY or after in ("mind", "before", ","):
        return
    if before.endswith(("n't", "n’t", "'ve", "’ve")) or token.lower == after or not after[:1].isalpha():
        return
    if place == 0 and sentence.next_tag(0) != "VB":
        return
    if sentence.tokens[0].tag.startswith("W"):  # "What time do you usually eat?"
        return
    others = FREQUENCIES[token.lower]
    for other in others:
        if place or other in ("always", "never"):
            yield other, sentence.replace_word(place, other)


def _other_indefinite(sentence: TaggedSentence, place: int) -> WordChoices:
    token = sentence.tokens[place]
    before, after = sentence.beside(place)
    if token.lower in INDEFINITE and after not in ("but", "of", "like") and before not in ("for", "or"):
        if token.lower == "nothing" and before in ("is", "was", "'s", "there's", "it's"):
            return
        for word in INDEFINITE[token.lower]:
            if not (word.startswith("every") and before.startswith(("there", "is", "are", "'s"))):
                yield word, sentence.replace_word(place, word)


def _other_comparisons(sentence: TaggedSentence, place: int) -> WordChoices:
    token = sentence.tokens[place]
    before, after = sentence.beside(place)
    following = sentence.next_tag(place)
    number_next = place + 2 < len(sentence.tokens) and sentence.tokens[place + 2].tag == "CD"
    if token.lower in ("more", "less", "fewer") and after == "than" and number_next:
        if before not in ("no", "not"):
            yield "less", sentence.replace_word(place, "less" if token.lower == "more" else "more")
    elif token.lower == "least" and before == "at" and following == "CD":
        yield "most", sentence.replace_word(place, "most")
    elif (
        token.lower == "over" and following == "CD" and place and sentence.tokens[place - 1].tag != "NN"
    ):
        yield "under", sentence.replace_word(place, "under")
    elif (
        token.lower == "more"
        and before not in BEFORE_MORE
        and not before[:1].isdigit()
        and following in ("NNS", "JJ")
    ):
        new = "fewer" if following == "NNS" else "less"
        yield new, sentence.replace_word(place, new)
    elif token.lower == "less" and before not in BEFORE_MORE and following in ("NN", "JJ"):
        yield "more", sentence.replace_word(place, "more")
