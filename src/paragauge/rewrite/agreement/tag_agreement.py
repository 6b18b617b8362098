"""Which proposals fit the sentence by its tags: parts of speech, names, and what a verb asks for.

These rules refuse proposals. They read the tags of the reference and of the output, and go beyond
Kauchak and Barzilay (2006), who do not look at grammar.

**Parts of speech.** The substitute has the part of speech in the output that the word has in the
reference: *good*, an adjective there, does not replace the adverb *well*. Participles count as verbs
and as adjectives.

**Names.** A proper noun beside another one is part of a name, and stays: *Great Britain* does not
become *Great UK*. Only a full stop may come or go (*Mr*, *Mr.*).

**Complements.** *Draw up* and *think of* need their particle or preposition, *tell* an object. What
follows the verb in the reference and what follows its substitute in the output must be of one kind:

| after the verb | after the substitute |
|---|---|
| a preposition or particle | the same one |
| *that* | *that*, or the beginning of a clause or object |
| an object, or a clause without *that* | the beginning of an object or clause, or *that* |
| anything else | no object |

Prepositions that begin an adjunct (`ADJUNCT`: *by*, *after*) count as anything else, and participles
(VBN) are free, unless a preposition or particle follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Ints
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged

NOUN, VERB, ADJECTIVE, ADVERB = 1, 2, 4, 8
OTHER, PREPOSITION, OBJECT, THAT = range(4)
OBJECT_TAGS = ("DT", "PDT", "PRP", "NN", "JJ", "CD", "$", "WP", "EX")
ADJUNCT = frozenset(
    "after although because before by during if since than though until unless when while".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class TaggedPlaces:
    """Words of some sentences with their tags, and the place of one word for each proposal.

    `words` numbers the words of both sides alike; `line` and `token` are int64 [proposals].
    """

    words: Ragged
    tags: Ragged
    line: Ints
    token: Ints

    def tag(self) -> Ints:
        """The tag of each word."""
        return np.asarray(self.tags.ids[self.tags.offsets[self.line] + self.token], np.int64)

    def word(self) -> Ints:
        """The number of each word."""
        return np.asarray(self.words.ids[self.words.offsets[self.line] + self.token], np.int64)

    def next_tag(self) -> Ints:
        """The tag of the word after it, -1 at the end."""
        return _following(self.tags, self.line, self.token)

    def next_word(self) -> Ints:
        """The number of the word after it, -1 at the end."""
        return _following(self.words, self.line, self.token)


def keep_grammatical(
    reference: TaggedPlaces,
    output: TaggedPlaces,
    tag_names: Sequence[str],
    words: Lines,
) -> NDArray[np.bool_]:
    """Which proposals agree with the rules for parts of speech and complements, bool [proposals].

    >>> words = Lines.of("points indicates out that".split())
    >>> numbers, names = lambda *row: Ragged.from_lists([list(row)]), ("VBZ", "RP", "IN")
    >>> zero = np.zeros(1, np.int64)
    >>> point_out = TaggedPlaces(numbers(0, 2), numbers(0, 1), zero, zero)
    >>> indicate_that = TaggedPlaces(numbers(1, 3), numbers(0, 2), zero, zero)
    >>> keep_grammatical(point_out, indicate_that, names, words).tolist()
    [False]
    """
    speech = np.array([_speech(name) for name in tag_names], np.int64)
    participles = [name in ("VBN", "VBG") for name in tag_names]
    speech += np.where(participles, ADJECTIVE, 0)
    old, new = reference.tag(), output.tag()
    abbreviated = _differ_by_stop(words, reference.word(), output.word())
    same_speech = (speech[old] & speech[new]) != 0
    is_verb = np.array([name.startswith("VB") for name in tag_names], np.bool_)[old]
    is_past_participle = np.array([name == "VBN" for name in tag_names], np.bool_)[old]
    kinds = np.array([*(_complement(name) for name in tag_names), OTHER], np.int64)
    adjuncts = np.array([*(word in ADJUNCT for word in words), False], np.bool_)
    that = np.array([*(word == "that" for word in words), False], np.bool_)
    sides = []
    for side in (reference, output):
        kind, word = kinds[side.next_tag()], side.next_word()
        kind = np.where(adjuncts[word], OTHER, kind)
        sides.append((np.where(that[word], THAT, kind), word))
    (kind, word), (new_kind, new_word) = sides
    fits = np.where(
        kind == PREPOSITION,
        (new_kind == PREPOSITION) & (word == new_word),
        np.where(kind == OTHER, new_kind != OBJECT, (new_kind == OBJECT) | (new_kind == THAT)),
    )
    fits |= is_past_participle & (kind != PREPOSITION)
    grammatical = same_speech & (fits | ~is_verb) & ~_in_longer_name(reference, tag_names)
    return np.asarray(grammatical | abbreviated)


def _differ_by_stop(words: Lines, left: Ints, right: Ints) -> NDArray[np.bool_]:
    """Whether two words are one but for full stops: mr, mr."""
    plain = [word.replace(".", "") for word in words]
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    return np.array([plain[a] == plain[b] for a, b in pairs], np.bool_)


def _in_longer_name(places: TaggedPlaces, tag_names: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each word is a proper noun with another one before or after it."""
    is_name = np.array([*(name in ("NNP", "NNPS") for name in tag_names), False], np.bool_)
    before = np.where(places.token > 0, _following(places.tags, places.line, places.token - 2), -1)
    return is_name[places.tag()] & (is_name[before] | is_name[places.next_tag()])


def _speech(tag: str) -> int:
    """The part of speech of a Penn tag as a bit, 0 for closed classes."""
    return {"NN": NOUN, "VB": VERB, "JJ": ADJECTIVE, "RB": ADVERB}.get(tag[:2], 0)


def _complement(tag: str) -> int:
    """What a token with this tag after a verb begins."""
    if tag in ("IN", "TO", "RP"):
        return PREPOSITION
    return OBJECT if tag.startswith(OBJECT_TAGS) else OTHER


def _following(rows: Ragged, line: Ints, token: Ints) -> Ints:
    """The number after each place, -1 at the end of a line."""
    at = rows.offsets[line] + token + 1
    inside = at < rows.offsets[line + 1]
    return np.where(inside, np.append(rows.ids, -1)[np.where(inside, at, -1)], -1).astype(np.int64)
