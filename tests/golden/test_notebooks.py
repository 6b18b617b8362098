"""The notebooks run from nothing to their answers, and their stored outputs are what they print."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def texts(book: Any) -> list[str]:
    """What each cell with code shows: printed text, and results as text."""
    shown = []
    for cell in book.cells:
        if cell.cell_type == "code":
            parts = [one.get("text") or one["data"]["text/plain"] for one in cell.outputs]
            shown.append("".join(parts))
    return shown


@pytest.mark.parametrize("name", ["compare_systems", "ratings"])
@pytest.mark.filterwarnings("ignore")  # Jupyter's own, about sockets and event loops
def test_notebook(name: str, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = repository / "examples" / "notebooks"
    stored = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    before = texts(stored)
    fresh = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    monkeypatch.setitem(os.environ, "COLUMNS", "80")
    client = nbclient.NotebookClient(
        fresh, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    assert texts(fresh) == before
    tables = [
        one["data"]["text/html"]
        for cell in fresh.cells
        if cell.cell_type == "code"
        for one in cell.outputs
        if "text/html" in one.get("data", {})
    ]
    assert any("color:inherit" in table for table in tables)


def test_answer_of_the_first_notebook(repository: Path) -> None:
    """The engineer's question, whether the rewrites are better, has a significant answer."""
    book = nbformat.read(repository / "examples" / "notebooks" / "compare_systems.ipynb", as_version=4)
    comparison = next(text for text in texts(book) if text.startswith("metric  system"))
    assert [line.split()[:3] for line in comparison.splitlines()[1:]] == [
        ["BLEU", "rewrites", "better"],
        ["PINC", "rewrites", "better"],
    ]
