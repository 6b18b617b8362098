"""TER: arithmetic by hand, and sacreBLEU as the oracle for every setting both have.

Oracle: sacrebleu.metrics.TER (sacreBLEU 2.x), `corpus_score` and `sentence_score`.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import TER as SacreTER  # noqa: N811

from paragauge import TER

CANDIDATES = [
    "A man is shooting a gun.",
    "walking is a big turtle",
    "",
    "中文、測試。",
    "it's 3.5, (or) 4?",
]
REFERENCES = [
    ["a man shoots a gun", "a man is firing a gun ."],
    ["a big turtle is walking"],
    ["something", ""],
    ["", "測試中文。"],
    ["4 or 3.5 it 's ,", "it's &quot;3.5&quot; or 4"],
]
MOST = max(map(len, REFERENCES))
STREAMS: Any = [[group[i] if i < len(group) else None for group in REFERENCES] for i in range(MOST)]


def test_edits_by_hand() -> None:
    """One shift of two words and one deletion; five words in the reference."""
    score = TER().score(["sat down the big cat slowly"], references=["the big cat sat down"])
    assert score.value == pytest.approx(100 * 2 / 5)
    assert score.parts == {
        "edits": 2,
        "reference_length": 5,
        "insertions": 0,
        "deletions": 1,
        "substitutions": 0,
        "shifts": 1,
    }


def test_several_references_lend_their_average_length() -> None:
    """No edit with the second reference; lengths 2 and 1."""
    stats = TER().stats(["a"], references=[["b c", "a"]])
    assert stats.tolist() == [[0, 1.5, 0, 0, 0, 0]]


def test_empty_references() -> None:
    ter = TER()
    assert ter.segments(["a b", ""], references=["", ""]).tolist() == [100, 0]
    assert ter.score(["a b", "c"], references=["", "c"]).value == 200


@pytest.mark.parametrize(
    ("normalized", "no_punct", "asian", "case"),
    [*itertools.product([False, True], [False, True], [False, True], ["mixed", "lower"])],
)
def test_scores_equal_sacrebleu(normalized: bool, no_punct: bool, asian: bool, case: str) -> None:
    settings = {"normalized": normalized, "no_punct": no_punct, "asian_support": asian}
    ours = TER(case=case, **settings)
    theirs = SacreTER(case_sensitive=case == "mixed", **settings)
    score = ours.score(CANDIDATES, references=REFERENCES, bootstrap=10)
    assert score.value == pytest.approx(theirs.corpus_score(CANDIDATES, STREAMS).score, abs=1e-9)
    assert score.low is not None
    assert score.low <= score.high
    segments = ours.segments(CANDIDATES, references=REFERENCES).tolist()
    for value, candidate, group in zip(segments, CANDIDATES, REFERENCES, strict=True):
        assert value == pytest.approx(theirs.sentence_score(candidate, group).score, abs=1e-9)


def test_the_list_of_edits_adds_up() -> None:
    ter = TER(normalized=True, no_punct=True)
    for candidate, group in zip(CANDIDATES, REFERENCES, strict=True):
        edits = ter.edits(candidate, group)
        row = ter.stats([candidate], references=[group])[0]
        kinds = [edits.count_of(kind) for kind in ("insert", "delete", "substitute")]
        assert [edits.count, *kinds, len(edits.shifts)] == [row[0], *row[2:]]
        used = [step.candidate for step in edits.steps if step.candidate is not None]
        assert sorted(used) == list(range(len(edits.candidate)))
        reached = [step.reference for step in edits.steps if step.reference is not None]
        assert reached == list(range(len(edits.reference)))
        for step in edits.steps:
            if step.edit == "match":
                assert edits.candidate[step.candidate] == edits.reference[step.reference]


def test_edits_name_the_chosen_reference_and_positions() -> None:
    edits = TER().edits("B c a", ["x y z", "a b c d"])
    assert (edits.reference_number, edits.candidate) == (1, ("b", "c", "a"))
    [shift] = edits.shifts
    assert (shift.words, shift.start, shift.target, shift.positions) == (("a",), 2, 0, (2,))
    assert [(step.edit, step.candidate, step.reference) for step in edits.steps] == [
        ("match", 2, 0),
        ("match", 0, 1),
        ("match", 1, 2),
        ("insert", None, 3),
    ]


def test_a_long_pair_is_the_same_shuffled_or_not() -> None:
    """1,000 words: the search stops at its limits, and finds what it finds in reverse order too."""
    draw = random.Random(2)
    line = [f"w{draw.randrange(400)}" for _ in range(1000)]
    moved = line[100:] + line[:100]
    [row] = TER().stats([" ".join(moved)], references=[" ".join(line)]).tolist()
    assert row[0] == sum(row[2:])
    assert row[1] == 1000
    assert np.isclose(TER().segments([" ".join(moved)], references=[" ".join(line)])[0], row[0] / 10)
