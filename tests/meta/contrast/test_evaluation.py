"""The evaluation of contrast sets, on scores that a reader can compare by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from paragauge import BLEU, PINC, TER, contrast, read_contrast_set
from paragauge.errors import FileFormatError, InputError, SettingError, ShapeError
from paragauge.meta.contrast.contrast_set import ContrastSet
from paragauge.metrics.base import Floats, MeanMetric, mean_stats
from paragauge.metrics.settings import tokenize_setting
from paragauge.report.tables.contrast_tables import render_contrast
from paragauge.text.batch import Batch

# PINC of order 1: the share of the candidate's words that are not in the source.
UNIGRAMS = PINC(order=1)
PAIRS = ContrastSet(
    ("a b c d",) * 4 + ("e f g h",) * 3,
    ("few-changes", "many-changes", "near-copy", "unrelated", "few-changes", "near-copy", "copy"),
    ("a b x y", "a x y z", "a b x y", "x y z v", "e f x y", "e f g x", "e f g h"),
)


@dataclass(frozen=True)
class EvenLength(MeanMetric):
    """The number of words; undefined if it is odd."""

    name: ClassVar[str] = "EvenLength"
    tokenize: str = tokenize_setting()

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"sources"})

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        lengths = batch.tokens(self.tokenize, "mixed").candidates[system].lengths
        return mean_stats(np.where(lengths % 2 == 0, lengths, np.nan))


def test_wins_and_means() -> None:
    sheet = contrast([UNIGRAMS], PAIRS, bootstrap=0)
    one = sheet[UNIGRAMS.label]
    assert [row.kind for row in one.kinds] == [
        "few-changes",
        "many-changes",
        "near-copy",
        "unrelated",
        "copy",
    ]
    # 50 and 50 of two sources; 75; 50 and 25; 100; 0.
    assert [row.mean.value for row in one.kinds] == [50, 75, 37.5, 100, 0]
    assert [row.mean.n for row in one.kinds] == [2, 1, 2, 1, 1]
    # near-copy: 50 ties with 50, 75 beats 50, 50 beats 25. unrelated: 50 and 75 lose to 100.
    wins = [row.wins for row in one.kinds]
    assert wins[:2] == [None, None]
    assert [one.value for one in wins[2:]] == [2.5 / 3, 0, 1]
    assert [one.n for one in wins[2:]] == [3, 2, 1]
    assert (sheet.sources, sheet.candidates) == (2, 7)


def test_lower_is_better() -> None:
    pairs = ContrastSet(("a b",) * 2, ("few-changes", "changed"), ("a b", "x y"))
    sheet = contrast([TER(), UNIGRAMS], pairs, good=["few-changes"], bootstrap=0)
    assert sheet["ter"]["changed"].wins.value == 1  # 0 errors against 100
    assert sheet[UNIGRAMS.label]["changed"].wins.value == 0  # 0 new words against 100


def test_the_source_is_the_reference() -> None:
    pairs = ContrastSet(("a b c d",) * 2, ("good", "copy"), ("a b c x", "a b c d"))
    sheet = contrast([BLEU(), UNIGRAMS], pairs, good=["good"], bootstrap=0)
    assert sheet["bleu"]["copy"].mean.value == pytest.approx(100)
    assert sheet["bleu"].source_is_reference
    assert not sheet[UNIGRAMS.label].source_is_reference


def test_undefined_scores_are_left_out_and_counted() -> None:
    pairs = ContrastSet(("a b",) * 3, ("good", "changed", "odd"), ("a x", "a b", "a b c"))
    sheet = contrast([EvenLength()], pairs, good=["good"], bootstrap=0)
    one = sheet["evenlength"]
    assert one.undefined == 1
    assert (one["odd"].mean.value, one["odd"].mean.reason) == (None, "no candidate has a score")
    assert one["odd"].wins.reason == "no two candidates of one source have scores"
    assert (one["good"].mean.value, one["changed"].wins.value) == (2, 0.5)


def test_intervals_draw_sources() -> None:
    first = contrast([PINC()], seed=7)
    assert first == contrast([PINC()], seed=7, threads=0)
    assert first != contrast([PINC()], seed=8)
    for row in first["pinc"].kinds:
        assert row.mean.low <= row.mean.value <= row.mean.high
    # The standard error of a mean of n independent values is near a quarter of the 95% interval.
    wins = first["pinc"]["scrambled"].wins
    assert 0 < wins.high - wins.low < 0.2


def test_one_source_has_no_interval() -> None:
    pairs = ContrastSet(("a b",) * 2, ("good", "changed"), ("a x", "a b"))
    row = contrast([UNIGRAMS], pairs, good=["good"])[UNIGRAMS.label]["changed"]
    assert (row.wins.value, row.wins.low) == (1, None)


def test_order_of_rows_does_not_matter() -> None:
    pairs = read_contrast_set()
    order = np.random.default_rng(1).permutation(len(pairs))
    columns = (pairs.sources, pairs.kinds, pairs.candidates)
    shuffled = ContrastSet(*(tuple(column[i] for i in order) for column in columns))
    before = contrast([PINC()], pairs, bootstrap=0)["pinc"]
    after = contrast([PINC()], shuffled, bootstrap=0)["pinc"]
    for row in before.kinds:
        assert after[row.kind].wins == row.wins
        assert after[row.kind].mean.value == pytest.approx(row.mean.value)


def test_errors() -> None:
    with pytest.raises(SettingError) as caught:
        contrast([PINC()], good=["few-change"])
    assert str(caught.value).startswith(
        "unknown kind of candidate 'few-change'; did you mean 'few-changes'?"
    )
    with pytest.raises(SettingError, match="expected good kinds, each once, found copy, copy"):
        contrast([PINC()], good=["copy", "copy"])
    with pytest.raises(InputError) as caught:
        contrast([PINC()], ContrastSet(("a", "b"), ("x", "y"), ("c", "d")), good=["x"])
    assert str(caught.value) == (
        "expected a source with a candidate of the kind x and one of another kind, found none; add "
        "one, or say which kinds are good"
    )
    with pytest.raises(InputError) as caught:
        contrast([PINC()], ContrastSet(("a",), ("x", "y"), ("c", "d")), good=["x"])
    assert str(caught.value) == ("expected as many sources and kinds as candidates, found 1, 2 and 2")
    with pytest.raises(ShapeError, match="put it in a list"):
        contrast(PINC())
    with pytest.raises(SettingError, match="expected a level between 0 and 1, found 95"):
        contrast([PINC()], level=95)


def test_sources_without_a_good_paraphrase_are_left_out_and_counted() -> None:
    whole = ContrastSet(("a", "a", "b"), ("x", "y", "y"), ("c", "a", "b"))
    part = ContrastSet(("a", "a"), ("x", "y"), ("c", "a"))
    sheet = contrast([PINC()], whole, good=["x"], bootstrap=0)
    assert (sheet.sources, sheet.candidates, sheet.left_out) == (1, 2, 1)
    assert sheet.metrics == contrast([PINC()], part, good=["x"], bootstrap=0).metrics
    assert "1 source without a good paraphrase (x), left out." in render_contrast(sheet)
    assert json.loads(render_contrast(sheet, "json"))["left_out"] == 1
    assert "left out" not in render_contrast(contrast([PINC()], part, good=["x"], bootstrap=0))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "set.tsv"
    path.write_text("kind\tcandidate\tsource\nx\tc\ta\ny\td\ta\n")
    assert read_contrast_set(path) == ContrastSet(("a", "a"), ("x", "y"), ("c", "d"))
    path.write_text("source\tkind\tcandidate\na\tx\tc\nb\ty\td\na\tx\tc\n")
    with pytest.raises(FileFormatError) as caught:
        read_contrast_set(path)
    assert str(caught.value) == (
        f"{path}:4: expected each source, kind and candidate once, found those of line 2 again; "
        "remove one"
    )
    path.write_text("source\tkind\tcandidate\na\t\tc\n")
    with pytest.raises(FileFormatError) as caught:
        read_contrast_set(path)
    assert str(caught.value) == f"{path}:2: column 'kind': expected a text, found nothing"
    path.write_text("source\ttype\tcandidate\na\tx\tc\n")
    with pytest.raises(FileFormatError) as caught:
        read_contrast_set(path)
    assert str(caught.value) == (f"{path}: unknown column 'kind'; known: source, type, candidate")
