"""Twin of morphy.cpp: base forms of words as WordNet's own library finds them.

The library's function `morphstr` (WordNet 3.0, Fellbaum 1998) looks in the exception lists, then
detaches endings; a base form counts only if it is in WordNet with the wanted part of speech (a form
from an exception list counts always). It never gives the word itself, which its callers look up as
well. Here there is one result: that of `morphstr`, else the word itself if it is in WordNet. NLTK's
`morphy` differs: it tries the word itself first, takes the shortest form and drops exceptions that
are not in WordNet.
"""

from __future__ import annotations

import re
from typing import Protocol

NOUN, VERB, ADJECTIVE, ADVERB = 1, 2, 3, 4
RULES = {
    NOUN: (
        *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    VERB: (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", "")),
        *(("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ),
    ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    ADVERB: (),
}
PREPOSITIONS = frozenset(
    "to at of on off in out up down from with into for about between".split()  # noqa: SIM905
)


class Lexicon(Protocol):
    """The lookups that morphy needs."""

    def is_word(self, word: str, pos: int) -> bool:
        """Whether the word has a synset of this part of speech."""

    def exception(self, form: str, pos: int) -> str | None:
        """The base form in the exception list."""


def base_form(net: Lexicon, word: str, pos: int) -> str | None:
    """The base form of a word in lower case, or None."""
    return changed_form(net, word, pos) or (word if net.is_word(word, pos) else None)


def changed_form(net: Lexicon, word: str, pos: int) -> str | None:
    """`morphstr`: the base form of a word in lower case if it is another word, or None."""
    base = net.exception(word, pos)
    if base is not None and base != word:
        return base
    if pos != VERB and (base := _detach_ending(net, word, pos)) not in (None, word):
        return base
    if pos == VERB and _has_preposition(word):
        return _base_before_preposition(net, word)
    return _base_of_parts(net, word, pos)


def _is_defined(net: Lexicon, word: str, pos: int) -> bool:
    """Whether the word is in WordNet, ignoring hyphens, underscores and full stops."""
    variants = (
        word,
        word.replace("_", "-"),
        word.replace("-", "_"),
        word.replace("_", "").replace("-", ""),
        word.replace(".", ""),
    )
    return any(net.is_word(variant, pos) for variant in variants)


def _change_endings(word: str, pos: int) -> list[str]:
    """The results of the rules for the word, which must be longer than the ending."""
    return [
        word.removesuffix(ending) + instead
        for ending, instead in RULES[pos]
        if word.endswith(ending) and word != ending
    ]


def _detach_ending(net: Lexicon, word: str, pos: int) -> str | None:
    """`morphword`: a single word. In boxesful the noun before -ful changes."""
    base = net.exception(word, pos)
    if base is not None:
        return base
    end = ""
    if pos == NOUN:
        if word.endswith("ful") and word != "ful":
            word, end = word[:-3], "ful"
        elif word.endswith("ss") or len(word.encode()) <= 2:
            return None
    for changed in _change_endings(word, pos):
        if _is_defined(net, changed, pos):
            return changed + end
    return None


def _base_of_parts(net: Lexicon, word: str, pos: int) -> str | None:
    """A collocation: base forms of its parts.

    There are as many cuts as runs of hyphens and underscores; each is made at a single one.
    """
    cuts = len(re.findall(r"[_-]+", word))
    parts = re.split(r"([_-])", word, maxsplit=cuts) if cuts else [word]
    joined = "".join(
        part if number % 2 else _detach_ending(net, part, pos) or part
        for number, part in enumerate(parts)
    )
    return joined if joined != word and _is_defined(net, joined, pos) else None


def _has_preposition(word: str) -> bool:
    """Whether a word after the first is a preposition; it checks as many words as there are runs of
    underscores.
    """
    runs = len(re.findall("_+", word))
    return any(part in PREPOSITIONS for part in word.split("_")[1 : runs + 1])


def _base_before_preposition(net: Lexicon, word: str) -> str | None:
    """`morphprep`: the verb changes, and the last word, as a noun, may change too."""
    verb, _, rest = word.partition("_")
    middle, _, last = rest.rpartition("_")
    noun = _detach_ending(net, last, NOUN) if "_" in rest else None
    tails = [f"_{rest}"] if noun is None else [f"_{rest}", f"_{middle}_{noun}"]
    if re.fullmatch("[A-Za-z0-9]*", verb) is None:
        return None
    exception = net.exception(verb, VERB)
    bases = [exception] if exception not in (None, verb) else []
    for base in (*bases, *_change_endings(verb, VERB)):
        for tail in tails:
            if _is_defined(net, f"{base}{tail}", VERB):
                return f"{base}{tail}"
    return verb + tails[1] if len(tails) == 2 and tails[0] != tails[1] else None
