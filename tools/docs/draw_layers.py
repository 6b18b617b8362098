"""Draw docs/images/layers.svg: the folders of the package, in order, and which imports from which.

The order is that of tests/test_layers.py, the sentences are the folders' docstrings, and the dots are
the imports in the source files, including those inside functions.

    python tools/docs/draw_layers.py            # write the picture
    python tools/docs/draw_layers.py --check    # exit with 1 if it is out of date
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "paragauge"
ORDER = ROOT / "tests" / "test_layers.py"
TARGET = ROOT / "docs" / "images" / "layers.svg"

BOX, CELL, LEFT, TOP = 640, 22, 16, 96
LITERAL = (ast.Assign, ast.List, ast.Dict, ast.Name, ast.Starred, ast.Constant, ast.expr_context)
SOURCES = (".py", ".cpp", ".hpp")
ROW, ROW_WITH_ROOMS, GAP = 38, 54, 6
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"
BACK, INK, FAINT, FILL, EDGE, DOT = "#ffffff", "#1f2933", "#52606d", "#f0f4f8", "#bcccdc", "#2b6cb0"


@dataclass(frozen=True)
class Layer:
    """A folder or module at the top of the package; `imports` are the names of other layers."""

    name: str
    sentence: str
    rooms: tuple[str, ...]
    imports: frozenset[str]


def layer_order(test: Path = ORDER) -> tuple[list[str], dict[str, list[str]]]:
    """The list `LAYERS` of the test, and `ROOMS`, the order of sub-folders, without importing it."""
    lists: dict[str, Any] = {"ROOMS": {}}
    for node in ast.parse(test.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and all(isinstance(part, LITERAL) for part in ast.walk(node)):
            exec(compile(ast.Module([node], []), str(test), "exec"), lists)  # noqa: S102
    if "LAYERS" not in lists:
        raise SystemExit(f"{test}: no list LAYERS")
    # The sub-folders of the kernels are C++, whose includes have an order of their own.
    return lists["LAYERS"], {"kernels": lists.get("INCLUDES", []), **lists["ROOMS"]}


def read_layer(name: str, order: Sequence[str] = (), package: Path = PACKAGE) -> Layer:
    """A layer with the first sentence of its docstring, its sub-folders and its imports."""
    folder = package / name
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [package / f"{name}.py"]
    opening = folder / "__init__.py" if folder.is_dir() else files[0]
    docstring = ast.get_docstring(ast.parse(opening.read_text(encoding="utf-8"))) or ""
    rooms = {path.parent.name for path in folder.glob("*/*") if path.suffix in SOURCES}
    listed = [room for room in order if room in rooms]
    rooms_in_order = (*listed, *sorted(rooms.difference(listed)))
    names = {top for file in files for top in imported_layers(file)} - {name}
    return Layer(name, docstring.partition("\n")[0].replace("`", ""), rooms_in_order, frozenset(names))


def imported_layers(file: Path) -> set[str]:
    """The layers that a source file imports from, anywhere in it."""
    modules: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules += [f"{node.module}.{alias.name}" for alias in node.names]
    return {name.split(".")[1] for name in modules if name.startswith("paragauge.")}


def draw(layers: list[Layer]) -> str:
    """The picture as SVG text: one row for each layer, one column for each layer it may import."""
    columns = LEFT + BOX + 16
    width = columns + CELL * len(layers) + LEFT
    marks: list[str] = []
    y = TOP
    for row, layer in enumerate(layers):
        height = ROW_WITH_ROOMS if layer.rooms else ROW
        marks.append(
            f'<rect x="{LEFT}" y="{y}" width="{BOX}" height="{height}" rx="4" fill="{FILL}" '
            f'stroke="{EDGE}"/>'
        )
        marks.append(text(LEFT + 10, y + 15, layer.name, size=13, bold=True))
        marks.append(text(LEFT + 10, y + 30, layer.sentence, color=FAINT))
        if layer.rooms:
            marks.append(text(LEFT + 10, y + 46, " · ".join(layer.rooms), color=DOT))
        for column in range(row):
            x = columns + CELL * column + CELL / 2
            name = layers[column].name
            if name in layer.imports:
                title = f"<title>{layer.name} imports from {name}</title>"
                marks.append(
                    f'<circle cx="{x:g}" cy="{y + height / 2:g}" r="5" fill="{DOT}">{title}</circle>'
                )
            else:
                marks.append(f'<circle cx="{x:g}" cy="{y + height / 2:g}" r="1.5" fill="{EDGE}"/>')
        x = columns + CELL * row + CELL / 2
        marks.append(text(x + 4, TOP - 8, layer.name, turn=-60))
        marks.append(
            f'<rect x="{x - 4:g}" y="{y + height / 2 - 4:g}" width="8" height="8" fill="{INK}"/>'
        )
        y += height + GAP
    label = "The layers of paragauge; each imports only from those above it"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'viewBox="0 0 {width} {y + 10}" width="{width}" height="{y + 10}" font-family="{FONT}">\n'
        f'<title>{label}</title>\n<rect width="{width}" height="{y + 10}" fill="{BACK}"/>\n'
        + text(LEFT, 28, "Layers, from the first to the last", size=15, bold=True)
        + "\n"
        + text(LEFT, 48, "A dot means that the row's folder imports from the column's folder.")
        + "\n"
        + "\n".join(marks)
        + "\n</svg>\n"
    )


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 11,
    bold: bool = False,
    color: str = INK,
    turn: int = 0,
) -> str:
    """One line of text as SVG."""
    weight = ' font-weight="600"' if bold else ""
    rotation = f' transform="rotate({turn} {x:g} {y:g})"' if turn else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}"{weight} fill="{color}"{rotation} '
        f'xml:space="preserve">{escape(words)}</text>'
    )


def picture() -> str:
    """The picture of the package as it is now."""
    layers, rooms = layer_order()
    return draw([read_layer(name, rooms.get(name, ())) for name in layers])


def main() -> int:
    current = picture()
    if "--check" in sys.argv:
        return int(not TARGET.exists() or TARGET.read_text(encoding="utf-8") != current)
    TARGET.write_text(current, encoding="utf-8")
    print(TARGET.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
