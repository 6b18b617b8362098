"""A small table that is made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.align.links import Links
from paragauge.phrases.extract import extract_table
from paragauge.phrases.table import PhraseTable
from paragauge.text.bitext import Bitext

SOURCES = ["the house", "the book", "the house is small", "a book", "中文 🙂"]
TARGETS = ["la maison", "le livre", "la maison est petite", "un livre", "e\u0301 NULL"]
LINKS = [[(i, i) for i in range(len(text.split()))] for text in SOURCES]


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> PhraseTable:
    folder = tmp_path_factory.mktemp("tables") / "small"
    return extract_table(Bitext.of(SOURCES, TARGETS), Links.from_lists(LINKS), folder)


@pytest.fixture
def copied(small: PhraseTable, tmp_path: Path) -> Path:
    """The folder of a copy that a test may damage."""
    import shutil

    return Path(shutil.copytree(small.folder, tmp_path / "copy"))
