"""The suite's own means to repeat itself and to explore: see `tests/conftest.py`."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture
def suite(request: pytest.FixtureRequest, repository: Path) -> Any:
    """The module `tests/conftest.py`."""
    plugin = request.config.pluginmanager.get_plugin(str(repository / "tests" / "conftest.py"))
    assert plugin is not None
    return plugin


def test_tests_are_shuffled_within_their_files(suite: Any) -> None:
    items = [SimpleNamespace(path=path, name=name) for path in "abcdef" for name in range(9)]
    shuffled = suite.shuffle_items(items, 3)
    assert shuffled == suite.shuffle_items(items, 3)
    assert shuffled != suite.shuffle_items(items, 4)
    files = [
        (path, [item.name for item in group]) for path, group in groupby(shuffled, lambda i: i.path)
    ]
    assert [path for path, _ in files] != list("abcdef")
    assert sorted(path for path, _ in files) == list("abcdef")
    assert all(sorted(names) == list(range(9)) for _, names in files)
    assert any(names != list(range(9)) for _, names in files)


def test_exploring_multiplies_the_examples_that_a_test_asks_for(suite: Any) -> None:
    drawn = []

    @settings(max_examples=7, database=None)
    @given(st.integers())
    def check(number: int) -> None:
        drawn.append(number)

    suite.scale_examples(check)
    check()
    assert len(drawn) == 7 * suite.EXPLORED


def test_profiles(suite: Any) -> None:
    usual, explore = settings.get_profile("paragauge"), settings.get_profile("explore")
    assert (usual.derandomize, explore.derandomize) == (True, False)
    for profile in (usual, explore):
        assert (profile.database, profile.deadline, profile.print_blob) == (None, None, True)
