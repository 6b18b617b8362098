"""List the tests of changed files and one test of each command, for `make quick`.

Changed files are those that differ from where the branch left `main`, and new ones; a renamed file
counts under both names. Each selects tests:

    a test                       itself
    src/paragauge/FOLDER         tests/FOLDER and the folder's doctests
    tests/FOLDER                 for a conftest.py, a helper or data: the tests beside it or above it
    tests/conftest.py            all tests, since all use it
    tools/NAME.py                test files that name it; the same for helpers in tests/
    CMakeLists.txt               tests/kernels
    examples                     tests/cli and tests/golden
    pages in Markdown            tests/test_docs.py

    python tools/changed_tests.py        # print arguments for pytest, one quoted path per line
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
SMOKE = [
    "tests/cli/test_every_command.py",
    *(f"tests/cli/collect/test_collect.py::{name}" for name in ("test_filter", "test_serve")),
    "tests/cli/collect/test_collect.py::test_mechanical_turk",
]
PAGES = "tests/test_docs.py"


def git(root: Path, *words: str) -> str:
    """The output of git; empty if it fails, for example outside of a repository."""
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, encoding="utf-8", check=False
    )
    return done.stdout if done.returncode == 0 else ""


def changed_files(root: Path) -> list[str]:
    """Files that differ from the point where the branch left `main`, and new ones."""
    base = git(root, "merge-base", "HEAD", "main") or git(root, "rev-parse", "HEAD")
    changed = git(root, "diff", "--name-only", "--no-renames", "-z", *base.split()[:1])
    new = git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return [name for name in (changed + new).split("\0") if name]


def choose_tests(files: Iterable[str], root: Path = ROOT) -> list[str]:
    """The paths for pytest, each once and none inside another.

    >>> choose_tests(["src/paragauge/lm/model.py", "tests/lm/test_files.py"])[:2]
    ['src/paragauge/lm', 'tests/lm']
    """
    paths = {path for file in files for path in _tests_of(PurePosixPath(file), root)}
    paths = {path for path in paths if (root / path).exists()}
    inner = {path for path in paths if any(str(up) in paths for up in PurePosixPath(path).parents)}
    chosen = sorted(paths - inner)
    smoke = [path for path in SMOKE if not _covered(path.partition("::")[0], chosen)]
    return [*chosen, *smoke]


def _tests_of(path: PurePosixPath, root: Path) -> list[str]:
    """The tests that a changed file selects; the file may be deleted."""
    match path.parts:
        case ("src", "paragauge", name):
            return [f"src/paragauge/{name}"]
        case ("src", "paragauge", folder, *_):
            return [f"src/paragauge/{folder}", f"tests/{folder}"]
        case ("tests", *_) if path.name.startswith("test_") and path.suffix == ".py":
            return [str(path)]
        case ("tests", "conftest.py"):
            return ["tests"]
        case ("tests", folder, _, *_):
            folders = [up for up in path.parents if len(up.parts) > 1]
            with_tests = (str(up) for up in folders if any((root / up).glob("test_*.py")))
            return [next(with_tests, f"tests/{folder}")]
        case ("tests", name):
            return _tests_that_name(name, root)
        case ("tools", *_) if path.suffix == ".py":
            return _tests_that_name(path.stem, root)
        case ("CMakeLists.txt",):
            return ["tests/kernels"]
        case ("examples", *_):
            return ["tests/cli", "tests/golden"]
    return [PAGES] if path.suffix == ".md" else []


def _tests_that_name(name: str, root: Path) -> list[str]:
    pattern = re.compile(rf"\b{re.escape(name)}\b")
    tests = (root / "tests").rglob("test_*.py")
    return [
        test.relative_to(root).as_posix()
        for test in tests
        if pattern.search(test.read_text(encoding="utf-8"))
    ]


def _covered(path: str, chosen: list[str]) -> bool:
    return any(PurePosixPath(path).is_relative_to(folder) for folder in chosen)


if __name__ == "__main__":
    try:
        chosen = choose_tests(changed_files(ROOT))
    except OSError as error:
        print(
            f"changed_tests.py: git is needed to find changed files and did not run ({error}); "
            "install git, or run all tests: make test",
            file=sys.stderr,
        )
        sys.exit(2)
    print("\n".join(map(shlex.quote, chosen)))
