"""Synchronous parsing: which sentence pairs are in the language of a grammar, and how.

Dyer (2010), "Two monolingual parses are better than one (synchronous parse)", as Weese, Ganitkevitch
and Callison-Burch (2014, section 4.1) use it: the source sentence is parsed into a forest, then the
target sentence is parsed with the nodes of the forest as labels. `kernels/reference/grammar/sync.py`
describes each step. A pair is

- `covered`: some derivation gives both sentences;
- `unreachable`: the source sentence has a parse, but none gives the target;
- `no-source-parse`: the source sentence has none;
- `out-of-time`, `out-of-memory`: a limit of `ParseSettings` was hit, so nothing is known.

The grammar is read once and cut to the sentences at hand: rules with a source word that occurs in none
of them are left out, and rules with such a target word keep only their source side. So a grammar of
millions of rules takes memory only for those that can matter. Rules with more than 32 non-terminals,
which readers accept but the parser does not, are left out and counted.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError, InputError, LengthError, unknown_name
from paragauge.grammar.derivation import Derivation, build_derivation
from paragauge.grammar.parse_settings import STATUSES, ParseSettings
from paragauge.grammar.rule import Rule, is_reserved
from paragauge.grammar.rule_rows import RuleRows, Rules, grammar_location, grammar_name, rule_rows
from paragauge.kernels import _native
from paragauge.kernels.layout import unpack_texts
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import TOKENIZED
from paragauge.text.vocabulary import Vocabulary
from paragauge.text.wording import pluralize

CHUNK = 256


@dataclass(frozen=True, eq=False)
class ParseResult:
    """The result for each of n pairs.

    `status`, uint8 [n], holds indices into `STATUSES`; `items`, int64 [n], the number of chart items of
    the parse (-1 where a limit was hit); `seconds`, float64 [n, 2], the times of the two passes.
    """

    status: NDArray[np.uint8]
    items: NDArray[np.int64]
    seconds: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.status)

    @property
    def statuses(self) -> list[str]:
        """The name of each status."""
        return [STATUSES[number] for number in self.status.tolist()]


class SyncParser:
    """A grammar cut to sentence pairs, ready to parse them; words are separated by spaces.

    `cost` names a feature of the grammar, a number for each rule, such as PPDB's -log p: the best
    derivation is then the one with the lowest total, and of these the one with the fewest rules. For
    paragauge's own probabilities (`p_target`, `lex_source` ...) the cost is -log p. Words that pass
    through cost 0 and count as rules, as each has a line in the derivation; glue rules have none and do
    not count.

    >>> rules = [Rule.parse(f"[X] ||| {rule}") for rule in ("a ||| a", "b ||| c", "d ||| e")]
    >>> parser = SyncParser(rules, ["a b", "a b", "a x"], ["a c", "c a", "a x"])
    >>> parser.parse().statuses, len(parser), parser.read
    (['covered', 'unreachable', 'no-source-parse'], 2, 3)
    """

    def __init__(
        self,
        rules: Rules,
        sources: Iterable[str],
        targets: Iterable[str],
        settings: ParseSettings | None = None,
        *,
        cost: str | None = None,
        threads: int = 0,
        progress: Progress = silent,
    ) -> None:
        start = time.perf_counter()
        self.name = grammar_name(rules)
        self.settings = settings or ParseSettings()
        self.threads = threads
        self.source_lines, self.target_lines = (
            Lines.of(sources, "sources"),
            Lines.of(targets, "targets"),
        )
        if len(self.source_lines) != len(self.target_lines):
            raise LengthError(
                f"sources has {pluralize(len(self.source_lines), 'sentence')} but targets has "
                f"{len(self.target_lines):,}; expected equally many"
            )
        self._vocabulary = Vocabulary()
        self.sources = self._vocabulary.encode(self.source_lines, TOKENIZED, threads=threads)
        self.targets = self._vocabulary.encode(self.target_lines, TOKENIZED, threads=threads)
        self._words = list(self._vocabulary)
        self._native = self._load(rules, cost, progress)
        self._native_settings = self._settings_tuple()
        self.seconds = time.perf_counter() - start

    def __len__(self) -> int:
        """How many rules were kept."""
        return len(self._native)

    def _load(self, rules: Rules, cost: str | None, progress: Progress) -> _native.SyncGrammar:
        sides = np.zeros(len(self._words), np.uint8)
        sides[self.sources.ids] |= 1
        sides[self.targets.ids] |= 2
        texts = self._vocabulary.texts()
        offsets = np.concatenate([[0], texts.spans[:, 1]]).astype(np.int64)
        grammar = _native.SyncGrammar((texts.buffer, offsets), sides)
        if self.settings.passthrough != "none":
            # The first label: the one that words have where several would do.
            grammar.label(self.settings.passthrough_label)
        self.read = self.left_out = 0
        heads: set[str] = set()
        for rows in rule_rows(rules, cost):
            added = grammar.add(*rows.columns, rows.costs, self.threads)
            if added < len(rows):
                raise _rule_error(rules, rows, added)
            self.read += len(rows) + rows.left_out
            self.left_out += rows.left_out
            if self.settings.start:
                heads.update(rows.heads())
            progress(f"{self.name}: {self.read:,} rules read, {len(grammar):,} kept")
        grammar.finish()
        if self.settings.passthrough != "none":
            heads.add(self.settings.passthrough_label)
        for label in self.settings.start:
            if label not in heads:
                raise unknown_name(f"start label of {self.name}", label, sorted(heads)[:20])
        return grammar

    def _settings_tuple(
        self,
    ) -> tuple[int, bool, NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8], int, int, float]:
        settings = self.settings
        pass_labels = np.zeros(0, np.int32)
        passes = np.zeros(len(self._words), np.uint8)
        if settings.passthrough != "none":
            passes[:] = 1 if settings.passthrough == "all" else self._native.known() == 0
            pass_labels = self._pass_labels()
        self.labels = unpack_texts(self._native.labels())
        starts = [not settings.start or name in settings.start for name in self.labels]
        return (
            settings.span,
            settings.glue,
            np.array(starts, np.uint8),
            pass_labels,
            passes,
            settings.max_items,
            settings.max_memory,
            settings.max_seconds,
        )

    def _pass_labels(self) -> NDArray[np.int32]:
        """The labels of words that pass through, in ascending order."""
        settings, names = self.settings, [self.settings.passthrough_label]
        numbers: set[int] = set()
        if settings.passthrough_gaps == "any":
            names += settings.start
            numbers.update(np.flatnonzero(self._native.inner()).tolist())
        numbers.update(map(self._native.label, names))
        return np.array(sorted(numbers), np.int32)

    @property
    def impossible(self) -> NDArray[np.bool_]:
        """Whether each pair has a word that no rule can contain: with `|||`, or digits in brackets."""
        flags = np.array([*map(is_reserved, self._words), False])
        return _has_flagged(flags, self.sources) | _has_flagged(flags, self.targets)

    def parse(self, progress: Progress = silent) -> ParseResult:
        """Parse all pairs in parallel.

        The result is the same for any number of threads unless `max_seconds` is set.
        """
        status, items, times = [], [], []
        for first in range(0, len(self.sources), CHUNK):
            progress(f"{self.name}: {first:,} of {len(self.sources):,} pairs parsed")
            sides = [_slice(side, first, first + CHUNK) for side in (self.sources, self.targets)]
            columns = self._native.parse(sides[0], sides[1], self._native_settings, self.threads)
            status.append(columns[0])
            items.append(columns[1])
            times.append(columns[2])
        return ParseResult(
            np.concatenate([np.zeros(0, np.uint8), *status]),
            np.concatenate([np.zeros(0, np.int64), *items]),
            np.concatenate([np.zeros((0, 2)), *times]) / 1e9,
        )

    def derive(self, pair: int) -> Derivation:
        """The best derivation of a pair, by number from 0, or the largest spans that were reached.

        >>> rules = [Rule.parse("[X] ||| a [X,1] ||| [X,1] b"), Rule.parse("[X] ||| c ||| d")]
        >>> SyncParser(rules, ["a c"], ["d b"]).derive(0).roots[0].rule.source
        'a [1]'
        """
        if not 0 <= pair < len(self.sources):
            raise InputError(f"pair {pair}: expected a number from 0 to {len(self.sources) - 1}")
        sides = [_slice(side, pair, pair + 1) for side in (self.sources, self.targets)]
        output = self._native.derive(sides[0], sides[1], self._native_settings)
        words = [tuple(self._words[i] for i in side[0].tolist()) for side in sides]
        if np.isneginf(output[1]):
            raise InputError(
                f"pair {pair + 1}, {' '.join(words[0])[:60]!r}: expected a derivation with the lowest "
                "cost, found none: rules in a circle, such as [X] ||| [Y,1] ||| [Y,1] and back, have a "
                "negative sum and lower it without end; leave them out, or choose another cost"
            )
        return build_derivation(words[0], words[1], output, self._rule, self.labels)

    def _rule(self, number: int) -> tuple[Rule, float]:
        """A rule of the grammar and its cost."""
        lhs, source, target, cost = self._native.rule(number)
        labels, source_side = [], []
        for symbol in source.tolist():
            if symbol < 0:
                labels.append(self.labels[-1 - symbol])
            source_side.append(f"[{len(labels)}]" if symbol < 0 else self._words[symbol])
        target_side = [
            f"[{-symbol}]" if symbol < 0 else self._words[symbol] for symbol in target.tolist()
        ]
        rule = Rule(self.labels[lhs], " ".join(source_side), " ".join(target_side), tuple(labels))
        return rule, cost


def _rule_error(rules: Rules, rows: RuleRows, row: int) -> FileFormatError:
    """The error for a row that is not a rule in normal form."""
    lhs, labels, source, target = (
        text.tobytes()[offsets[row] : offsets[row + 1]].decode("utf-8")
        for text, offsets in rows.columns
    )
    return FileFormatError(
        grammar_location(rules),
        int(rows.numbers[row]),
        "expected a rule in normal form (at most 32 non-terminals [1], [2] ... from left to right on "
        f"the source side, each once on the target side, a label for each), found {lhs!r}, {labels!r}, "
        f"{source[:60]!r}, {target[:60]!r}; rebuild the grammar",
    )


def _slice(side: Ragged, first: int, last: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    offsets = side.offsets[first : last + 1]
    ids = side.ids[int(offsets[0]) : int(offsets[-1])]
    return np.ascontiguousarray(ids), np.ascontiguousarray(offsets - offsets[0])


def _has_flagged(flags: NDArray[np.bool_], side: Ragged) -> NDArray[np.bool_]:
    """Whether each sentence has a flagged word."""
    counts = np.concatenate([[0], np.cumsum(flags[side.ids])])
    return np.asarray(counts[side.offsets[1:]] > counts[side.offsets[:-1]])
