"""Twins of maxsim.cpp: matchings of n-grams and of dependency relations (Chan and Ng 2008).

A *word column* is (lemmas, tags, offsets, groups), a *relation column* (children, types, parents,
offsets, groups); `sets` are (members, offsets): for each lemma a sorted set of numbers, and two
lemmas are synonyms if their sets intersect. A lemma with an empty set is a synonym of itself only with
`self`. A *link* is five numbers: the order n (0 for relations), the phase, the positions of the two
items, and the weight in units of 1 / (2n), for relations of 1 / 3.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from paragauge.kernels.layout import Ids, Ints, lines_of_segments
from paragauge.kernels.reference.matching.assignment import assignment

Sets = tuple[Ids, Ints]
WordColumn = tuple[Ids, Ids, Ints, Ints | None]
RelationColumn = tuple[Ids, Ids, Ids, Ints, Ints | None]
Item = tuple[int, ...]
Link = tuple[int, int, int, int, int]
Matches = Ints | tuple[Ints, Ids, Ints]


def meet(sets: Sets, a: int, b: int) -> bool:
    """Whether the sets of two lemmas have a member in common."""
    members, offsets = sets
    left, right = (set(members[offsets[i] : offsets[i + 1]].tolist()) for i in (a, b))
    return bool(left & right)


def _synonyms(sets: Sets, self: bool, a: int, b: int) -> bool:
    return (self and a == b) or meet(sets, a, b)


def _items(column: tuple[Ids, ...], offsets: Ints) -> list[list[Item]]:
    """The items of each line as tuples of their fields."""
    if any(len(field) != len(column[0]) for field in column):
        raise ValueError("the fields of a column must be equally long")
    flat = list(zip(*(field.tolist() for field in column), strict=True))
    return [flat[first:last] for first, last in itertools.pairwise(offsets.tolist())]


def _check(candidates: int, groups: Ints | None, segments: int) -> None:
    if groups is not None:
        raise ValueError("candidates have one line per segment")
    if candidates != segments:
        raise ValueError("all columns must have the same number of segments")


def _check_lemmas(sets: Sets, *fields: Ids) -> None:
    for field in fields:
        if len(field) and not 0 <= field.min() <= field.max() < len(sets[1]) - 1:
            raise ValueError("every lemma must have a set")


def heaviest(
    left: list[int], right: list[int], weight: Callable[[int, int], int]
) -> list[tuple[int, int, int]]:
    """The heaviest matching of two lists of items as triples (item, item, weight)."""
    edges = {(i, j): weight(i, j) for i in left for j in right}
    rows = [i for i in left if any(edges[i, j] for j in right)]
    columns = [j for j in right if any(edges[i, j] for i in left)]
    table = [[edges[i, j] for j in columns] for i in rows]
    match = assignment(np.array(table, np.int64).reshape(len(rows), len(columns)))
    return [
        (i, columns[j], edges[i, columns[j]])
        for i, j in zip(rows, match.tolist(), strict=True)
        if j >= 0
    ]


def _phases(
    mine: list[Item], theirs: list[Item], n: int, sets: Sets, phases: tuple[bool, ...], self: bool
) -> list[Link]:
    """The links between the n-grams of two sentences, phase after phase."""
    links: list[Link] = []
    left, right = list(range(len(mine) - n + 1)), list(range(len(theirs) - n + 1))
    for phase, fields in ((1, 2), (2, 1)):
        if not phases[phase - 1]:
            continue
        for i in list(left):
            own = [word[:fields] for word in mine[i : i + n]]
            for j in right:
                if [word[:fields] for word in theirs[j : j + n]] == own:
                    links.append((n, phase, i, j, 2 * n))
                    left.remove(i)
                    right.remove(j)
                    break

    def weight(i: int, j: int) -> int:
        halves = [
            (tag == other_tag) + _synonyms(sets, self, lemma, other)
            for (lemma, tag), (other, other_tag) in zip(mine[i : i + n], theirs[j : j + n], strict=True)
        ]
        return sum(halves) if all(halves) else 0

    if phases[2]:
        links += [(n, 3, i, j, units) for i, j, units in heaviest(left, right, weight)]
    return links


def _result(rows: list[list[int]], width: int, links_by_line: list[list[Link]], links: bool) -> Matches:
    table = np.array(rows, np.int64).reshape(-1, width)
    if not links:
        return table
    flat = np.array([link for line in links_by_line for link in line], np.int32).reshape(-1, 5)
    return table, flat, np.cumsum([0, *map(len, links_by_line)], dtype=np.int64)


def maxsim_ngrams(
    candidates: WordColumn,
    references: WordColumn,
    sets: Sets,
    order: int,
    phases: tuple[bool, bool, bool],
    self: bool,
    links: bool,
    threads: int,
) -> Matches:
    """Match the n-grams of each candidate with those of each reference line, n = 1 ... order.

    Rows of 3 * order numbers, one per reference line: the weight of the matching in units of 1 /
    (2n), then how many n-grams candidate and reference have. Phase 1 links n-grams of equal lemmas
    and tags, left to right in both; phase 2 those of the rest with equal lemmas; phase 3 is the
    heaviest matching of what is left, where S = (tags equal + lemmas synonyms) / 2 for each word, the
    edge is the mean of S, and 0 if any S is 0. With `links` also the links and their offsets.
    """
    del threads
    mine = _items(candidates[:2], candidates[2])
    theirs = _items(references[:2], references[2])
    members = lines_of_segments(len(theirs), references[3])
    _check(len(mine), candidates[3], len(members))
    _check_lemmas(sets, candidates[0], references[0])
    if not 1 <= order <= 64:
        raise ValueError("order must be from 1 to 64")
    rows, links_by_line = [], []
    for sentence, lines in zip(mine, members, strict=True):
        for line in lines:
            row: list[int] = []
            line_links: list[Link] = []
            for n in range(1, order + 1):
                matched = _phases(sentence, theirs[line], n, sets, phases, self)
                row.append(sum(link[4] for link in matched))
                row += [max(0, len(words) - n + 1) for words in (sentence, theirs[line])]
                line_links += matched
            rows.append(row)
            links_by_line.append(line_links)
    return _result(rows, 3 * order, links_by_line, links)


def maxsim_relations(
    candidates: RelationColumn,
    references: RelationColumn,
    sets: Sets,
    self: bool,
    links: bool,
    threads: int,
) -> Matches:
    """Match the dependency relations of each candidate with those of each reference line.

    Rows (weight of the heaviest matching in thirds, relations of the candidate, of the reference).
    The edge of two relations of one type is (children synonyms + 1 + parents synonyms) / 3; relations
    of different types have none.
    """
    del threads
    mine = _items(candidates[:3], candidates[3])
    theirs = _items(references[:3], references[3])
    members = lines_of_segments(len(theirs), references[4])
    _check(len(mine), candidates[4], len(members))
    _check_lemmas(sets, candidates[0], candidates[2], references[0], references[2])
    rows, links_by_line = [], []
    for relations, lines in zip(mine, members, strict=True):
        for line in lines:
            others = theirs[line]

            def weight(i: int, j: int, own: list[Item] = relations, their: list[Item] = others) -> int:
                (child, kind, parent), (other_child, other_kind, other_parent) = own[i], their[j]
                if kind != other_kind:
                    return 0
                return (
                    1
                    + _synonyms(sets, self, child, other_child)
                    + _synonyms(sets, self, parent, other_parent)
                )

            matched = heaviest(list(range(len(relations))), list(range(len(others))), weight)
            rows.append([sum(units for *_, units in matched), len(relations), len(others)])
            links_by_line.append([(0, 3, i, j, units) for i, j, units in matched])
    return _result(rows, 3, links_by_line, links)
