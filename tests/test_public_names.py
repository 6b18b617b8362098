"""The public surface: what each folder exports, and that the reference page lists all of it."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import api_page
import paragauge
from paragauge.cli.main import COMMANDS

PACKAGE = Path(paragauge.__file__).parent
FOLDERS = sorted(
    ".".join(("paragauge", *path.parent.relative_to(PACKAGE).parts))
    for path in PACKAGE.rglob("__init__.py")
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_public_name_exists(folder: str) -> None:
    package = importlib.import_module(folder)
    assert len(set(package.__all__)) == len(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_public_name_is_not_a_module(folder: str) -> None:
    """Else whether the function or the module is meant would depend on what was imported before."""
    package = importlib.import_module(folder)
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert {
        name for name in package.__all__ if name in modules and not callable(getattr(package, name))
    } == set()
    assert set(package.__all__) & modules <= {"meta", "report", "rewrite"}


def test_dir_is_the_public_surface() -> None:
    assert [name for name in dir(paragauge) if not name.startswith("__")] == sorted(
        name for name in paragauge.__all__ if not name.startswith("__")
    )


# Commands that answer a question about texts, metrics or judges; the others are groups of commands, or
# work on files alone.
QUESTIONS = (
    "score",
    "compare",
    "report",
    "rewrite",
    "explain",
    "meta",
    "agree",
    "curve",
    "scatter",
    "papers",
    "tokenize",
)


@pytest.mark.parametrize("command", QUESTIONS)
def test_a_command_has_a_function_of_its_name(command: str) -> None:
    assert command in COMMANDS
    assert command in paragauge.__all__
    assert callable(getattr(paragauge, command))


def test_a_folder_is_the_function_of_its_command() -> None:
    """Whether the folder was imported before or not."""
    script = """
import paragauge
text = paragauge.rewrite(["It is hard."], ["It is difficult."], "wordnet").references[0]
import paragauge.rewrite.rewritten_metric_spec
from paragauge import rewrite
assert rewrite(["It is hard."], ["It is difficult."], "wordnet").references[0] == text
assert paragauge.rewrite.rewritten_metric_spec.metric("pinc").label == "pinc"
print(*text)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout == "It is difficult.\n"


def test_metrics_as_on_the_command_line() -> None:
    assert paragauge.metric("bleu:order=2") == paragauge.BLEU(order=2)
    assert paragauge.metric("bleu:rewrite=wordnet").label == "bleu:rewrite=wordnet"


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'paragauge' has no attribute 'BLUE'"):
        _ = paragauge.BLUE


def test_the_reference_page_is_up_to_date() -> None:
    """Refresh with: python tools/docs/api_page.py"""
    assert api_page.PAGE.read_text(encoding="utf-8") == api_page.page()
