"""Rules that exchange who does something and whom it is done to, and rules for comparisons.

    arguments      subject and object exchanged, in more sentences than `roles-swapped` of
                   `paragauge.meta.contrast`: "A man is looking at a dog." becomes "A dog is looking at
                   a man.", "He saw her." becomes "She saw him."
    agent          the same in a passive: "A dog was seen by Tom." becomes "Tom was seen by a dog."
    compared       what is compared exchanged: "Tom is taller than Ann." becomes "Ann is taller than
                   Tom."
    converse       the same said from the other side: "Ann is shorter than Tom.", "Ann bought a car
                   from Tom." for "Tom sold a car to Ann.", "less expensive" for "cheaper"
    false-converse half of it: "Tom is shorter than Ann.", "Tom bought a car from Ann."

All but `converse` change the meaning.
"""

from __future__ import annotations

import re

import numpy as np

from paragauge.lexicon.wordnet import WordNet
from paragauge.meta.contrast.tagged_sentence import TaggedSentence, Token
from paragauge.rewrite.thesauri.inflection import Inflection
from tools.models.sentence_batch import (
    COUNTRY,
    FINITE,
    SentenceBatch,
    base_form,
    fix_articles,
    is_negative,
    lower_first,
    noun_phrase_end,
)

AUXILIARY = frozenset("is are was were has have had will would can could may might must should".split())  # noqa: SIM905
BE = ("is", "are", "was", "were")
PREPOSITIONS = ("at", "for", "to", "on", "after", "behind", "above", "below", "about", "into", "from")
# Verbs that mean the same from both sides, or that have no second participant.
MUTUAL = frozenset(
    "be become seem look_like marry meet resemble equal have own feel remain stay live go come get "  # noqa: SIM905
    "differ match join fight kiss face border wear say".split()
)
PRONOUNS = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
SUBJECTS = {new: old for old, new in PRONOUNS.items()}
THIRD = ("he", "she")  # verbs agree with both
NOT_ARGUMENTS = frozenset(
    "lot bit time day days week weeks month months year years hour hours minute minutes home morning "  # noqa: SIM905
    "evening night today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday "
    "percent way part place thing things there".split()
)
CONVERSES = {
    "sell": ("buy", "to", "from"),
    "lend": ("borrow", "to", "from"),
    "rent": ("rent", "to", "from"),
}
CONVERSES |= {"give": ("receive", "to", "from"), "teach": ("learn", "to", "from")}
BACK = {verb: (old, before, after) for old, (verb, after, before) in CONVERSES.items() if verb != old}
RARE = ("little", "ill", "hard")  # "littler" for "smaller", "softer" is not "easier"
LONGEST = 9  # letters of an adjective that is put for its opposite
Span = tuple[int, int]


def swap_arguments(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """Subject and object of the first verb exchanged."""
    spans = _find_arguments(sentence)
    return None if spans is None else _exchange(sentence, *spans)


def _find_arguments(sentence: TaggedSentence) -> tuple[Span, Span] | None:
    tokens = sentence.tokens
    end = _argument_end(tokens, 0)
    place = end
    while place < len(tokens) and tokens[place].lower in AUXILIARY and place < end + 2:
        place += 1
    if end == 0 or place >= len(tokens) or tokens[place].tag not in (*FINITE, "VB", "VBG", "VBN"):
        return None
    verb = tokens[place]
    is_passive = verb.tag == "VBN" and place > end and tokens[place - 1].lower in BE
    if is_passive or base_form(verb.lower, verb.tag) in (None, *MUTUAL):
        return None
    start = place + 1
    if start < len(tokens) and tokens[start].lower in PREPOSITIONS:
        start += 1
    last = _argument_end(tokens, start)
    if last == start or not _may_exchange(tokens, (0, end), (start, last)):
        return None
    if last < len(tokens) and (tokens[last].lower == "of" or tokens[last].tag in ("POS", *FINITE)):
        return None
    return (0, end), (start, last)


def swap_agent(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """Subject and agent of a passive exchanged."""
    tokens = sentence.tokens
    end = _argument_end(tokens, 0)
    if end == 0:
        return None
    for place in range(end + 1, min(end + 5, len(tokens) - 1)):
        if tokens[place].lower == "by" and tokens[place - 1].tag in ("VBN", "VBD"):
            last = _argument_end(tokens, place + 1)
            if last > place + 1 and _may_exchange(tokens, (0, end), (place + 1, last)):
                return _exchange(sentence, (0, end), (place + 1, last))
    return None


def _argument_end(tokens: tuple[Token, ...], start: int) -> int:
    """The end of a noun phrase or pronoun that starts here, or `start`."""
    if start >= len(tokens):
        return start
    if tokens[start].tag == "PRP":
        known = (*PRONOUNS, *SUBJECTS)
        return start + 1 if tokens[start].lower in known else start
    return noun_phrase_end(tokens, start)


def _may_exchange(tokens: tuple[Token, ...], one: Span, two: Span) -> bool:
    left, right = ([token.lower for token in tokens[a:b]] for a, b in (one, two))
    if left == right or NOT_ARGUMENTS & {*left, *right}:
        return False
    numbers = [_number(tokens[a:b]) for a, b in (one, two)]
    if numbers[0] != numbers[1]:  # the verb would not agree
        return False
    # "a man and his dog": the possessive would stand before what it refers to.
    return not any(
        token.tag in ("PRP$", "POS") for token in (*tokens[slice(*one)], *tokens[slice(*two)])
    )


def _number(tokens: tuple[Token, ...]) -> str:
    last = tokens[-1]
    if last.tag == "PRP":
        word = SUBJECTS.get(last.lower, last.lower)
        return {"i": "first", "he": "one", "she": "one"}.get(word, "many")
    return "many" if last.tag in ("NNS", "NNPS") else "one"


def _exchange(sentence: TaggedSentence, one: Span, two: Span) -> str:
    tokens, text = sentence.tokens, sentence.text
    (a, b), (c, d) = ((tokens[start].start, tokens[end - 1].end) for start, end in (one, two))
    first, second = text[a:b], text[c:d]
    first, second = PRONOUNS.get(first.lower(), first), SUBJECTS.get(second.lower(), second)
    opening = tokens[one[0]]
    is_name = opening.tag == "NNP" or COUNTRY.fullmatch(opening.text) is not None
    if not is_name and first[0].isupper() and first != "I":
        first = first[0].lower() + first[1:]
    if one[0] == 0:
        second = second[0].upper() + second[1:]
    return fix_articles(text[:a] + second + text[b:c] + first + text[d:])


COMPARATIVE = re.compile(
    r"(?P<one>(?:The |This |That |My |Your |His |Her |A |An )?[\w' -]{1,30}?) (?P<be>is|was|are|were) "
    r"(?P<much>much |even |far |a little |a bit )?(?P<how>(?:more |less )?\w+) than "
    r"(?P<two>[\w' -]{2,30})\."
)


def swap_compared(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """What is compared exchanged."""
    parts = _read_comparison(sentence)
    return None if parts is None else _write_comparison(*parts, exchanged=True)


def _read_comparison(sentence: TaggedSentence) -> tuple[str, str, str, str, str] | None:
    match = COMPARATIVE.fullmatch(sentence.text)
    if match is None or is_negative(sentence):
        return None
    one, be, much, how, two = match["one"], match["be"], match["much"] or "", match["how"], match["two"]
    words = two.lower().split()
    pronouns = {"i": "I", "me": "I", "him": "he", "them": "they", "us": "we", "you": "", "her": "she"}
    if (
        not _comparative(how)
        or be in ("are", "were")
        or len(words) > 4
        or words[0] in {*pronouns, "he", "she", "they", "we", "that", "ever", "usual", "any", "before"}
        or set(words) & {"is", "was", "did", "does", "do", "has", "had", "can", "or", "any", "all"}
        or one.lower().split()[0] in ("it", "there", "he", "she", "which", "who", "what", "nothing")
    ):
        return None
    return lower_first(sentence)[: len(one)], be, much, how, two


def _comparative(how: str) -> bool:
    return how.startswith(("more ", "less ")) or (how.endswith("er") and _plain(how) is not None)


def _plain(how: str) -> str | None:
    """The adjective of a comparative: tall for taller, expensive for more expensive."""
    if how.startswith("more "):
        return how[5:]
    net = WordNet.default()
    base = net.morphy(how, "a")
    return base if base is not None and base != how else None


def _write_comparison(one: str, be: str, much: str, how: str, two: str, *, exchanged: bool) -> str:
    first, second = (two, one) if exchanged else (one, two)
    return f"{first[0].upper()}{first[1:]} {be} {much}{how} than {second}."


def _opposite(how: str) -> str | None:
    """The comparative of the opposite adjective, or None."""
    plain = _plain(how)
    if plain is None:
        return None
    for other in sorted(WordNet.default().antonyms(plain)):
        is_plain = other.isalpha() and not other.startswith(("un", "in", "im", "dis"))
        if is_plain and other not in RARE and len(other) <= LONGEST:
            return _compare(other)
    return None


def _compare(adjective: str) -> str:
    if len(adjective) > 6 and not adjective.endswith("y"):
        return f"more {adjective}"
    if adjective.endswith("y"):
        return f"{adjective[:-1]}ier"
    if adjective.endswith("e"):
        return f"{adjective}r"
    is_short = re.fullmatch(r"[^aeiou]*[aeiou][bdgnt]", adjective) is not None
    irregular = {"good": "better", "bad": "worse", "little": "smaller", "far": "farther"}
    return irregular.get(adjective, f"{adjective}{adjective[-1] if is_short else ''}er")


def say_conversely(
    sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator
) -> str | None:
    """The same from the other side: another order and the opposite word."""
    parts = _read_comparison(sentence)
    if parts is None:
        return _convert_transfer(sentence, exchanged=True)
    one, be, much, how, two = parts
    other = _opposite(how)
    if other is None:
        return None
    if random.random() < 0.5 and not how.startswith("less "):  # a coin
        plain = _plain(other) or other.removeprefix("more ")
        return _write_comparison(one, be, much, f"less {plain}", two, exchanged=False)
    return _write_comparison(one, be, much, other, two, exchanged=True)


def say_half_conversely(
    sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator
) -> str | None:
    """The opposite word in the same order."""
    parts = _read_comparison(sentence)
    if parts is None:
        return _convert_transfer(sentence, exchanged=False)
    one, be, much, how, two = parts
    other = _opposite(how)
    return None if other is None else _write_comparison(one, be, much, other, two, exchanged=False)


def _convert_transfer(sentence: TaggedSentence, *, exchanged: bool) -> str | None:
    """'B bought X from A' for 'A sold X to B'; not exchanged, 'A bought X from B'."""
    tokens, text = sentence.tokens, sentence.text
    end = _argument_end(tokens, 0)
    if end == 0 or end >= len(tokens) or tokens[end].tag not in ("VBD", "VBZ") or is_negative(sentence):
        return None
    verb = tokens[end]
    base = base_form(verb.lower, verb.tag)
    other, before, after = {**CONVERSES, **BACK}.get(base or "", ("", "", ""))
    middle = noun_phrase_end(tokens, end + 1)
    if not other or middle == end + 1 or middle >= len(tokens) or tokens[middle].lower != before:
        return None
    last = _argument_end(tokens, middle + 1)
    if last == middle + 1 or any(token.tag in ("PRP$", "POS") for token in tokens[:last]):
        return None
    form = Inflection.of().inflect(other, verb.tag)
    swapped = _exchange(sentence, (0, end), (middle + 1, last)) if exchanged else text
    old = text[verb.start : verb.end]
    result, verbs = re.subn(rf"\b{re.escape(old)}\b", form, swapped, count=1)
    result, words = re.subn(rf"\b{before}\b", after, result, count=1)
    return result if verbs and words else None
