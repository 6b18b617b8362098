"""Labels of word spans, whatever they are used for.

There are four ways to label a span, by what they take from its tree
(`kernels/reference/syntax/span_labels.py` says what each means and in which order they are tried):

| name | labels | after |
|---|---|---|
| `hiero` | `X` for every span, no tree | Chiang 2007 |
| `constituents` | `NP` | Galley et al. 2004 |
| `slashed` | and `S/NP`, `S\\NP` | Weese, Callison-Burch and Lopez 2012 |
| `samt` | and `NP+VP`, and `NP+V+NP` | Zollmann and Venugopal 2006 |

>>> from paragauge.syntax.trees import Trees
>>> trees = Trees.of(["(S (NP (PRP I)) (VP (VBP see) (NP (PRP you))))"])
>>> Labels.named("slashed").label(trees, 0, 0, 2)
'S/PRP'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from paragauge.engine.arrow_strings import Texts
from paragauge.errors import SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.syntax.trees import Trees
from paragauge.text.lines import Lines

UnaryChains = Literal["bottom", "top", "all"]
UNARY: tuple[UnaryChains, ...] = get_args(UnaryChains)
NAMES = ("hiero", "constituents", "slashed", "samt")
SWITCHES = ("constituents", "concatenated", "slashed", "doubled")


@dataclass(frozen=True)
class Labels:
    """Which labels a span may have; with all four switches off the grammar is a Hiero grammar.

    Of several constituents over the same words (a unary chain), `unary` takes the one at the `bottom`,
    at the `top`, or `all` of them, as `S:VP`. A span without a label gets the label `fallback`. A tree
    label with that text counts as no label, as in Thrax.

    >>> Labels.named("samt").doubled, Labels.named("hiero").needs_trees
    (True, False)
    """

    constituents: bool = True
    concatenated: bool = False
    slashed: bool = False
    doubled: bool = False
    unary: UnaryChains = "bottom"
    fallback: str = "X"

    def __post_init__(self) -> None:
        if self.unary not in UNARY:
            raise unknown_name("handling of unary chains", self.unary, UNARY)
        if not self.fallback or set(self.fallback) & set(" \t\n[]|"):
            raise SettingError(
                f"fallback: expected a label without spaces, brackets and bars, found {self.fallback!r}"
            )

    @classmethod
    def named(cls, name: str, **changes: Any) -> Labels:
        """The labels with this name, with some settings changed.

        >>> Labels.named("ccg")
        Traceback (most recent call last):
        paragauge.errors.SettingError: unknown labels 'ccg'; known: hiero, constituents, slashed, samt
        """
        if name not in NAMES:
            raise unknown_name("labels", name, NAMES)
        level = NAMES.index(name)
        labels = cls(level >= 1, level >= 3, level >= 2, level >= 3)
        return replace(labels, **changes)

    @property
    def name(self) -> str:
        """The name of these labels, or the switches that are on.

        >>> Labels.named("samt").name, Labels(doubled=True).name
        ('samt', 'constituents, doubled')
        """
        for name in NAMES:
            if Labels.named(name, unary=self.unary, fallback=self.fallback) == self:
                return name
        return ", ".join(switch for switch in SWITCHES if getattr(self, switch))

    @property
    def needs_trees(self) -> bool:
        """Whether a span can have any label other than the fallback."""
        return self.constituents or self.concatenated or self.slashed or self.doubled

    @property
    def native(self) -> tuple[bool, bool, bool, bool, str, str]:
        """The settings in the form that kernels take."""
        switches = self.constituents, self.concatenated, self.slashed, self.doubled
        return (*switches, self.unary, self.fallback)

    def label(self, trees: Trees, index: int, begin: int, end: int) -> str:
        """The label of the words `begin` to `end` of one tree."""
        length = len(trees.words[index])
        if not 0 <= begin < end <= length:
            raise SettingError(f"span: expected words from 0 to {length}, found {begin} to {end}")
        text, offsets = _native.label_spans(
            tree_columns(trees[index : index + 1]),
            np.array([length], np.int64),
            np.array([[0, begin, end]], np.int64),
            self.native,
            1,
        )
        del offsets
        return text.tobytes().decode()


def tree_columns(trees: Trees) -> tuple[Texts, Any, Any, Any, Any]:
    """Trees in the form that the kernels for rules take."""
    columns = (trees.label, trees.begin, trees.end)
    label, begin, end = (np.ascontiguousarray(column) for column in columns)
    return label_texts(trees.labels), label, begin, end, trees.offsets


def label_texts(labels: Sequence[str]) -> Texts:
    """Labels in the form that kernels take: bytes and offsets.

    >>> label_texts(["NP", "S"])[1].tolist()
    [0, 2, 3]
    """
    lines = Lines.of(labels)
    return lines.buffer, np.concatenate([[0], lines.spans[:, 1]]).astype(np.int64)
