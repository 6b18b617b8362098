"""A batch of segments: what several systems wrote, with the sources and references.

Every metric reads its input from a `Batch`. Tokenization is done once for each pair (tokenizer,
case) and shared by all metrics and all systems. References and sources are given *per segment*: one
string, or a list of strings whose number may differ from segment to segment.

A system may give several candidates for a segment: `systems` has the first of each, `sets` has all.
Metrics score the first, unless they ask for the sets (`metrics/sets`).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import numpy as np

from paragauge.errors import InputError, ShapeError
from paragauge.kernels.layout import Ints
from paragauge.text.lines import LineGroups, Lines, check_parallel, group_means, segment_of_line
from paragauge.text.python_data.text_columns import (
    are_texts,
    grouped_items,
    is_missing,
    refuse_missing,
    refuse_shuffled,
)
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Case, Normalize, Tokenizer, check_threads, encode_segments

T = TypeVar("T")
Texts = Iterable[str]
GroupedTexts = Iterable[str | Sequence[str]]


@dataclass(frozen=True)
class TokenGroups:
    """Token ids of the lines of each segment; `groups` as in `LineGroups`."""

    tokens: Ragged
    groups: Ints | None

    @property
    def column(self) -> tuple[np.ndarray, Ints, Ints | None]:
        """The triple that kernels take."""
        return self.tokens.ids, self.tokens.offsets, self.groups

    def segment_of_line(self) -> Ints:
        """The segment that each line belongs to, int64 [lines]."""
        return segment_of_line(self.groups, len(self.tokens))

    def mean(self, values: np.ndarray) -> np.ndarray:
        """The mean over each segment's lines of one row per line: [lines, ...] to [segments, ...]."""
        return group_means(self.groups, values)


@dataclass(frozen=True)
class Tokens:
    """Token ids of a batch, numbered anew in each segment."""

    candidates: dict[str, Ragged]
    sources: TokenGroups | None
    references: TokenGroups | None

    def require(self, what: str) -> TokenGroups:
        """The "sources" or "references"; an error if the batch has none."""
        groups = self.sources if what == "sources" else self.references
        if groups is None:
            raise InputError(f"expected {what}, found none")
        return groups


@dataclass
class Batch:
    """Parallel texts; `first` is the number of the first segment in the whole corpus.

    >>> batch = Batch.of({"mine": ["a b"]}, sources=["a c"], references=[["a b", "b"]])
    >>> batch.tokens("13a", "mixed").sources.tokens.to_lists()
    [[0, 2]]
    """

    systems: dict[str, Lines]
    sources: LineGroups | None = None
    references: LineGroups | None = None
    first: int = 0
    threads: int = 0
    sets: dict[str, LineGroups] = field(default_factory=dict)
    _tokens: dict[tuple[str, str], Tokens] = field(default_factory=dict, repr=False)
    _latest: dict[Hashable, tuple[str, Any]] = field(default_factory=dict, repr=False)
    _normalized: Batch | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        systems: Mapping[str, GroupedTexts],
        *,
        sources: GroupedTexts | None = None,
        references: GroupedTexts | None = None,
        threads: int = 0,
        several: bool = False,
    ) -> Batch:
        """Pack Python strings; it is an error if they are not parallel or are transposed.

        With `several`, a system may have a list of candidates for a segment.

        >>> batch = Batch.of({"beams": [["a", "b"], ["c"]]}, several=True)
        >>> list(batch.systems["beams"]), list(batch.candidate_sets("beams"))
        (['a', 'c'], [['a', 'b'], ['c']])
        """
        if not systems:
            raise InputError("expected at least one system's candidates, found none")
        columns: dict[str, object] = {_candidates_name(name): texts for name, texts in systems.items()}
        refuse_shuffled({**columns, "sources": sources, "references": references})
        packed: dict[str, Lines] = {}
        sets: dict[str, LineGroups] = {}
        for name, texts in systems.items():
            what = _candidates_name(name)
            lines = _pack_candidates(texts, what) if several else Lines.of(cast(Texts, texts), what)
            if isinstance(lines, LineGroups):
                sets[name] = lines
                lines = lines.firsts()
            packed[name] = lines
        batch = cls(
            packed,
            None if sources is None else _group_texts("sources", sources, packed),
            None if references is None else _group_texts("references", references, packed),
            threads=threads,
            sets=sets,
        )
        batch.check()
        return batch

    def check(self) -> None:
        """Raise an error unless texts are parallel and each segment has a source and a reference."""
        check_threads(self.threads)
        inputs: dict[str, Lines | LineGroups] = {
            _candidates_name(name): lines for name, lines in self.systems.items()
        }
        for what, groups in (("sources", self.sources), ("references", self.references)):
            if groups is not None:
                inputs[what] = groups
        check_parallel(inputs)
        for what, groups in (("sources", self.sources), ("references", self.references)):
            if groups is not None and groups.groups is not None:
                without = np.flatnonzero(groups.counts() == 0)
                if len(without):
                    raise InputError(
                        f"{what}: segment {self.first + int(without[0]) + 1}: expected at least one "
                        f"of the {what}, found none; give an empty string if that is meant"
                    )

    def candidate_sets(self, system: str) -> LineGroups:
        """All candidates of a system, one group per segment."""
        return self.sets[system] if system in self.sets else LineGroups(self.systems[system])

    def has_sets(self, system: str) -> bool:
        """Whether a system may have several candidates for a segment."""
        return system in self.sets

    def __len__(self) -> int:
        return len(next(iter(self.systems.values())))

    def part(self, start: int, stop: int) -> Batch:
        """The segments from `start` up to `stop`, counted from 0 in this batch.

        >>> batch = Batch.of({"a": ["x", "y", "z"]}, sources=["s", ["t", "u"], "v"])
        >>> part = batch.part(1, 3)
        >>> list(part.systems["a"]), list(part.sources), part.first
        (['y', 'z'], [['t', 'u'], ['v']], 1)
        """
        return Batch(
            {name: lines[start:stop] for name, lines in self.systems.items()},
            None if self.sources is None else self.sources[start:stop],
            None if self.references is None else self.references[start:stop],
            first=self.first + start,
            threads=self.threads,
            sets={name: groups[start:stop] for name, groups in self.sets.items()},
        )

    def normalized(self, normalize: Normalize) -> Batch:
        """The batch with normalized texts; itself if that changes nothing. Made once.

        >>> batch = Batch.of({"mine": ["don’t"]}, sources=["do not"])
        >>> list(batch.normalized("typography").systems["mine"]), batch.normalized("none") is batch
        (["don't"], True)
        """
        if normalize == "none":
            return self
        if self._normalized is None:
            self._normalized = self._normalize_typography()
            self._normalized._normalized = self._normalized
        return self._normalized

    def _normalize_typography(self) -> Batch:
        columns = [self.candidate_sets(name) for name in self.systems]
        columns += [groups for groups in (self.sources, self.references) if groups is not None]
        lines = [column.lines.normalize_typography() for column in columns]
        if all(new is column.lines for new, column in zip(lines, columns, strict=True)):
            return self
        made = [LineGroups(new, column.groups) for new, column in zip(lines, columns, strict=True)]
        sets = dict(zip(self.systems, made, strict=False))
        others = iter(made[len(self.systems) :])
        sources, references = (
            None if groups is None else next(others) for groups in (self.sources, self.references)
        )
        return Batch(
            {name: groups.firsts() for name, groups in sets.items()},
            sources,
            references,
            first=self.first,
            threads=self.threads,
            sets={name: groups for name, groups in sets.items() if name in self.sets},
        )

    def tokens(self, tokenizer: Tokenizer, case: Case) -> Tokens:
        """Token ids of everything in the batch, computed once for each pair of settings."""
        key = (tokenizer, case)
        if key not in self._tokens:
            extra = [groups for groups in (self.sources, self.references) if groups is not None]
            columns = [*(LineGroups(lines) for lines in self.systems.values()), *extra]
            encoded = encode_segments(columns, tokenizer, case, self.threads)
            candidates = dict(zip(self.systems, encoded, strict=False))
            rest = iter(encoded[len(self.systems) :])
            sources, references = (
                None if groups is None else TokenGroups(next(rest), groups.groups)
                for groups in (self.sources, self.references)
            )
            self._tokens[key] = Tokens(candidates, sources, references)
        return self._tokens[key]

    def latest(self, key: Hashable, system: str, make: Callable[[], T]) -> T:
        """What `make` returns for a system, cached until another system is asked for under `key`.

        >>> batch = Batch.of({"a": ["x"]})
        >>> batch.latest("length", "a", lambda: 1), batch.latest("length", "a", lambda: 2)
        (1, 1)
        """
        if key not in self._latest or self._latest[key][0] != system:
            self._latest[key] = (system, make())
        value: T = self._latest[key][1]
        return value


def _candidates_name(system: str) -> str:
    return f"candidates of '{system}'" if system else "candidates"


def _pack_candidates(texts: GroupedTexts, what: str) -> Lines | LineGroups:
    """One line per segment, or a group of them if a segment has a list of candidates."""
    if isinstance(texts, LineGroups) and texts.groups is None:
        return texts.lines
    if not isinstance(texts, LineGroups) and not (
        isinstance(texts, Sequence)
        and not isinstance(texts, (Lines, str, bytes))
        and any(issubclass(kind, (list, tuple)) for kind in set(map(type, texts)))
    ):
        return Lines.of(cast(Texts, texts), what)
    sets = LineGroups.of(texts, what)
    without = np.flatnonzero(sets.counts() == 0)
    if len(without):
        raise InputError(
            f"{what}: segment {int(without[0]) + 1}: expected at least one candidate, found none; "
            "give an empty string if that is meant"
        )
    return sets


def _group_texts(what: str, texts: GroupedTexts, systems: Mapping[str, Lines]) -> LineGroups:
    items = texts if isinstance(texts, (Lines, LineGroups)) else grouped_items(texts, what)
    if isinstance(items, (Lines, LineGroups)) or are_texts(items):
        return LineGroups.of(items, what)
    candidates = next(iter(systems.values()))
    if _look_transposed(items, candidates):
        raise ShapeError(
            f"{what}: found {len(items)} lists of {len(candidates)} for {len(candidates)} candidates: "
            f"they look transposed (one list per set of {what}, as sacreBLEU takes them); give one "
            f"list per segment: list(zip(*{what}))"
        )
    if any(map(is_missing, items)):
        refuse_missing(texts, items, what)
    return LineGroups.of(items, what)


def _look_transposed(items: Sequence[str | Sequence[str]], candidates: Lines) -> bool:
    """Whether the lists run over segments instead of over one segment's texts."""
    count = len(candidates)
    lists = [item for item in items if not isinstance(item, str) and isinstance(item, Sequence)]
    if not lists or len(lists) != len(items) or any(len(item) != count for item in lists):
        return False
    if len(lists) != count:
        return True
    if count < 2:
        return False
    # In a square only the texts can tell. Reject it if the candidates resemble their columns and not
    # their rows; texts of only a few different characters prove nothing.
    own, crossed, sample = 0.0, 0.0, range(min(count, 64))
    for i in sample:
        if len(set(candidates[i]) - {" "}) < 4:
            return False
        for j in sample:
            if i != j:
                own += _similarity(candidates[i], lists[i][j])
                crossed += _similarity(candidates[i], lists[j][i])
    return crossed > max(2 * own, 0.2 * len(sample) * (len(sample) - 1))


def _similarity(left: str, right: str) -> float:
    """Dice coefficient of the pairs of neighboring characters, which any script has."""
    a, b = (Counter(itertools.pairwise(str(text).lower())) for text in (left, right))
    return 2 * (a & b).total() / max(1, a.total() + b.total())
