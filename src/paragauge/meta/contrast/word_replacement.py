"""One word of a sentence replaced by its opposite, or by a close synonym.

**Opposites.** The new word is an antonym, in WordNet, of the first sense of the old one, in the same
inflection: "The oldest bridge fell." becomes "The youngest bridge fell." It must fit its place by the
shipped model of contexts (`rewrite.context_model`), which also rejects rare words, because it has no
classifier for them. Words whose first sense is seldom meant (`SELDOM_MEANT`), and places where another
sense is likely, such as "three years old" or "a little late", are left alone. A word whose opposite
is in the sentence already ("black and white") is left alone too. Of several antonyms, the
one that fits best is taken.

**Near-copies.** A synonym of WordNet that is chosen without its context often changes the meaning
("he made a bed", "he did a bed"). So the synonyms are those of a list that was written by hand,
`models/contrast/synonyms.tsv`: pairs of words that share a synset and can replace each other, in this
direction, nearly everywhere. Its last two columns hold words that must not stand beside the old word,
and words of which one must follow. The model of contexts may reject a pair, but need not know it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from paragauge.lexicon.wordnet import WordNet
from paragauge.meta.contrast.tagged_sentence import Change, TaggedSentence
from paragauge.rewrite.context.context_model import ContextModel
from paragauge.rewrite.thesauri.inflection import POS_OF_TAG, Inflection
from paragauge.text.lines import Lines
from paragauge.text.table_in_memory import read_records

SYNONYMS = Path(__file__).parents[2] / "models" / "contrast" / "synonyms.tsv"
POSES = "nvar"
SELDOM_MEANT = frozenset(
    "act admit answer arrive be begin birth close come common cover day dependent do down "  # noqa: SIM905
    "end ever foreign former front general get give go have in know latter leave let live "
    "lose make manage married mean need never night off on other out past present proud pull "
    "push question ride right safety same separate side sleep spread stay take top up wake "
    "walk well work".split()
)
UNFIT = frozenset(("birth", "fail", "low", "shut", "spread"))  # opposites that are seldom meant
# Adjectives with an opposite only before a noun: "a long letter", but not "that long".
ATTRIBUTIVE = frozenset(("light", "little", "long", "many", "much", "short", "single"))
# Adjectives that stay sensible before an infinitive: "easy to see", but not "unhappy to help you".
BEFORE_INFINITIVE = frozenset(
    "able bad dangerous difficult easy good hard illegal impossible legal possible safe".split()  # noqa: SIM905
)
DEGREES = frozenset(("as", "at", "how", "in", "month", "months", "of", "so", "year", "years"))
COMPARISONS = frozenset(("least", "less", "more", "most"))
PARTICLES = frozenset(("away", "back", "down", "off", "out", "over", "up"))  # "buy back"
FIXED = frozenset(("afternoon", "deal", "enough", "evening", "luck", "morning", "old", "school"))
HELPERS = frozenset(("am", "are", "be", "been", "being", "had", "has", "have", "is", "was", "were"))
CHILDREN = frozenset(("boy", "boys", "child", "children", "girl", "girls", "kid", "kids"))
POLARITY = frozenset(("any", "anybody", "anyone", "anything", "either"))  # "denied any guilt"
GENDERED = frozenset(
    "aunt boy brother daughter father female girl girlfriend boyfriend husband king male man mother "  # noqa: SIM905
    "nephew niece queen sister son uncle wife woman".split()
)
PRONOUNS = frozenset(("he", "her", "hers", "herself", "him", "himself", "his", "she"))


class Synonym(NamedTuple):
    """An entry of the list: what replaces a word, and beside what it may stand."""

    word: str
    not_beside: frozenset[str]
    only_before: frozenset[str]


class Replacement(NamedTuple):
    """A word for the token at a place."""

    place: int
    word: str


def oppose(sentence: TaggedSentence, random: np.random.Generator) -> Change:
    """The sentence with an opposite of one word, or None if no word has one that fits."""
    words = {token.lower for token in sentence.tokens}
    choices = []
    for place in range(len(sentence.tokens)):
        base = _base(sentence, place)
        if base is None or not _may_be_opposed(sentence, place, base):
            continue
        antonyms = _antonyms(base, sentence.tokens[place].tag)
        if not antonyms or words & {*antonyms.keys(), *antonyms.values()}:
            continue
        scored = [(_fit(sentence, place, form), form) for form in antonyms.values()]
        fitting = [(score, form) for score, form in scored if score >= 0]  # NaN does not fit
        if fitting:
            choices.append(Replacement(place, max(fitting)[1]))
    return _replace_one(sentence, choices, random)


def copy_nearly(sentence: TaggedSentence, random: np.random.Generator) -> Change:
    """The sentence with a close synonym of one word, or None if the list has none that fits."""
    choices = []
    for place, token in enumerate(sentence.tokens):
        base = _base(sentence, place)
        if base is None:
            continue
        before, after = sentence.beside(place)
        for synonym in synonyms().get((POSES[POS_OF_TAG[token.tag] - 1], base), ()):
            if {before, after} & synonym.not_beside:
                continue
            if synonym.only_before and after not in synonym.only_before:
                continue
            form = Inflection.of().inflect(synonym.word, token.tag)
            if not _fit(sentence, place, form) < 0:
                choices.append(Replacement(place, form))
    return _replace_one(sentence, choices, random)


@cache
def synonyms() -> dict[tuple[str, str], list[Synonym]]:
    """The close synonyms of each part of speech and word.

    >>> [synonym.word for synonym in synonyms()["n", "car"]]
    ['automobile']
    """
    records = read_records(SYNONYMS)
    entries: dict[tuple[str, str], list[Synonym]] = {}
    for row in range(len(records)):
        entry = Synonym(
            records.text(row, "synonym"),
            frozenset(" ".join(records.texts(row, "not beside")).split()),
            frozenset(" ".join(records.texts(row, "only before")).split()),
        )
        entries.setdefault((records.text(row, "pos"), records.text(row, "word")), []).append(entry)
    return entries


def _antonyms(base: str, tag: str) -> dict[str, str]:
    """The antonyms of the first sense of a word, and their forms for the tag."""
    senses = WordNet.default().antonyms_by_sense(base, POSES[POS_OF_TAG[tag] - 1])
    words = [word for word in (senses[0] if senses else ()) if word.isalpha() and word not in UNFIT]
    return {word: Inflection.of().inflect(word, tag) for word in words}


def _base(sentence: TaggedSentence, place: int) -> str | None:
    """The base form of a word of an open class; None for names and words in capitals."""
    token = sentence.tokens[place]
    is_plain = token.text.isalpha() and (token.text.islower() or (place == 0 and token.text.istitle()))
    if not is_plain or token.tag not in POS_OF_TAG or token.tag.startswith("NNP"):
        return None
    follows = sentence.beside(place)[1]
    if token.tag.startswith("VB") and (sentence.next_tag(place) == "RP" or follows in PARTICLES):
        return None
    return Inflection.of().base(token.lower, token.tag)


def _may_be_opposed(sentence: TaggedSentence, place: int, base: str) -> bool:
    token = sentence.tokens[place]
    before, after = sentence.beside(place)
    if {base, token.lower} & SELDOM_MEANT or before in DEGREES or after in FIXED:
        return False
    if token.tag.startswith("VB"):
        return _verb_may_be_opposed(sentence, place, base)
    if token.tag.startswith("JJ"):
        return _adjective_may_be_opposed(sentence, place, base)
    if token.tag.startswith("NN") and base in GENDERED:
        # "A man drove his car", "Tom is a good boy": other words tell the gender.
        return not any(other.lower in PRONOUNS or other.tag == "NNP" for other in sentence.tokens)
    return True


def _verb_may_be_opposed(sentence: TaggedSentence, place: int, base: str) -> bool:
    token, tag = sentence.tokens[place], sentence.next_tag(place)
    before, after = sentence.beside(place)
    if base in ("start", "stop"):
        return tag == "VBG"
    if (base, after) == ("stand", "at") or POLARITY & {other.lower for other in sentence.tokens}:
        return False
    return tag != "TO" and (token.tag != "VBN" or before in HELPERS)


def _adjective_may_be_opposed(sentence: TaggedSentence, place: int, base: str) -> bool:
    token, tag = sentence.tokens[place], sentence.next_tag(place)
    before, after = sentence.beside(place)
    # "You'd better", "had better"
    if before in COMPARISONS or before == "had" or before.endswith(("'d", "’d")):
        return False
    if (base == "young" and after in CHILDREN) or (tag == "TO" and base not in BEFORE_INFINITIVE):
        return False
    return token.lower not in ATTRIBUTIVE or tag.startswith("NN")


def _fit(sentence: TaggedSentence, place: int, word: str) -> float:
    """How well a word fits a place, 0 or more if it does; NaN if the model does not know it."""
    line = Lines.of([" ".join(token.lower for token in sentence.tokens)])
    zero = np.zeros(1, np.int64)
    at = np.array([place], np.int64)
    # A lenient decision, because the best of several words is taken.
    judge = ContextModel.default("swords")
    return float(judge.scores(line, zero, at, Lines.of([word]), zero, 1)[0])


def _replace_one(
    sentence: TaggedSentence, choices: list[Replacement], random: np.random.Generator
) -> Change:
    choices = [choice for choice in choices if choice.word != sentence.tokens[choice.place].lower]
    if not choices:
        return None
    place, word = choices[int(random.integers(len(choices)))]
    return sentence.replace_word(place, word), f"'{word}' for '{sentence.tokens[place].lower}'"
