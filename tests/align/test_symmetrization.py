"""The library's face of the kernel; tests/kernels/phrases/test_align.py has the heuristics."""

from __future__ import annotations

import pytest

from paragauge.align.links import Links
from paragauge.align.symmetrization import HEURISTICS, symmetrize
from paragauge.errors import LengthError, SettingError
from paragauge.kernels.reference.phrases.symmetrize import HEURISTICS as KNOWN


def test_the_names_are_those_of_the_kernel() -> None:
    assert sorted(HEURISTICS) == sorted(KNOWN)


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_equal_directions_stay_as_they_are(heuristic: str) -> None:
    links = Links.from_lists([[(0, 1), (3, 2)], [], [(0, 0)]])
    assert symmetrize(links, links, heuristic) == links


def test_messages() -> None:
    one, two = Links.from_lists([[]]), Links.from_lists([[], []])
    with pytest.raises(LengthError, match="forward alignment has 1 sentence pairs but the reverse one"):
        symmetrize(one, two)
    with pytest.raises(SettingError, match="unknown heuristic 'gdfa'; known: grow-diag-final-and, "):
        symmetrize(one, one, "gdfa")
    with pytest.raises(SettingError, match="threads: expected a whole number"):
        symmetrize(one, one, threads=-1)
