"""A small evaluation: two hand-aligned pairs, and a resource of a few rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

ROWS = [
    {
        "source": "The king 's horse slept .",
        "target": "The steed of the king slept .",
        "sure": [[0, 3], [1, 4], [2, 2], [3, 1], [4, 5], [5, 6]],
        "poss": [[0, 0]],
        "source_tree": "(ROOT (S (NP (NP (DT The) (NN king) (POS 's)) (NN horse)) "
        "(VP (VBD slept)) (. .)))",
    },
    {
        "source": "He bought a big house .",
        "target": "He purchased a large house .",
        "sure": [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5]],
        "poss": [],
        "source_tree": "(ROOT (S (NP (PRP He)) "
        "(VP (VBD bought) (NP (DT a) (JJ big) (NN house))) (. .)))",
    },
    {
        "source": "He left .",
        "target": "He left .",
        "sure": [[0, 0], [1, 1], [2, 2]],
        "poss": [],
        "source_tree": "(ROOT (S (NP (PRP He)) (VP (VBD left)) (. .)))",
    },
]
PPDB = (
    "[JJ] ||| big ||| large ||| PPDB2.0Score=5 ||| 0-0 ||| Equivalence\n"
    "[VBD] ||| bought ||| purchased ||| PPDB2.0Score=4 ||| 0-0 ||| Equivalence\n"
    "[NN] ||| bought ||| purchase ||| PPDB2.0Score=3 ||| 0-0 ||| Equivalence\n"
    "[VB] ||| horse ||| steed ||| PPDB2.0Score=2 ||| 0-0 ||| Equivalence\n"
)


@pytest.fixture
def gold_file(tmp_path: Path) -> Path:
    path = tmp_path / "hand.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def ppdb_file(tmp_path: Path) -> Path:
    path = tmp_path / "ppdb.txt"
    path.write_text(PPDB, encoding="utf-8")
    return path


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file: write("a.txt", "one\\n")."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file
