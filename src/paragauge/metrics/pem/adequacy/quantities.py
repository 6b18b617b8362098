"""Whether the numbers of two sentences disagree, though written, rounded or measured in different ways.

"Half an hour" is "30 minutes", "half past three" is "3:30", "50 percent" is "half", "260 pounds" is
"118 kg", and "$64.7 billion" is "some $65 billion". A number is read in every way that it may be meant:
as it is, as a share, as a time of day, or in the units of what is measured. Two numbers agree if they
have one reading in common, and sentences disagree if each has a number without a partner in the other.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from paragauge.metrics.pem.adequacy.word_classes import NUMBER_WORDS, SCALES

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
YEAR = 365.25 * DAY
# Names of units -> what they measure, and how many of its smallest unit they are.
UNITS = {
    name: (kind, size)
    for kind, size, names in (
        ("time", 1.0, "second seconds sec"),
        ("time", MINUTE, "minute minutes min mins"),
        ("time", HOUR, "hour hours hr hrs"),
        ("time", DAY, "day days"),
        ("time", 7 * DAY, "week weeks"),
        ("time", 14 * DAY, "fortnight fortnights"),
        ("time", YEAR / 12, "month months"),
        ("time", YEAR / 4, "quarter quarters"),
        ("time", YEAR, "year years"),
        ("time", 10 * YEAR, "decade decades"),
        ("time", 100 * YEAR, "century centuries"),
        ("length", 0.001, "millimeter millimeters mm"),
        ("length", 0.01, "centimeter centimeters cm"),
        ("length", 0.0254, "inch inches"),
        ("length", 0.3048, "foot feet ft"),
        ("length", 0.9144, "yard yards"),
        ("length", 1.0, "meter meters m"),
        ("length", 1000.0, "kilometer kilometers km"),
        ("length", 1609.344, "mile miles"),
        ("mass", 1.0, "gram grams g"),
        ("mass", 28.3495, "ounce ounces"),
        ("mass", 453.592, "pound pounds lb lbs"),
        ("mass", 1000.0, "kilogram kilograms kilo kilos kg"),
        ("mass", 1e6, "ton tons tonne tonnes"),
        ("volume", 1.0, "liter liters"),
        ("volume", 3.78541, "gallon gallons"),
        ("share", 0.01, "percent %"),
        ("count", 12.0, "dozen dozens"),
    )
    for name in names.split()
}
ABBREVIATIONS = {
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "bn": 1e9,
    "b": 1e9,
    "tn": 1e12,
    "trillion": 1e12,
} | SCALES
FRACTIONS = {
    "half": 1 / 2,
    "halves": 1 / 2,
    "third": 1 / 3,
    "thirds": 1 / 3,
    "quarter": 1 / 4,
    "quarters": 1 / 4,
    "fifth": 1 / 5,
    "fifths": 1 / 5,
    "tenth": 1 / 10,
    "tenths": 1 / 10,
}
TOKEN = re.compile(r"\d{1,2}:\d\d|\d+(?:[.,]\d+)*|[a-z]+|%")
DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}")
CLOSE = 0.04  # how far a rounded number, or a share, may be off
CLOSE_DECIMAL = 0.1  # the same of one with a decimal point
CONVERTED = 0.02  # the same of a number in other units


class Quantity(NamedTuple):
    """A number with its significant digits, and its readings: what it measures -> how much."""

    value: float
    digits: int
    readings: dict[str, float]


def numbers_disagree(one: str, other: str) -> bool:
    """Whether each of the sentences has a number that none of the other agrees with.

    >>> numbers_disagree("It took half an hour.", "It took 30 minutes.")
    False
    >>> numbers_disagree("It cost $64.7 billion.", "It cost some 65 billion.")
    False
    >>> numbers_disagree("It rose by 3.9 percent.", "It rose by 5 percent.")
    True
    """
    mine, theirs = read_quantities(one), read_quantities(other)
    return _has_lone(mine, theirs) and _has_lone(theirs, mine)


def _has_lone(quantities: list[Quantity], others: list[Quantity]) -> bool:
    return any(not any(_agree(one, other) for other in others) for one in quantities)


def _agree(one: Quantity, other: Quantity) -> bool:
    if one.value == other.value or _is_rounded(one, other) or _is_rounded(other, one):
        return True
    return any(
        kind in other.readings
        and math.isclose(size, other.readings[kind], rel_tol=CLOSE if kind == "share" else CONVERTED)
        for kind, size in one.readings.items()
    )


def _is_rounded(rough: Quantity, exact: Quantity) -> bool:
    """Whether the first is the second, rounded or cut to fewer digits."""
    if rough.digits >= exact.digits or exact.value <= 0 or rough.value <= 0:
        return False
    close = CLOSE if exact.value.is_integer() else CLOSE_DECIMAL
    step = 10.0 ** (math.floor(math.log10(exact.value)) - rough.digits + 1)
    off = abs(rough.value - exact.value)
    return off < step * (1 - 1e-9) and off <= close * exact.value


def read_quantities(text: str) -> list[Quantity]:
    """The numbers of a text, with what they measure.

    >>> [(found.value, found.readings) for found in read_quantities("He ran for two hours and a half.")]
    [(2.5, {'time': 9000.0})]
    """
    tokens = TOKEN.findall(text.lower())
    found: list[Quantity] = []
    place = 0
    while place < len(tokens):
        quantity, after = _read_clock(tokens, place) or _read_number(tokens, place) or (None, place + 1)
        if quantity is not None:
            found.append(quantity)
        place = after
    return found


def _read_clock(tokens: list[str], place: int) -> tuple[Quantity, int] | None:
    """A time of day: 3:30, half past three, a quarter to four."""
    word = tokens[place]
    if ":" in word:
        hours, minutes = map(int, word.split(":"))
        return _time_of_day(hours, minutes), place + 1
    if word in ("half", "quarter") and place + 2 < len(tokens) and tokens[place + 1] in ("past", "to"):
        hour = _value(tokens[place + 2])
        if hour is not None:
            minutes = 30 if word == "half" else 15
            hours = int(hour[0]) - (tokens[place + 1] == "to")
            return _time_of_day(
                hours, minutes if tokens[place + 1] == "past" else 60 - minutes
            ), place + 3
    return None


def _time_of_day(hours: int, minutes: int) -> Quantity:
    clock = hours % 12 * 60 + minutes
    return Quantity(-1.0 - clock, 4, {"clock": 1.0 + clock})


def _read_number(tokens: list[str], place: int) -> tuple[Quantity, int] | None:
    """A number with its unit, or nothing; and the place after it."""
    word = tokens[place]
    if word == "half" and _follows(tokens, place + 1, ("a", "an")) and _unit(tokens, place + 2):
        kind, size = UNITS[tokens[place + 2]]
        return Quantity(0.5, 1, {kind: 0.5 * size}), place + 3
    if word in FRACTIONS and (place == 0 or not _unit(tokens, place - 1)):
        is_share = word in ("half", "halves") or _follows(tokens, place - 1, ("a", "one"))
        return (
            (Quantity(FRACTIONS[word], 1, {"share": FRACTIONS[word]}), place + 1) if is_share else None
        )
    if word in ("a", "an") and _unit(tokens, place + 1):
        return _measure(1.0, 1, tokens, place + 1) if _follows(tokens, place + 2, ("and",)) else None
    read = _value(word)
    if read is None:
        return None
    value, digits, place = _read_words(*read, tokens, place + 1)
    if _follows(tokens, place, ("in",)) and place + 1 < len(tokens):
        whole = _value(tokens[place + 1])
        if whole is not None and 0 < value < whole[0] <= 1000:
            return Quantity(value / whole[0], 1, {"share": value / whole[0]}), place + 2
    if place < len(tokens) and tokens[place] in FRACTIONS and tokens[place].endswith("s"):
        share = value * FRACTIONS[tokens[place]]
        return Quantity(share, 1, {"share": share}), place + 1
    return _measure(value, digits, tokens, place)


def _read_words(value: float, digits: int, tokens: list[str], place: int) -> tuple[float, int, int]:
    """The number that goes on at this place, with "thousand five hundred" or "-one" after "twenty"."""
    whole = 0.0  # thousands that are finished
    while place < len(tokens):
        word = tokens[place]
        is_round = value >= 100 and value % 100 == 0
        if word == "and" and is_round and _follows(tokens, place + 1, tuple(NUMBER_WORDS)):
            place += 1
            word = tokens[place]
        more = NUMBER_WORDS.get(word)
        if word in ABBREVIATIONS and not (word == "m" and value.is_integer()):
            value *= ABBREVIATIONS[word]
        elif more is not None and is_round:
            if value >= 1000:
                whole, value = whole + value, 0.0
            value, digits = value + more, digits + 1
        elif more is not None and value % 100 >= 20 and value % 10 == 0 and 0 < more < 10:
            value, digits = value + more, digits + 1
        else:
            break
        place += 1
    return whole + value, digits, place


def _measure(value: float, digits: int, tokens: list[str], place: int) -> tuple[Quantity, int]:
    """The quantity of so many of the unit at this place, if there is one."""
    added = 0.0
    if tokens[place : place + 3] == ["and", "a", "half"]:
        added, place = 0.5, place + 3
    if not _unit(tokens, place):
        return Quantity(value + added, digits, {}), place
    kind, size = UNITS[tokens[place]]
    total, place = (value + added) * size, place + 1
    if tokens[place : place + 3] == ["and", "a", "half"]:
        added, total, place = added + 0.5, total + size / 2, place + 3
    elif kind == "time":
        step = 1 if _follows(tokens, place, ("and",)) else 0
        more = _value(tokens[place + step]) if place + step + 1 < len(tokens) else None
        if more is not None and _unit(tokens, place + step + 1):
            smaller, seconds = UNITS[tokens[place + step + 1]]
            if smaller == kind and seconds < size:
                total, place = total + more[0] * seconds, place + step + 2
    return Quantity(value + added, digits, {kind: total}), place


def _unit(tokens: list[str], place: int) -> bool:
    return 0 <= place < len(tokens) and tokens[place] in UNITS


def _follows(tokens: list[str], place: int, words: tuple[str, ...]) -> bool:
    return 0 <= place < len(tokens) and tokens[place] in words


def _value(word: str) -> tuple[float, int] | None:
    """A number in digits or in one word, and its significant digits."""
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word], max(1, len(f"{NUMBER_WORDS[word]:.0f}".rstrip("0")))
    if not word[0].isdigit() or ":" in word:
        return None
    plain = word.replace(",", ".") if DECIMAL_COMMA.fullmatch(word) else word.replace(",", "")
    if plain.count(".") > 1 or len(plain) > 300:
        return None
    digits = plain.replace(".", "").lstrip("0")
    return float(plain), max(1, len(digits if "." in plain else digits.rstrip("0")))
