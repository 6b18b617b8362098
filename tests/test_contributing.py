"""The steps of CONTRIBUTING.md to a new metric, walked in a copy of the project, give what it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import paragauge.kernels._native

# One copy serves all tests of this file.
pytestmark = pytest.mark.xdist_group("contributing")

BLOCK = re.compile(r"^ *(`{3,4})(?:python|markdown|yaml)\n(.*?)^ *\1$", re.DOTALL | re.MULTILINE)
LISTING = re.compile(r"^```console\n\$ paragauge metrics\n.*?^```$", re.DOTALL | re.MULTILINE)
# An editable install puts its own finder before the path, so that the copy would not be imported.
CUSTOMIZE = """
import sys

sys.meta_path[:] = [each for each in sys.meta_path if "Redirecting" not in type(each).__name__]
"""


def link_entries(source: Path, target: Path) -> None:
    """A folder with links to all that another one has."""
    target.mkdir(parents=True)
    for entry in source.iterdir():
        if entry.name != "__pycache__":
            (target / entry.name).symlink_to(entry)


def replace_link(path: Path) -> None:
    """A copy in place of a link, so that it can be edited."""
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)


def insert_line(path: Path, after: str, line: str) -> None:
    """Write a line after the one that is given, indented as it is."""
    match = re.search(rf"^( *){re.escape(after)}.*\n", path.read_text("utf-8"), re.MULTILINE)
    assert match is not None, f"{path.name} has no line that begins with {after}"
    whole = path.read_text("utf-8")
    path.write_text(f"{whole[: match.end()]}{match[1]}{line}\n{whole[match.end() :]}", "utf-8")


class Walk:
    """A copy of the project in which the steps are done."""

    def __init__(self, repository: Path, root: Path) -> None:
        self.repository, self.root = repository, root
        text = (repository / "CONTRIBUTING.md").read_text("utf-8")
        recipe = text[text.index("## How to add a metric") :]
        self.blocks = [textwrap.dedent(block[2]) for block in BLOCK.finditer(recipe)]
        self.package = root / "src" / "paragauge"
        link_entries(repository / "src" / "paragauge", self.package)
        for folder in ("metrics", "kernels"):
            (self.package / folder).unlink()
            link_entries(repository / "src" / "paragauge" / folder, self.package / folder)
        module = Path(paragauge.kernels._native.__file__)
        if not (self.package / "kernels" / module.name).exists():
            (self.package / "kernels" / module.name).symlink_to(module)
        replace_link(self.package / "__init__.py")
        replace_link(self.package / "metrics" / "registry.py")
        for name in ("pyproject.toml", "mkdocs.yml", "CHANGELOG.md"):
            shutil.copy(repository / name, root)
        (root / "examples").symlink_to(repository / "examples")
        shutil.copytree(repository / "tools", root / "tools")
        for name in (
            "conftest.py",
            "test_docs.py",
            "metrics/test_every_metric.py",
            "metrics/pem_models.py",
        ):
            (root / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(repository / "tests" / name, root / "tests" / name)
        (root / "sitecustomize.py").write_text(CUSTOMIZE, "utf-8")

    def run(self, *arguments: str) -> str:
        """What Python prints, in the copy."""
        path = os.pathsep.join([str(self.root / "src"), str(self.root)])
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": path, "PYTEST_ADDOPTS": ""},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def write_metric(self) -> None:
        """Step 1."""
        (self.package / "metrics" / "length_ratio.py").write_text(self.blocks[0], "utf-8")

    def register(self) -> None:
        """Step 2."""
        registry = self.package / "metrics" / "registry.py"
        insert_line(registry, '"ter": ', self.blocks[1].strip())
        names = self.package / "__init__.py"
        insert_line(names, "from paragauge.metrics.ibleu import", self.blocks[2].strip())
        insert_line(names, '"IBLEU",', '"LengthRatio",')

    def promise(self) -> None:
        """Step 3."""
        tests = self.root / "tests" / "metrics"
        insert_line(tests / "test_every_metric.py", '"ter": {', self.blocks[3].strip())
        (tests / "test_length_ratio.py").write_text(self.blocks[4], "utf-8")

    def document(self) -> None:
        """Step 4, its tool only on the blocks that list the metrics: all pages would take minutes."""
        insert_line(self.root / "mkdocs.yml", "- chrF and TER:", self.blocks[6].strip())
        insert_line(self.root / "CHANGELOG.md", "### New", "\n- The metric LengthRatio.")
        pages = self.root / "docs"
        (pages / "metrics").mkdir(parents=True)
        (pages / "metrics" / "lengthratio.md").write_text(self.blocks[5], "utf-8")
        (self.root / "README.md").write_text("", "utf-8")
        for page in (self.repository / "docs").rglob("*.md"):
            listing = LISTING.search(page.read_text("utf-8"))
            if listing is not None:
                copy = pages / page.relative_to(self.repository / "docs")
                copy.parent.mkdir(exist_ok=True)
                copy.write_text(listing[0], "utf-8")
        self.run("tools/docs/docs_examples.py")


@pytest.fixture(scope="module")
def walk(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """The project after all steps."""
    walk = Walk(repository, tmp_path_factory.mktemp("contributing"))
    assert len(walk.blocks) == 7
    walk.write_metric()
    walk.register()
    walk.promise()
    walk.document()
    return walk


def test_the_steps_name_files_that_exist(repository: Path) -> None:
    text = (repository / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"`((?:src|tests|docs|tools)/[\w/.-]+|mkdocs\.yml|CHANGELOG\.md)`", text)
    assert len(named) > 8
    for name in named:
        assert "length" in name or (repository / name).exists(), name


def test_the_command_line_knows_the_metric(walk: Walk, repository: Path) -> None:
    text = (repository / "CONTRIBUTING.md").read_text("utf-8")
    metric = re.findall(r"`--metrics (lengthratio\S*)`", text)[0]
    (walk.root / "sources.txt").write_text("a b\na b c d\n", "utf-8")
    (walk.root / "candidates.txt").write_text("A b c\nA b c\n", "utf-8")
    files = ["-s", "sources.txt", "-c", "candidates.txt"]
    printed = walk.run("-m", "paragauge", "score", *files, "--metrics", metric, "-f", "json")
    assert '"value": 112.5' in printed  # of 150 and 75
    assert "LengthRatio|tok:13a|case:lower|scale:100|" in printed


def test_the_tool_refreshes_what_the_pages_print(walk: Walk) -> None:
    pages = walk.root / "docs"
    refreshed = (pages / "metrics" / "lengthratio.md").read_text("utf-8")
    assert re.search(r"^150\.00 LengthRatio\|tok:13a\|case:mixed\|", refreshed, re.MULTILINE)
    for page in ("cli.md", "guides/score.md"):
        line = "^lengthratio +length of the candidate relative to the source$"
        assert re.search(line, (pages / page).read_text("utf-8"), re.MULTILINE), page


def test_its_tests_and_those_of_every_metric_and_page_pass(walk: Walk, repository: Path) -> None:
    for page in (repository / "docs").rglob("*.md"):
        copy = walk.root / "docs" / page.relative_to(repository / "docs")
        copy.parent.mkdir(exist_ok=True)
        if not copy.exists():
            shutil.copy(page, copy)
    every = "tests/metrics/test_every_metric.py"
    promises = re.findall(
        r"^def (test_\w+)\(metric\b", (walk.root / every).read_text("utf-8"), re.MULTILINE
    )
    assert len(promises) > 10
    printed = walk.run(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("src/paragauge/metrics/length_ratio.py", "tests/metrics/test_length_ratio.py"),
        f"{every}::test_every_metric_is_listed",
        *(f"{every}::{name}[lengthratio]" for name in promises),
        "tests/test_docs.py::test_examples_are_true[docs/metrics/lengthratio.md]",
        "tests/test_docs.py::test_every_page_is_in_the_navigation",
        "tests/test_docs.py::test_every_metric_has_a_page_that_names_its_settings",
        "tests/test_docs.py::test_everything_public_has_a_docstring_with_an_example",
        "tests/test_docs.py::test_changelog_leads_with_scores_and_names_the_version",
    )
    # The doctest of the class, the test worked out by hand, and the lines above.
    assert f"{len(promises) + 8} passed" in printed
