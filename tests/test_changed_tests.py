"""What `make quick` runs: tests of changed folders, changed tests, and one test of each command."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from changed_tests import SMOKE, changed_files, choose_tests, git


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([], []),
        (["src/paragauge/lm/model.py"], ["src/paragauge/lm", "tests/lm"]),
        (
            ["src/paragauge/kernels/lm/arpa.cpp", "tests/kernels/lm/test_lm.py"],
            ["src/paragauge/kernels", "tests/kernels"],
        ),
        (["src/paragauge/errors.py"], ["src/paragauge/errors.py"]),
        (["tests/text/test_ragged.py", "pyproject.toml"], ["tests/text/test_ragged.py"]),
        (["tests/text/test_that_was_removed.py"], []),
        (["tests/collect/postgresql.py"], ["tests/collect"]),
        (["docs/guides/score.md", "README.md"], ["tests/test_docs.py"]),
        (["tests/lm/conftest.py"], ["tests/lm"]),
        (["tests/collect/web/conftest.py"], ["tests/collect/web"]),
        (["tests/meta/statsmodels.json"], ["tests/meta"]),
        (["tests/golden/expected/score.txt"], ["tests/golden"]),
        (["tools/changed_tests.py"], ["tests/test_changed_tests.py"]),
        (["CMakeLists.txt"], ["tests/kernels"]),
        (["src/paragauge/that_was_renamed/a.py", "tests/that_was_renamed/data.txt"], []),
    ],
)
def test_tests_of_changes(files: list[str], expected: list[str]) -> None:
    assert choose_tests(files) == [*expected, *SMOKE]


def test_no_test_is_named_twice() -> None:
    assert choose_tests(["src/paragauge/cli/main.py", SMOKE[0]]) == ["src/paragauge/cli", "tests/cli"]
    assert choose_tests(["examples/sources.txt"]) == ["tests/cli", "tests/golden"]


def test_a_change_for_all_tests_runs_them_all() -> None:
    assert choose_tests(["tests/conftest.py", "tests/lm/conftest.py"]) == ["tests"]


def commit(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    git(root, "add", "--all")
    git(root, *["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-m", "a"])


def test_changes_since_the_branch_left(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch", "main")
    commit(tmp_path, "old")
    assert changed_files(tmp_path) == []
    git(tmp_path, "checkout", "-b", "work")
    commit(tmp_path, "é", 'a "b"')
    (tmp_path / "old").write_text("changed")
    (tmp_path / "new one").write_text("new")
    assert changed_files(tmp_path) == ['a "b"', "old", "é", "new one"]


def test_a_renamed_folder_runs_the_tests_of_both_names(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch", "main")
    commit(tmp_path, "src/paragauge/one/a.py", "tests/one/test_a.py", "tests/two/test_b.py")
    git(tmp_path, "checkout", "-b", "work")
    (tmp_path / "src/paragauge/one").rename(tmp_path / "src/paragauge/two")
    commit(tmp_path)
    files = changed_files(tmp_path)
    assert files == ["src/paragauge/one/a.py", "src/paragauge/two/a.py"]
    chosen = choose_tests(files, tmp_path)
    assert chosen[:3] == ["src/paragauge/two", "tests/one", "tests/two"]


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
class TestMake:
    """`make quick` in a checkout of its own, with a Python that shows what pytest is given."""

    PYTHON = '#!/bin/sh\ncase "$1" in -m) printf "<%s>\\n" "$@";; *) exec {} "$@";; esac\n'

    @pytest.fixture
    def checkout(self, tmp_path: Path, repository: Path) -> Path:
        (tmp_path / "tools").mkdir()
        for name in ("Makefile", "tools/changed_tests.py"):
            shutil.copy(repository / name, tmp_path / name)
        git(tmp_path, "init", "--initial-branch", "main")
        commit(tmp_path, "tests/text/test_a.py")
        python = tmp_path / "venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(self.PYTHON.format(f"'{sys.executable}'"))
        python.chmod(0o755)
        return tmp_path

    def quick(self, checkout: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(shutil.which("make")), "--old-file", "venv/test-installed", "VENV=venv", "quick"],
            cwd=checkout,
            env={**os.environ, **variables},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def test_names_with_spaces(self, checkout: Path) -> None:
        (checkout / "tests/text/test_it's *.py").write_text("")
        done = self.quick(checkout)
        assert done.returncode == 0, done.stderr
        assert "<not xdist_group>\n<tests/text/test_it's *.py>\n" in done.stdout

    def test_without_git(self, checkout: Path) -> None:
        place = checkout / "path"
        place.mkdir()
        (place / "sh").symlink_to("/bin/sh")
        done = self.quick(checkout, PATH=str(place))
        assert done.returncode == 2
        assert "<-m>" not in done.stdout
        assert "changed_tests.py: git is needed to find changed files and did not run (" in done.stderr
        assert "Traceback" not in done.stderr


def test_the_tests_of_commands_exist(repository: Path) -> None:
    for path in SMOKE:
        file, _, name = path.partition("::")
        text = (repository / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {name or 'test_'}", text, re.MULTILINE)
