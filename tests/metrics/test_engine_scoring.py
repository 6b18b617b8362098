"""Scores by an engine's workers are those of a run on the same texts, to the last bit."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge.encode.encoder_by_name import keep_vectors, open_encoder
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.spark_engine import SparkEngine
from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.engine_scoring import score_table
from paragauge.metrics.scoring import ScoreSheet, score_batches
from paragauge.text.corpus import Corpus

METRICS = [
    *("bleu", "pinc", "ibleu", "bleu-pinc", "targetf1", "chrf", "meteor", "maxsim:order=1"),
    *("pem", "adequacy", "fluency", "pem:adequacy=pivotf1", "pem:features=extended"),
]
CONTEXT = [
    *("cosine", "bertscore", "bert-ibleu", "parascore", "bleu-pinc:adequacy=bertscore"),
    *("pem:adequacy=bertscore", "pem-context", "adequacy-context"),
]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


@pytest.fixture
def table(examples: Path, tmp_path: Path) -> Path:
    """The example as a folder of Parquet files of unequal size, with one more column."""
    columns = {
        "source": lines(examples / "sources.txt"),
        "mine (1)": lines(examples / "rewrites.txt"),
        "copy`s": lines(examples / "copy.txt"),
        "references": [line.split("\t") for line in lines(examples / "references.tsv")],
        "other": list(range(120)),
    }
    columns["source"][7] = " "
    columns["mine (1)"][9] = "a\tb"
    rows, folder = pa.table(columns), tmp_path / "table"
    folder.mkdir()
    for i, (start, stop) in enumerate(((0, 50), (50, 51), (51, 120))):
        pq.write_table(rows[start:stop], folder / f"{i}.parquet", row_group_size=20)
    pq.write_table(rows, tmp_path / "whole.parquet")
    return folder


def corpus(table: Path) -> Corpus:
    systems = {"mine": "mine (1)", "copy": "copy`s"}
    return Corpus(systems, ["source"], ["references"], table)


def same(one: ScoreSheet, two: ScoreSheet) -> None:
    for field in dataclasses.fields(one):
        mine, theirs = getattr(one, field.name), getattr(two, field.name)
        if field.name in ("sums", "resampled"):
            assert list(mine) == list(theirs)
            for key, values in mine.items():
                np.testing.assert_array_equal(
                    values, theirs[key], f"{field.name} of {key}", strict=True
                )
        else:
            assert mine == theirs, field.name


def test_all_metrics_on_duckdb(table: Path) -> None:
    metrics = Metric.from_specs([*METRICS, *CONTEXT], {})
    expected = score_batches(corpus(table.parent / "whole.parquet").batches(), metrics, bootstrap=50)
    assert expected.empty == {"<sources>": 1}
    assert expected.tabbed == {"mine": 1}
    for place in (table, table.parent / "whole.parquet"):
        same(score_table(corpus(place), metrics, DuckDBEngine(), bootstrap=50), expected)


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
def test_spark(table: Path, spark_engine) -> None:
    engine: SparkEngine = spark_engine("local-cluster[2,1,1024]", code=True)
    assert engine._session().conf.get("spark.sql.codegen.wholeStage") == "true"  # Spark's default
    metrics = Metric.from_specs(["bleu", "pinc", "maxsim", *CONTEXT], {})
    seen: list[int] = []
    sheet = score_table(
        corpus(table),
        metrics,
        engine,
        bootstrap=50,
        folder=table.parent,
        observers=[lambda first, stats: seen.append(first)],
    )
    same(sheet, score_batches(corpus(table.parent / "whole.parquet").batches(), metrics, bootstrap=50))
    assert seen[0] == 0


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
def test_workers_keep_vectors(table: Path, spark_engine, tmp_path: Path) -> None:
    engine: SparkEngine = spark_engine("local-cluster[2,1,1024]", code=True)
    vectors = tmp_path / "vectors"
    vectors.mkdir()
    metrics = Metric.from_specs(["cosine"], {})
    expected = score_table(corpus(table), metrics, DuckDBEngine(), bootstrap=0)
    try:
        keep_vectors(vectors)
        kept = score_table(corpus(table), metrics, engine, bootstrap=0, folder=tmp_path)
        keep_vectors(vectors)  # as a new process would
        encoder = open_encoder()
        encoder.encode(pq.read_table(table.parent / "whole.parquet")["copy`s"].to_pylist(), [])
        assert encoder.encoded == 0  # the workers kept the vectors
    finally:
        keep_vectors(None)
    same(kept, expected)


def test_errors(table: Path, tmp_path: Path) -> None:
    pinc = Metric.from_specs(["pinc"], {})

    def run(place: Path, output: str = "mine (1)", metrics=pinc) -> None:
        given = Corpus({"mine": output}, ["source"], ["references"], place)
        score_table(given, metrics, DuckDBEngine(), bootstrap=0)

    with pytest.raises(FileFormatError, match=r"0\.parquet: unknown column 'main'"):
        run(table, "main")
    with pytest.raises(FileFormatError, match=r"column 'other': expected strings .* found int64"):
        run(table, "other")
    with pytest.raises(FileFormatError, match=r"none: no such file"):
        run(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        FileFormatError, match=r"empty: expected a folder with \.parquet files, found none"
    ):
        run(tmp_path / "empty")
    rows = pq.read_table(table / "2.parquet")
    pq.write_table(rows[:0], tmp_path / "empty" / "no.parquet")
    with pytest.raises(FileFormatError, match=r"empty: the table has no rows"):
        run(tmp_path / "empty")
    missing = pa.array([*rows.column("mine (1)").to_pylist()[:-1], None])
    pq.write_table(rows.set_column(1, "mine (1)", missing), table / "2.parquet")
    with pytest.raises(FileFormatError, match=r"row 120: column 'mine \(1\)': expected one candidate"):
        run(table)
    with pytest.raises(
        SettingError, match=r"^MAXSIM with analyzed files cannot be scored on an engine"
    ):
        run(table, metrics=Metric.from_specs(["maxsim:tagger=conllu:analyzed=a.conllu"], {}))


def test_rows_that_vanish_are_noticed(table: Path) -> None:
    class Losing(DuckDBEngine):
        def map(self, *given, **more):
            parts = super().map(*given, **more)
            rows = pq.read_table(parts[0])
            pq.write_table(rows.filter(pa.array([i != 60 for i in range(120)])), parts[0])
            return parts

    with pytest.raises(InputError, match=r"^rows are missing after 0; was the table changed\?$"):
        score_table(corpus(table), Metric.from_specs(["pinc"], {}), Losing(), bootstrap=0)
