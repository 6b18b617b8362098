"""Folders are layers: a module imports from its own folder and from earlier ones, never in a circle.

The tests check the order of the package's folders, the order of the sub-folders within a folder,
imports inside functions as well as at the top of a module, and the includes of the C++ kernels.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

# Each folder may import from itself and from those before it.
LAYERS = [
    "errors",
    "version",
    "lazy",
    "kernels",
    "text",
    "engine",
    "lexicon",
    "syntax",
    "encode",
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
    "integrations",
    "cli",
]
# The sub-folders of a folder are layers too, whatever stands beside them in the folder itself.
KERNELS = [
    "base",
    "text",
    "lexicon",
    "syntax",
    "lm",
    "phrases",
    "grammar",
    "matching",
    "rewrite",
    "decode",
    "statistics",
]
ROOMS = {
    "kernels/reference": KERNELS,
    "text": ["saving", "tables", "python_data"],
    "grammar": ["evaluation"],
    "metrics": [
        "wording",
        "regression",
        "outside",
        "combined",
        "context",
        "maxsim",
        "surface",
        "pem",
        "sets",
    ],
    "metrics/pem": ["adequacy"],
    "rewrite": ["thesauri", "context", "agreement", "encoder", "evaluation"],
    "generate": ["filters"],
    "meta": ["sets", "significance", "correlation", "agreement", "contrast"],
    "collect": [
        "store",
        "people",
        "campaigns",
        "tasks",
        "quality",
        "corpus",
        "statistics",
        "mturk",
        "web",
    ],
    "collect/web": ["http", "worker", "requester", "api"],
    "report": ["drawing", "schemas", "tables", "pages", "papers"],
    "report/pages": ["blocks", "sections"],
    "cli": [
        "options",
        "tagger",
        "parser",
        "encoder",
        "align",
        "lm",
        "phrases",
        "grammar",
        "pem",
        "rewrite",
        "generate",
        "collect",
    ],
}
INCLUDES = [*KERNELS, "bind"]
MOST_FILES = 28

PACKAGE = Path(__file__).parents[1] / "src" / "paragauge"
EVERY_FILE = sorted(PACKAGE.rglob("*.py"))
MODULES = [path for path in EVERY_FILE if path.name not in ("__init__.py", "__main__.py")]


def layer(module: str) -> int:
    name = module.split(".")[1] if "." in module else module
    return LAYERS.index(name)


def run_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module that are run: all but those under `if TYPE_CHECKING:`."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            for other in child.orelse:
                yield from run_nodes(other)
        else:
            yield from run_nodes(child)


def imported_names(path: Path, types_too: bool = True) -> list[str]:
    """The package's names that a module imports anywhere, as `paragauge.folder.module.name`."""
    names = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if types_too else run_nodes(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in names if name.split(".")[0] == "paragauge"]


def relative_path(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=relative_path)
def test_no_backward_import(path: Path) -> None:
    own = layer("paragauge." + path.relative_to(PACKAGE).parts[0].removesuffix(".py"))
    for name in imported_names(path):
        assert layer(name) <= own, f"{relative_path(path)} imports {name} from a later layer"


def test_the_check_sees_a_backward_import(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("from paragauge.cli import main\nimport paragauge.metrics.bleu\n")
    assert [layer(name) for name in imported_names(bad)] == [
        LAYERS.index("cli"),
        LAYERS.index("metrics"),
    ]


# ---- sub-folders


def backward_rooms(path: Path, folder: str, rooms: list[str]) -> list[str]:
    """What a module of one room imports from a later room of the same folder."""
    own = path.relative_to(PACKAGE / folder).parts[0]
    if own not in rooms:
        return []
    later = rooms[rooms.index(own) + 1 :]
    if folder == "cli" and own != "options":  # groups of commands stand side by side
        later = [room for room in rooms[1:] if room != own]
    prefix = ["paragauge", *folder.split("/")]
    backward = []
    for name in imported_names(path, types_too=False):
        parts = name.split(".")
        inside = parts[: len(prefix)] == prefix and parts[len(prefix) : len(prefix) + 1]
        shares_options = folder == "cli" and any(part.endswith("_options") for part in parts)
        if inside and inside[0] in later and not shares_options:
            backward.append(name)
    return backward


@pytest.mark.parametrize("folder", ROOMS)
def test_no_backward_import_between_rooms(folder: str) -> None:
    backward = {
        relative_path(path): names
        for path in (PACKAGE / folder).rglob("*.py")
        if (names := backward_rooms(path, folder, ROOMS[folder]))
    }
    assert backward == {}


def test_sections_do_not_import_pages() -> None:
    """Pages are made of sections and blocks, which know nothing of a page."""
    pages = {module_name(path) for path in (PACKAGE / "report" / "pages").glob("*.py")}
    for path in (PACKAGE / "report" / "pages").glob("*/*.py"):
        modules = {name.rpartition(".")[0] for name in imported_names(path)}
        assert not modules & pages, relative_path(path)


@pytest.mark.parametrize("folder", ["", *LAYERS, *ROOMS])
def test_rooms_are_listed(folder: str) -> None:
    """Every sub-folder with modules has a place in the order, and every place a sub-folder."""
    folders = {path.parent.name for path in (PACKAGE / folder).glob("*/__init__.py")}
    if folder == "":
        assert folders == {name for name in LAYERS if (PACKAGE / name).is_dir()}
    elif folder == "kernels":
        assert folders == {"reference"}
    else:
        assert folders == set(ROOMS.get(folder, []))


def test_the_check_sees_a_backward_room() -> None:
    path = next((PACKAGE / "kernels" / "reference" / "decode").glob("cube.py"))
    rooms = ROOMS["kernels/reference"]
    assert backward_rooms(path, "kernels/reference", rooms) == []
    assert backward_rooms(path, "kernels/reference", [*rooms[:4], "decode", *rooms[4:-2]]) != []


# ---- cycles


def module_name(path: Path) -> str:
    parts = ["paragauge", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_graph() -> dict[str, set[str]]:
    """The modules that each module imports, in functions too; a package is its `__init__`."""
    names = {module_name(path): path for path in EVERY_FILE}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        targets = imported_names(path, types_too=False)
        modules = {target if target in names else target.rpartition(".")[0] for target in targets}
        graph[name] = {target for target in modules if target in names and target != name}
    return graph


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one node (Tarjan 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    components = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                components.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return components


def test_no_cycles() -> None:
    assert cycles(import_graph()) == []


def test_the_check_sees_a_cycle() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]


def test_the_check_ignores_types_alone(tmp_path: Path) -> None:
    path = tmp_path / "types.py"
    path.write_text(
        "if TYPE_CHECKING:\n    from paragauge.cli import main\n"
        "else:\n    import paragauge.text\n"
        "def f():\n    import paragauge.lm\n"
    )
    assert imported_names(path, types_too=False) == ["paragauge.text", "paragauge.lm"]
    assert imported_names(path) == ["paragauge.cli.main", "paragauge.text", "paragauge.lm"]


# ---- kernels


def test_no_backward_include() -> None:
    folder = PACKAGE / "kernels"
    backward = [
        f"{relative_path(path)} includes {header}"
        for path in sorted([*folder.rglob("*.cpp"), *folder.rglob("*.hpp")])
        for header in re.findall(r'#include "([\w/.]+)"', path.read_text(encoding="utf-8"))
        if INCLUDES.index(header.split("/")[0]) > INCLUDES.index(path.parent.name)
    ]
    assert backward == []


def test_production_code_imports_no_twin() -> None:
    """`kernels/reference` is the specification of the kernels: tests read it, the package does not."""
    twins = PACKAGE / "kernels" / "reference"
    assert [
        f"{relative_path(path)} imports {name}"
        for path in EVERY_FILE
        if not path.is_relative_to(twins)
        for name in imported_names(path)
        if name.startswith("paragauge.kernels.reference")
    ] == []


def test_no_folder_is_crowded() -> None:
    crowded = {}
    for folder in [PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())]:
        files = [path for path in folder.iterdir() if path.suffix in (".py", ".pyi", ".cpp", ".hpp")]
        if len(files) > MOST_FILES:
            crowded[relative_path(folder)] = len(files)
    assert crowded == {}


# ---- packages and dependencies


def test_packages_only_reexport() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        allowed = (ast.ImportFrom, ast.Import, ast.Expr, ast.Assign, ast.AnnAssign)
        for node in body:
            # What loads a name when it is first used re-exports it too.
            later = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            # A folder that needs an extra says so when it is imported without it.
            later = later or (isinstance(node, ast.Try) and "MissingExtraError" in ast.unparse(node))
            assert later or isinstance(node, allowed), path


def test_only_known_folders() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= {*LAYERS, "models"}


def test_the_core_is_light(repository: Path) -> None:
    """Three packages are enough: loading a module outside of `collect` imports no others."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.match(r"[\w-]+", requirement)[0] for requirement in project["dependencies"]]
    assert names == ["PyStemmer", "click", "numpy"]
    allowed = {*sys.stdlib_module_names, "paragauge", "Stemmer", "click", "numpy"}
    for path in MODULES:
        if path.relative_to(PACKAGE).parts[0] == "collect":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                imports = (
                    [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                )
                assert {str(name).split(".")[0] for name in imports} <= allowed, path


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
            names = [
                str(argument.value) for argument in node.args[:1] if isinstance(argument, ast.Constant)
            ]
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
