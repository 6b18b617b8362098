"""The public surface: what each folder exports, and that the reference page lists all of it."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest

import api_page
import paragauge

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


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'paragauge' has no attribute 'BLUE'"):
        _ = paragauge.BLUE


def test_the_reference_page_is_up_to_date() -> None:
    """Refresh with: python tools/docs/api_page.py"""
    assert api_page.PAGE.read_text(encoding="utf-8") == api_page.page()
