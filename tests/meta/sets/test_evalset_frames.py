"""Ratings in data frames are those of files; errors name the row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from paragauge import PINC, EvalSet, agree, correlate, curve, meta, read_evalset, scatter
from paragauge.errors import InputError, SettingError, ShapeError, UnknownKeyError
from paragauge.meta.correlation.correlation import CorrelationSettings

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

FRAME = pd.DataFrame(
    {
        "segment": [1, 2, 3, 4] * 4,
        "system": (["a"] * 4 + ["b"] * 4) * 2,
        "judge": ["A"] * 8 + ["B"] * 8,
        "overall": [1.0, 2, 3, 4, 2, None, 4, 5, 1, 2, 3, 5, 2, 1, 4, 4],
        "metric:length": [0.1, 0.2, 0.3, 0.2, 0.1, 0.2, 0.5, 0.6] * 2,
    }
)
FRAMES = {
    "pandas": FRAME,
    "pandas with another index": FRAME.set_index(np.arange(16)[::-1]),
    "whole numbers as floats": FRAME.assign(segment=FRAME["segment"].astype(float)),
    "polars": pl.from_pandas(FRAME),
    "lazy": pl.from_pandas(FRAME).lazy(),
    "arrow": pa.Table.from_pandas(FRAME),
    "dict": FRAME.to_dict("list"),
}
SETTINGS = CorrelationSettings(bootstrap=50)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=list(FRAMES))
def test_frames_are_as_files(frame: Any, tmp_path: Any) -> None:
    path = tmp_path / "ratings.tsv"
    path.write_text(FRAME.to_csv(sep="\t", index=False), encoding="utf-8")
    mine, file = EvalSet.from_frame(frame), read_evalset(path)
    assert (mine.segments, mine.systems, mine.judges) == (file.segments, file.systems, file.judges)
    np.testing.assert_array_equal(mine.means("overall"), file.means("overall"))
    np.testing.assert_array_equal(mine.scores["length"].values, file.scores["length"].values)


def test_functions_take_frames() -> None:
    expected = correlate(EvalSet.from_frame(FRAME), "overall", settings=SETTINGS)
    assert correlate(FRAME, "overall", settings=SETTINGS)["length"].value == expected["length"].value
    assert meta(FRAME, settings=SETTINGS)[0].to_dict() == expected.to_dict()
    agreement = agree(FRAME)
    assert agreement["overall"].alpha == agree(EvalSet.from_frame(FRAME))["overall"].alpha
    assert list(expected.to_pandas()["metric"]) == ["length"]
    assert "overall" in repr(agreement)
    assert "<table" in agreement._repr_html_()
    with pytest.raises(UnknownKeyError, match="unknown metric 'lenght'; did you mean 'length'"):
        expected["lenght"]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            {"system": ["a"], "overall": [1]},
            "frame: expected a column 'segment' or 'source', found system",
        ),
        (FRAME.assign(overall="good"), "frame: row 1: column 'overall': expected a number, found"),
        ([1, 2], "expected a data frame or a dict of columns, found list"),
        (
            {"segment": [1], "overall": [1, 2]},
            "frame: expected columns of one length, and rows; found 1 and",
        ),
        (pd.DataFrame({"segment": []}), "frame: expected columns of one length, and rows; found 0"),
        (
            pd.DataFrame([[1, 2]], columns=["segment", "segment"]),
            "frame: column 'segment' stands twice; rename one",
        ),
    ],
)
def test_wrong_frames(frame: Any, message: str) -> None:
    with pytest.raises((InputError, ShapeError)) as caught:
        EvalSet.from_frame(frame)
    assert str(caught.value).startswith(message)


def test_frames_in_the_other_functions() -> None:
    frame = pd.DataFrame({"segment": [1, 2, 3], "adequacy": [1, 2, 3], "overall": [1, 3, 2]})
    assert "3 points" in scatter(frame, "adequacy").caption
    with pytest.raises(InputError, match="a curve needs sources, references and candidates"):
        curve(frame, "overall", PINC())
    with pytest.raises(ShapeError, match=r"a data frame is read by EvalSet\.from_frame"):
        read_evalset(frame)
    with pytest.raises(ShapeError, match=r"a list of names, found 'overall'; write \['overall'\]"):
        agree(frame, "overall")


def test_decimal_commas_and_an_index_with_names() -> None:
    frame = pd.DataFrame({"segment": [1, 2], "overall": ["1,5", "2,5"]})
    with pytest.raises(InputError, match='decimal=","'):
        EvalSet.from_frame(frame)
    assert EvalSet.from_frame(frame, decimal=",").means("overall").tolist() == [1.5, 2.5]
    with pytest.raises(SettingError, match="unknown decimal sign ';'"):
        EvalSet.from_frame(frame, decimal=";")
    with pytest.raises(InputError, match=r"the index has segment: write frame\.reset_index\(\)"):
        EvalSet.from_frame(frame.set_index("segment"))
