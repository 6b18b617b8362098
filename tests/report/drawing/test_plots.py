"""Plots: everything inside the picture, names readable, numbers where they belong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paragauge.errors import ShapeError
from paragauge.report.drawing.canvas import Circle, Path, Rect, Scene, Text
from paragauge.report.drawing.plots import (
    Curve,
    Span,
    curve_plot,
    histogram_plot,
    interval_bar,
    interval_plot,
    matrix_plot,
    plane_plot,
    scatter_plot,
)
from paragauge.report.drawing.plots.axes import pad_range, ticks
from paragauge.report.drawing.plots.two_metrics import ellipse
from paragauge.report.drawing.svg import inline_svg

LONG = "a system whose name is much longer than any table or picture has room for"
MANY = [f"{LONG} {i}" if i % 5 == 0 else f"system {i}" for i in range(36)]


def inside(scene: Scene) -> None:
    """Every mark lies in the picture, but for the rounding of a stroke."""
    for mark in scene.marks:
        left, top, right, bottom = mark.extent()
        assert all(map(math.isfinite, (left, top, right, bottom))), mark
        assert left >= -1, mark
        assert top >= -1, mark
        assert right <= scene.width + 1, mark
        assert bottom <= scene.height + 1, mark


def names(scene: Scene) -> list[Text]:
    return [mark for mark in scene.marks if isinstance(mark, Text) and mark.bold]


def overlap(a: Text, b: Text) -> bool:
    p, q = a.extent(), b.extent()
    return p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 100, [0, 20, 40, 60, 80, 100]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
        (11.5, 13.5, [11.5, 12, 12.5, 13, 13.5]),
        (0.98, 1.02, [0.98, 0.99, 1, 1.01, 1.02]),
        (0.7, 5.3, [1, 2, 3, 4, 5]),
    ],
)
def test_ticks(low, high, expected):
    assert ticks(low, high) == expected


def test_padded():
    assert pad_range([]) == (0.0, 1.0)
    assert pad_range([math.nan, 5.0]) == (4.0, 6.0)
    assert pad_range([0.0, 100.0]) == (-6.0, 106.0)


def test_plane_of_many_systems():
    draw = np.random.default_rng(1)
    x, y = draw.uniform(0, 100, 36).tolist(), draw.uniform(0, 60, 36).tolist()
    resampled = [
        (a + draw.normal(0, 2, 200), b + draw.normal(0, 1, 200)) for a, b in zip(x, y, strict=True)
    ]
    scene = plane_plot(MANY, x, y, titles=("PINC", "BLEU"), replicates=resampled)
    inside(scene)
    labels = names(scene)
    assert len(labels) == 36
    assert not [(a, b) for i, a in enumerate(labels) for b in labels[:i] if overlap(a, b)]
    assert sum(label.title.startswith(LONG) for label in labels) == 8
    assert scene.caption == "Ellipses hold 95% of the bootstrap's resamples."


def test_plane_of_equal_systems():
    scene = plane_plot(["a", "b", "c"], [50.0] * 3, [50.0] * 3, titles=("x", "y"))
    inside(scene)
    labels = names(scene)
    assert [label.text for label in labels] == ["a", "b", "c"]
    assert not [(a, b) for i, a in enumerate(labels) for b in labels[:i] if overlap(a, b)]


def test_plane_without_values():
    scene = plane_plot(["a", "b"], [math.nan, 1.0], [1.0, 1.0], titles=("x", "y"))
    inside(scene)
    assert scene.caption == "Without a score: a."


def test_names_without_room_are_in_the_caption():
    many = [f"system number {i}" for i in range(400)]
    scene = plane_plot(many, [1.0] * 400, [1.0] * 400, titles=("x", "y"))
    labels = {label.text for label in names(scene)}
    left_out = scene.caption.removeprefix("Names without room: ").removesuffix(".").split(", ")
    assert labels
    assert labels | set(left_out) == set(many)


def test_ellipse_by_hand():
    # Variances 4/3 and 16/3, no covariance: half axes sqrt(v * -2 ln 0.05).
    spread = np.array([-1.0, 1, -1, 1]), np.array([-2.0, -2, 2, 2])
    outline = ellipse(10, 20, spread, 0.95)
    reach = math.sqrt(-2 * math.log(0.05))
    assert max(x for x, _ in outline) == pytest.approx(10 + math.sqrt(4 / 3) * reach)
    assert max(y for _, y in outline) == pytest.approx(20 + math.sqrt(16 / 3) * reach)
    assert ellipse(1, 1, (np.array([1.0, math.nan]), np.array([1.0, 1.0])), 0.95) == []


def test_ellipse_holds_its_share():
    draw = np.random.default_rng(5)
    x = draw.normal(0, 1, 20000)
    y = 0.8 * x + draw.normal(0, 0.5, 20000)
    outline = ellipse(0, 0, (x, y), 0.9)
    # A point is inside the convex outline if it is left of every edge.
    corners = np.array(outline)
    edges = np.roll(corners, -1, axis=0) - corners
    sides = edges[:, 0, None] * (y - corners[:, 1, None]) - edges[:, 1, None] * (
        x - corners[:, 0, None]
    )
    within = (sides > 0).all(axis=0) | (sides < 0).all(axis=0)
    assert within.mean() == pytest.approx(0.9, abs=0.01)


def test_scatter_of_ratings():
    x = np.repeat([1.0, 2, 3, 4, 5], 20)
    scene = scatter_plot(x, x, titles=("rating", "score"), jitter=0.3)
    inside(scene)
    points = [mark for mark in scene.marks if isinstance(mark, Circle)]
    assert len({(point.x, point.y) for point in points}) == 100
    assert scene.caption.startswith(
        "100 points; moved by up to 0.3 to separate equal ones. Pearson r = 1.000"
    )
    again = scatter_plot(x, x, titles=("rating", "score"), jitter=0.3)
    other = scatter_plot(x, x, titles=("rating", "score"), jitter=0.3, seed=8)
    assert again == scene
    assert other != scene


def test_fit_by_hand():
    # y = 2x: the line is exact and its band has no width.
    scene = scatter_plot([0, 1, 2, 3], [0, 2, 4, 6], titles=("x", "y"))
    band, line = [mark for mark in scene.marks if isinstance(mark, Path)][-2:]
    (x1, y1), (x2, y2) = line.points[0], line.points[-1]
    circles = [mark for mark in scene.marks if isinstance(mark, Circle)]
    slope = (circles[-1].y - circles[0].y) / (circles[-1].x - circles[0].x)
    assert (y2 - y1) / (x2 - x1) == pytest.approx(slope)
    upper, lower = band.points[:41], band.points[41:][::-1]
    assert all(a[1] == pytest.approx(b[1], abs=1e-6) for a, b in zip(upper, lower, strict=True))


def test_band_by_hand():
    # x = 0 1 2, y = 0 1 0: mean 1/3, slope 0, s² = (1/9 + 4/9 + 1/9) / 1 = 2/3, t(0.975, 1) = 12.706.
    scene = scatter_plot([0, 1, 2], [0, 1, 0], titles=("x", "y"))
    assert "Pearson r = 0.000" in scene.caption or "Pearson r = -0.000" in scene.caption
    line = [mark for mark in scene.marks if isinstance(mark, Path)][-1]
    circles = [mark for mark in scene.marks if isinstance(mark, Circle)]
    expected = circles[0].y + (circles[1].y - circles[0].y) / 3
    assert [y for _, y in line.points] == pytest.approx([expected] * len(line.points))


def test_fifty_thousand_points_stay_small():
    draw = np.random.default_rng(2)
    x = draw.normal(50, 15, 50_000)
    scene = scatter_plot(x, 0.5 * x + draw.normal(0, 9, 50_000), titles=("BLEU", "PINC"))
    inside(scene)
    assert len(inline_svg(scene)) < 200_000
    assert scene.caption.startswith("50,000 points in hexagons, darker where there are more.")


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 1.0], [math.nan, 1.0, 2.0]])
def test_scatter_of_few_points(values):
    scene = scatter_plot(values, values, titles=("x", "y"))
    inside(scene)
    assert "line" not in scene.caption
    if values and math.isnan(values[0]):
        assert scene.caption == "2 points; 1 without a value left out."


def test_scatter_of_unequal_lengths():
    with pytest.raises(ShapeError, match="expected as many x as y"):
        scatter_plot([1, 2], [1], titles=("x", "y"))


def test_reference_curves():
    curves = [
        Curve("BLEU", [1, 2, 4], [0.1, 0.2, 0.3], [0.0, 0.1, 0.2], [0.2, 0.3, 0.4]),
        Curve("PINC", [1, 2, 4], [0.3, 0.2, math.nan]),
    ]
    scene = curve_plot(curves, titles=("references", "correlation"))
    inside(scene)
    texts = [mark.text for mark in scene.marks if isinstance(mark, Text)]
    assert {"1", "2", "4", "BLEU", "PINC", "references", "correlation"} <= set(texts)
    assert "3" not in texts


def test_precision_and_recall():
    steps = np.linspace(0, 1, 100)
    scene = curve_plot(
        [Curve("labeled", steps, 1 - steps**2)],
        titles=("recall", "precision"),
        across=(0, 1),
        up=(0, 1),
    )
    inside(scene)
    assert not [mark for mark in scene.marks if isinstance(mark, Circle)]  # too many to mark


def test_curves_over_categories():
    curves = [Curve(name, [0, 1], [1.0, 2.0], [0.5, 1.5], [1.5, None]) for name in MANY[:12]]
    scene = curve_plot(
        curves, titles=("length", "BLEU"), names=["1-5", LONG], bands=False, title=LONG[:20]
    )
    inside(scene)


def test_curves_must_fit():
    with pytest.raises(ShapeError, match="curve 'a': expected as many x as y"):
        curve_plot([Curve("a", [1, 2], [1.0])], titles=("x", "y"))


@pytest.mark.parametrize("count", [2, 5, 12, 13, 36])
def test_matrix(count):
    p = np.full((count, count), 0.2)
    p[0] = p[:, 0] = 0.0001
    better = np.sign(np.arange(count)[None] - np.arange(count)[:, None])
    scene = matrix_plot(MANY[:count], p, better, title="BLEU", clusters=[1])
    inside(scene)
    cells = [mark for mark in scene.marks if isinstance(mark, Rect) and mark.style.fill != "grid"]
    assert len(cells) == 2 * (count - 1)
    assert [cell.style.fill for cell in cells[: count - 1]] == ["series0"] * (count - 1)
    texts = [mark.text for mark in scene.marks if isinstance(mark, Text)]
    if count < 20:
        assert "+<0.001" in texts
        assert "−<0.001" in texts
    thick = [mark for mark in scene.marks if isinstance(mark, Path) and mark.style.width > 2]
    assert len(thick) == 2


@pytest.mark.parametrize("span", [Span(50, 40, 60), Span(0), Span(100, 100, 100), Span(-5, -9, 120)])
def test_interval_bar(span):
    scene = interval_bar(span, 0, 100, 3, zero=True)
    inside(scene)
    assert scene.label == f"{span.value:.2f}"


def test_a_neutral_interval_bar():
    scene = interval_bar(Span(0.5, 0.4, 0.6), 0, 1, None)
    used = {mark.style.fill for mark in scene.marks} | {mark.style.stroke for mark in scene.marks}
    assert used == {None, "grid", "soft", "back"}


def test_interval_bar_of_nothing():
    inside(interval_bar(Span(3), 3, 3, 0))
    scene = interval_bar(Span(math.nan), 0, 1, 0)
    assert len(scene.marks) == 1  # the track alone


def test_interval_plot():
    spans = [Span(50.0, 40.0, 60.0), Span(math.nan), *[Span(float(i)) for i in range(34)]]
    scene = interval_plot(MANY, spans, title="BLEU", zero=True)
    inside(scene)
    texts = [mark.text for mark in scene.marks if isinstance(mark, Text)]
    assert "+50.00" in texts
    assert "none" in texts


def test_histogram():
    scene = histogram_plot(np.array([0.0, 0.0, 100.0, np.nan]), 0, 100, 0, "x")
    inside(scene)
    bars = [mark for mark in scene.marks if isinstance(mark, Rect)]
    assert [round(bar.height, 2) for bar in bars] == [42.0, 21.0]  # two segments, one segment
    for values in ([math.nan], []):
        scene = histogram_plot(np.array(values), 0, 100, 0, "x")
        assert not [mark for mark in scene.marks if isinstance(mark, Rect)]


def test_the_title_of_an_axis_is_left_of_its_numbers() -> None:
    scene = curve_plot([Curve("a", [1.5, 2.5], [0.002, 0.009])], titles=("rules", "percent"))
    texts = [mark for mark in scene.marks if isinstance(mark, Text)]
    title = next(mark for mark in texts if mark.text == "percent")
    numbers = [mark for mark in texts if mark.text.startswith("0.00")]
    assert len(numbers) > 2
    assert all(title.extent()[2] + 3 <= number.extent()[0] for number in numbers)
