"""Analyzed lines as numbers: lemmas, tags and dependencies of every word, for kernels to match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Ids, Ints
from paragauge.lexicon.lemmas import LemmaTable
from paragauge.syntax.relations import relation_type
from paragauge.text.ragged import Ragged, gather


@dataclass(frozen=True)
class Analysis:
    """Analyzed lines: numbers of lemmas and tags of all words, and dependencies if there are any.

    `heads` are positions in the line from 1, 0 for the root; `relations` are numbers of labels.
    `labels` and `tag_names` are the same lists in all columns of one call, so that numbers agree; they
    grow when later lines have new names.
    """

    table: LemmaTable
    lemmas: Ragged
    tags: Ids
    heads: Ids | None
    relations: Ids | None
    labels: Sequence[str]
    tag_names: Sequence[str]

    def words(self) -> tuple[Ids, Ids, Ints]:
        """Lemmas and tags of the words that have a letter or a digit, and offsets."""
        is_word = self.table.alphanumeric[self.lemmas.ids]
        before = np.concatenate([[0], np.cumsum(is_word)])
        return self.lemmas.ids[is_word], self.tags[is_word], before[self.lemmas.offsets]

    def arcs(self, choice: str) -> tuple[Ints, Ids, Ints, Ints]:
        """Where children and parents of the chosen relations stand, their types, and offsets.

        Positions are those of `lemmas.ids`. The types (see `relations.py`) are numbered by their name,
        the same in all columns of one call.
        """
        if self.heads is None or self.relations is None:
            raise InputError("expected dependencies, found none; choose a parser")
        names = [relation_type(label, choice) for label in self.labels]
        numbers = {name: i for i, name in enumerate(sorted({name for name in names if name}))}
        types = np.array([-1 if name is None else numbers[name] for name in names] or [-1], np.int32)
        mine = types[self.relations] if len(self.relations) else np.zeros(0, np.int32)
        is_chosen = (mine >= 0) & (self.heads > 0)
        line_starts = np.repeat(self.lemmas.offsets[:-1], self.lemmas.lengths)
        parents = line_starts[is_chosen] + self.heads[is_chosen] - 1
        before = np.concatenate([[0], np.cumsum(is_chosen)])
        return np.flatnonzero(is_chosen), mine[is_chosen], parents, before[self.lemmas.offsets]

    def triples(self, choice: str) -> tuple[Ids, Ids, Ids, Ints]:
        """Lemmas of children, types and lemmas of parents of the chosen relations, and offsets."""
        children, types, parents, offsets = self.arcs(choice)
        return self.lemmas.ids[children], types, self.lemmas.ids[parents], offsets

    def take(self, rows: Ints) -> Analysis:
        """The lines with these numbers, in this order."""
        positions, offsets = gather(self.lemmas.offsets, rows)
        return Analysis(
            self.table,
            Ragged(self.lemmas.ids[positions], offsets),
            self.tags[positions],
            None if self.heads is None else self.heads[positions],
            None if self.relations is None else self.relations[positions],
            self.labels,
            self.tag_names,
        )

    def concatenate(self, other: Analysis) -> Analysis:
        """These lines, then those of the other analysis."""
        size = len(self.lemmas.ids)
        return Analysis(
            self.table,
            Ragged(
                np.concatenate([self.lemmas.ids, other.lemmas.ids]),
                np.concatenate([self.lemmas.offsets, other.lemmas.offsets[1:] + size]),
            ),
            np.concatenate([self.tags, other.tags]),
            _concatenate_ids(self.heads, other.heads),
            _concatenate_ids(self.relations, other.relations),
            other.labels,
            other.tag_names,
        )


def _concatenate_ids(left: Ids | None, right: Ids | None) -> Ids | None:
    return None if left is None or right is None else np.concatenate([left, right])
