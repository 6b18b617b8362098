"""Write docs/api.md, the reference of all public names, from the `__all__` of every folder.

python tools/docs/api_page.py            # rewrite the page
python tools/docs/api_page.py --check    # only say whether it is up to date
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "paragauge"
PAGE = ROOT / "docs" / "api.md"
HEAD = """\
<!-- Written by tools/docs/api_page.py from the __all__ of every folder; do not edit. -->

# Python API

Every name is imported from the folder that heads its section; names of `paragauge` itself are not \
repeated under the folder that defines them. Names that are not listed here may change without notice. \
[Use it from Python](guides/python.md) is the guide.
"""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    described: set[tuple[str, str]] = set()
    for path in _packages():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        package = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        package = package.removesuffix(".__init__")
        modules = _modules(tree)
        names = []
        for name in _public_names(tree):
            home = (modules.get(name, package), name)
            # `paragauge.meta` is a folder and the function of that name in it.
            if name not in ("__version__", path.parent.name) and home not in described:
                names.append(
                    f"{home[0]}.{name}" if home[0] == f"{package}.{name}" else f"{package}.{name}"
                )
            described.add(home)
        if names:
            summary = (ast.get_docstring(tree) or "").split("\n")[0]
            parts.append(f"## {package}\n\n{summary}\n")
            parts += [f"::: {name}\n" for name in names]
    return "\n".join(parts)


def _packages() -> list[Path]:
    """The package itself, its errors, then its folders by name; kernels are not for users."""
    folders = sorted(PACKAGE.rglob("__init__.py"), key=lambda path: path.parent.parts)
    users = [path for path in folders[1:] if path.relative_to(PACKAGE).parts[0] != "kernels"]
    return [folders[0], PACKAGE / "errors.py", *users]


def _public_names(tree: ast.Module) -> list[str]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            names: list[str] = ast.literal_eval(node.value)  # type: ignore[attr-defined]
            return names
    return []


def _modules(tree: ast.Module) -> dict[str, str]:
    """The module of each name that a package imports, at its top or under `if TYPE_CHECKING`."""
    return {
        alias.asname or alias.name: str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def main() -> int:
    text = page()
    if PAGE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in sys.argv[1:]:
        print("docs/api.md is out of date; run: python tools/docs/api_page.py", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    print("docs/api.md: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
