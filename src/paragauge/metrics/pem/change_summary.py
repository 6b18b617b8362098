"""The most serious change between a candidate and its source, in one sentence.

The links of `word_changes` are searched for what changes a meaning, the most serious first: opposites,
negations, numbers, dates and units, names, quantifiers, modality, swapped roles, and content words
without a counterpart. Words are named as they stand in the text. The statements are cautious: one about
single words needs sentences that mostly correspond, and what the links do not show is not said. They
are about the words, not about the score.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paragauge.kernels.word_layout import NO_CLASS, Category, LinkKind, NumberPart, WordFlag
from paragauge.metrics.pem.adequacy.word_changes import LinkedWord, WordLinks
from paragauge.metrics.pem.adequacy.word_classes import MODAL_MEMBERS, UNIT_CLASSES

LEAST_LINKED = 0.5  # of the content words of both sides, for a statement about single words
LEAST_SAME = 0.6  # of those that are not opposites or numbers, with a partner of the same meaning
LEAST_SHARED = 0.75  # weight of content words that both have, for a statement about order
MOST_NAMED = 3
NEAR = 2  # words that an exchanged noun may be away from the place of the other
SCRAMBLED = 0.5  # share of content words with other neighbors on both sides, if the order is broken up
MANY_DESCENTS = 3  # steps back in the source from one content word to the next
# Quantifiers and modals whose class is certain without their context.
QUANTIFIERS = frozenset(
    (
        *("all", "every", "each", "everyone", "everybody", "everything", "always", "most", "mostly"),
        *("many", "some", "several", "sometimes", "someone", "somebody", "something", "few", "none"),
        *("nobody", "nothing", "never", "any", "anyone", "anything", "only"),
    )
)
MODALITY = frozenset({"may", "must", "should", "can"})
OTHERS = (LinkKind.SLOT, LinkKind.OPPOSITE)  # links of words of another meaning
PARTICLE = "RP"  # tag of "off" in "put off", named with its verb
GRADED = (Category.VERB, Category.ADJECTIVE, Category.ADVERB)


@dataclass(frozen=True)
class Change:
    """What changed: the kind, whether the meaning is affected, and a sentence."""

    kind: str
    changes_meaning: bool
    sentence: str


def summarize_changes(pair: WordLinks) -> Change:
    """The most serious change between the two sentences.

    >>> from paragauge.metrics.pem.adequacy.word_changes import link_words
    >>> from paragauge.metrics.pem.word_weights import WordWeights
    >>> from paragauge.text import Lines
    >>> columns = Lines.of(["I hate this town."]), Lines.of(["I love this town."])
    >>> (pair,) = link_words(*columns, WordWeights.default())
    >>> summarize_changes(pair).sentence
    "The candidate says the opposite: 'hate' against 'love'."
    """
    view = _View(pair)
    if not view.candidate.words or not view.source.words:
        side = "candidate" if not view.candidate.words else "source"
        return Change("empty", True, f"The {side} has no words.")
    if view.linked_share() >= LEAST_LINKED and view.same_share() >= LEAST_SAME:
        for look_for in _BY_SEVERITY:
            change = look_for(view)
            if change is not None:
                return change
    return _describe_loose(view) or _describe_rest(view)


class _Side:
    """The words of one sentence with their links to the other."""

    def __init__(self, words: Sequence[LinkedWord], kinds: dict[int, LinkKind]) -> None:
        self.words = words
        self.kinds = kinds

    def loose(self, keep: Callable[[LinkedWord], bool]) -> list[int]:
        """Positions of the words of some sort that have no partner of the same meaning."""
        return [
            place
            for place, word in enumerate(self.words)
            if self.kinds.get(place, LinkKind.SLOT) in OTHERS and keep(word)
        ]

    def quote(self, places: Sequence[int], most: int = MOST_NAMED) -> str:
        """The words at these places in quotation marks, neighbors together."""
        runs: list[list[int]] = []
        for place in places:
            if runs and runs[-1][-1] == place - 1:
                runs[-1].append(place)
            else:
                runs.append([place])
        named = [quote(" ".join(self.words[place].text for place in run)) for run in runs[:most]]
        more = len(runs) - len(named)
        return join_words([*named, f"{more} more"] if more else named)


class _View:
    """A pair of sentences as the statements ask about it."""

    def __init__(self, pair: WordLinks) -> None:
        self.links = pair.links
        self.features = pair.features
        self.candidate = _Side(pair.candidate, {i: kind for i, _, kind in pair.links})
        self.source = _Side(pair.source, {j: kind for _, j, kind in pair.links})

    def linked_share(self) -> float:
        """The smaller share of content words with any link, of the two sides."""
        return min(
            sum(place in side.kinds for place in places) / len(places) if places else 1.0
            for side in (self.candidate, self.source)
            for places in [[i for i, word in enumerate(side.words) if word.is_content]]
        )

    def same_share(self) -> float:
        """The smaller share, of the two sides, of content words with a partner of the same meaning.

        Opposites, numbers and one other word in the same place are not counted: they may be the
        change.
        """
        shares = []
        for side in (self.candidate, self.source):
            kinds = [
                side.kinds.get(place)
                for place, word in enumerate(side.words)
                if word.is_content and not _values(word) and not _is_negation(word)
            ]
            same = sum(kind is not None and kind not in OTHERS for kind in kinds)
            counted = len(kinds) - kinds.count(LinkKind.OPPOSITE) - (LinkKind.SLOT in kinds)
            shares.append(same / counted if counted else 1.0)
        return min(shares)

    def linked(self, *kinds: LinkKind) -> list[tuple[int, int]]:
        """Positions of the words of links of these kinds."""
        return [(i, j) for i, j, kind in self.links if kind in kinds]

    def against(self, mine: Sequence[int], theirs: Sequence[int]) -> str:
        """Words of the candidate against words of the source."""
        return f"{self.candidate.quote(mine)} against {self.source.quote(theirs)}"


def quote(text: str) -> str:
    """The text in quotation marks that it does not contain.

    >>> quote("love"), quote("n't")
    ("'love'", '"n\\'t"')
    """
    return f'"{text}"' if "'" in text else f"'{text}'"


def join_words(words: Sequence[str]) -> str:
    """Words as a list in a sentence.

    >>> join_words(["a"]), join_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return ", ".join(words[:-1]) + " and " * (len(words) > 1) + words[-1]


def _find_opposite(view: _View) -> Change | None:
    opposites = view.linked(LinkKind.OPPOSITE)
    if not opposites:
        return None
    i, j = opposites[0]
    mine, theirs = view.candidate.words[i], view.source.words[j]
    if view.features["negation_difference"] and view.features["polarity"] == 0:
        name = "candidate" if view.features["negation_candidate"] else "source"
        return Change(
            "double negation",
            False,
            f"An opposite, {view.against([i], [j])}, and a negation in the {name} cancel each other.",
        )
    if len(opposites) == 1 and mine.facts.category == theirs.facts.category in GRADED:
        return Change("opposite", True, f"The candidate says the opposite: {view.against([i], [j])}.")
    ours, others = (sorted({pair[k] for pair in opposites}) for k in (0, 1))
    return Change(
        "opposite", True, f"The candidate has words of opposite meaning: {view.against(ours, others)}."
    )


def _find_negation(view: _View) -> Change | None:
    features = view.features
    if not features["negation_one_sided"] and features["negation_difference"] % 2 == 0:
        return None
    by_candidate = bool(features["negation_candidate"])
    side, other = (view.candidate, view.source) if by_candidate else (view.source, view.candidate)
    places = [place for place in side.loose(_is_negation) if _negates_linked(side, place)]
    if not places or other.loose(_is_weak_negation):  # "did not succeed" is "failed"
        return None
    mine, theirs = ("candidate", "source") if by_candidate else ("source", "candidate")
    if not features["negation_one_sided"]:
        sentence = f"The {mine} has one negation more than the {theirs}: {side.quote(places, 1)}."
    elif len(places) == 1:
        sentence = f"The {mine} has a negation, {side.quote(places)}, and the {theirs} has none."
    else:
        sentence = f"The {mine} has negations, {side.quote(places)}, and the {theirs} has none."
    return Change("negation", True, sentence)


def _negates_linked(side: _Side, place: int) -> bool:
    """Whether the next content word has a partner: else the negation is part of what was added."""
    after = [i for i in range(place + 1, len(side.words)) if side.words[i].is_content]
    before = [i for i in range(place) if side.words[i].is_content]
    near = after[:1] or before[-1:]
    return not near or side.kinds.get(near[0], LinkKind.SLOT) != LinkKind.SLOT


def _find_number(view: _View) -> Change | None:
    if not view.features["number_both"]:
        return None
    mine, theirs = (
        {value for word in side.words for value in _values(word)}
        for side in (view.candidate, view.source)
    )
    ours = [i for i, word in enumerate(view.candidate.words) if set(_values(word)) - theirs]
    others = [j for j, word in enumerate(view.source.words) if set(_values(word)) - mine]
    if not ours or not others:
        return None
    return Change("number", True, f"The candidate has another number: {view.against(ours, others)}.")


def _find_unit(view: _View) -> Change | None:
    """Words of one class that only one side has; minute and second may count as synonyms elsewhere."""
    if not view.features["unit_both"]:
        return None
    mine, theirs = (
        {word.facts.unit for word in side.words if word.facts.unit != NO_CLASS}
        for side in (view.candidate, view.source)
    )
    for name in ("date", "unit", "time"):
        sides = [
            [
                place
                for place, word in enumerate(side.words)
                if word.facts.unit not in (NO_CLASS, *other) and UNIT_CLASSES[word.facts.unit] == name
            ]
            for side, other in ((view.candidate, theirs), (view.source, mine))
        ]
        if all(sides):
            return Change(name, True, f"The candidate has another {name}: {view.against(*sides)}.")
    for i, j in view.linked(LinkKind.SLOT, LinkKind.OPPOSITE):
        if {view.candidate.words[i].lemma, view.source.words[j].lemma} == {"before", "after"}:
            return Change("time", True, f"The candidate has another time: {view.against([i], [j])}.")
    return None


def _find_name(view: _View) -> Change | None:
    for i, j in view.linked(LinkKind.SLOT):
        if _is_name(view.candidate, i) and _is_name(view.source, j):
            mine, theirs = view.candidate.words[i].text, view.source.words[j].text
            if not _is_abbreviation(mine, theirs):
                return Change(
                    "name", True, f"The candidate has another name: {view.against([i], [j])}."
                )
    return None


def _find_quantifier(view: _View) -> Change | None:
    for i, j in view.linked(LinkKind.SLOT):
        mine, theirs = view.candidate.words[i], view.source.words[j]
        both = mine.lemma in QUANTIFIERS and theirs.lemma in QUANTIFIERS
        if both and mine.facts.quantifier != theirs.facts.quantifier:
            return Change(
                "quantifier", True, f"The candidate has another quantity: {view.against([i], [j])}."
            )
    return None


def _find_modality(view: _View) -> Change | None:
    if view.features["content_least"] < LEAST_SHARED:
        return None
    sides = (view.candidate, view.source)
    members = [
        {MODAL_MEMBERS[word.facts.modal] for word in side.words if word.facts.modal != NO_CLASS}
        for side in sides
    ]
    loose = [side.loose(_is_modality) for side in sides]
    loose = [
        [p for p in places if MODAL_MEMBERS[side.words[p].facts.modal] not in other]
        for places, side, other in zip(loose, sides, members[::-1], strict=True)
    ]
    if loose[0] and loose[1]:
        lemmas = {side.words[p[0]].text.lower() for side, p in zip(sides, loose, strict=True)}
        if lemmas in ({"can", "could"}, {"may", "can"}, {"should", "must"}, {"might", "can"}):
            return None
        return Change("modality", True, f"The candidate has another modality: {view.against(*loose)}.")
    for side, name, other, places in (
        (view.candidate, "candidate", "source", loose[0]),
        (view.source, "source", "candidate", loose[1]),
    ):
        if places:
            return Change(
                "modality",
                True,
                f"The {name} says {side.quote(places, 1)}, which the {other} does not say.",
            )
    return None


def _find_swapped_roles(view: _View) -> Change | None:
    """Two nouns that change places around a verb that stays."""
    features = view.features
    if not features["role_swaps_active"] or features["content_least"] < LEAST_SHARED:
        return None
    if features["descents"] > 2 or features["word_descents"] > 4:  # more than two phrases moved
        return None
    same = view.linked(LinkKind.SAME, LinkKind.LEMMA)
    category = [word.facts.category for word in view.candidate.words]
    nouns = [pair for pair in same if category[pair[0]] in (Category.NAME, Category.NOUN)]
    verbs = [pair for pair in same if category[pair[0]] == Category.VERB]
    for a, b in itertools.permutations(nouns, 2):
        exchanged = abs(a[0] - b[1]) <= NEAR and abs(b[0] - a[1]) <= NEAR
        for i, j in verbs:
            if exchanged and a[0] < i < b[0] and b[1] < j < a[1] and abs(i - j) <= NEAR:
                first, second, verb = (view.candidate.quote([place]) for place in (a[0], b[0], i))
                return Change(
                    "roles",
                    True,
                    f"The candidate swaps {first} and {second}, which stand on the other sides of "
                    f"{verb} in the source.",
                )
    return None


_BY_SEVERITY: tuple[Callable[[_View], Change | None], ...] = (
    _find_opposite,
    _find_negation,
    _find_number,
    _find_unit,
    _find_name,
    _find_quantifier,
    _find_modality,
    _find_swapped_roles,
)


def _describe_loose(view: _View) -> Change | None:
    """Content words without a counterpart, on one side or both."""
    mine, theirs = (
        places if any(side.words[place].is_content for place in places) else []
        for side in (view.candidate, view.source)
        for places in [side.loose(lambda word: word.is_content or word.tag == PARTICLE)]
    )
    if not mine and not theirs:
        return None
    same = [
        (i, j) for i, j, kind in view.links if kind not in OTHERS and view.candidate.words[i].is_content
    ]
    if not same:
        return Change("nothing shared", True, "The candidate shares no content word with the source.")
    for i, j in view.linked(*OTHERS):
        if set(mine) <= {i} and set(theirs) <= {j}:
            return Change("other word", True, _describe_slot(view, i, j))
    left_out = view.source.quote(theirs) if theirs else ""
    added = view.candidate.quote(mine) if mine else ""
    if not mine:
        sentence = f"The candidate leaves out {left_out}."
    elif not theirs:
        sentence = f"The candidate adds {added}."
    else:
        sentence = f"The candidate leaves out {left_out} and adds {added}."
    return Change("left out" if not mine else "added" if not theirs else "other words", True, sentence)


def _describe_slot(view: _View, i: int, j: int) -> str:
    mine, theirs = view.candidate.quote([i]), view.source.quote([j])
    return f"The candidate has {mine} where the source has {theirs}."


def _describe_rest(view: _View) -> Change:
    """All content words have a counterpart: what else changed."""
    features = view.features
    for i, j in view.linked(LinkKind.LEMMA):
        mine, theirs = view.candidate.words[i], view.source.words[j]
        tags = {mine.tag, theirs.tag}
        if features["tense_differs"] and "VBD" in tags and not tags <= {"VBD", "VBN"}:
            return Change("tense", True, f"The candidate changes the tense: {view.against([i], [j])}.")
    if features["inversions"] or (features["same_lemmas"] and features["word_descents"]):
        is_broken = (
            features["neighbors_differ"] >= SCRAMBLED
            and features["descents"] >= MANY_DESCENTS
            and not features["by_difference"]
            and not features["passive_difference"]
        )
        order = "breaks up their order" if is_broken else "changes their order"
        return Change("order", is_broken, f"The candidate keeps the content words and {order}.")
    reworded = [
        (i, j)
        for i, j in view.linked(LinkKind.SYNONYM, LinkKind.STEM, LinkKind.LETTERS)
        if view.candidate.words[i].is_content and view.source.words[j].is_content
    ]
    if reworded:
        i, j = reworded[0]
        words = f"{view.candidate.quote([i])} for {view.source.quote([j])}"
        more = f" and {len(reworded) - 1} more such changes" if len(reworded) > 2 else ""
        return Change("synonyms", False, f"The candidate keeps the content and has {words}{more}.")
    if features["same_lemmas"]:
        return Change("forms", False, "The candidate has the words of the source, some in other forms.")
    slots = view.linked(LinkKind.SLOT)
    others = [side.loose(lambda _: True) for side in (view.candidate, view.source)]
    if len(slots) == len(others[0]) == len(others[1]) == 1:
        return Change("function words", False, _describe_slot(view, *slots[0]))
    return Change(
        "function words", False, "The candidate keeps the content words and changes other words only."
    )


def _is_negation(word: LinkedWord) -> bool:
    return WordFlag.NEGATION in word.facts.flags


def _is_weak_negation(word: LinkedWord) -> bool:
    return WordFlag.WEAK_NEGATION in word.facts.flags


def _is_modality(word: LinkedWord) -> bool:
    return word.facts.modal != NO_CLASS and MODAL_MEMBERS[word.facts.modal] in MODALITY


def _is_name(side: _Side, place: int) -> bool:
    """Whether a word is plainly a name: capitalized within a sentence that is not in title case."""
    word = side.words[place]
    capitals = [other.text[:1].isupper() for other in side.words]
    return (
        word.facts.category == Category.NAME
        and word.text[:1].isupper()
        and place > 0
        and sum(capitals) <= len(capitals) / 2
    )


def _is_abbreviation(a: str, b: str) -> bool:
    """Whether one name may stand for the other: it begins with the same letter and is in capitals."""
    return a[:1].lower() == b[:1].lower() and (a.isupper() or b.isupper() or "." in a + b)


def _values(word: LinkedWord) -> list[tuple[bool, float]]:
    """The numbers in a word, and whether each is a scale."""
    return [
        (kind == NumberPart.SCALE, value)
        for kind, value in word.facts.parts
        if kind in (NumberPart.DIGITS, NumberPart.WORD, NumberPart.SCALE)
    ]
