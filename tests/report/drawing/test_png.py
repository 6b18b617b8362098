"""Scenes as PNG, and plots to files."""

from __future__ import annotations

import importlib.util
import struct

import pytest

from paragauge.errors import FileFormatError, MissingExtraError, SettingError
from paragauge.report.drawing import png
from paragauge.report.drawing.canvas import THEMES, Circle, Path, Rect, Scene, Style, Text
from paragauge.report.drawing.png import png_bytes
from paragauge.report.drawing.save import save_plot

needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None,
    reason="matplotlib is NOT installed, so PNG plots are NOT tested; pip install '.[test]'",
)


@pytest.fixture
def scene() -> Scene:
    return Scene(60, 40, "marks").add(
        Rect(0, 0, 20, 20, Style(fill="series0")),
        Circle(40, 10, 8, Style(fill="series1", stroke="ink")),
        Path(((5, 25), (55, 35)), Style(stroke="series2", width=2, dash=(4, 2))),
        Path(((30, 22), (40, 22), (35, 30)), Style(fill="series3", opacity=0.5), closed=True),
        Text(30, 38, "$a_b$ 汉", anchor="middle", turn=-10),
    )


def pixels(data: bytes):
    from matplotlib import image

    with importlib.import_module("io").BytesIO(data) as stream:
        return (image.imread(stream, format="png")[:, :, :3] * 255).round().astype(int)


def rgb(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


@needs_matplotlib
@pytest.mark.filterwarnings("ignore:Glyph")  # DejaVu Sans has no Chinese
@pytest.mark.parametrize("theme", THEMES)
def test_pixels_have_the_colors_of_the_scene(scene, theme):
    data = png_bytes(scene, theme, 2.0)
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (120, 80)
    seen = pixels(data)
    assert seen[10, 10].tolist() == rgb(THEMES[theme]["series0"])
    assert seen[20, 80].tolist() == rgb(THEMES[theme]["series1"])
    assert seen[2, 60].tolist() == rgb(THEMES[theme]["back"])


@needs_matplotlib
@pytest.mark.filterwarnings("ignore:Glyph")
def test_same_scene_same_bytes(scene):
    assert png_bytes(scene) == png_bytes(scene)


def test_without_matplotlib(scene, monkeypatch, tmp_path):
    monkeypatch.setattr(png.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'paragauge\[plot\]'"):
        save_plot(scene, tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_saving(scene, tmp_path):
    save_plot(scene, tmp_path / "a.svg", "dark")
    assert THEMES["dark"]["back"] in (tmp_path / "a.svg").read_text(encoding="utf-8")
    with pytest.raises(SettingError, match=r"a\.pdf: expected a name that ends in \.svg or \.png"):
        save_plot(scene, tmp_path / "a.pdf")
    with pytest.raises(SettingError, match="unknown theme"):
        save_plot(scene, tmp_path / "b.svg", "grey")
    with pytest.raises(FileFormatError, match="does not exist; make it first"):
        save_plot(scene, tmp_path / "none" / "a.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
