"""The interface of aligners, and their result.

An aligner takes a whole bitext, because it learns from it, and returns the links of both directions or,
if the tool gives nothing else, links that are already symmetric. There is a result for every pair of
the bitext, in order: a pair with an empty side has no links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from paragauge.align.links import Links
from paragauge.align.symmetrization import DEFAULT, Heuristic, symmetrize
from paragauge.errors import SettingError
from paragauge.text.bitext import Bitext


@dataclass(frozen=True, eq=False)
class Alignment:
    """The links that an aligner found; without `reverse`, `forward` is symmetric already.

    Both directions are written source first: `forward` is that of p(target | source), in which a
    target word has at most one link. `skipped` holds the line numbers of pairs that the aligner could
    not process, which have no links.

    >>> links = Links.from_lists([[(0, 0)]])
    >>> Alignment("x", links, links).symmetrize("union").to_lists()
    [[(0, 0)]]
    """

    aligner: str
    forward: Links
    reverse: Links | None = None
    skipped: tuple[int, ...] = ()

    def symmetrize(self, heuristic: Heuristic | None = None, *, threads: int = 0) -> Links:
        """One set of links: by default those of grow-diag-final-and, or the aligner's own."""
        if self.reverse is not None:
            return symmetrize(self.forward, self.reverse, heuristic or DEFAULT, threads=threads)
        if heuristic is not None:
            raise no_directions(self.aligner, heuristic)
        return self.forward


class Aligner(Protocol):
    """Something that aligns the words of sentence pairs."""

    @property
    def name(self) -> str:
        """The tool and its version, for messages and records."""

    @property
    def symmetric(self) -> bool:
        """Whether its links are symmetric already, so that no heuristic applies."""

    def align(self, bitext: Bitext) -> Alignment:
        """The links of every pair."""


def no_directions(aligner: str, heuristic: Heuristic) -> SettingError:
    """The error for a heuristic where there are no two directions to combine.

    >>> print(no_directions("x", "union"))
    x gives links that are symmetric already, so 'union' cannot be applied; leave the heuristic out...
    """
    return SettingError(
        f"{aligner} gives links that are symmetric already, so '{heuristic}' cannot be applied; "
        "leave the heuristic out, or use eflomal"
    )
