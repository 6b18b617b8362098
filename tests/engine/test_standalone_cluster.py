"""A master and three workers, one of which is killed and replaced, give the bytes of DuckDB."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.data.standalone_cluster import Stage
from benchmarks.races import standalone_cluster
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.spark_engine import SparkEngine

SETTINGS = {"spark.sql.shuffle.partitions": "4"}


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
@pytest.mark.skipif(os.name != "posix", reason="processes are killed differently on this system")
def test_a_worker_is_killed_and_another_added(
    spark_engine: Callable[..., SparkEngine], tmp_path: Path
) -> None:
    assert spark_engine  # skips without Java or PySpark
    text = standalone_cluster.example_text(120)
    local = standalone_cluster.run_jobs(DuckDBEngine(threads=1), text, tmp_path / "duckdb")
    spark, events = standalone_cluster.run_on_cluster(text, tmp_path, SETTINGS)
    assert standalone_cluster.differences(local, spark) == []
    assert len(local.files) >= 8
    assert all(len(content) > 100 for content in local.files.values())
    assert events.executors_lost >= 1
    assert events.executors_added >= standalone_cluster.WORKERS
    assert any(stage.written > 0 for stage in events.stages)


def test_the_skew_of_a_stage() -> None:
    assert Stage((0, 0), 5).skew == 0
    assert Stage((1, 1, 4), 0).skew == 2
