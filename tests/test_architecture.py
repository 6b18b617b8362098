"""The page on the architecture follows the code: its picture is current and its modules exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import draw_layers
from draw_layers import Layer

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
MODULE = re.compile(r"`([\w/]+\.(?:py|cpp|hpp))`")


def test_the_picture_is_current() -> None:
    """Refresh with: python tools/docs/draw_layers.py"""
    assert draw_layers.TARGET.read_text(encoding="utf-8") == draw_layers.picture()


def missing_modules(text: str) -> list[str]:
    places = (ROOT, ROOT / "src" / "paragauge")
    return [
        name for name in MODULE.findall(text) if not any((place / name).is_file() for place in places)
    ]


def test_every_module_named_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert missing_modules(text) == []
    walks = text.split("\n## ")[2:]
    assert len(walks) == 4
    for walk in walks:
        steps = re.findall(r"^(\d+)\. (.*)$", walk, re.MULTILINE)
        assert [int(number) for number, _ in steps] == list(range(1, len(steps) + 1))
        assert all(MODULE.search(step) for _, step in steps)
        assert "**Back and forth.**" in walk


def test_a_module_that_is_gone_is_noticed() -> None:
    assert missing_modules("1. `metrics/blue.py` and `metrics/bleu.py`") == ["metrics/blue.py"]


def test_a_layer_is_read_from_its_files(tmp_path: Path) -> None:
    room = tmp_path / "metrics" / "pem"
    room.mkdir(parents=True)
    (tmp_path / "metrics" / "__init__.py").write_text('"""Metrics, `one` a file.\n\nMore."""\n')
    (tmp_path / "metrics" / "maxsim").mkdir()
    (tmp_path / "metrics" / "maxsim" / "__init__.py").touch()
    (room / "metric.py").write_text("def f():\n    from paragauge.text.lines import Lines\n")
    expected = Layer("metrics", "Metrics, one a file.", ("pem", "maxsim"), frozenset({"text"}))
    assert draw_layers.read_layer("metrics", ["pem", "maxsim"], tmp_path) == expected


def test_the_picture_shows_imports_and_escapes_text() -> None:
    first = Layer("text", "Lines & words.", (), frozenset())
    second = Layer("metrics", "Scores.", ("pem",), frozenset({"text"}))
    svg = draw_layers.draw([first, second])
    assert "Lines &amp; words." in svg
    assert "<title>metrics imports from text</title>" in svg


def test_the_order_is_read_from_the_test(tmp_path: Path) -> None:
    test = tmp_path / "test_layers.py"
    test.write_text(
        'OTHER = run()\nLAYERS = ["text", "metrics"]\nPEM = ["pem"]\nROOMS = {"metrics": PEM}\n'
    )
    assert draw_layers.layer_order(test) == (
        ["text", "metrics"],
        {"kernels": [], "metrics": ["pem"]},
    )
    test.write_text("OTHER = run()\n")
    with pytest.raises(SystemExit, match="no list LAYERS"):
        draw_layers.layer_order(test)
