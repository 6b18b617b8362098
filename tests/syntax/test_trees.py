"""Leaves of Penn trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError, ParagaugeError
from paragauge.syntax.treebank import read_treebank
from paragauge.syntax.trees import read_trees, tree_leaves


def test_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(
        "news\t(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ barks)) (-LRB- -LRB-)))\n\n"
        "( (S (NP-SBJ (-NONE- *)) (VP (VB go))))\r\n(NN x)",
        encoding="utf-8",
    )
    first, second, third = read_trees(path)
    assert first.words == ("a", "dog", "barks", "-LRB-")
    assert first.tags == ("DT", "NN", "VBZ", "-LRB-")
    assert (second.words, second.tags) == (("go",), ("VB",))
    assert third.words == ("x",)
    assert [sentence.words for sentence in read_treebank(path)][1] == ("go",)


def test_deep_nesting() -> None:
    depth = 200_000
    assert tree_leaves("(X " * depth + "(NN a)" + ")" * depth) == [("a", "NN")]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("(S (NN a)", "got 1 brackets that are not closed"),
        ("(NN a))", "got a closing bracket too many"),
        ("(NN a) (NN b)", "got more than one"),
        ("(NN a) b", "got 'b' outside of brackets"),
        ("dog", "got 'dog' outside of brackets"),
        ("(NN a b)", "got a leaf of 3 parts"),
        ("(NN)", "got a leaf of 1 parts"),
        ("()", "got a leaf of 0 parts"),
        ("(S ( (NN a)))", "got a bracket without a label"),
        ("(S a b (NN a))", "got 'b' beside a constituent"),
        ("(S (NN a) b)", "got 'b' beside a constituent"),
        ("(S (NN a) b (NN c))", "got 'b' beside a constituent"),
        ("x\t ", "got nothing"),
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
    assert tree_leaves(tree) == [pair for group in groups for pair in group]


@given(data=st.binary(max_size=40) | st.text("(a) \t\n\x00\r", max_size=30).map(str.encode))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("t") / "a.trees"
    path.write_bytes(data)
    message = str(path)
    try:
        for sentence in read_trees(path):
            assert len(sentence.words) == len(sentence.tags)
    except ParagaugeError as error:
        message = str(error)
    assert message.startswith(str(path))


def test_unknown_format() -> None:
    with pytest.raises(InputError, match=r"a\.txt\.gz: expected CoNLL-U .* got '\.txt'; rename"):
        read_treebank("a.txt.gz")
