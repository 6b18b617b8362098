"""The English indefinite article by the sound that follows it: *a house*, but *an hour*.

Spelling decides, with the usual exceptions: a silent h (hour, honest, heir); u and eu that begin with
the sound of *you* (unit, use, Europe), but not the prefix un- (uninvited); and *one*.
Digits are read as numbers (an 8, an 11, an 18). Capitals are read letter by letter (an MP, a UN envoy)
if they are at most three or have no vowel, and as a word if they are more (a NATO ship).
"""

from __future__ import annotations

import re
from typing import Literal

Article = Literal["a", "an"]
ARTICLES: frozenset[str] = frozenset(("a", "an"))
LETTERS_WITH_VOWEL_SOUND = frozenset("AEFHILMNORSX")
SPELLED = 3  # capitals up to this number are read letter by letter
SILENT_H = re.compile(r"hour|honest|hono(?:u?r)|heir(?!on)")
SOUND_OF_YOU = re.compile(
    r"eu|ewe|uni(?![dmn])|unanim|unesco|us[aeiu]|ut[aeio]|ubi|ura|uri[nc]|uro|uru|uk[reu]|ufo|one(?!ro)"
    r"|once\b|ouij"
)
NUMBER = re.compile(r"8|1[18](?!\d)|18\d\d(?!\d|,\d)")  # eight, eleven, eighteen, the year 1812


def indefinite_article(word: str) -> Article:
    """The article before a word, which may begin a longer text.

    >>> [indefinite_article(word) for word in ("image", "unit", "hour", "uninvited", "one-way", "MP")]
    ['an', 'a', 'an', 'an', 'a', 'an']
    >>> [indefinite_article(word) for word in ("UN", "NATO", "18", "180", "11th", "8,000", "ewe")]
    ['a', 'a', 'an', 'a', 'an', 'an', 'a']
    """
    text = word.lstrip("\"'`“‘«([")
    if text[:1].isdigit():
        return "an" if NUMBER.match(text) else "a"
    letters = re.match(r"[^\W\d_]*", text)
    initials = letters[0] if letters else ""
    if initials.isupper() and (len(initials) > 1 or text[1:2] in (".", "-")):
        has_vowel = not set(initials.lower()).isdisjoint("aeiou")
        if len(initials) <= SPELLED or not has_vowel:
            return "an" if initials[0] in LETTERS_WITH_VOWEL_SOUND else "a"
    small = text.lower()
    if SILENT_H.match(small):
        return "an"
    if SOUND_OF_YOU.match(small):
        return "a"
    return "an" if small[:1] in tuple("aeiouáàâäéèêëíìîïóòôöúùûü") else "a"
