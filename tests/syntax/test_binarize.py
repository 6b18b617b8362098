"""Binary trees and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.syntax.binarize import Labels, binarize, choose_labels, debinarize
from paragauge.syntax.trees import Trees

brackets = st.recursive(
    st.sampled_from(["(NN a)", "(DT the)", "(, ,)"]),
    lambda inner: st.tuples(
        st.sampled_from(["NP", "VP", "S"]), st.lists(inner, min_size=1, max_size=4)
    ).map(lambda pair: f"({pair[0]} {' '.join(pair[1])})"),
    max_leaves=12,
)


def back(trees: Trees, labels: Labels) -> list[str]:
    tags = sorted(set(trees.labels))
    ids = [tags.index(trees.labels[i]) for i in trees.tags().ids.tolist()]
    nodes = binarize(trees, labels)
    return debinarize(nodes, labels, tags, np.array(ids, np.int32), trees.words).to_brackets()


@given(st.lists(brackets, min_size=1, max_size=4))
def test_there_and_back(texts: list[str]) -> None:
    trees = Trees.of([f"(ROOT {text})" for text in texts] + ["( (-NONE- *))", "(NP (NN a))"])
    labels = choose_labels(trees, cutoff=1)
    assert back(trees, labels) == [*trees.to_brackets()[:-1], "(ROOT (NP (NN a)))"]
    counts = np.maximum(2 * trees.words.counts() - 1, 0)
    assert len(binarize(trees, labels)) == counts.sum()


def test_rare_chains_lose_their_upper_labels() -> None:
    trees = Trees.of(["(ROOT (S (VP (VB Go))))", "(ROOT (VP (VB go) (NP (NN home))))"])
    labels = choose_labels(trees, cutoff=2)
    assert labels.names == ["NP", "S", "VP"]
    assert back(trees, labels)[0] == "(ROOT (VP (VB Go)))"
    all_labels = choose_labels(trees, cutoff=1)
    assert all_labels.names == ["NP", "S", "S+VP", "VP"]
    assert back(trees, all_labels) == trees.to_brackets()


def test_a_root_of_several_children() -> None:
    trees = Trees.of(["(ROOT (S (NN a) (NN b)) (. .) (. .))", "(TOP (UH No))"])
    labels = choose_labels(trees)
    assert labels.names == ["ROOT", "S", "@ROOT"]
    assert back(trees, labels) == [trees.to_brackets()[0], "(ROOT (UH No))"]


def test_too_many_labels() -> None:
    trees = Trees.of([f"(X{i} (NN a) (NN b))" for i in range(256)])
    with pytest.raises(InputError, match=r"expected trees with 1 to 255 labels .* found 256; strip"):
        choose_labels(trees)
    with pytest.raises(InputError, match="found 0"):
        choose_labels(trees[:0])
