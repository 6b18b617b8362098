"""Scenes as PNG, and plots to files."""

from __future__ import annotations

import importlib.util
import struct
import zlib

import numpy as np
import pytest

from paragauge.errors import FileFormatError, MissingExtraError, SettingError
from paragauge.report.drawing import png
from paragauge.report.drawing.canvas import THEMES, Circle, Path, Rect, Scene, Style, Text
from paragauge.report.drawing.png import png_bytes
from paragauge.report.drawing.save import save_plot

needs_resvg = pytest.mark.skipif(
    importlib.util.find_spec("resvg_py") is None,
    reason="resvg_py is NOT installed, so PNG plots are NOT tested; pip install '.[test]'",
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


def pixels(data: bytes) -> np.ndarray:
    """Red, green and blue [rows, columns, 3] of a PNG with 8 bits for each of four channels."""
    width, height, depth, kind, *_, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    assert (depth, kind, interlaced) == (8, 6, 0)
    packed, place = b"", 8
    while place < len(data):
        size, name = struct.unpack(">I4s", data[place : place + 8])
        packed += data[place + 8 : place + 8 + size] if name == b"IDAT" else b""
        place += size + 12
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 4 * width)
    image = np.zeros((height + 1, 4 * (width + 1)), np.int64)  # a row above and a pixel to the left
    for row, (form, *line) in enumerate(lines.tolist(), start=1):
        for column, byte in enumerate(line, start=4):
            left, up = image[row, column - 4], image[row - 1, column]
            corner = image[row - 1, column - 4]
            near = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            guess = (0, left, up, (left + up) // 2, near)[form]
            image[row, column] = (byte + guess) % 256
    return image[1:, 4:].reshape(height, width, 4)[:, :, :3]


def rgb(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


@needs_resvg
@pytest.mark.parametrize("theme", THEMES)
def test_pixels_have_the_colors_of_the_scene(scene, theme):
    data = png_bytes(scene, theme, 2.0)
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (120, 80)
    seen = pixels(data)
    assert seen[10, 10].tolist() == rgb(THEMES[theme]["series0"])
    assert seen[20, 80].tolist() == rgb(THEMES[theme]["series1"])
    assert seen[2, 60].tolist() == rgb(THEMES[theme]["back"])


@needs_resvg
def test_same_scene_same_bytes(scene):
    assert png_bytes(scene) == png_bytes(scene)


def dark_columns(*texts: Text) -> list[int]:
    """The first and the last column that text makes darker than half, at one dot per pixel."""
    image = pixels(png_bytes(Scene(120, 30, "text").add(*texts), scale=1.0))
    dark = np.flatnonzero((image.sum(axis=2) < 3 * 128).any(axis=0))
    return [int(dark[0]), int(dark[-1])]


@needs_resvg
def test_widths_of_the_included_font():
    # In DejaVu Sans, H is 1540 units wide and drawn from 201 to 1339; 2048 units are 40 pixels here, so
    # it is drawn from 3.9 to 26.2. The bold H is drawn from 188 to 1526: from 3.7 to 29.8.
    assert dark_columns(Text(10, 29, "H", size=40)) == [14, 35]
    assert dark_columns(Text(10, 29, "H", size=40, bold=True)) == [14, 39]
    # Centered at 60: 15.04 to the left, and the end at 110: 30.08 to the left.
    assert dark_columns(Text(60, 29, "H", size=40, anchor="middle")) == [49, 70]
    assert dark_columns(Text(110, 29, "H", size=40, anchor="end")) == [84, 105]


@needs_resvg
@pytest.mark.parametrize("text", ["Zażółć", "Привет", "άέή", "Հայ", "ქარ", "שלום", "مرحبا", "≤×→…—±"])
def test_letters_that_the_included_font_has(text):
    box = png_bytes(Scene(40, 30, "").write(5, 20, "\U0010fffd"))
    pictures = {png_bytes(Scene(40, 30, "").write(5, 20, letter)) for letter in text}
    assert len(pictures) == len(set(text))
    assert box not in pictures


@needs_resvg
def test_characters_that_svg_cannot_have():
    texts = ["a\x00b", "\udc80", "\ufffe"]
    for text in texts:
        scene = Scene(60, 40, text, text).add(Circle(9, 9, 5, Style(), text)).write(5, 20, text)
        same = Scene(60, 40, "").write(5, 20, text[:-2] + "\ufffd" + text[2:])
        assert png_bytes(scene) == png_bytes(same)


def test_without_resvg(scene, monkeypatch, tmp_path):
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
