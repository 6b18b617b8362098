"""Whether a phrase and its paraphrase agree in details that vectors do not see, by rules for English.

Descriptions of one clip say more or less than each other, and words are aligned across parts of
speech. So a phrase table has "room" and "living room", "drinks" and "drinking", "potatoes" and
"a potato", all with similar vectors; in a sentence they add a thing, break the grammar or change a
number. Callison-Burch (2008) demands the same syntactic label of both sides; where there are no trees,
these rules do some of it. A pair keeps the details if

- words in -ing stay or get a form of "be", and there are no more of them without one in the target:
  "drinks" to "is drinking", but not to "drinking", and "falling" to "is falling", but not to "falls";
- no word has a plural (or third person) -s on one side only: "potatoes" to "potato" is a number, and
  "cats" to "cat" breaks agreement;
- the target does not have all content words of the source and more of them: "room" to "living room";
- the target has a word of place only if the source has one, and a word of direction only if the source
  has the same: "is picking" to "picks up" and "jumps in" to "jumps out" are other actions. "In" may
  become "on", or be left out.

Words are compared by their base forms in WordNet. Light verbs ("do", "make"), words for sets ("group")
and "someone" do not count as content, so that "people" may become "a group of people".
"""

from __future__ import annotations

import functools

from paragauge.lexicon.wordnet import WordNet

KINDS = {
    "be": "is are was were be been being am 's 're",
    "direction": "up down off out away over under",
    "place": "on in into onto around through across along behind against",
    "article or pronoun": "a an the some this that these those one two three there who which "
    "i we you he she it they him them my your our his her hers its their",
    "conjunction or preposition": "of to at by with for from back and or as while not no",
    "light verb": "do does doing did done perform performs performing performed "
    "make makes making made have has having had take takes taking took taken get gets getting got",
    "set or anybody": "group couple piece pieces someone somebody something",
}
WORDS = {kind: frozenset(words.split()) for kind, words in KINDS.items()}
BE, DIRECTIONS = WORDS["be"], WORDS["direction"]
PLACES = DIRECTIONS | WORDS["place"]
NO_CONTENT = frozenset(word for words in WORDS.values() for word in words)


def keeps_details(source: str, target: str) -> bool:
    """Whether the target of a phrase pair keeps number, verb forms and directions and adds nothing.

    >>> keeps_details("is cutting a potato", "slices the potato"), keeps_details("room", "living room")
    (True, False)
    """
    left, right = source.lower().split(" "), target.lower().split(" ")
    bare = _bare_participles(left)
    if not _bare_participles(right) <= bare <= _participles(right):
        return False
    if not PLACES.isdisjoint(right) and PLACES.isdisjoint(left):
        return False
    if not DIRECTIONS.intersection(right) <= set(left):
        return False
    if _loses_ending(left, right) or _loses_ending(right, left):
        return False
    return not _only_adds(left, right)


def _participles(words: list[str]) -> int:
    """How many words in -ing there are."""
    return sum(_is_participle(word) for word in words)


def _bare_participles(words: list[str]) -> int:
    """How many words in -ing there are without a form of "be" before them."""
    return sum(
        _is_participle(word) and not (place and words[place - 1] in BE)
        for place, word in enumerate(words)
    )


def _loses_ending(words: list[str], others: list[str]) -> bool:
    """Whether any word that ends in -s has its base form on the other side instead."""
    return any(
        word not in others and (base := _without_ending(word)) in others and base not in words
        for word in words
    )


def _only_adds(left: list[str], right: list[str]) -> bool:
    """Whether all content words of the left side are on the right side, with others."""
    needed = [_bases(word) for word in left if word not in NO_CONTENT]
    rest = [_bases(word) for word in right if word not in NO_CONTENT]
    if not needed:
        return False
    for bases in needed:
        match = next((place for place, there in enumerate(rest) if bases & there), None)
        if match is None:
            return False
        del rest[match]
    return bool(rest)


@functools.lru_cache(maxsize=1 << 16)
def _is_participle(word: str) -> bool:
    return word.endswith("ing") and WordNet.default().morphy(word, "v") not in (None, word)


@functools.lru_cache(maxsize=1 << 16)
def _without_ending(word: str) -> str | None:
    """The base form of a noun or verb in -s, if it is another word."""
    if not word.endswith("s"):
        return None
    net = WordNet.default()
    base = net.morphy(word, "n") or net.morphy(word, "v")
    return None if base == word else base


@functools.lru_cache(maxsize=1 << 16)
def _bases(word: str) -> frozenset[str]:
    """The base forms of a word as any part of speech; itself if WordNet does not know it."""
    net = WordNet.default()
    return frozenset(base for pos in "nvar" if (base := net.morphy(word, pos))) or frozenset((word,))
