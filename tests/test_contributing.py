"""The recipe for a new metric in CONTRIBUTING.md works as written."""

from __future__ import annotations

import importlib.util
import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from paragauge import compare, score


@pytest.fixture
def recipe(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    text = (repository / "CONTRIBUTING.md").read_text(encoding="utf-8")
    block = re.search(r"^ *```python\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    assert block is not None
    path = tmp_path / "length_ratio.py"
    path.write_text(textwrap.dedent(block[1]), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("length_ratio", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "length_ratio", module)
    spec.loader.exec_module(module)
    return module


def test_the_metric_of_the_recipe_works(recipe: ModuleType) -> None:
    metric = recipe.LengthRatio()
    values = metric.segments(["a b c", "a", ""], sources=["a b", "", "a"])
    np.testing.assert_array_equal(values, [150, np.nan, 0])
    found = metric.score(["a b c", "a"], sources=["a b", ""], bootstrap=50)
    assert found.value == 150
    assert found.signature.startswith("LengthRatio|tok:13a|case:mixed|scale:100|")
    sheet = score({"x": ["a b c"], "y": ["a"]}, [metric], sources=["a b"])
    assert sheet["x", "lengthratio"].value == 150
    result = compare({"x": ["a b c"], "y": ["a"]}, [metric], sources=["a b"])
    assert result.differences[0].difference == -100


def test_the_files_it_names_exist(repository: Path) -> None:
    text = (repository / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in re.findall(r"`((?:src|tests|docs)/[\w/.-]+|mkdocs\.yml|CHANGELOG\.md)`", text):
        if "length" not in name:
            assert (repository / name).exists(), name
