"""Combine two directional alignments into one.

The heuristics are those of Och and Ney (2003) and Koehn, Och and Marcu (2003), exactly as Moses'
`symal` implements them; `kernels/reference/phrases/symmetrize.py` defines them step by step. `forward`
holds the links of p(target | source), in which each target word has at most one source word (eflomal's
`-f`, fast_align without `-r`); `reverse` those of p(source | target). Both are written source first.

| name | the links |
|------|-----------|
| `forward`, `reverse` | of that direction |
| `intersection` | of both directions: the most precise |
| `union` | of either direction: the most complete |
| `grow-diag` | the intersection, grown by links of the union beside it that reach a new word |
| `grow-diag-final` | and then any link of the union that reaches a new word |
| `grow-diag-final-and` | or, instead, one that reaches two: Moses' usual choice |
"""

from __future__ import annotations

from typing import Literal, get_args

from paragauge.align.links import Links
from paragauge.errors import LengthError, unknown_name
from paragauge.kernels import _native
from paragauge.text.tokenizers import check_threads

Heuristic = Literal[
    "grow-diag-final-and", "grow-diag-final", "grow-diag", "intersection", "union", "forward", "reverse"
]
HEURISTICS: tuple[Heuristic, ...] = get_args(Heuristic)
DEFAULT = HEURISTICS[0]


def check_heuristic(name: str) -> None:
    """Raise the error for an unknown heuristic.

    >>> check_heuristic("grow-dia")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown heuristic 'grow-dia'; did you mean 'grow-diag'? known: ...
    """
    if name not in HEURISTICS:
        raise unknown_name("heuristic", name, HEURISTICS)


def symmetrize(
    forward: Links, reverse: Links, heuristic: Heuristic = DEFAULT, *, threads: int = 0
) -> Links:
    """One alignment of the two directions; the same for any number of threads.

    >>> forward = Links.from_lists([[(0, 0), (1, 1)]])
    >>> reverse = Links.from_lists([[(0, 0), (1, 2)]])
    >>> symmetrize(forward, reverse, "intersection").to_lists()
    [[(0, 0)]]
    >>> symmetrize(forward, reverse, "grow-diag").to_lists()
    [[(0, 0), (1, 1), (1, 2)]]
    """
    check_heuristic(heuristic)
    check_threads(threads)
    if len(forward) != len(reverse):
        raise LengthError(
            f"the forward alignment has {len(forward)} sentence pairs but the reverse one has "
            f"{len(reverse)}; expected equally many"
        )
    columns = [(links.source, links.target, links.offsets) for links in (forward, reverse)]
    return Links(*_native.symmetrize(columns[0], columns[1], heuristic, threads))
