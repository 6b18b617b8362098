"""The numbers by which `word_changes` knows words, links and features.

A word is a row of `FIELDS`, with flags, and a list of number parts: what the pieces of "twenty-one" or
"2,500" add to a number that may go on in the next word. `FEATURES` names the columns of the result.
Most features come for two sides, the candidate's and the source's; *both* is the smaller of the two:
something on each side that the other side lacks.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

SHORT_STEM = -1  # of a lemma too short to compare by stem or letters
NO_CLASS = -1


class Category(IntEnum):
    """Parts of speech; those up to NUMBER carry content, LIGHT verbs such as *be* do not."""

    NAME = 0
    NOUN = 1
    VERB = 2
    ADJECTIVE = 3
    ADVERB = 4
    NUMBER = 5
    MODAL = 6
    PREPOSITION = 7
    DETERMINER = 8
    PRONOUN = 9
    LIGHT = 10
    OTHER = 11


class WordFlag(IntFlag):
    """What else is known of a word; a strong negation reverses a sentence, a weak one may."""

    NEGATION = 1
    WEAK_NEGATION = 2
    PAST = 4
    PRESENT = 8
    PARTICIPLE = 16
    BE = 32
    BY = 64
    CAPITALIZED = 128


class NumberPart(IntEnum):
    """What a piece of a word does to the number being read."""

    DIGITS = 0  # a number in digits: starts a new one
    WORD = 1  # a number word: continues "twenty" or "two hundred"
    SCALE = 2  # "thousand": multiplies
    AND = 3  # neither ends a number nor adds to it
    SINGLE = 4  # "first", "dozen": ends the number and is one by itself
    END = 5  # any other piece: ends the number


class LinkKind(IntEnum):
    """Why two words are linked, in the order in which links are tried."""

    SAME = 0
    LEMMA = 1
    OPPOSITE = 2
    SYNONYM = 3
    STEM = 4
    LETTERS = 5
    SLOT = 6


FIELDS = ("spelling", "lemma", "category", "flags", "unit", "quantifier", "modal", "pronoun")
SIDES = ("candidate", "source", "both")
FEATURES = (
    # Shares of content words with a partner, weighted by how informative they are; then of all words.
    *("content_precision", "content_recall", "lemma_precision", "lemma_recall"),
    *("content_f1", "content_least", "word_precision", "word_recall"),
    # Words without a partner of the same meaning.
    *(
        f"loose_{category}_{side}"
        for category in ("name", "noun", "verb", "adjective", "adverb")
        for side in SIDES
    ),
    *("loose_weight_candidate", "loose_weight_source"),
    *(f"loose_content_{side}" for side in SIDES),
    *("loose_heaviest_candidate", "loose_heaviest_source"),
    # Other words in the same place.
    *("slot_name", "slot_noun", "slot_verb", "slot_adjective", "slot_function", "slots"),
    # Negations and opposites; polarity is 1 if they reverse the meaning an odd number of times.
    *("negation_difference", "negation_one_sided", "negation_candidate", "negation_source"),
    *("weak_negation_difference", "opposites", "polarity", "negation_any"),
    *(f"number_{side}" for side in SIDES),
    "number_common",
    *(f"{name}_{side}" for name in ("unit", "quantifier", "pronoun") for side in SIDES),
    *("modal_candidate", "modal_source"),
    *("past_difference", "present_difference", "tense_differs"),
    # Order: of linked content words, then of all linked words.
    *("inversions", "inversion_share", "descents", "chunks", "chunk_share", "word_descents"),
    # Shares of linked content words whose neighbors are not linked; then counts.
    *("previous_differs", "next_differs", "neighbors_differ"),
    *("neighbors_differ_count", "preposition_differs"),
    # Nouns that change sides of a verb; "active" ones without a passive that would explain it.
    *("role_swaps", "by_difference", "passive_difference", "role_swaps_active", "noun_inversions"),
    *("length_candidate", "length_source", "length_difference", "length_ratio"),
    *("same_lemmas", "content_candidate", "content_source"),
    *("synonyms", "stems", "letters", "ends_open", "capitals_difference"),
)
