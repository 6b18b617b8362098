"""Scores as numbers, dicts, data frames and HTML; results say what they have when a key is wrong."""

from __future__ import annotations

import html.parser
import json
import math

import numpy as np
import pandas as pd
import pytest

from paragauge import BLEU, PINC, Score, ScoreSheet, compare, score
from paragauge.errors import InputError, UnknownKeyError
from paragauge.report.tables.score_tables import render_comparison, render_scores

SOURCES = ["a b c d", "e f g h", "i j k l"]
SYSTEMS = {"copy": SOURCES, "<b>new</b>": ["a b x y", "e f g h", "m n o p"]}


@pytest.fixture(scope="module")
def sheet() -> ScoreSheet:
    return score(SYSTEMS, [PINC(), BLEU()], sources=SOURCES, references=SOURCES, bootstrap=100)


def one(value: float, signature: str = "PINC|v:1") -> Score:
    return Score(value, "PINC", {}, 3, True, signature, system="mine", metric="pinc")


def test_a_score_is_a_number() -> None:
    assert float(one(57.5)) == 57.5
    assert f"{one(57.456):.1f} {one(57.456):8.2f}|" == "57.5    57.46|"
    assert f"{one(57.456)}" == "57.46 PINC|v:1"
    assert one(57.5) > 50
    assert one(57.5) <= 57.5
    assert one(57.5) == 57.5
    assert one(57.5) != 58
    assert one(1.0) < one(2.0)
    assert [entry.value for entry in sorted([one(3.0), one(1.0), one(2.0)])] == [1.0, 2.0, 3.0]
    assert one(1.0) != one(1.0, "PINC|v:2")
    assert one(1.0) != "1.0"
    assert len({one(1.0), one(1.0)}) == 1
    assert math.isnan(float(one(math.nan)))


def test_arithmetic_of_scores_gives_numbers() -> None:
    mine, other = one(57.456), one(20.0)
    assert (round(mine), round(mine, 1), int(mine)) == (57, 57.5, 57)
    assert sum([mine, other]) == mine + 20 == 20 + mine == 57.456 + 20
    assert mine - other == mine - 20 == 57.456 - other == 57.456 - 20
    assert (mine * 2, 2 * mine, mine / 2, 100 / other, -mine, abs(one(-1.0))) == (
        57.456 * 2,
        2 * 57.456,
        57.456 / 2,
        5.0,
        -57.456,
        1.0,
    )
    assert np.mean([mine, other]) == pytest.approx((57.456 + 20) / 2)
    assert {type(value) for value in (mine + other, mine - 1, 2 * mine, mine / 3)} == {float}
    with pytest.raises(InputError, match="different signatures cannot be compared"):
        mine - one(1.0, "BLEU")
    with pytest.raises(TypeError):
        mine + "1"  # type: ignore[operator]


def test_scores_of_different_metrics_have_no_order() -> None:
    expected = r"different signatures cannot be compared: PINC\|v:1 and BLEU; compare float\(score\)"
    with pytest.raises(InputError, match=expected):
        assert one(1.0) < one(2.0, "BLEU")


def test_readable_forms(sheet: ScoreSheet) -> None:
    assert repr(one(57.456)) == "system   PINC\nmine    57.46"
    lines = repr(sheet).splitlines()
    assert [line.split()[0] for line in lines] == ["system", "copy", "<b>new</b>"]
    assert lines[1].split()[1:4] == ["0.00", "[0.00,", "0.00]"]


def test_dict_and_command_have_the_same(sheet: ScoreSheet) -> None:
    schema = {"schema": "paragauge/score/1"}
    assert json.loads(render_scores(sheet, "json")) == schema | sheet.to_dict()
    assert json.loads(json.dumps(sheet.to_dict(), allow_nan=False)) == sheet.to_dict()
    comparison = compare(
        SYSTEMS, [PINC()], sources=SOURCES, baseline="copy", bootstrap=50, randomization=50
    )
    schema = {"schema": "paragauge/compare/1"}
    assert json.loads(render_comparison(comparison, "json")) == schema | comparison.to_dict()
    assert comparison["<b>new</b>", "pinc"].difference == comparison.differences[0].difference
    undefined = one(math.nan).to_dict()
    assert undefined["value"] is None
    assert undefined["system"] == "mine"


def test_data_frames(sheet: ScoreSheet) -> None:
    frame = sheet.to_pandas()
    assert list(frame["system"]) == ["copy", "copy", "<b>new</b>", "<b>new</b>"]
    assert frame.loc[0, "value"] == sheet["copy", "pinc"].value
    pd.testing.assert_frame_equal(
        frame[frame["metric"] == "bleu"].reset_index(drop=True),
        pd.concat([entry.to_pandas() for entry in sheet if entry.metric == "bleu"], ignore_index=True),
    )
    comparison = compare(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=50, randomization=50)
    assert list(comparison.to_pandas()["system"]) == ["<b>new</b>"]


class Text(html.parser.HTMLParser):
    """The text of HTML and its tags, as a browser reads them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data + " "


def test_html_escapes_and_takes_its_colors_from_the_page(sheet: ScoreSheet) -> None:
    page = sheet._repr_html_()
    seen = Text(page)
    assert seen.tags == {"table", "tr", "th", "td", "div"}
    assert "<b>new</b>" in seen.text
    assert "PINC|order:4" in seen.text
    # No color of its own but a gray line, which is visible on black and on white.
    assert "color:inherit" in page
    assert "#" not in page
    assert "background:transparent" in page
    comparison = compare(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=50, randomization=50)
    assert "<b>new</b>" in Text(comparison._repr_html_()).text


def test_unknown_keys(sheet: ScoreSheet) -> None:
    with pytest.raises(UnknownKeyError) as caught:
        sheet["copi", "pinc"]
    assert str(caught.value) == ("unknown system 'copi'; did you mean 'copy'? known: copy, <b>new</b>")
    with pytest.raises(KeyError, match="unknown metric 'blue'; did you mean 'bleu'"):
        sheet["copy", "blue"]
    with pytest.raises(KeyError, match=r'found \'copy\'; write sheet\["copy", "pinc"\]'):
        sheet["copy"]  # type: ignore[index]
    comparison = compare(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=50, randomization=50)
    with pytest.raises(KeyError, match="copy is the baseline"):
        comparison["copy", "pinc"]
