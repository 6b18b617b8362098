"""Twin of word_changes.cpp: what changed between two sentences, from one alignment of their words."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Bytes, Floats, Ids, Ints, sentences, texts
from paragauge.kernels.reference.matching.maxsim import Sets
from paragauge.kernels.reference.matching.word_alignment import (
    LemmaFacts,
    Link,
    WordType,
    align_words,
    linked_neighbors,
)
from paragauge.kernels.word_layout import (
    FEATURES,
    FIELDS,
    NO_CLASS,
    SHORT_STEM,
    Category,
    LinkKind,
    NumberPart,
    WordFlag,
)

# Fields [types, 8], weights of content words (0 for others), and number parts: kinds, values, offsets.
WordTypes = tuple[Ids, Floats, Ids, Floats, Ints]
# Stems, sets (synsets, own numbers, numbers of opposites), and texts.
Lemmas = tuple[Ids, Sets, Sets, Sets, tuple[Bytes, Ints]]
GOVERNED = (Category.NAME, Category.NOUN, Category.NUMBER)
REACH = 3  # words before, for prepositions and auxiliary verbs


def word_changes(
    lines: tuple[Ids, Ints],
    left: Ints,
    right: Ints,
    types: WordTypes,
    lemmas: Lemmas,
    links: bool,
    threads: int,
) -> Floats | tuple[Floats, Ids, Ints]:
    """Measure the changes between line left[k], the candidate, and line right[k], the source.

    `lines` are numbers of word types with offsets. Two lemmas are synonyms if their sets of synsets
    meet, opposites if a number of one's own is among those of the other's opposites. A row has the
    `FEATURES` of `word_layout`. With `links` also (position, position, kind) of each, by position in
    the candidate, and offsets.
    """
    del threads
    table = _read_types(types)
    stems, *sets, spelled = lemmas
    facts = LemmaFacts(list(texts(*spelled)), stems.tolist(), *sets)
    _check_lemmas(facts, table)
    if len(lines[0]) and not 0 <= lines[0].min() <= lines[0].max() < len(table):
        raise ValueError("every word must have a type")
    rows_of_words = [[table[number] for number in line] for line in sentences(*lines)]
    both, known = np.concatenate([left, right]), len(rows_of_words)
    if len(left) != len(right) or (len(both) and not 0 <= both.min() <= both.max() < known):
        raise ValueError("left and right must be equally many numbers of lines")
    rows: list[list[float]] = []
    listed: list[tuple[int, int, int]] = []
    offsets = [0]
    for mine, theirs in zip(left.tolist(), right.tolist(), strict=True):
        ours, others = rows_of_words[mine], rows_of_words[theirs]
        aligned = align_words(ours, others, facts)
        features = measure_pair(ours, others, aligned)
        rows.append([features[name] for name in FEATURES])
        listed += [(i, aligned[i].partner, int(aligned[i].kind)) for i in sorted(aligned)]
        offsets.append(len(listed))
    result = np.array(rows, np.float64).reshape(-1, len(FEATURES))
    if not links:
        return result
    return result, np.array(listed, np.int32).reshape(-1, 3), np.array(offsets, np.int64)


def measure_pair(
    ours: Sequence[WordType], others: Sequence[WordType], links: dict[int, Link]
) -> dict[str, float]:
    """The features of one pair by name."""
    reverse = {link.partner: Link(i, link.kind, link.similarity) for i, link in links.items()}
    return (
        _measure_shares(ours, others, links, reverse)
        | _measure_loose(ours, others, links, reverse)
        | _measure_slots(ours, others, links)
        | _measure_polarity(ours, others, links)
        | _measure_classes(ours, others)
        | _measure_order(ours, others, links)
        | _measure_roles(ours, others, links)
        | _measure_lengths(ours, others, links)
    )


def _measure_shares(
    ours: Sequence[WordType],
    others: Sequence[WordType],
    links: dict[int, Link],
    reverse: dict[int, Link],
) -> dict[str, float]:
    features = {}
    for name, words, own in (("precision", ours, links), ("recall", others, reverse)):
        total = shared = equal = 0.0
        count = 0
        for i, word in enumerate(words):
            total += word.weight
            if i not in own or not own[i].is_same:
                continue
            count += 1
            shared += word.weight * own[i].similarity
            if own[i].kind <= LinkKind.LEMMA:
                equal += word.weight
        features[f"content_{name}"] = shared / total if total else 1.0
        features[f"lemma_{name}"] = equal / total if total else 1.0
        features[f"word_{name}"] = count / len(words) if words else 0.0
    precision, recall = features["content_precision"], features["content_recall"]
    both = precision + recall
    features["content_f1"] = 2.0 * precision * recall / both if both else 0.0
    features["content_least"] = min(precision, recall)
    return features


def _measure_loose(
    ours: Sequence[WordType],
    others: Sequence[WordType],
    links: dict[int, Link],
    reverse: dict[int, Link],
) -> dict[str, float]:
    features: dict[str, float] = {}
    loose = [
        [word for i, word in enumerate(words) if i not in own or own[i].kind == LinkKind.SLOT]
        for words, own in ((ours, links), (others, reverse))
    ]
    for category in (
        Category.NAME,
        Category.NOUN,
        Category.VERB,
        Category.ADJECTIVE,
        Category.ADVERB,
    ):
        counts = [sum(word.category == category for word in words) for words in loose]
        features |= _name_sides(f"loose_{category.name.lower()}", *counts)
    features |= _name_sides("loose_content", *(sum(w.is_content for w in words) for words in loose))
    for side, words in zip(("candidate", "source"), loose, strict=True):
        total = heaviest = 0.0
        for word in words:
            total += word.weight
            heaviest = max(heaviest, word.weight)
        features[f"loose_weight_{side}"] = total
        features[f"loose_heaviest_{side}"] = heaviest
    return features


def _measure_slots(
    ours: Sequence[WordType], others: Sequence[WordType], links: dict[int, Link]
) -> dict[str, float]:
    slots = [(ours[i], others[link.partner]) for i, link in links.items() if link.kind == LinkKind.SLOT]
    features: dict[str, float] = {
        f"slot_{category.name.lower()}": sum(a.category == b.category == category for a, b in slots)
        for category in (Category.NAME, Category.NOUN, Category.VERB, Category.ADJECTIVE)
    }
    features["slot_function"] = sum(not (a.is_content and b.is_content) for a, b in slots)
    features["slots"] = len(slots)
    return features


def _measure_polarity(
    ours: Sequence[WordType], others: Sequence[WordType], links: dict[int, Link]
) -> dict[str, float]:
    mine, theirs = (_count_flag(words, WordFlag.NEGATION) for words in (ours, others))
    weak = [_count_flag(words, WordFlag.WEAK_NEGATION) for words in (ours, others)]
    opposites = sum(link.kind == LinkKind.OPPOSITE for link in links.values())
    return {
        "negation_difference": abs(mine - theirs),
        "negation_one_sided": (mine > 0) != (theirs > 0),
        "negation_candidate": mine > theirs,
        "negation_source": theirs > mine,
        "weak_negation_difference": abs(weak[0] - weak[1]),
        "opposites": opposites,
        "polarity": (abs(mine - theirs) + opposites) % 2,
        "negation_any": mine + theirs > 0,
    }


def _measure_classes(ours: Sequence[WordType], others: Sequence[WordType]) -> dict[str, float]:
    features: dict[str, float] = {}
    mine, theirs = Counter(read_numbers(ours)), Counter(read_numbers(others))
    features |= _name_sides("number", (mine - theirs).total(), (theirs - mine).total())
    features["number_common"] = (mine & theirs).total()
    for name in ("unit", "quantifier", "pronoun", "modal"):
        bags = [
            Counter(number for word in words if (number := getattr(word, name)) != NO_CLASS)
            for words in (ours, others)
        ]
        features |= _name_sides(name, (bags[0] - bags[1]).total(), (bags[1] - bags[0]).total())
    past, present = (
        [_count_flag(words, flag) for words in (ours, others)]
        for flag in (WordFlag.PAST, WordFlag.PRESENT)
    )
    features["past_difference"] = past[0] - past[1]
    features["present_difference"] = present[0] - present[1]
    features["tense_differs"] = (past[0] > 0) != (past[1] > 0)
    return features


def read_numbers(words: Sequence[WordType]) -> list[float]:
    """The numbers that the words express, from "7", "seven" or "two thousand and one"."""
    numbers: list[float] = []
    now: float | None = None
    for kind, value in (part for word in words for part in word.parts):
        if kind in (NumberPart.DIGITS, NumberPart.WORD):
            continues = (
                now is not None
                and kind == NumberPart.WORD
                and (
                    (now >= 20 and now % 10 == 0 and value < 10)
                    or (now >= 100 and now % 100 == 0 and value < 100)
                )
            )
            if now is not None and continues:
                now += value
                continue
            if now is not None:
                numbers.append(now)
            now = value
        elif kind == NumberPart.SCALE:
            now = (now or 1.0) * value
        elif kind != NumberPart.AND:
            if now is not None:
                numbers.append(now)
                now = None
            if kind == NumberPart.SINGLE:
                numbers.append(value)
    return numbers if now is None else [*numbers, now]


def _measure_order(
    ours: Sequence[WordType], others: Sequence[WordType], links: dict[int, Link]
) -> dict[str, float]:
    every = [(i, links[i].partner) for i in sorted(links) if links[i].is_same]
    pairs = [(i, j) for i, j in every if ours[i].is_content and others[j].is_content]
    count = len(pairs)
    inversions = sum(a[1] > b[1] for a, b in itertools.combinations(pairs, 2))
    chunks = sum(k == 0 or every[k - 1] != (i - 1, j - 1) for k, (i, j) in enumerate(every))
    before_differs = after_differs = both_differ = preposition_differs = 0
    for i, j in pairs:
        before, after = linked_neighbors(links, i, len(ours), j, len(others))
        before_differs += not before
        after_differs += not after
        both_differ += not before and not after
        if ours[i].category in GOVERNED:
            preposition_differs += _governor(ours, i) != _governor(others, j)
    return {
        "inversions": inversions,
        "inversion_share": inversions / (count * (count - 1) / 2.0) if count > 1 else 0.0,
        "descents": sum(a[1] > b[1] for a, b in itertools.pairwise(pairs)),
        "chunks": chunks,
        "chunk_share": chunks / len(every) if every else 1.0,
        "word_descents": sum(a[1] > b[1] for a, b in itertools.pairwise(every)),
        "previous_differs": before_differs / max(count, 1),
        "next_differs": after_differs / max(count, 1),
        "neighbors_differ": both_differ / max(count, 1),
        "neighbors_differ_count": both_differ,
        "preposition_differs": preposition_differs,
    }


def _governor(words: Sequence[WordType], place: int) -> int:
    """The lemma of the preposition just before a word; -2 if a verb comes first, -1 if neither does."""
    for word in reversed(words[max(0, place - REACH) : place]):
        if word.category == Category.PREPOSITION:
            return word.lemma
        if word.category in (Category.VERB, Category.MODAL):
            return -2
    return -1


def _measure_roles(
    ours: Sequence[WordType], others: Sequence[WordType], links: dict[int, Link]
) -> dict[str, float]:
    same = [(i, links[i].partner) for i in sorted(links) if links[i].is_same]
    nouns = [
        (i, j)
        for i, j in same
        if ours[i].category in (Category.NAME, Category.NOUN) and others[j].is_content
    ]
    verbs = [(i, j) for i, j in same if ours[i].category == others[j].category == Category.VERB]
    inverted = [(a, b) for a, b in itertools.combinations(nouns, 2) if a[1] > b[1]]
    swaps = sum(any(a[0] < i < b[0] and b[1] < j < a[1] for i, j in verbs) for a, b in inverted)
    by = abs(_count_flag(ours, WordFlag.BY) - _count_flag(others, WordFlag.BY))
    passive = abs(_count_passives(ours) - _count_passives(others))
    return {
        "role_swaps": swaps,
        "by_difference": by,
        "passive_difference": passive,
        "role_swaps_active": 0 if by or passive else swaps,
        "noun_inversions": len(inverted),
    }


def _count_passives(words: Sequence[WordType]) -> int:
    """Participles after a form of *be*."""
    return sum(
        bool(word.flags & WordFlag.PARTICIPLE)
        and _count_flag(words[max(0, place - REACH) : place], WordFlag.BE) > 0
        for place, word in enumerate(words)
    )


def _measure_lengths(
    ours: Sequence[WordType], others: Sequence[WordType], links: dict[int, Link]
) -> dict[str, float]:
    kinds = Counter(link.kind for link in links.values())
    capitals = [_count_flag(words, WordFlag.CAPITALIZED) for words in (ours, others)]
    open_ends = (Category.PREPOSITION, Category.DETERMINER, Category.MODAL)
    return {
        "length_candidate": len(ours),
        "length_source": len(others),
        "length_difference": len(ours) - len(others),
        "length_ratio": math.log((len(ours) + 1) / (len(others) + 1)),
        "same_lemmas": Counter(w.lemma for w in ours) == Counter(w.lemma for w in others),
        "content_candidate": sum(word.is_content for word in ours),
        "content_source": sum(word.is_content for word in others),
        "synonyms": kinds[LinkKind.SYNONYM],
        "stems": kinds[LinkKind.STEM],
        "letters": kinds[LinkKind.LETTERS],
        "ends_open": bool(ours) and ours[-1].category in open_ends,
        "capitals_difference": capitals[0] - capitals[1],
    }


def _name_sides(name: str, candidate: int, source: int) -> dict[str, float]:
    return {
        f"{name}_candidate": candidate,
        f"{name}_source": source,
        f"{name}_both": min(candidate, source),
    }


def _count_flag(words: Sequence[WordType], flag: WordFlag) -> int:
    return sum(bool(word.flags & flag) for word in words)


def _read_types(types: WordTypes) -> list[WordType]:
    fields, weights, kinds, values, offsets = types
    if fields.ndim != 2 or fields.shape[1] != len(FIELDS) or len(fields) != len(weights):
        raise ValueError("every word type must have its fields and a weight")
    if len(weights) and not (weights.min() >= 0 and np.isfinite(weights).all()):
        raise ValueError("weights must be finite and at least 0")
    if len(kinds) != len(values) or len(offsets) != len(fields) + 1:
        raise ValueError("every word type must have its number parts")
    if len(fields) and not 0 <= fields[:, 2].min() <= fields[:, 2].max() <= Category.OTHER:
        raise ValueError("categories must be those of the layout")
    if len(values) and not (values.min() >= 0 and np.isfinite(values).all()):
        raise ValueError("numbers must be finite and at least 0")
    parts = list(zip(kinds.tolist(), values.tolist(), strict=True))
    bounds = itertools.pairwise(offsets.tolist())
    return [
        WordType(**dict(zip(FIELDS, row, strict=True)), weight=weight, parts=tuple(parts[first:last]))
        for row, weight, (first, last) in zip(fields.tolist(), weights.tolist(), bounds, strict=True)
    ]


def _check_lemmas(facts: LemmaFacts, table: Sequence[WordType]) -> None:
    known = len(facts.texts)
    sets = (facts.synsets, facts.own, facts.opposite)
    if len(facts.stems) != known or any(len(offsets) - 1 != known for _, offsets in sets):
        raise ValueError("every lemma must have a stem, sets and a text")
    if any(not 0 <= word.lemma < known for word in table):
        raise ValueError("every word type must have a lemma")
    if any(stem < SHORT_STEM for stem in facts.stems):
        raise ValueError("stems must be numbers from 0, or -1")
