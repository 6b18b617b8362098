"""Charts of the requester's pages, drawn on the server as inline SVG.

A chart is a column chart: whole numbers over days or over sizes, one color a series, series stacked.
Colors are classes that the style sheet sets for the light and dark themes, so that a page needs neither
a script nor inline styles. Every chart is drawn twice, for wide and for narrow screens, since text
that shrinks with its picture cannot be read on a phone; the style sheet shows one of them. Each has a
label that describes it, and the page puts the same numbers below it as a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDE, NARROW = 560, 340
HEIGHT = 220
WIDEST = 56  # columns do not grow beyond this
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 8, 10, 34


@dataclass(frozen=True)
class Series:
    """One color of a chart: its name and a whole number for each column."""

    name: str
    values: tuple[int, ...]


@dataclass(frozen=True)
class Chart:
    """A column chart: `names` below the columns, and `mark`, a column to be pointed out, or None."""

    title: str
    names: tuple[str, ...]
    series: tuple[Series, ...]
    across: str
    up: str
    mark: int | None = None

    @property
    def totals(self) -> tuple[int, ...]:
        """The height of each column.

        >>> Chart("t", ("a", "b"), (Series("x", (1, 2)), Series("y", (3, 0))), "", "").totals
        (4, 2)
        """
        return tuple(map(sum, zip(*(series.values for series in self.series), strict=True)))

    @property
    def label(self) -> str:
        """A description for readers who cannot see the chart.

        >>> Chart("Answers", ("Mon", "Tue"), (Series("x", (1, 2)),), "day", "answers").label
        'Answers: 2 columns, 3 answers in all, most at Tue (2).'
        """
        totals = self.totals
        if not any(totals):
            return f"{self.title}: nothing yet."
        best = max(range(len(totals)), key=totals.__getitem__)
        most = f"most at {self.names[best]} ({totals[best]:,})"
        return f"{self.title}: {len(totals)} columns, {sum(totals):,} {self.up} in all, {most}."


def draw_figure(chart: Chart) -> Markup:
    """Both drawings of a chart."""
    wide, narrow = draw_chart(chart, WIDE, "wide"), draw_chart(chart, NARROW, "narrow")
    return Markup("{}{}").format(wide, narrow)


def draw_chart(chart: Chart, width: int, css: str) -> Markup:
    """A chart as SVG, `width` units wide."""
    inner, tall = width - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    top = choose_ticks(max(chart.totals, default=0))
    scale = tall / top[-1]
    parts = [Markup(""), *(_grid(value, width, HEIGHT - _BOTTOM - value * scale) for value in top)]
    step = inner / max(1, len(chart.names))
    gap = max(min(step * 0.2, 6.0), step - WIDEST)
    for index, name in enumerate(chart.names):
        x, base = _LEFT + index * step + gap / 2, float(HEIGHT - _BOTTOM)
        shape = []
        for number, series in enumerate(chart.series):
            value = series.values[index]
            if value:
                base -= value * scale
                css_class = f"s{number}" + (" marked" if index == chart.mark else "")
                shape.append(
                    Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="1.5"/>').format(
                        css_class, _n(x), _n(base), _n(max(step - gap, 0.5)), _n(value * scale)
                    )
                )
        if shape:
            values = ", ".join(f"{s.name} {s.values[index]:,}" for s in chart.series if s.values[index])
            title = Markup("<title>{}: {}</title>").format(name, values)
            parts.append(Markup("<g>{}{}</g>").format(title, Markup("").join(shape)))
    parts += _names(chart, step, width)
    return Markup(
        '<svg class="chart {}" role="img" aria-label="{}" viewBox="0 0 {} {}">{}</svg>'
    ).format(css, chart.label, width, HEIGHT, Markup("").join(parts))


def choose_ticks(largest: int, most: int = 5) -> list[int]:
    """Round whole numbers from 0 to at least `largest`, at most `most` + 1 of them.

    >>> choose_ticks(0), choose_ticks(7), choose_ticks(10432)
    ([0, 1], [0, 2, 4, 6, 8], [0, 5000, 10000, 15000])
    """
    step = 1
    while step * most < largest:
        # 1, 2, 5, 10, 20, 50 ...
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return [step * i for i in range(max(1, -(-largest // step)) + 1)]


def _grid(value: int, width: int, y: float) -> Markup:
    line = Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(
        _LEFT, width - _RIGHT, _n(y), _n(y)
    )
    text = Markup('<text class="tick" x="{}" y="{}" text-anchor="end">{}</text>').format(
        _LEFT - 6, _n(y + 4), f"{value:,}"
    )
    return line + text


def _names(chart: Chart, step: float, width: int) -> list[Markup]:
    """As many names below the columns as there is room for, and what they mean."""
    longest = max(map(len, chart.names), default=1)
    every = max(1, -(-int(longest * 7 + 10) // max(1, int(step))))
    labels = [
        Markup('<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>').format(
            _n(_LEFT + (index + 0.5) * step), HEIGHT - _BOTTOM + 15, chart.names[index]
        )
        for index in range(0, len(chart.names), every)
    ]
    middle = _LEFT + (width - _LEFT - _RIGHT) / 2
    labels.append(
        Markup('<text class="axis" x="{}" y="{}" text-anchor="middle">{}</text>').format(
            _n(middle), HEIGHT - 3, chart.across
        )
    )
    return labels


def merge_columns(
    names: Sequence[str], values: Sequence[int], most: int = 60
) -> tuple[list[str], list[int]]:
    """Neighboring columns added up until there are at most `most`.

    >>> merge_columns(["1", "2", "3"], [1, 1, 5], 2)
    (['1 to 2', '3'], [2, 5])
    """
    size = max(1, -(-len(names) // most))
    if size == 1:
        return list(names), list(values)
    cuts = [range(i, min(i + size, len(names))) for i in range(0, len(names), size)]
    titles = [
        names[cut[0]] if len(cut) == 1 else f"{names[cut[0]]} to {names[cut[-1]]}" for cut in cuts
    ]
    return titles, [sum(values[i] for i in cut) for cut in cuts]


def _n(value: float) -> str:
    """A coordinate with at most two decimals."""
    return escape(f"{value:.2f}".rstrip("0").rstrip("."))
