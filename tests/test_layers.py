"""A module imports only from its own folder and from folders above it in the design's list."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

# The order of the house: each folder may import from itself and from those before it.
LAYERS = [
    "errors",
    "version",
    "kernels",
    "text",
    "engine",
    "lexicon",
    "syntax",
    "align",
    "lm",
    "phrases",
    "grammar",
    "metrics",
    "rewrite",
    "generate",
    "meta",
    "collect",
    "report",
    "cli",
]
PACKAGE = Path(__file__).parents[1] / "src" / "paragauge"
MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.name not in ("__init__.py", "__main__.py")
)


def layer(module: str) -> int:
    name = module.split(".")[1] if "." in module else module
    return LAYERS.index(name)


def imported(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in found if name.split(".")[0] == "paragauge"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_backward_import(path: Path) -> None:
    own = layer("paragauge." + path.relative_to(PACKAGE).parts[0].removesuffix(".py"))
    for name in imported(path):
        assert layer(name) <= own, f"{path.relative_to(PACKAGE)} imports {name} from a later layer"


def test_the_check_sees_a_backward_import(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("from paragauge.cli import main\nimport paragauge.metrics.bleu\n")
    assert [layer(name) for name in imported(bad)] == [LAYERS.index("cli"), LAYERS.index("metrics")]


def test_packages_only_reexport() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        allowed = (ast.ImportFrom, ast.Import, ast.Expr, ast.Assign)
        for node in body:
            # What loads a name when it is first used re-exports it too.
            later = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            later = later or (isinstance(node, ast.FunctionDef) and node.name == "__getattr__")
            # A folder that needs an extra says so when it is imported without it.
            later = later or (isinstance(node, ast.Try) and "MissingExtraError" in ast.unparse(node))
            assert later or isinstance(node, allowed), path


def test_only_known_folders() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= {*LAYERS, "models"}


def test_the_core_is_light(repository: Path) -> None:
    """Three packages are enough: loading a module outside of `collect` imports no others."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.match(r"[\w-]+", each)[0] for each in project["dependencies"]]
    assert names == ["PyStemmer", "click", "numpy"]
    allowed = {*sys.stdlib_module_names, "paragauge", "Stemmer", "click", "numpy"}
    for path in MODULES:
        if path.relative_to(PACKAGE).parts[0] == "collect":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                found = (
                    [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                )
                assert {str(name).split(".")[0] for name in found} <= allowed, path


BY_NAME = ("import_module", "__import__")


def loads(path: Path, package: str) -> bool:
    """Whether a module imports from a package anywhere: at its top, in a function, or by its name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [str(node.module)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(BY_NAME):
            names = [str(each.value) for each in node.args[:1] if isinstance(each, ast.Constant)]
        if package in (name.split(".")[0] for name in names):
            return True
    return False


def test_scipy_is_for_tests_alone() -> None:
    assert [path for path in PACKAGE.rglob("*.py") if loads(path, "scipy")] == []


@pytest.mark.parametrize(
    "line",
    [
        "import numpy, scipy.stats as s",
        "from scipy.stats import norm",
        "importlib.import_module('scipy')",
    ],
)
def test_the_check_sees_a_late_import(tmp_path: Path, line: str) -> None:
    late = tmp_path / "late.py"
    late.write_text(f"def f():\n    {line}\n")
    assert loads(late, "scipy")
    assert not loads(late, "scipyx")
