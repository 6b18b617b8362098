"""Penn trees: reading, slicing, writing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError, ParagaugeError
from paragauge.syntax.tree_files import read_tagged_sentences, read_trees
from paragauge.syntax.treebank import read_treebank
from paragauge.syntax.trees import Trees


def test_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(
        "news\t(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ barks)) (-LRB- -LRB-)))\n\n"
        "( (S (NP-SBJ (-NONE- *)) (VP (VB go))))\r\n(NN x)",
        encoding="utf-8",
    )
    first, second, third = read_tagged_sentences(path)
    assert first.words == ("a", "dog", "barks", "-LRB-")
    assert first.tags == ("DT", "NN", "VBZ", "-LRB-")
    assert (second.words, second.tags) == (("go",), ("VB",))
    assert third.words == ("x",)
    assert [sentence.words for sentence in read_treebank(path)][1] == ("go",)


def test_deep_nesting() -> None:
    depth = 200_000
    trees = Trees.of(["(X " * depth + "(NN a)" + ")" * depth])
    assert len(trees.label) == depth + 1
    assert next(trees.sentences()).words == ("a",)
    assert trees.to_brackets()[0].endswith("(X (NN a)" + ")" * depth)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("(S (NN a)", "found 1 brackets that are not closed"),
        ("(NN a))", "found a closing bracket too many"),
        ("(NN a) (NN b)", "found more than one"),
        ("(NN a) b", "found 'b' outside of brackets"),
        ("dog", "found 'dog' outside of brackets"),
        ("(NN a b)", "found a leaf of 3 parts"),
        ("(NN)", "found a leaf of 1 parts"),
        ("()", "found a leaf of 0 parts"),
        ("(S ( (NN a)))", "found a bracket without a label"),
        ("(S a b (NN a))", "found 'b' beside a constituent"),
        ("(S (NN a) b)", "found 'b' beside a constituent"),
        ("(S (NN a) b (NN c))", "found 'b' beside a constituent"),
        ("x\t ", "found nothing"),
        ("(S (NN a) " + "é" * 50 + ")", f"found '{'é' * 40}' beside a constituent"),
    ],
)
def test_refused_with_file_and_line(tmp_path: Path, tree: str, message: str) -> None:
    path = tmp_path / "a.trees"
    path.write_text(f"(NN ok)\n{tree}\n")
    with pytest.raises(ParagaugeError) as caught:
        list(read_trees(path))
    assert str(caught.value) == (
        f"{path}:2: expected one tree such as (ROOT (NN dog)), {message}; "
        "put each tree on a line of its own"
    )


def test_arrays_by_hand() -> None:
    trees = Trees.of(
        [
            "(ROOT (S (NP-SBJ=1 (NP (PRP I))) (VP (VBP go) (NP (-NONE- *T*-1)))))",
            "(S (-NONE- 0))",
            "( (NN-LOC dog) (-LRB- -LRB-) (X-1 (Y=2 (NN cat))))",
        ]
    )
    assert trees.spans(0) == [
        ("ROOT", 0, 2),
        ("S", 0, 2),
        ("NP-SBJ=1", 0, 1),
        ("NP", 0, 1),
        ("PRP", 0, 1),
        ("VP", 1, 2),
        ("VBP", 1, 2),
    ]
    assert trees.spans(1) == []
    assert trees.offsets.tolist() == [0, 7, 7, 13]
    assert trees.parent.tolist() == [-1, 0, 1, 2, 3, 1, 5, -1, 0, 0, 0, 3, 4]
    assert np.flatnonzero(trees.leaves).tolist() == [4, 6, 8, 9, 12]
    assert list(trees.words) == [["I", "go"], [], ["dog", "-LRB-", "cat"]]
    assert trees[::-1].to_brackets()[0] == "(ROOT (NN-LOC dog) (-LRB- -LRB-) (X-1 (Y=2 (NN cat))))"
    stripped = Trees.of(trees[[2, 0]].to_brackets(), strip=True)
    assert stripped.to_brackets() == [
        "(ROOT (NN dog) (-LRB- -LRB-) (X (Y (NN cat))))",
        "(ROOT (S (NP (NP (PRP I))) (VP (VBP go))))",
    ]
    assert Trees.concatenate([trees[:1], stripped, Trees.concatenate([])])[2:] == trees[
        0:0
    ].concatenate([stripped[1:]])
    with pytest.raises(TypeError, match="one tree is"):
        trees[0]  # type: ignore[call-overload]


def leaf(pair: tuple[str, str]) -> str:
    return f"({pair[1]} {pair[0]})"


atoms = st.text(
    st.characters(exclude_characters="()", exclude_categories=["Z", "C"]), min_size=1, max_size=5
)
words = atoms.filter(lambda text: not any(c.isspace() for c in text))
pairs = st.tuples(words, words.filter(lambda tag: tag != "-NONE-"))


@given(st.lists(st.lists(pairs, min_size=1, max_size=4), min_size=1, max_size=4))
def test_all_leaves_in_order(groups: list[list[tuple[str, str]]]) -> None:
    tree = "(S " + " ".join(f"(X {' '.join(map(leaf, group))})" for group in groups) + ")"
    trees = Trees.of([tree])
    sentence = next(trees.sentences())
    leaves = list(zip(sentence.words, sentence.tags, strict=True))
    assert leaves == [pair for group in groups for pair in group]
    assert trees.to_brackets() == [tree]


@given(data=st.binary(max_size=40) | st.text("(a) \t\n\x00\r", max_size=30).map(str.encode))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("t") / "a.trees"
    path.write_bytes(data)
    message = str(path)
    try:
        again = read_trees(path)
        assert (
            Trees.of([tree for tree in again.to_brackets() if tree])
            == again[np.diff(again.offsets) > 0]
        )
    except ParagaugeError as error:
        message = str(error)
    assert message.startswith(str(path))


def test_unknown_format() -> None:
    with pytest.raises(InputError, match=r"a\.txt\.gz: expected CoNLL-U .* found '\.txt'; rename"):
        read_treebank("a.txt.gz")
