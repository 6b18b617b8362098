"""The plots of an evaluation as files."""

from __future__ import annotations

import pytest

from paragauge import BLEU, PINC
from paragauge.errors import FileFormatError
from paragauge.meta.significance.buckets import Buckets
from paragauge.meta.significance.comparison import compare_batches
from paragauge.report.drawing.save import file_name
from paragauge.report.pages.plot_files import figures, save_figures
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.pages.sections.stored_segments import Examples
from paragauge.text.batch import Batch

METRICS = {"bleu": BLEU(), "pinc": PINC()}


@pytest.fixture
def evaluation() -> Evaluation:
    source = ["the cat sat on the mat", "a dog", "two birds sang in a tree"]
    systems = {"copy": source, "a/b": ["a cat sat", "the dog", "birds"], "c": ["x"] * 3}
    batch = Batch.of(systems, sources=source, references=[["the cat sat"], ["a dog", "dog"], ["birds"]])
    examples, buckets = Examples(METRICS), Buckets(METRICS, bootstrap=20)
    result = compare_batches(
        [batch], METRICS, baseline="copy", bootstrap=20, randomization=20, observers=[examples, buckets]
    )
    return Evaluation(result.sheet, examples, result, buckets.groupings())


def test_all_of_them(evaluation, tmp_path):
    paths = save_figures(figures(evaluation), tmp_path / "plots")
    assert [path.name for path in paths] == [
        "plane.svg",
        "scores-bleu.svg",
        "scores-pinc.svg",
        "significance-bleu.svg",
        "significance-pinc.svg",
        "length-bleu.svg",
        "length-pinc.svg",
        "references-bleu.svg",
        "references-pinc.svg",
        "segments-1-copy.svg",
        "segments-2-a-b.svg",
        "segments-3-c.svg",
    ]
    assert sorted(paths) == sorted((tmp_path / "plots").iterdir())
    assert list(figures(evaluation)) == [path.stem for path in paths]


def test_folders(evaluation, tmp_path):
    with pytest.raises(FileFormatError, match="does not exist; make it first"):
        save_figures(figures(evaluation), tmp_path / "a" / "b")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileFormatError, match="expected a folder, found a file"):
        save_figures(figures(evaluation), tmp_path / "file")


def test_file_names():
    assert file_name("BLEU:order=2") == "bleu-order-2"
    assert file_name("..") == "plot"
    assert file_name("système") == "système"
