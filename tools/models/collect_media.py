"""Draw the clips and pictures of the demo campaigns: silent, a few kilobytes each.

Each clip is 6 seconds long, and its action lasts from second 1 to second 5. Clips are WebM (VP9); one
is also an animated WebP, for a campaign with images. Pillow draws them and PyAV encodes them.

    pip install av pillow
    python tools/models/collect_media.py [FOLDER]
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
from PIL import Image, ImageDraw

FOLDER = Path(__file__).parents[2] / "src" / "paragauge" / "collect" / "web" / "static" / "demo"
SIZE = (320, 180)
RATE = 12
SECONDS = 6
SCALE = 3  # drawn larger and reduced, so that edges are smooth

SKY, GRASS, SAND, WATER, DARK = "#cfe8f5", "#7fb069", "#e8d6a8", "#5b9bd5", "#33415c"
Draw = Callable[["Pen", float], None]


class Pen:
    """Shapes in the coordinates of the small picture."""

    def __init__(self, background: str) -> None:
        self._image = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), background)
        self._draw = ImageDraw.Draw(self._image)

    def box(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """A rectangle."""
        self._draw.rectangle([v * SCALE for v in (x, y, x + width, y + height)], color)

    def disc(self, x: float, y: float, radius: float, color: str, flat: float = 1) -> None:
        """A disc, or an ellipse that is `flat`."""
        self._draw.ellipse(
            [v * SCALE for v in (x - radius, y - radius * flat, x + radius, y + radius * flat)], color
        )

    def shape(self, points: list[tuple[float, float]], color: str) -> None:
        """A polygon."""
        self._draw.polygon([(x * SCALE, y * SCALE) for x, y in points], color)

    def line(self, points: list[tuple[float, float]], color: str, width: float = 4) -> None:
        """A line through points."""
        self._draw.line(
            [(x * SCALE, y * SCALE) for x, y in points], color, round(width * SCALE), joint="curve"
        )

    def image(self) -> Image.Image:
        """The picture at its final size."""
        return self._image.resize(SIZE, Image.Resampling.LANCZOS)


def progress(second: float) -> float:
    """How far the action has come: 0 before second 1, 1 after second 5."""
    return min(1.0, max(0.0, (second - 1) / 4))


def ball(pen: Pen, second: float) -> None:
    """A red ball bounces down a staircase."""
    done = progress(second) * 4
    for step in range(5):
        pen.box(step * 64, 70 + 22 * step, 64, 120, DARK if step % 2 else "#4a5d80")
    step = min(3, int(done))
    part = done - step
    x = 32 + 64 * done
    y = 56 + 22 * (step + part) - 40 * 4 * part * (1 - part) * (done < 4)
    pen.disc(x, y, 13, "#d1495b")


def sun(pen: Pen, second: float) -> None:
    """The sun rises behind two hills."""
    done = progress(second)
    pen.disc(160, 165 - 115 * done, 24, "#f4b942")
    pen.shape([(0, 180), (0, 130), (90, 85), (200, 180)], GRASS)
    pen.shape([(120, 180), (240, 95), (320, 135), (320, 180)], "#5f9050")


def boat(pen: Pen, second: float) -> None:
    """A sailing boat crosses the sea from left to right."""
    x = 30 + 250 * progress(second)
    y = 112 + 3 * math.sin(3 * second)
    pen.shape([(x, y - 64), (x, y - 8), (x + 36, y - 8)], "#fff8ea")
    pen.line([(x - 2, y - 66), (x - 2, y)], DARK, 3)
    pen.shape([(x - 34, y - 4), (x + 42, y - 4), (x + 26, y + 16), (x - 20, y + 16)], "#a44a3f")
    waves = [(v, 126 + 3 * math.sin(v / 12 + 2 * second)) for v in range(0, 321, 8)]
    pen.shape([*waves, (320, 180), (0, 180)], WATER)


def plant(pen: Pen, second: float) -> None:
    """A flower grows out of a pot and opens."""
    done = progress(second)
    top = 128 - 74 * min(1.0, done * 1.4)
    pen.line([(160, 130), (160, top)], "#4f8a3c", 5)
    if done > 0.3:
        leaf = min(1.0, (done - 0.3) * 3)
        pen.shape([(160, 108), (160 + 34 * leaf, 92), (160 + 12 * leaf, 112)], GRASS)
        pen.shape([(160, 116), (160 - 34 * leaf, 100), (160 - 12 * leaf, 120)], GRASS)
    if done > 0.65:
        open_ = min(1.0, (done - 0.65) * 3)
        for petal in range(6):
            angle = petal * math.pi / 3
            across, down = 15 * open_ * math.cos(angle), 15 * open_ * math.sin(angle)
            pen.disc(160 + across, top + down, 10, "#e56b9d")
        pen.disc(160, top, 8, "#f4b942")
    pen.shape([(128, 128), (192, 128), (182, 172), (138, 172)], "#b5651d")


def door(pen: Pen, second: float) -> None:
    """A cat walks out of a door and sits down in the garden."""
    done = progress(second)
    pen.box(0, 20, 110, 130, "#d9c5a0")
    pen.box(40, 70, 42, 80, "#6b4f3a")
    pen.box(0, 150, 320, 30, GRASS)
    walked = min(1.0, done * 1.35)
    x, lift = 62 + 170 * walked, 3 * math.sin(14 * second) * (0 < walked < 1)
    sitting = max(0.0, done - 0.75) * 4
    y = 136 + 4 * sitting
    for leg in (-14, -6, 8, 16):
        pen.line([(x + leg, y), (x + leg + (lift if leg % 4 else -lift), 156)], "#2d2d2d", 4)
    pen.disc(x, y - 4, 22 - 6 * sitting, "#2d2d2d", 0.5 + 0.5 * sitting)
    pen.line([(x - 18, y - 4), (x - 32, y - 22 - 4 * math.sin(5 * second))], "#2d2d2d", 4)
    pen.disc(x + 22 - 8 * sitting, y - 14 - 10 * sitting, 9, "#2d2d2d")
    for ear in (16, 25):
        left, low = x + ear - 8 * sitting, y - 19 - 10 * sitting
        pen.shape([(left - 3, low), (left + 4, low), (left, low - 11)], "#2d2d2d")


CLIPS: dict[str, tuple[Draw, str]] = {
    "ball": (ball, SKY),
    "sun": (sun, "#f7d9c4"),
    "boat": (boat, SKY),
    "plant": (plant, "#f3efe4"),
    "cat": (door, SKY),
}


def frames(draw: Draw, background: str) -> list[Image.Image]:
    """The pictures of a clip."""
    images = []
    for number in range(RATE * SECONDS):
        pen = Pen(background)
        draw(pen, number / RATE)
        images.append(pen.image())
    return images


def write_webm(path: Path, images: list[Image.Image]) -> None:
    """A clip in VP9, without sound; one thread, so that the bytes are always the same."""
    with av.open(str(path), "w", format="webm", options={"fflags": "+bitexact"}) as out:
        stream = out.add_stream("libvpx-vp9", rate=RATE)
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, RATE)
        # A key frame each second lets a player start a segment at once.
        stream.options = {"crf": "40", "b": "0", "g": str(RATE), "threads": "1", "deadline": "best"}
        for number, image in enumerate(images):
            frame = av.VideoFrame.from_image(image)
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode())


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, (draw, background) in CLIPS.items():
        images = frames(draw, background)
        write_webm(folder / f"{name}.webm", images)
        if name in ("plant", "boat"):
            few = [image.quantize(48) for image in images[:: RATE // 4]]
            few[0].save(
                folder / f"{name}.webp",
                save_all=True,
                append_images=few[1:],
                duration=250,
                loop=0,
                quality=30,
                method=6,
                minimize_size=True,
            )
    for path in sorted(folder.iterdir()):
        print(f"{path.name}\t{path.stat().st_size / 1024:.1f} KiB")


if __name__ == "__main__":
    main()
