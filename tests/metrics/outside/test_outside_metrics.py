"""Metrics of other packages by class and by entry point, and scores of segments from tables."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import paragauge
from paragauge import compare, metric
from paragauge.cli.metrics import metrics
from paragauge.errors import InputError, SettingError
from paragauge.metrics.outside import metric_classes
from paragauge.metrics.outside.given_scores import read_given_scores

MODULE = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.metrics import MeanMetric, mean_stats

__version__ = "1.2"


@dataclass(frozen=True)
class Length(MeanMetric):
    name: ClassVar[str] = "Length"
    summary: ClassVar[str] = "words of the candidate"
    factor: int = 1

    @property
    def needs(self):
        return frozenset()

    def batch_stats(self, batch, system):
        words = [len(text.split()) for text in batch.systems[system]]
        return mean_stats(self.factor * np.array(words, float))


class Unfinished(MeanMetric):
    pass


class NoMetric:
    pass
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = "length_metric_of_a_test"
    Path(tmp_path, f"{name}.py").write_text(MODULE, encoding="utf-8")
    Path(tmp_path, "broken_metric_of_a_test.py").write_text("x = 1 / 0\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.delitem(sys.modules, name, raising=False)
    return name


def test_a_class_by_its_module(module: str) -> None:
    length = metric(f"{module}:Length:factor=2")
    assert length.score(["a b", "c"]).value == 3.0
    assert length.label == f"{module}:Length:factor=2"
    assert metric(length.label) == length
    assert (
        length.signature
        == f"Length|factor:2|from:{module}@1.2|scale:100|v:" + (length.signature.rpartition(":")[2])
    )


def test_a_class_by_an_entry_point(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("WordCount", f"{module}:Length", metric_classes.GROUP)
    monkeypatch.setattr(metric_classes, "entry_points", lambda group: [point])
    metric_classes.announced_metrics.cache_clear()
    try:
        counted = metric("wordcount:factor=3")
        assert counted.label == "wordcount:factor=3"
        assert counted.score(["a b"]).value == 6.0
        with pytest.raises(SettingError, match="did you mean 'wordcount'"):
            metric("wordcont")
    finally:
        metric_classes.announced_metrics.cache_clear()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (":Lenght", "metric '{m}:Lenght': module '{m}' has no 'Lenght'; did you mean 'Length'?"),
        (
            ":NoMetric",
            "metric '{m}:NoMetric': expected a class that derives from paragauge.Metric, found ",
        ),
        (":Unfinished", "metric '{m}:Unfinished': Unfinished does not define batch_stats, needs, name"),
        (":Length:factr=2", "unknown setting of Length 'factr'; did you mean 'factor'? known: factor"),
        (":Length:factor=x", "Length factor: expected a whole number, found 'x'"),
    ],
)
def test_classes_that_are_no_metrics(module: str, spec: str, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        metric(module + spec)
    assert str(caught.value).startswith(message.format(m=module))


def test_the_list_has_announced_metrics_that_cannot_be_used(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"bad": "no_such:X", "bleu": f"{module}:Length", "good": f"{module}:Length"}
    found = {name: EntryPoint(name, value, metric_classes.GROUP) for name, value in points.items()}
    monkeypatch.setattr("paragauge.cli.metrics.announced_metrics", lambda: found)
    monkeypatch.setattr(metric_classes, "announced_metrics", lambda: found)
    listed = CliRunner().invoke(metrics, []).output.splitlines()
    last = [line.split(maxsplit=1) for line in listed[-5:-2]]
    assert [name for name, _ in last] == ["bad", "bleu", "good"]
    assert last[0][1].startswith("cannot be used: metric 'bad': there is no module 'no_such'")
    assert last[1][1].endswith(f"by a name that is taken; write -m {module}:Length")
    assert last[2][1].endswith(f"(from {module}@1.2)")


def test_modules_that_cannot_be_imported(module: str) -> None:
    with pytest.raises(
        SettingError, match=r"^metric 'no_such.part:X': there is no module 'no_such' in"
    ):
        metric("no_such.part:X")
    expected = (
        "metric 'broken_metric_of_a_test:X': importing 'broken_metric_of_a_test' failed: "
        "ZeroDivisionError: division by zero"
    )
    with pytest.raises(SettingError) as caught:
        metric("broken_metric_of_a_test:X")
    assert str(caught.value) == expected


def table(folder: Path, text: str) -> Path:
    path = Path(folder, "scores.tsv")
    path.write_text(text, encoding="utf-8")
    return path


SCORES = "segment\tsystem\tcomet\tter\n" + "".join(
    f"{n}\t{system}\t{value + n / 100}\t{n}\n"
    for n in range(1, 21)
    for system, value in (("base", 0.5), ("mine", 0.9))
)


def test_given_scores_are_tested_as_means(tmp_path: Path) -> None:
    given = read_given_scores([table(tmp_path, SCORES)], ["base", "mine"])
    texts = {name: ["x"] * 20 for name in ("base", "mine")}
    comparison = compare(texts, given, baseline="base", bootstrap=200, randomization=500)
    # 0.5 and 0.9 plus the mean of 0.01 ... 0.20, which is 0.105.
    assert comparison.sheet["base", "comet"].value == pytest.approx(0.605)
    assert comparison.sheet["mine", "comet"].value == pytest.approx(1.005)
    better, same = comparison.differences
    assert better.significant
    assert better.better
    assert not same.significant
    assert not given["ter"].higher_is_better
    assert comparison.sheet["mine", "comet"].signature.startswith(
        "comet|given:scores.tsv|corpus:mean of segments|v:"
    )


def test_batches_read_their_own_segments(tmp_path: Path) -> None:
    from paragauge.metrics.scoring import score_batches
    from paragauge.text.batch import Batch

    given = read_given_scores([table(tmp_path, SCORES)], ["base", "mine"])
    whole = Batch.of({name: ["x"] * 20 for name in ("base", "mine")})
    sheet = score_batches([whole.part(0, 7), whole.part(7, 20)], given, bootstrap=0)
    np.testing.assert_allclose(sheet["mine", "comet"].value, 1.005)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "segment\tsystem\tm\n1\tmien\t1\n",
            "scores.tsv:2: unknown system 'mien'; did you mean 'mine'? known: mine; give its texts too",
        ),
        (
            "segment\tsystem\tm\n1\tmine\t1\n1\tmine\t1\n",
            "scores.tsv:3: segment 1 of 'mine' stands twice",
        ),
        (
            "segment\tsystem\tm\nx\tmine\t1\n",
            "scores.tsv:2: expected a segment's number from 1, found 'x'",
        ),
        (
            "segment\tm\n1\t1\n",
            "scores.tsv: expected the columns segment, system and a column per metric",
        ),
        ("segment\tsystem\n1\tmine\n", "scores.tsv: expected a column with scores beside segment and"),
        ("segment\tsystem\tm\n1\tmine\thigh\n", "scores.tsv:2: column 'm': expected a number, found"),
        (
            "segment\tsystem\tm\n2\tmine\t1\n",
            "scores.tsv: no score by m for segment 1 of 'mine'; every",
        ),
        (
            "segment\tsystem\tm\n1\tmine\t1\n",
            "scores.tsv: no score by m for segment 2 of 'mine'; every",
        ),
        ("segment\tsystem\tm\n1\tmine\t\n2\tmine\t1\n", "scores.tsv: no score by m for segment 1 of"),
    ],
)
def test_wrong_tables(tmp_path: Path, text: str, message: str) -> None:
    def score_table() -> None:
        given = read_given_scores([table(tmp_path, text)], ["mine"])
        paragauge.score({"mine": ["a", "b"]}, given)

    with pytest.raises(InputError) as caught:
        score_table()
    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(message)
