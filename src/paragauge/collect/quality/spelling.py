"""Words that are probably misspelled, with a suggestion.

A word is known if it is in the frequency list of its language (from the package pyspellchecker, 12
languages); for English also if WordNet has it, with or without a final s. An unknown
word is suspected unless it is a name (a capital inside the sentence), has a digit, or is one of
the words that the caller allows: those of the source, and those that trusted workers wrote. Suggested
is the most frequent word at one edit (insertion, deletion, substitution, transposition; Damerau 1964).
A language without a list has no speller.

The first use of a language reads its list, a tenth of a second; a word that is known costs a lookup,
one that is not about a millisecond.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from paragauge.errors import MissingExtraError
from paragauge.lexicon.language_names import find_language_tag
from paragauge.lexicon.wordnet import WordNet
from paragauge.text.unicode_words import words

LANGUAGES = ("ar", "de", "en", "es", "eu", "fa", "fr", "it", "lv", "nl", "pt", "ru")
# Lists made from subtitles contain typos: words rarer than this are not suggested.
LEAST_COUNT = 20


@dataclass(frozen=True)
class Misspelling:
    """An unknown word; `suggestion` is empty if no known word is near."""

    word: str
    suggestion: str


class Speller:
    """The words of one language.

    >>> speller = Speller("en")
    >>> speller.find_misspelled("The laldy coated the meat in breadcrumbs.")
    (Misspelling(word='laldy', suggestion='lady'),)
    >>> speller.find_misspelled("A man in Newtown plays a didgeridoo.")
    ()
    """

    def __init__(self, language: str) -> None:
        """`language` is one of `LANGUAGES`."""
        try:
            from spellchecker import SpellChecker
        except ImportError:
            raise MissingExtraError("pyspellchecker, which checks spelling,", "web") from None
        self._checker = SpellChecker(language=language, distance=1)
        self._counts = self._checker.word_frequency.dictionary
        self._net = WordNet.default() if language == "en" else None

    def knows(self, word: str) -> bool:
        """Whether a lowercase word belongs to the language."""
        parts = [part for part in word.split("-") if part]
        return self._has(word) or all(
            self._has(part) or self._has(part.removesuffix("'s")) for part in parts
        )

    def _has(self, word: str) -> bool:
        if word in self._counts or self._net is None or not word:
            return word in self._counts
        # Other endings than s change the spelling of many stems: morphy finds cut in cuting.
        return word in self._net or (
            word.endswith("s") and any(self._net.morphy(word, pos) for pos in "nv")
        )

    def find_misspelled(self, text: str, allowed: Collection[str] = ()) -> tuple[Misspelling, ...]:
        """The words of a text that are probably misspelled, each once, in order."""
        names = _find_names(text)
        suspects = [
            word
            for word in dict.fromkeys(words(text))
            if len(word) > 1
            and word not in allowed
            and word not in names
            and not any(character.isdigit() for character in word)
            and not self.knows(word)
        ]
        return tuple(Misspelling(word, self._find_nearest(word)) for word in suspects)

    def _find_nearest(self, word: str) -> str:
        if len(word) > 40:
            return ""
        near = [other for other in self._checker.candidates(word) or () if other != word]
        frequent = [other for other in near if self._counts[other] >= LEAST_COUNT]
        return max(sorted(frequent), key=lambda other: self._counts[other], default="")


@cache
def find_speller(language: str) -> Speller | None:
    """The speller of a language that a worker named, or None if there is none.

    >>> find_speller("Klingon") is None
    True
    """
    code = find_language_tag(language) or language
    return Speller(code) if code in LANGUAGES else None


def _find_names(text: str) -> set[str]:
    """Capitalized words that do not begin a sentence."""
    names: set[str] = set()
    begins = True
    for raw in unicodedata.normalize("NFC", text).split():
        bare = raw.strip("\"'([{«“‘.,;:!?)]}»”’")
        if bare and not begins and bare[0].isupper():
            names.update(words(bare))
        begins = raw.rstrip("\"')]}»”’").endswith((".", "!", "?"))
    return names
