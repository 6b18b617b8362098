"""Who beats whom: the p-value of every pair of systems, the best system first.

A cell shows how the system of its row fares against that of its column. If the row wins, the cell
is blue, and darker the smaller p is; if it loses, it is vermilion. The number follows a + or a −.
Cells above the level of significance have no color, only the number. Thick lines separate clusters
(see `meta.significance.multiple_comparisons`): the first system below such a line is significantly
worse than one of the cluster above.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Floats
from paragauge.report.drawing.canvas import Scene, shorten, text_width
from paragauge.report.drawing.plots.axes import NORMAL, SMALL, bar
from paragauge.text.wording import p_text

MOST_NAMED = 12  # with more columns, numbers stand for names


def matrix_plot(
    names: Sequence[str],
    p_values: Floats,
    better: NDArray[np.int64],
    *,
    title: str,
    alpha: float = 0.05,
    clusters: Sequence[int] = (),
    width: float = 640,
) -> Scene:
    """Systems against systems.

    `p_values` is float64 [n, n]; `better` is int64 [n, n], 1 where the row wins, -1 where it loses, 0
    for equals; `clusters` are the numbers of the systems that begin a new cluster.
    """
    count = len(names)
    labels = [shorten(name, 130, SMALL) for name in names]
    numbered = count > MOST_NAMED
    if numbered:
        labels = [f"{name}  {number}" for number, name in enumerate(labels, 1)]
    heads = [str(number) for number in range(1, count + 1)] if numbered else labels
    left = max([60.0, *(text_width(name, SMALL) + 14 for name in labels)])
    slant = 0.0 if numbered else 0.71 * max([0.0, *(text_width(name, SMALL) for name in heads)])
    cell = min(64.0, (width - left - slant - 12) / max(1, count))
    tall = min(cell, 30.0) if cell > 22 else cell
    top = 46.0 + slant
    right = left + count * cell + max(12.0, slant)
    scene = Scene(right, top + tall * count + 12, f"{title}: significance of {count} systems")
    scene.write(8, 16, shorten(title, right - 16, NORMAL, bold=True), size=NORMAL, bold=True)
    size = min(SMALL, 0.95 * cell / text_width(_matrix_cell(0, 1), 1.0))
    for i in range(count):
        y = top + i * tall
        place = {"size": min(SMALL, tall * 0.72), "title": names[i]}
        scene.write(left - 8, y + tall / 2 + 4, labels[i], anchor="end", **place)
        if numbered:
            small = {"size": min(SMALL, cell * 0.6), "title": names[i], "anchor": "middle"}
            scene.write(left + (i + 0.5) * cell, top - 6, heads[i], **small)
        else:
            scene.write(left + (i + 0.55) * cell, top - 8, heads[i], turn=-45, **place)
        for j in range(count):
            if i == j:
                scene.add(bar(left + j * cell, y, cell, tall, "grid"))
                continue
            p, sign = float(p_values[i, j]), int(better[i, j])
            if p < alpha and sign:
                strength = 0.62 if p < alpha / 50 else 0.44 if p < alpha / 5 else 0.26
                fill = "series0" if sign > 0 else "series1"
                scene.add(bar(left + j * cell, y, cell, tall, fill, strength))
            if size >= 6:
                text = _matrix_cell(p, sign)
                color = "ink" if p < alpha else "soft"
                middle = left + (j + 0.5) * cell
                spot = {"size": size, "anchor": "middle", "color": color}
                scene.write(middle, y + tall / 2 + size * 0.36, text, **spot)
    for i in range(count + 1):
        thick = {"width": 2.2} if i in clusters and 0 < i < count else {}
        color = "ink" if thick else "grid"
        scene.line(left, top + i * tall, left + count * cell, top + i * tall, color, **thick)
        scene.line(left + i * cell, top, left + i * cell, top + count * tall, color, **thick)
    scene.caption = (
        f"p of the row against the column; + and blue: the row is better, − and vermilion: worse; "
        f"no color: p of {alpha:g} or more."
    )
    if clusters:
        scene.caption += " Thick lines separate clusters."
    if size < 6:
        scene.caption += " There is no room for the numbers."
    return scene


def _matrix_cell(p: float, sign: int) -> str:
    return f"{'+' if sign > 0 else '−' if sign < 0 else ''}{p_text(p)}"
