"""Labeled bracketing scores, counted by hand as evalb would."""

from __future__ import annotations

import pytest

from paragauge.errors import InputError, LengthError
from paragauge.syntax.parseval import compare_trees
from paragauge.syntax.trees import Trees

RIGHT = "(ROOT (S (NP-SBJ (PRP I)) (VP (VBP give) (PRT (RP up)) (, ,) (NP (DT the) (NN dog))) (. .)))"


@pytest.mark.parametrize(
    ("parsed", "counts"),
    [
        # S 0-5, NP 0-1, VP 1-5, ADVP 2-3 (PRT counts as one), NP 3-5; neither ROOT nor tags count.
        (RIGHT, (5, 5, 5)),
        (RIGHT.replace("PRT", "ADVP").replace("ROOT", "TOP").replace("NP-SBJ", "NP=2"), (5, 5, 5)),
        # Tags do not matter, nor where a comma hangs.
        (
            "(ROOT (S (NP (NN I)) (VP (VBP give) (PRT (RP up))) (, ,) (NP (DT the) (NN dog)) (. .)))",
            (4, 5, 5),  # VP is 1-3
        ),
        ("(ROOT (S (NP (PRP I)) (VBP give) (RP up) (, ,) (DT the) (NN dog) (. .)))", (2, 2, 5)),
        # Of two equal constituents over the same words one matches.
        (
            "(S (NP (NP (PRP I))) (VP (VBP give) (PRT (RP up)) (, ,) (NP (DT the) (NN dog))) (. .))",
            (5, 6, 5),
        ),
        # A constituent of nothing but punctuation does not count.
        ("(X (PRP I) (VBP give) (RP up) (NP (, ,)) (DT the) (NN dog) (. .))", (0, 1, 5)),
    ],
)
def test_by_hand(parsed: str, counts: tuple[int, int, int]) -> None:
    scores = compare_trees(Trees.of([parsed]), Trees.of([RIGHT]))
    assert tuple(scores.counts[0].tolist()) == counts


def test_scores() -> None:
    right = Trees.of(["(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))", "(, ,)"])
    parsed = Trees.of(["(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (NP (NP (VB b))))", "(. ,)"])
    scores = compare_trees(parsed, right)
    assert scores.counts.tolist() == [[3, 3, 3], [1, 3, 3], [0, 0, 0]]
    assert scores.precision == pytest.approx(100 * 4 / 6)
    assert scores.recall == pytest.approx(100 * 4 / 6)
    assert scores.f1 == pytest.approx(100 * 8 / 12)
    assert scores.exact == pytest.approx(100 * 2 / 3)
    nothing = compare_trees(parsed[:0], right[:0])
    assert (nothing.f1, nothing.precision, nothing.recall, nothing.exact) == (0, 0, 0, 0)


def test_refused() -> None:
    right = Trees.of(["(S (NN a))"])
    with pytest.raises(LengthError, match="expected 1, as many as right ones, found 0"):
        compare_trees(right[:0], right)
    with pytest.raises(InputError, match="segment 1: expected the right tree's words, found others"):
        compare_trees(Trees.of(["(S (NN b))"]), right)
