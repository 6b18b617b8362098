"""Bitexts for PEM: Chinese pivots and their segmenter."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.bitext import PivotText, prepare_bitext


@pytest.fixture
def chinese(tmp_path: Path) -> PivotText:
    path = tmp_path / "eng-cmn.tsv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("we go to school today .\t我们今天 去学校。\n")
    return PivotText("cmn", str(path), segmenter="jieba")


def test_words_of_a_segmenter(chinese: PivotText, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in with jieba's interface, which gives characters, spaces included."""
    levels: list[int] = []
    segmenter = SimpleNamespace(cut=iter, setLogLevel=levels.append)
    monkeypatch.setitem(sys.modules, "jieba", segmenter)
    bitext = prepare_bitext(chinese, TextForm())
    assert list(bitext.target) == ["我 们 今 天 去 学 校 。"]
    assert levels == [60]  # above CRITICAL: not a word on standard error


def test_jieba_segments_chinese(chinese: PivotText) -> None:
    pytest.importorskip("jieba", reason="jieba is not installed; run: make test-adapters")
    assert list(prepare_bitext(chinese, TextForm()).target) == ["我们 今天 去 学校 。"]
