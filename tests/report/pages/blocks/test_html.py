"""Tables and figures that other sections may use."""

from __future__ import annotations

from paragauge.report.drawing.canvas import Scene
from paragauge.report.pages.blocks.html import (
    Cell,
    details,
    figure,
    paragraph,
    sortable_table,
    system_name,
)

HOSTILE = '<b>"&'


def test_table():
    rows = [[Cell.text(HOSTILE), Cell.number(1.5)], [Cell.text("b"), Cell.number(float("nan"))]]
    html = sortable_table([HOSTILE, "score"], rows, caption=HOSTILE)
    assert '<th scope="col">&lt;b&gt;&quot;&amp;</th><th scope="col" class=n>score</th>' in html
    assert '<td data-v="&lt;b&gt;&quot;&amp;">&lt;b&gt;&quot;&amp;</td>' in html
    assert '<td class="n" data-v="1.5">1.50</td>' in html
    assert '<td class="n"></td>' in html
    assert "<caption>&lt;b&gt;&quot;&amp;</caption>" in html


def test_figure():
    html = figure(Scene(1, 1, "label", HOSTILE))
    assert html.startswith('<figure><svg class="plot" role="img" aria-label="label"')
    assert html.endswith("<figcaption>&lt;b&gt;&quot;&amp;</figcaption></figure>")
    assert "figcaption" not in figure(Scene(1, 1, "label", "x"), "")


def test_names_and_text_are_escaped():
    assert "<bdi>&lt;b&gt;&quot;&amp;</bdi>" in system_name(HOSTILE, 3)
    assert paragraph(HOSTILE, "soft") == "<p class=soft>&lt;b&gt;&quot;&amp;</p>"
    assert details("a", "b", opened=True) == "<details open><summary>a</summary>b</details>"
