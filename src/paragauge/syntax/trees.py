"""Words and tags of Penn bracketed trees, one tree a line.

A line may have fields before the tree, separated by tabs: `news<TAB>(ROOT (NP (NN dog)))`. Empty
elements (-NONE-) are left out. Brackets inside words are spelled -LRB- and so on, as in the
Penn Treebank, and stay so. The reader keeps a depth, not a stack, so no nesting is too deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.syntax.sentence import Sentence
from paragauge.text.files import display_name
from paragauge.text.reading import LineReader

_PART = re.compile(r"[()]|[^\s()]+")
EMPTY = "-NONE-"
BATCH = 1 << 10


def read_trees(path: str | Path) -> Iterator[Sentence]:
    r"""Words and tags of each tree of a file; lines without anything are passed over.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.trees")
    ...     _ = path.write_text("news\t(ROOT (S (NP (NNS Dogs)) (VP (VBP bark))))\n")
    ...     [sentence.tags for sentence in read_trees(path)]
    [('NNS', 'VBP')]
    """
    with LineReader(path) as reader:
        number = 0
        while lines := reader.read(BATCH, 1 << 24):
            for line in lines:
                number += 1
                if not line.strip():
                    continue
                try:
                    leaves = tree_leaves(line.rpartition("\t")[2])
                except ValueError as error:
                    raise FileFormatError(
                        display_name(path),
                        number,
                        f"expected one tree such as (ROOT (NN dog)), {error}; "
                        "put each tree on a line of its own",
                    ) from None
                yield Sentence(tuple(word for word, _ in leaves), tuple(tag for _, tag in leaves))


def tree_leaves(tree: str) -> list[tuple[str, str]]:
    """(word, tag) of each leaf; a ValueError says what is wrong.

    >>> tree_leaves("(S (NP (DT a) (NN dog)) (VP (VBZ barks)))")
    [('a', 'DT'), ('dog', 'NN'), ('barks', 'VBZ')]
    """
    leaves: list[tuple[str, str]] = []
    depth = 0
    atoms: list[str] = []  # since the last bracket
    before = ""
    for part in _PART.findall(tree):
        if part == "(":
            if before == "(" and depth > 1 and not atoms:
                raise ValueError("got a bracket without a label")
            if len(atoms) > 1 or (atoms and before == ")"):
                raise ValueError(f"got '{atoms[-1]:.40}' beside a constituent")
            if depth == 0 and before:
                raise ValueError("got more than one")
            depth += 1
            before, atoms = "(", []
        elif part == ")":
            if depth == 0:
                raise ValueError("got a closing bracket too many")
            if before == "(" and len(atoms) != 2:
                raise ValueError(f"got a leaf of {len(atoms)} parts")
            if before == ")" and atoms:
                raise ValueError(f"got '{atoms[-1]:.40}' beside a constituent")
            if before == "(" and atoms[0] != EMPTY:
                leaves.append((atoms[1], atoms[0]))
            depth -= 1
            before, atoms = ")", []
        else:
            if depth == 0:
                raise ValueError(f"got '{part:.40}' outside of brackets")
            atoms.append(part)
    if not before:
        raise ValueError("got nothing")
    if depth > 0:
        raise ValueError(f"got {depth} brackets that are not closed")
    return leaves
