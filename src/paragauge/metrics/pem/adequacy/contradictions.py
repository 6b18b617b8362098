"""Pairs that contradict each other in plain words, however much else is worded anew.

    opposite    "The stock gained 12 percent" for "Shares fell by 12 percent": words linked as
                opposites, no negation that takes it back, and not the same said from the other side
                ("B bought it from A" for "A sold it to B", "B is shorter than A" for "A is taller")
    roles       "The lawyer was accused by the banker" for "The lawyer accused the banker": the verb
                is linked, and so are who does it and whom it is done to, the other way around

The trees of adequacy learn from pairs that people rated, in which much new wording seldom hides such a
change; they hardly notice it there. These rules are strict: they seldom find a pair that people call
a paraphrase.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Floats
from paragauge.kernels.word_layout import NO_CLASS, Category, LinkKind
from paragauge.lexicon.wordnet import WordNet
from paragauge.metrics.pem.adequacy.adequacy_features import NAMES
from paragauge.metrics.pem.adequacy.opposite_words import opposite_words
from paragauge.metrics.pem.adequacy.polarity import match_lines
from paragauge.metrics.pem.adequacy.word_changes import LinkedWord, WordLinks, link_words
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.text.lines import Lines

POLARITY, NEGATIONS, OPPOSITES, SWAPS, BY, PASSIVES, DESCENTS, SHARED = (
    NAMES.index(name)
    for name in (
        *("polarity", "negation_difference", "opposites", "role_swaps", "by_difference"),
        *("passive_difference", "word_descents", "content_least"),
    )
)
MOST, NEARLY_ALL = 0.5, 0.95  # of the content words
# Words of a change seen from either side: whether it is another change depends on who does it.
CONVERSES = frozenset(
    {
        "sell",
        "buy",
        "purchase",
        "lend",
        "borrow",
        "teach",
        "learn",
        "give",
        "receive",
        "import",
        "export",
    }
)
DIRECTIONS = frozenset(
    {"come", "go", "bring", "take", "here", "there", "in", "out", "on", "off", "up", "down"}
)
TURNING = frozenset({"less", "least", "fewer", "than"})
PASSIVE = ("be", "get")
AUXILIARIES = 3  # words before a participle among which its auxiliary stands


def may_contradict(rows: Floats) -> NDArray[np.bool_]:
    """Pairs that are worth linking, by their features [n, NAMES or more]: a few in a hundred."""
    has_opposite = (rows[:, OPPOSITES] > 0) & (rows[:, POLARITY] > 0) & (rows[:, NEGATIONS] == 0)
    is_reordered = (rows[:, DESCENTS] > 0) & (rows[:, SHARED] >= NEARLY_ALL)
    is_turned = (rows[:, BY] != 0) & (rows[:, PASSIVES] != 0) & (rows[:, SHARED] >= MOST)
    return np.asarray(has_opposite | is_reordered | is_turned | (rows[:, SWAPS] > 0))


def find_contradictions(candidates: Lines, sources: Lines, threads: int = 1) -> NDArray[np.bool_]:
    """Which candidates contradict their sources.

    >>> sources = ["The stock rose.", "The stock rose.", "Tom saw Ann."]
    >>> candidates = ["The stock fell.", "The stock soared.", "Tom was seen by Ann."]
    >>> find_contradictions(Lines.of(candidates), Lines.of(sources)).tolist()
    [True, False, True]
    """
    pairs = link_words(*match_lines(candidates, sources), WordWeights.default(), threads)
    return np.array([says_opposite(pair) or exchanges_roles(pair) for pair in pairs], np.bool_)


def says_opposite(pair: WordLinks) -> bool:
    """Whether content words are linked as opposites, and not as two sides of one event."""
    features = pair.features
    if not features["opposites"] or not features["polarity"] or features["negation_difference"]:
        return False
    if any(word.lemma in TURNING for word in (*pair.candidate, *pair.source)):
        return False
    kinds = {(i, j): kind for i, j, kind in pair.links}
    for (i, j), kind in kinds.items():
        mine, theirs = pair.candidate[i], pair.source[j]
        lemmas = {mine.lemma, theirs.lemma}
        if (
            kind != LinkKind.OPPOSITE
            or not (mine.is_content and theirs.is_content)
            or lemmas & DIRECTIONS
            # "As the ocean warms, fish look for colder water" has both.
            or _has_opposite(pair.candidate, mine)
            or _has_opposite(pair.source, theirs)
        ):
            continue
        if not lemmas & CONVERSES:
            return True
        ours, others = _find_subject(pair.candidate[:i]), _find_subject(pair.source[:j])
        if ours is not None and others is not None and kinds.get((ours, others)) == LinkKind.SAME:
            return True
    return False


def _has_opposite(words: Sequence[LinkedWord], of: LinkedWord) -> bool:
    """Whether a word of the sentence is an opposite of this one."""
    listed = opposite_words().get(of.lemma, frozenset())
    opposites = listed.union(WordNet.default().antonyms(of.lemma))
    return any(word.lemma in opposites for word in words)


def exchanges_roles(pair: WordLinks) -> bool:
    """Whether a verb of both sentences has its two arguments exchanged."""
    verbs = [
        (i, j)
        for i, j, kind in pair.links
        if _is_alike(kind) and _may_be_verb(pair.candidate[i], pair.source[j])
    ]
    links: set[tuple[int, int]] = set()
    for i, j in verbs:
        ours, theirs = find_arguments(pair.candidate, i), find_arguments(pair.source, j)
        if not ours or not theirs or _is_same_person(*(pair.source[place] for place in theirs)):
            continue
        links = links or {(a, b) for a, b, kind in pair.links if _is_alike(kind)}
        if all(
            (a, b) in links or _is_same_person(pair.candidate[a], pair.source[b])
            for a, b in zip(ours, theirs[::-1], strict=True)
        ):
            return True
    return False


def _is_alike(kind: LinkKind) -> bool:
    """Whether words that are linked so are the same, or synonyms."""
    return kind <= LinkKind.STEM and kind != LinkKind.OPPOSITE


def _may_be_verb(one: LinkedWord, other: LinkedWord) -> bool:
    """Whether linked words are verbs. A tagger may take one for a noun; the same word shows it."""
    if one.text == other.text:
        return _is_verb(one) or _is_verb(other)
    return _is_verb(one) and _is_verb(other)


def _is_same_person(one: LinkedWord, other: LinkedWord) -> bool:
    """Whether both are forms of one pronoun, as *he* and *him*."""
    return one.facts.pronoun != NO_CLASS and one.facts.pronoun == other.facts.pronoun


def find_arguments(words: Sequence[LinkedWord], verb: int) -> tuple[int, int] | None:
    """The places of the nouns that say who does what a verb says, and whom or what it is done to.

    In the passive the first follows *by*. None if one is missing.
    """
    before = _find_subject(words[:verb])
    has_auxiliary = any(word.lemma in PASSIVE for word in words[max(0, verb - AUXILIARIES) : verb])
    has_agent = any(word.lemma == "by" for word in words[verb + 1 : verb + 2])
    is_passive = words[verb].tag == "VBN" and (has_auxiliary or has_agent)
    is_passive |= words[verb].tag == "VBD" and has_auxiliary
    start = verb + 1
    if is_passive:
        start = next((k + 1 for k in range(verb + 1, len(words)) if words[k].lemma == "by"), len(words))
    after = _find_object(words, start)
    if before is None or after is None:
        return None
    return (after, before) if is_passive else (before, after)


def _find_subject(words: Sequence[LinkedWord]) -> int | None:
    """The head of the noun phrase before a verb that comes next: of "the price of oil", *price*."""
    place = len(words) - 1
    while place >= 0 and not _is_noun(words, place):
        if _is_verb(words[place]):
            return None
        place -= 1
    while place > 0:
        first = place
        while first > 0 and (_is_noun(words, first - 1) or _is_modifier(words[first - 1])):
            first -= 1
        if first < 2 or words[first - 1].tag not in ("IN", "TO") or not _is_noun(words, first - 2):
            break
        place = first - 2
    return place if place >= 0 else None


def _find_object(words: Sequence[LinkedWord], start: int) -> int | None:
    """The head of the noun phrase that starts here."""
    place = start
    if place < len(words) and words[place].tag in ("IN", "TO"):  # "looked at the dog"
        place += 1
    while place < len(words) and not _is_noun(words, place):
        if not (_is_modifier(words[place]) or words[place].tag.startswith("RB")):
            return None
        place += 1
    if place == len(words):
        return None
    while place + 1 < len(words) and words[place].tag != "PRP" and _is_noun(words, place + 1):
        place += 1
    return place


def _is_verb(word: LinkedWord) -> bool:
    return word.facts.category == Category.VERB and word.tag.startswith("V")


def _is_noun(words: Sequence[LinkedWord], place: int) -> bool:
    """A noun or personal pronoun; an adjective in capitals that no noun follows: "She teaches Italian".

    No unit of a number: "It rose by two percent" is no passive.
    """
    word = words[place]
    if word.facts.unit != NO_CLASS and place > 0 and words[place - 1].tag == "CD":
        return False
    if word.tag.startswith("N") or word.tag == "PRP":
        return True
    is_last = place + 1 == len(words) or not words[place + 1].tag.startswith(("N", "J"))
    return word.tag.startswith("J") and word.text.istitle() and is_last


def _is_modifier(word: LinkedWord) -> bool:
    return word.tag.startswith(("DT", "PDT", "J", "PRP$", "CD", "POS", "VBG", "VBN"))
