"""Rules that rewrite an English sentence and keep its meaning.

    there-is      "A man is singing." becomes "There is a man singing."
    determiner    "A" or "The" at the start replaced by the other, where both can stand
    contraction   "is not" becomes "isn't", "I'm" becomes "I am", and so on
    front         a final phrase of time or place moved to the front
    digits        "three" becomes "3", and back
    and-swap      the words on both sides of "and" exchanged
    drop-adj      a color, size or age dropped, or "very" and the like

What people would call the same is the aim, not logical equivalence: "A large dog barks." says a little
more than "A dog barks."
"""

from __future__ import annotations

import re

import numpy as np

from paragauge.meta.contrast.tagged_sentence import TaggedSentence
from tools.models.sentence_batch import (
    FINITE,
    NOUNS,
    SentenceBatch,
    base_form,
    choose_text,
    fix_articles,
    lower_first,
    noun_phrase_end,
)

BE = ("is", "are", "was", "were")
INDEFINITE = ("a", "an", "two", "three", "four", "some", "several")
NO_DETERMINER = frozenset(
    "bit couple dozen few good great group handful hundred little lot majority million number pair "  # noqa: SIM905
    "piece thousand total variety year".split()
)
CONTRACTED = {
    **{f"{verb} not": f"{verb}n't" for verb in ("is", "are", "was", "were", "do", "does", "did")},
    **{f"{verb} not": f"{verb}n't" for verb in ("has", "have", "had", "should", "would", "could")},
    "will not": "won't",
    "cannot": "can't",
    "I am": "I'm",
    "it is": "it's",
    "I will": "I'll",
    "I have": "I've",
    "they are": "they're",
    "we are": "we're",
    "you are": "you're",
}
EXPANDED = {short: full for full, short in CONTRACTED.items()} | {"he's": "he is", "she's": "she is"}
BEFORE_CLITIC = frozenset(("as", "what", "how", "where", "than", "who", "that", "whatever"))
AFTER_IS = ("DT", "JJ", "VBG", "IN", "CD", "PRP$", "JJR")  # what follows "is", not "has"
PERIODS = frozenset(
    "morning afternoon evening night noon midnight week month year weekend spring summer autumn "  # noqa: SIM905
    "winter day days weeks months years hours minutes monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october "
    "november december christmas breakfast lunch dinner".split()
)
PLACES = ("in", "on", "at", "near", "inside", "outside", "under")
TIMES = ("in", "on", "at", "during", "for", "before", "after")
NO_FRONT = frozenset(
    "add aim bark climb come cover cut dip dive draw drop engage fall fill focus get go hang "  # noqa: SIM905
    "hit jump kick knock laugh lay lean load look participate pat pee place point pour pull "
    "push put roll rub set shoot slap slice smile spread stare step stick tap throw touch work "
    "write".split()
)
NO_FRONT_PHRASE = frozenset(
    "another arm back each face foot half hand hands head leg mouth nose order other phone pieces "  # noqa: SIM905
    "way".split()
)
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NO_NUMBER_AFTER = frozenset(
    ("to", "-", "–", "—", ":", "$", "/", "p.m", "a.m", "pm", "am", "o'clock", ".")
)
DROPPED = frozenset(
    "big large small tiny huge young old tall beautiful pretty nice red blue green yellow white black "  # noqa: SIM905
    "brown gray grey orange purple pink blond blonde lovely cute".split()
)
PICTURES = ("photo", "photograph", "picture", "image", "tv", "television")  # "black and white"
INTENSIFIERS = frozenset(("very", "really", "quite", "extremely", "truly", "simply"))
NO_DROP_AFTER = frozenset(
    ("and", "so", "too", "very", "-", "as", "most", "more", "how", "such", "what")
)
NO_DROP = frozenset(
    "one ones deal house box board hole market friend sister brother people man men woman women lady "  # noqa: SIM905
    "age arms eye eyes hair talk".split()
)


def add_there_is(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """'There is' before an indefinite subject of a progressive verb."""
    tokens = sentence.tokens
    if not tokens or tokens[0].lower not in INDEFINITE:
        return None
    for place, token in enumerate(tokens):
        if token.lower in BE:
            if sentence.next_tag(place) != "VBG" or place < 2:
                return None
            subject = lower_first(sentence)[: tokens[place - 1].end]
            return f"There {token.text} {subject}{sentence.text[token.end :]}"
        if token.tag.startswith(("VB", "MD", "W")) or token.text in ",;:":
            return None
    return None


def change_determiner(
    sentence: TaggedSentence, batch: SentenceBatch, _: np.random.Generator
) -> str | None:
    """'The' for 'A' at the start, or 'A' for 'The' before a noun that can be counted."""
    tokens = sentence.tokens
    end = noun_phrase_end(tokens, 0)
    if end < 2 or end >= len(tokens) or tokens[0].lower not in ("a", "an", "the"):
        return None
    head = tokens[end - 1]
    follows = tokens[end]
    if head.tag != "NN" or tokens[1].lower in NO_DETERMINER or follows.lower in ("of", "and", "or"):
        return None
    if tokens[0].lower != "the":
        return "The" + sentence.text[tokens[0].end :]
    # "The sun is shining" has no other subject; what is described as "a ..." elsewhere can have.
    described = follows.lower in BE and sentence.next_tag(end) == "VBG"
    if not described or head.lower not in batch.countable:
        return None
    return fix_articles("A" + sentence.text[tokens[0].end :])


def change_contraction(
    sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator
) -> str | None:
    """One contraction written in full, or one made."""
    text = sentence.text.replace("’", "'")
    question = text.rstrip().endswith("?")
    texts = []
    for old, new in (CONTRACTED | EXPANDED).items():
        if question and ("not" in old or "n't" in old):
            continue  # "Don't you know?"
        for match in re.finditer(rf"(?<![\w']){re.escape(old)}(?= [A-Za-z])", text, re.IGNORECASE):
            if _may_contract(sentence, match, old):
                same = match[0][0].isupper() and not new.startswith("I")
                spelled = new[0].upper() + new[1:] if same else new
                texts.append(text[: match.start()] + spelled + text[match.end() :])
    return choose_text(texts, random)


def _may_contract(sentence: TaggedSentence, match: re.Match[str], old: str) -> bool:
    before = sentence.text[: match.start()].lower().split()
    following = next((token.tag for token in sentence.tokens if token.start >= match.end()), "")
    if "n't" in old or "not" in old:
        return True
    if before and (before[-1] in BEFORE_CLITIC or before[-1] in ("and", "or")):
        return False
    if old.endswith(("'s", " is", "'m", " am", "'re", " are")):
        return following in AFTER_IS
    return following == ("VBN" if old in ("I have", "I've") else "VB")


def front_phrase(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """The final phrase of time, or of place in a description, moved to the front."""
    tokens, text = sentence.tokens, sentence.text
    if len(tokens) < 6 or tokens[-1].text != "." or re.search(r"[,;:?!\"]", text):
        return None
    if sum(token.tag in (*FINITE, "MD") for token in tokens) != 1 or tokens[0].tag.startswith(
        ("VB", "W", "IN")
    ):
        return None
    starts = [place for place, token in enumerate(tokens) if token.tag == "IN" and place > 2]
    if not starts or noun_phrase_end(tokens, starts[-1] + 1) != len(tokens) - 1:
        return None
    start = starts[-1]
    phrase, before = tokens[start:-1], tokens[start - 1]
    verbs = {base_form(token.lower, token.tag) for token in tokens if token.tag.startswith("VB")}
    is_time = "fall" not in verbs and phrase[0].lower in TIMES and phrase[-1].lower in PERIODS
    described = any(
        token.tag == "VBG" and tokens[place - 1].lower in BE for place, token in enumerate(tokens)
    )
    is_place = (
        described and phrase[0].lower in PLACES and not verbs & NO_FRONT and phrase[1].tag == "DT"
    )
    is_place = is_place and not NO_FRONT_PHRASE & {token.lower for token in phrase}
    if phrase[0].lower == "in" and len(phrase) == 2 and phrase[1].tag == "NNS":  # "not in years"
        return None
    words = {token.lower for token in tokens[:start]}
    if not (is_time or is_place) or before.tag in ("IN", "CC", "TO", "RP", "CD") or before.lower in BE:
        return None
    if words & {"and", "or", "that", "there"} or (is_place and tokens[0].tag == "PRP"):
        return None
    moved = text[phrase[0].start : phrase[-1].end]
    return (
        f"{moved[0].upper()}{moved[1:]}, {lower_first(sentence)[: before.end]}{text[phrase[-1].end :]}"
    )


def change_digits(
    sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator
) -> str | None:
    """A number from two to twelve in digits instead of words, or in words instead of digits."""
    texts = []
    for place, token in enumerate(sentence.tokens):
        before, after = sentence.beside(place)
        tag = sentence.tokens[place - 1].tag if place else ""
        if token.tag != "CD" or {before, after} & NO_NUMBER_AFTER - {"."} or before == ".":
            continue
        if tag in ("NNP", "CD") or sentence.next_tag(place) == "CD" or after in ("%", "of"):
            continue
        if before in ("or", "and") or after in ("or", "and"):  # "3 or 4" is one style
            continue
        if token.text.isdigit() and sentence.next_tag(place) == "NNP":  # "7 September"
            continue
        if token.lower in NUMBERS:
            texts.append(sentence.replace(token.start, token.end, str(NUMBERS.index(token.lower) + 2)))
        elif token.text in [str(number) for number in range(2, 13)]:
            word = NUMBERS[int(token.text) - 2]
            texts.append(
                sentence.replace(token.start, token.end, word.capitalize() if place == 0 else word)
            )
    return choose_text(texts, random)


def swap_conjuncts(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """The words on both sides of 'and' exchanged, each with its article."""
    tokens, text = sentence.tokens, sentence.text
    for place, token in enumerate(tokens):
        if token.lower != "and" or not 0 < place < len(tokens) - 1:
            continue
        left, right = place - 1, place + 1
        start = left
        if tokens[right].tag == "DT" and right + 1 < len(tokens):
            right += 1
            start -= 1
            if start < 0 or tokens[start].tag != "DT":
                continue
        if not _may_exchange(sentence, start, left, right):
            continue
        first = text[tokens[start].start : tokens[left].end]
        second = text[tokens[place + 1].start : tokens[right].end]
        if start == 0 and tokens[0].tag != "NNP":
            first, second = first[0].lower() + first[1:], second[0].upper() + second[1:]
        rest = text[tokens[right].end :]
        return fix_articles(f"{text[: tokens[start].start]}{second} {token.text} {first}{rest}")
    return None


def _may_exchange(sentence: TaggedSentence, start: int, left: int, right: int) -> bool:
    tokens = sentence.tokens
    one, two = tokens[left], tokens[right]
    before = tokens[start - 1].tag if start else ""
    after, following = sentence.next_tag(right), sentence.beside(right)[1]
    if one.tag != two.tag or one.tag not in ("NN", "NNS", "NNP", "JJ") or one.lower == two.lower:
        return False
    if min(len(one.text), len(two.text)) < 3 or not (one.text.isalpha() and two.text.isalpha()):
        return False
    if before in ("JJ", "CD", "RB", "VBN", "VBG", "POS", ".", "CC", *NOUNS) and (
        one.tag != "JJ" or before == "RB"
    ):
        return False
    if one.tag == "JJ" and following in PICTURES:
        return False
    if one.tag == "JJ":
        return before not in ("JJ", *NOUNS) and (after in ("NN", "NNS") or following in (".", ""))
    return after not in (*NOUNS, "POS", "JJ", "CC") and following not in (
        "of",
        "for",
        "to",
        "who",
        "that",
        "'",
    )


def drop_modifier(
    sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator
) -> str | None:
    """The sentence without an adjective of color, size or age, or without an intensifier."""
    tokens = sentence.tokens
    if sum(token.lower in DROPPED for token in tokens) > 1:  # "the red car and the blue one"
        return None
    if sentence.text.rstrip().endswith("?"):  # "Is it a big dog?" asks something else
        return None
    texts = []
    for place, token in enumerate(tokens[:-1]):
        before, after = sentence.beside(place)
        following = sentence.next_tag(place)
        adjective = token.lower in DROPPED and token.tag == "JJ" and following in ("NN", "NNS")
        adjective = (
            adjective
            and not (after in NO_DROP or after.endswith("ing"))
            and before not in NO_DROP_AFTER
        )
        intensifier = (
            token.lower in INTENSIFIERS and following in ("JJ", "RB") and before not in ("not", "so")
        )
        intensifier = (
            intensifier and not before.endswith("n't") and after not in ("much", "well", "few")
        )
        if adjective or intensifier:
            text = sentence.replace(token.start, tokens[place + 1].start, "")
            texts.append(fix_articles(text[0].upper() + text[1:] if place == 0 else text))
    return choose_text(texts, random)
