"""Classes of English words that decide what a sentence says: negations, quantities, times, persons.

`CLASSES` lists all of them. A word is described once (`describe_word`), from its spelling, lemma and
Penn tag, and the kernel that compares sentences gets numbers.

A number may be written in digits or words, and over several words: "2000", "two thousand",
"twenty-one". `number_parts` gives what each piece of a word adds.
"""

from __future__ import annotations

import functools
import re
import zlib
from typing import NamedTuple

from paragauge.kernels.word_layout import NO_CLASS, Category, NumberPart, WordFlag

# Class -> members of the class that mean the same -> words. Modals and pronouns are spellings, all
# others lemmas.
CLASSES: dict[str, dict[str, str]] = {
    "negation": {
        "strong": "not n't no never nobody nothing none neither nor nowhere without cannot",
        "weak": "hardly barely scarcely rarely seldom unable fail refuse lack deny unlikely",
    },
    "light": {"": "be have do 's 're 'm 've get become of s"},
    "unit": {
        "second": "second",
        "minute": "minute",
        "hour": "hour",
        "day": "day",
        "week": "week",
        "weekend": "weekend",
        "month": "month",
        "year": "year",
        "decade": "decade",
        "century": "century",
        "percent": "percent",
        "dollar": "dollar",
        "cent": "cent penny",
        "euro": "euro",
        "pound": "pound",
        "yen": "yen",
        "kilometer": "kilometer kilometre km",
        "mile": "mile",
        "meter": "meter metre",
        "centimeter": "centimeter centimetre cm",
        "millimeter": "millimeter millimetre mm",
        "foot": "foot",
        "inch": "inch",
        "yard": "yard",
        "kilogram": "kilogram kilo kg",
        "gram": "gram",
        "ounce": "ounce",
        "ton": "ton tonne",
        "liter": "liter litre",
        "gallon": "gallon",
        "acre": "acre",
        "hectare": "hectare",
        "degree": "degree",
        "watt": "watt",
        "volt": "volt",
    },
    "time": {
        "morning": "morning a.m a.m. am",
        "afternoon": "afternoon",
        "evening": "evening",
        "night": "night",
        "tonight": "tonight",
        "p.m.": "p.m p.m. pm",
        "noon": "noon",
        "midnight": "midnight",
        "today": "today",
        "tomorrow": "tomorrow",
        "yesterday": "yesterday",
        "spring": "spring",
        "summer": "summer",
        "autumn": "autumn fall",
        "winter": "winter",
    },
    "relative time": {
        word: word for word in ("ago", "early", "late", "before", "after", "until", "since", "during")
    },
    "date": {
        word: word
        for word in (
            *("january", "february", "march", "april", "may", "june", "july", "august"),
            *("september", "october", "november", "december", "easter", "christmas"),
            *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        )
    },
    "quantifier": {
        "all": "all every each everyone everybody everything both always whole entire entirely "
        "completely everywhere",
        "most": "most mostly usually majority generally",
        "many": "many much often lot lots numerous frequently",
        "some": "some several sometimes someone somebody something certain somewhere",
        "few": "few little rarely seldom hardly minority",
        "none": "none nobody nothing never neither nowhere no",
        "any": "any anyone anybody anything either",
        "only": "only just merely solely alone exclusively",
        "half": "half",
        "more": "least more over",
        "less": "less fewer under below fewest",
    },
    "modal": {
        "may": "may might could perhaps maybe probably possibly likely",
        "can": "can ca",
        "must": "must",
        "should": "should ought",
        "will": "will 'll shall wo",
        "would": "would 'd",
        "if": "if",
    },
    "pronoun": {
        "I": "i me my mine myself",
        "we": "we us our ours",
        "you": "you your yours",
        "he": "he him his himself",
        "she": "she her hers herself",
        "it": "it its",
        "they": "they them their theirs",
    },
}
# Forms whose lemma, by spelling alone, would be a rare noun: was, the plural of wa.
LIGHT_VERBS = {
    **dict.fromkeys(("is", "are", "was", "were", "am", "been", "being"), "be"),
    **dict.fromkeys(("has", "had", "having"), "have"),
    **dict.fromkeys(("does", "did", "done", "doing"), "do"),
}
# Words that are a unit or a date only as nouns: not "may" the verb, nor "second" the ordinal.
NOUN_ONLY = frozenset({"may", "march", "second", "spring", "fall", "foot", "pound", "yard", "am"})
SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {word: float(value) for value, word in enumerate(SMALL.split())} | {
    word: 10.0 * value for value, word in enumerate(TENS.split(), 2)
}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
ORDINALS = (
    "zeroth first _ third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
SINGLE_NUMBERS = {word: float(value) for value, word in enumerate(ORDINALS.split())} | {
    "once": 1.0,
    "twice": 2.0,
    "dozen": 12.0,
    "half": 0.5,
    "single": 1.0,
    "double": 2.0,
    "triple": 3.0,
    "pair": 2.0,
    "couple": 2.0,
}
DIGITS = re.compile(r"[$€£]?(\d+(?:[.,]\d+)*)(?:st|nd|rd|th|%|s|am|pm|km|kg|k|m|bn)?", re.ASCII)
DASHES = re.compile("[-\u2013]")
TAGS = {
    **dict.fromkeys(("IN", "TO", "RP"), Category.PREPOSITION),
    **dict.fromkeys(("DT", "PDT", "WDT"), Category.DETERMINER),
    "CD": Category.NUMBER,
    "MD": Category.MODAL,
    "EX": Category.PRONOUN,
}
TAG_STARTS = {
    "NNP": Category.NAME,
    "N": Category.NOUN,
    "V": Category.VERB,
    "J": Category.ADJECTIVE,
    "RB": Category.ADVERB,
    "PRP": Category.PRONOUN,
    "WP": Category.PRONOUN,
}


def _number_members(*classes: str) -> tuple[dict[str, int], list[str]]:
    """Each word's number, and the name of each number: its class, for units, or its member."""
    numbers: dict[str, int] = {}
    names: list[str] = []
    for name in classes:
        for member, words in CLASSES[name].items():
            numbers |= {word: len(names) for word in words.split()}
            names.append(name if len(classes) > 1 else member)
    return numbers, names


UNITS, UNIT_CLASSES = _number_members("unit", "time", "relative time", "date")
QUANTIFIERS, _ = _number_members("quantifier")
MODALS, MODAL_MEMBERS = _number_members("modal")
PRONOUNS, _ = _number_members("pronoun")
STRONG, WEAK = (frozenset(words.split()) for words in CLASSES["negation"].values())
LIGHT = frozenset(CLASSES["light"][""].split())
# Plain integers: to combine members of an enumeration takes longer than all the rest of a word.
LEMMA_FLAGS = {
    **dict.fromkeys(WEAK, WordFlag.WEAK_NEGATION.value),
    **dict.fromkeys(STRONG, WordFlag.NEGATION.value | WordFlag.WEAK_NEGATION.value),
    "be": WordFlag.BE.value,
    "by": WordFlag.BY.value,
}
TAG_FLAGS = {
    "VBD": WordFlag.PAST.value,
    **dict.fromkeys(("VBZ", "VBP"), WordFlag.PRESENT.value),
    "VBN": WordFlag.PARTICIPLE.value,
}
CAPITALIZED = WordFlag.CAPITALIZED.value
COMBINED_FLAGS = tuple(map(WordFlag, range(2 * max(WordFlag))))
# Number parts of words without digits; words that are not here have those of NO_NUMBER.
NUMBERS = {
    **{word: ((NumberPart.SINGLE, value),) for word, value in SINGLE_NUMBERS.items()},
    **{word: ((NumberPart.SCALE, value),) for word, value in SCALES.items()},
    **{word: ((NumberPart.WORD, value),) for word, value in NUMBER_WORDS.items()},
    "and": ((NumberPart.AND, 0.0),),
}
NO_NUMBER = ((NumberPart.END, 0.0),)
NumberParts = tuple[tuple[NumberPart, float], ...]


class WordFacts(NamedTuple):
    """What is known of a word, in the numbers of `word_layout`; `NO_CLASS` if it is in no class."""

    category: Category
    flags: WordFlag
    unit: int
    quantifier: int
    modal: int
    pronoun: int
    parts: NumberParts


def describe_word(text: str, lemma: str, tag: str) -> WordFacts:
    """Category, flags, classes and number parts of a word.

    >>> facts = describe_word("Never", "never", "RB")
    >>> facts.category.name, WordFlag.NEGATION in facts.flags
    ('ADVERB', True)
    >>> UNIT_CLASSES[describe_word("May", "may", "NNP").unit], describe_word("may", "may", "MD").unit
    ('date', -1)
    """
    spelling = text.lower()
    is_unit = lemma not in NOUN_ONLY or tag.startswith("N")
    flags = LEMMA_FLAGS.get(lemma, 0) | TAG_FLAGS.get(tag, 0) | (CAPITALIZED if text.istitle() else 0)
    return WordFacts(
        category_of_word(lemma, tag),
        COMBINED_FLAGS[flags],
        UNITS.get(lemma, NO_CLASS) if is_unit else NO_CLASS,
        QUANTIFIERS.get(lemma, NO_CLASS),
        NO_CLASS if tag == "NNP" else MODALS.get(spelling, NO_CLASS),
        PRONOUNS.get(spelling, NO_CLASS),
        number_parts(spelling, tag),
    )


def category_of_word(lemma: str, tag: str) -> Category:
    """The part of speech of a word.

    >>> [category_of_word(*word).name for word in (("be", "VBZ"), ("eat", "VBZ"), ("Oslo", "NNP"))]
    ['LIGHT', 'VERB', 'NAME']
    """
    return Category.LIGHT if lemma in LIGHT else _category_of_tag(tag)


@functools.lru_cache(maxsize=256)
def _category_of_tag(tag: str) -> Category:
    if tag in TAGS:
        return TAGS[tag]
    return next(
        (category for start, category in TAG_STARTS.items() if tag.startswith(start)), Category.OTHER
    )


def number_parts(spelling: str, tag: str) -> NumberParts:
    """What the pieces of a word, separated by hyphens or dashes, add to the number being read.

    *One* is a number only if it is tagged as one.

    >>> number_parts("twenty-one", "CD")
    ((<NumberPart.WORD: 1>, 20.0), (<NumberPart.WORD: 1>, 1.0))
    >>> number_parts("2,500", "CD"), number_parts("dog", "NN")
    (((<NumberPart.DIGITS: 0>, 2500.0),), ((<NumberPart.END: 5>, 0.0),))
    """
    if spelling.isalpha():  # the usual case
        return _parts_of_piece(spelling, tag)
    return tuple(part for piece in DASHES.split(spelling) for part in _parts_of_piece(piece, tag))


def _parts_of_piece(piece: str, tag: str) -> NumberParts:
    if not piece.isalpha() and (digits := DIGITS.fullmatch(piece)):
        return ((NumberPart.DIGITS, _value(digits[1].replace(",", ""))),)
    return NO_NUMBER if piece == "one" and tag != "CD" else NUMBERS.get(piece, NO_NUMBER)


def _value(digits: str) -> float:
    """The number; for digits with several points, such as a date, one that other digits do not have."""
    if digits.count(".") > 1 or len(digits) > 300:
        return zlib.crc32(digits.encode()) + 0.5
    return float(digits)
