"""Pairs of sentences from which adequacy is learned: rated by people, and made by rules.

    python -m tools.models.adequacy_pairs        # print how many pairs of each kind there are

| collection | pairs | value |
|---|---|---|
| `parabank` | paraphrases by 36 systems | mean score of the judges / 100 |
| `sts` | STS benchmark, training part | mean similarity / 5 |
| `paws` | nearly the same words, PAWS-Wiki | 1 for a paraphrase, or 0 |
| `tatoeba` | sentences that share a French or German translation | none |
| `changed` | good pairs of `sts` and `tatoeba`, the meaning of the candidate changed | none |
| `changed_paws` | the same with paraphrases of `paws` | none |
| `changed_copy` | sources of `sts` and `tatoeba`, changed | none |
| `negated` | sources and good pairs, denied by "no", "nobody" or "never" | none |
| `kept` | sources and good pairs, rewritten with the meaning kept | none |
| `changed_kept` | the same, then changed | none |
| `roles` | roles exchanged in actives, passives and comparisons; passives and converses | none |
| `numbers` | alike pairs of `sts` and `tatoeba`, one or two numbers of the candidate changed | none |
| `doubled` | the source twice | none |
| `short` | short sentences of Tatoeba: paraphrases, and unrelated ones | none |
| `copy` | the source itself | none |
| `unrelated` | another source | none |

The changed collections hold near-copies and added clauses too. What value a kind deserves is for the
trainer to say. All pairs of `negated` have the kind `negation`.

Rows of the same pair are averaged, in `sts` and `paws` too. Nothing here is from SICK or from the
shipped contrast set: these only measure.
"""

from __future__ import annotations

import gzip
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from paragauge.text.rated_pairs import read_rated_pairs
from tools.models.meaning_controls import (
    CHANGED_KINDS,
    KEEPING,
    NEAR_COPY,
    Control,
    change_meaning,
    keep_meaning,
)

DATA = Path(os.environ.get("PARAGAUGE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
RATED = {
    "parabank": ("parabank/ratings.tsv.gz", "score_0_100", 100.0),
    "sts": ("stsb/train.tsv.gz", "similarity_0_5", 5.0),
    "paws": ("paws/dev.tsv.gz", "paraphrase", 1.0),
}
GOOD = 0.9  # the least value of a good pair of the STS benchmark
LANGUAGES = ("fra", "deu")
LEAST_WORDS = 6
MOST_VARIANTS = 6  # more sentences with one translation are seldom paraphrases of each other
TATOEBA_PAIRS = 6000
PAWS_PAIRS = 1500
COPIES = {"sts": 3000, "tatoeba": 2500}
CHANGED_PER_KIND = 400
KEPT_PER_KIND = {"good": 150, "copy": 350}
REWRITTEN = 1500  # kept sentences that are then changed
REWRITTEN_PER_KIND = 120
COPY_PAIRS = 600
UNRELATED_PAIRS = 800
NEGATIONS = ("no", "nobody", "never")
ROLES = ("arguments", "agent", "compared", "false-converse")
SAME_ROLES = ("passive", "converse")
CHANGES = tuple(kind for kind in CHANGED_KINDS if kind not in (*NEGATIONS, *ROLES))
KEEPS = tuple(kind for kind in KEEPING if kind != "converse")
ROLE_WORDS = (4, 15)  # the lengths of sentences in which roles are exchanged
ROLE_PAIRS = 800  # of a kind
ALIKE = 0.7  # the least value of a pair of the STS benchmark in which numbers are changed
NUMBER_PAIRS = 700
DOUBLED_PAIRS = 300
SHORT = 5  # words at most
SHORT_PAIRS = 400

Item = TypeVar("Item")


class Pair(NamedTuple):
    """A candidate and its source; `origin` is the collection that the source comes from."""

    candidate: str
    source: str
    kind: str
    origin: str


class RatedPair(NamedTuple):
    """A pair with the value that people gave it, from 0 to 1, or None."""

    candidate: str
    source: str
    kind: str
    value: float | None
    origin: str


def training_pairs(data: Path = DATA, seed: int = 7) -> dict[str, list[RatedPair]]:
    """All collections, by name; `data` is the shared data folder."""
    collections = {name: read_rated(data, name) for name in RATED}
    tatoeba = read_tatoeba(data, seed)
    good = [
        Pair(pair.candidate, pair.source, "paraphrase", "sts")
        for pair in collections["sts"]
        if (pair.value or 0) >= GOOD and pair.candidate != pair.source
    ]
    paws = [
        Pair(pair.candidate, pair.source, "paraphrase", "paws")
        for pair in collections["paws"]
        if pair.value == 1
    ]
    sts_copies = copy_sources(Pair(*pair[:3], "sts") for pair in collections["sts"])
    copies = [sts_copies, copy_sources(tatoeba)]
    drawn = [
        pair
        for own, size, stage in zip(copies, COPIES.values(), (1, 2), strict=True)
        for pair in draw(own, size, seed, stage)
    ]
    made = {
        "tatoeba": tatoeba,
        "changed": change_pairs([*good, *tatoeba], seed, 10, CHANGED_PER_KIND),
        "changed_paws": change_pairs(draw(paws, PAWS_PAIRS, seed, 3), seed, 11, CHANGED_PER_KIND),
        "changed_copy": change_pairs(drawn, seed, 12, CHANGED_PER_KIND),
        **rewrite_pairs({"good": good, "copy": [*copies[0], *copies[1]]}, seed),
        "copy": draw(drawn, COPY_PAIRS, seed, 4),
        "unrelated": mismatch(drawn, UNRELATED_PAIRS, seed, 5),
    }
    english = read_english(data)
    sources = [pair.source for pair in collections["sts"]]
    alike = [Pair(*p[:3], "sts") for p in collections["sts"] if (p.value or 0) >= ALIKE]
    made |= {
        "roles": exchange_roles(sorted({*sources, *english}), seed),
        "numbers": change_numbers([*alike, *tatoeba], seed),
        "doubled": [
            pair._replace(candidate=f"{pair.source} {pair.source}", kind="doubled")
            for pair in draw(drawn, DOUBLED_PAIRS, seed, 7)
        ],
        "short": pair_short(english, seed),
    }
    for name, pairs in made.items():
        collections[name] = [RatedPair(*pair[:3], None, pair.origin) for pair in pairs]
    return collections


def read_rated(data: Path, name: str) -> list[RatedPair]:
    """The pairs of a collection that people rated."""
    file, column, top = RATED[name]
    pairs = read_rated_pairs(data / file, ("source", "candidate", column))
    return [
        RatedPair(candidate, source, "rated", rating / top, name)
        for candidate, source, rating in zip(
            pairs.candidates, pairs.sources, pairs.ratings, strict=True
        )
    ]


def read_tatoeba(data: Path, seed: int) -> list[Pair]:
    """One pair of English sentences for each translation that two to six of them share."""
    variants: dict[tuple[str, str], set[str]] = defaultdict(set)
    for language in LANGUAGES:
        with gzip.open(
            data / f"bitext/eng-{language}.tsv.gz", "rt", encoding="utf-8", newline="\n"
        ) as file:
            for line in file:
                english, translation = line.rstrip("\n").split("\t")[:2]
                if len(english.split()) >= LEAST_WORDS:
                    variants[language, translation].add(english)
    random = np.random.default_rng([seed, 0])
    pairs = {}
    for key in sorted(variants):
        english_variants = sorted(variants[key])
        if 2 <= len(english_variants) <= MOST_VARIANTS:
            one, two = random.permutation(len(english_variants))[:2].tolist()
            candidate, source = english_variants[one], english_variants[two]
            pairs[frozenset((candidate, source))] = Pair(candidate, source, "paraphrase", "tatoeba")
    return draw(sorted(pairs.values()), TATOEBA_PAIRS, seed, 6)


def read_english(data: Path) -> dict[str, frozenset[tuple[str, str]]]:
    """The English sentences of Tatoeba, each with its translations."""
    translations: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for language in LANGUAGES:
        path = data / f"bitext/eng-{language}.tsv.gz"
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            for line in file:
                english, translation = line.rstrip("\n").split("\t")[:2]
                translations[english].add((language, translation))
    return {text: frozenset(translations[text]) for text in sorted(translations)}


def exchange_roles(sentences: Iterable[str], seed: int) -> list[Pair]:
    """Sentences with roles exchanged or kept, in the active, the passive, and in comparisons.

    >>> for pair in exchange_roles(["The cat caught the mouse."], 7):
    ...     print(pair.kind, pair.candidate)
    agent The cat was caught by the mouse.
    arguments The mouse caught the cat.
    passive The mouse was caught by the cat.
    """
    shortest, longest = ROLE_WORDS
    pairs = [
        Pair(text, text, "copy", "tatoeba")
        for text in sentences
        if shortest <= len(text.split()) <= longest
    ]
    texts = [pair.source for pair in pairs]
    kept = apply_controls(pairs, keep_meaning(texts, seed, SAME_ROLES))
    exchanged = apply_controls(pairs, change_meaning(texts, seed, ROLES))
    passives = [pair for pair in kept if pair.kind == "passive"]
    agents = change_meaning([pair.candidate for pair in passives], seed, ["agent"])
    return draw_kinds([*kept, *exchanged, *apply_controls(passives, agents)], ROLE_PAIRS, seed, 50)


def change_numbers(pairs: Sequence[Pair], seed: int) -> list[Pair]:
    """The pairs with another number in the candidate, and a second one where there are more.

    >>> pairs = [Pair("He has 3 dogs.", "He owns three dogs.", "paraphrase", "sts")]
    >>> [(pair.kind, pair.candidate != pairs[0].candidate) for pair in change_numbers(pairs, 7)]
    [('number', True), ('number', True)]
    """
    once = apply_controls(pairs, change_meaning([pair.candidate for pair in pairs], seed, ["number"]))
    again = change_meaning([pair.candidate for pair in once], seed + 1, ["number"])
    originals = {pair.candidate for pair in pairs}  # the second change may undo the first
    twice = [pair for pair in apply_controls(once, again) if pair.candidate not in originals]
    return draw([*once, *twice], NUMBER_PAIRS, seed, 51)


def pair_short(english: Mapping[str, frozenset[tuple[str, str]]], seed: int) -> list[Pair]:
    """Short sentences with paraphrases, with others, and with longer others."""
    short = [text for text in english if len(text.split()) <= SHORT]
    variants: dict[tuple[str, str], list[str]] = defaultdict(list)
    for text in short:
        for translation in sorted(english[text]):
            variants[translation].append(text)
    alike = sorted(
        {
            Pair(texts[0], texts[1], "paraphrase", "tatoeba")
            for texts in variants.values()
            if 2 <= len(texts) <= 3  # more are seldom paraphrases
        }
    )
    some = [
        Pair(text, text, "copy", "tatoeba")
        for texts, stage in ((short, 54), (list(english), 55))
        for text in draw(texts, SHORT_PAIRS, seed, stage)
    ]
    return [*draw(alike, SHORT_PAIRS, seed, 56), *mismatch(some, len(some), seed, 57)]


def change_pairs(
    pairs: Sequence[Pair], seed: int, stage: int, most: int, kinds: Sequence[str] = CHANGES
) -> list[Pair]:
    """The pairs with changed candidates and near-copies, at most so many of each kind."""
    sentences = [pair.candidate for pair in pairs]
    controls = change_meaning(sentences, seed + stage, kinds)
    if "clause" in kinds:  # what is not to be confused with a change of meaning
        controls += keep_meaning(sentences, seed + stage, [NEAR_COPY])
    return draw_kinds(apply_controls(pairs, controls), most, seed, stage)


def rewrite_pairs(bases: dict[str, list[Pair]], seed: int) -> dict[str, list[Pair]]:
    """The collections `negated`, `kept` and `changed_kept` from good pairs and from copies."""
    negated, kept, changed = [], [], []
    for stage, (name, pairs) in enumerate(bases.items(), 20):
        sentences = [pair.candidate for pair in pairs]
        most = KEPT_PER_KIND[name]
        denied = apply_controls(pairs, change_meaning(sentences, seed, NEGATIONS))
        negated += [pair._replace(kind="negation") for pair in draw(denied, 2 * most, seed, stage)]
        rewritten = apply_controls(pairs, keep_meaning(sentences, seed, KEEPS))
        kept += draw_kinds(rewritten, most, seed, stage)
        some = draw(rewritten, REWRITTEN, seed, stage + 10)
        kinds = [kind for kind in CHANGES if kind != "clause"]
        changed += change_pairs(some, seed, stage + 20, REWRITTEN_PER_KIND, kinds)
    return {"negated": negated, "kept": kept, "changed_kept": changed}


def apply_controls(pairs: Sequence[Pair], controls: Sequence[Control]) -> list[Pair]:
    """The pairs with new candidates; those that equal the source are left out.

    >>> apply_controls([Pair("He ran.", "He was running.", "paraphrase", "sts")], [(0, "no", "No.")])
    [Pair(candidate='No.', source='He was running.', kind='no', origin='sts')]
    """
    return [
        Pair(text, pairs[number].source, kind, pairs[number].origin)
        for number, kind, text in controls
        if text != pairs[number].source
    ]


def copy_sources(pairs: Iterable[Pair]) -> list[Pair]:
    """Each source once, as its own candidate."""
    origins = {pair.source: pair.origin for pair in pairs}
    return [Pair(source, source, "copy", origin) for source, origin in origins.items()]


def mismatch(pairs: Sequence[Pair], most: int, seed: int, stage: int) -> list[Pair]:
    """Sources with the candidates of other pairs.

    >>> pairs = [Pair(text, text, "copy", "sts") for text in "ab"]
    >>> [(pair.candidate, pair.source) for pair in mismatch(pairs, 9, 7, 0)]
    [('b', 'a'), ('a', 'b')]
    """
    order = np.random.default_rng([seed, stage]).permutation(len(pairs))
    partners = np.empty_like(order)
    partners[order] = np.roll(order, 1)  # one circle: no pair gets its own candidate
    mixed = [
        Pair(pairs[partner].candidate, pair.source, "unrelated", pair.origin)
        for pair, partner in zip(pairs, partners.tolist(), strict=True)
        if pairs[partner].candidate != pair.source
    ]
    return mixed[:most]


def draw(items: Sequence[Item], most: int, seed: int, stage: int) -> list[Item]:
    """So many of the items in random order, or all if there are not more.

    >>> sorted(draw("abc", 5, 7, 0)), len(draw("abc", 2, 7, 0))
    (['a', 'b', 'c'], 2)
    """
    order = np.random.default_rng([seed, stage]).permutation(len(items))
    return [items[place] for place in order[:most].tolist()]


def draw_kinds(pairs: Sequence[Pair], most: int, seed: int, stage: int) -> list[Pair]:
    """At most so many pairs of each kind, kind by kind."""
    by_kind: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_kind[pair.kind].append(pair)
    return [pair for kind in sorted(by_kind) for pair in draw(by_kind[kind], most, seed, stage)]


def main() -> None:
    for name, pairs in training_pairs().items():
        counts = Counter(pair.kind for pair in pairs)
        print(
            f"{name}: {len(pairs):,}", *(f"{kind} {count}" for kind, count in counts.items()), sep=", "
        )


if __name__ == "__main__":
    main()
