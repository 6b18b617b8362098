"""From a phrase table to a pivot: phrases and edges that are rare or improbable are left out.

`least` drops phrases that were extracted less often (their words are still phrases of their own, or
unknown); `floor` drops edges of that probability or less, but the most probable edge of a phrase
stays. Both keep a pivot small: a phrase seen once shows nothing but one translation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Ints
from paragauge.phrases.pivot_file import PivotArrays
from paragauge.phrases.table import PhraseTable
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import TOKENIZED
from paragauge.text.vocabulary import Vocabulary

Sides = tuple[Lines, Lines]


def pivot_of_table(
    table: PhraseTable,
    language: str,
    sentences: Sides | None = None,
    *,
    least: int = 1,
    floor: float = 0.1,
    about: Mapping[str, Any] | None = None,
) -> PivotArrays:
    """A pivot from a phrase table and the sentences (words separated by spaces) it was made from."""
    sources, targets, counts, source_counts = [], [], [], []
    for rows in table.batches(("source", "target", "count", "source_count")):
        if rows.column("count").null_count:
            raise InputError(f"{table.path}: expected counts, found none; extract the table anew")
        sources += rows.column("source").to_pylist()
        targets += rows.column("target").to_pylist()
        counts.append(rows.column("count").to_numpy())
        source_counts.append(rows.column("source_count").to_numpy())
    if not counts:
        raise InputError(f"{table.path}: expected phrase pairs, found none; extract from more text")
    known = {"table": table.fingerprint, **(about or {})}
    return _arrays(
        sources,
        targets,
        np.concatenate(counts),
        np.concatenate(source_counts),
        language,
        sentences,
        least,
        floor,
        known,
    )


def arrays_of_counts(
    counts: Mapping[str, Mapping[str, int]],
    language: str,
    sentences: Sides | None = None,
    *,
    least: int = 1,
    floor: float = 0.0,
    about: Mapping[str, Any] | None = None,
) -> PivotArrays:
    """A pivot from counts in memory.

    >>> arrays_of_counts({"a": {"x": 3, "y": 1}}, "fr").probabilities.round(2).tolist()
    [0.75, 0.25]
    """
    rows = sorted((s, t, n) for s, own in counts.items() for t, n in own.items())
    if not rows:
        raise InputError("expected phrase pairs, found none")
    totals = {source: sum(own.values()) for source, own in counts.items()}
    return _arrays(
        [source for source, _, _ in rows],
        [target for _, target, _ in rows],
        np.array([count for _, _, count in rows], np.int64),
        np.array([totals[source] for source, _, _ in rows], np.int64),
        language,
        sentences,
        least,
        floor,
        dict(about or {}),
    )


def _arrays(
    sources: list[str],
    targets: list[str],
    counts: Ints,
    source_counts: Ints,
    language: str,
    sentences: Sides | None,
    least: int,
    floor: float,
    about: dict[str, Any],
) -> PivotArrays:
    """Rows are sorted by source."""
    source_numbers = _number_runs(sources)
    first = np.concatenate([[True], np.diff(source_numbers) != 0])
    total = int(source_counts[first].sum())
    probability = counts / source_counts
    best = np.zeros(len(counts), np.bool_)
    order = np.lexsort((np.arange(len(counts)), -counts, source_numbers))
    best[order[np.concatenate([[True], np.diff(source_numbers[order]) != 0])]] = True
    rows = np.flatnonzero((source_counts >= least) & ((probability > floor) | best))
    if not len(rows):
        raise InputError(
            f"{language}: expected a phrase that was extracted {least} times, found none; "
            "give more text or a smaller number"
        )
    phrase_texts, phrase_of = _different([sources[i] for i in rows])
    target_texts, target_of = _different([targets[i] for i in rows])
    vocabulary, word_counts = _words([phrase_texts, target_texts], sentences)
    phrases, phrase_place = _sorted_phrases(phrase_texts, vocabulary)
    target_phrases, target_place = _sorted_phrases(target_texts, vocabulary)
    owner, target = phrase_place[phrase_of], target_place[target_of]
    order = np.lexsort((target, -counts[rows], owner))
    phrase_counts = np.zeros(len(phrases), np.int64)
    phrase_counts[owner] = source_counts[rows]
    return PivotArrays(
        language=language,
        words=vocabulary.texts(),
        phrases=phrases,
        counts=phrase_counts,
        total=total,
        edge_offsets=np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(phrases)))]),
        targets=target[order].astype(np.int32),
        edge_counts=counts[rows][order],
        target_phrases=target_phrases,
        floor=floor,
        documents=word_counts[1],
        source_documents=word_counts[0],
        sentences=0 if sentences is None else len(sentences[0]),
        about=about,
    )


def _number_runs(texts: list[str]) -> Ints:
    """A number for each run of equal texts."""
    changes = [False, *(a != b for a, b in itertools.pairwise(texts))]
    return np.cumsum(np.array(changes, np.int64))


def _different(texts: list[str]) -> tuple[list[str], Ints]:
    numbers: dict[str, int] = {}
    of_text = np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)
    return list(numbers), of_text


def _words(texts: Iterable[list[str]], sentences: Sides | None) -> tuple[Vocabulary, list[Ints]]:
    """The words of the phrases, frequent ones first, and how many sentences of each side have them."""
    draft = Vocabulary()
    encoded = [draft.encode(part, TOKENIZED) for part in texts]
    use = sum(np.bincount(part.ids, minlength=len(draft)) for part in encoded)
    names = list(draft)
    order = sorted(range(len(names)), key=lambda i: (-int(np.asarray(use)[i]), names[i]))
    vocabulary = Vocabulary(names[i] for i in order)
    none = np.zeros(len(vocabulary), np.int64)
    if sentences is None:
        return vocabulary, [none, none]
    return vocabulary, [_documents(side, vocabulary) for side in sentences]


def _documents(lines: Lines, vocabulary: Vocabulary) -> Ints:
    ids = vocabulary.encode(lines, TOKENIZED, grow=False)
    line = np.repeat(np.arange(len(ids)), ids.lengths)
    known = ids.ids >= 0
    pairs = np.unique(line[known] * len(vocabulary) + ids.ids[known])
    return np.bincount(pairs % len(vocabulary), minlength=len(vocabulary)).astype(np.int64)


def _sorted_phrases(texts: list[str], vocabulary: Vocabulary) -> tuple[Ragged, Ints]:
    """The phrases in the order of their numbers, and the place of each text among them."""
    encoded = vocabulary.encode(texts, TOKENIZED)
    order = np.lexsort(encoded.pad().T[::-1])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return encoded.take(order), place
