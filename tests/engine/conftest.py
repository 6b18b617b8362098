"""Spark for tests: one session after the other, or a skip that says what is missing."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paragauge.engine.spark_engine import SparkEngine
from paragauge.engine.spark_session import stop_spark


@pytest.fixture(scope="session")
def spark_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., SparkEngine]]:
    """An engine for a master; the session is stopped at the end, and what it leaves is looked at."""
    missing = [] if importlib.util.find_spec("pyspark") else ["PySpark (pip install '.[spark]')"]
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing.append("Java (apt-get install openjdk-17-jre-headless)")
    if missing:
        pytest.skip(f"Spark is not tested: no {' and no '.join(missing)} on this machine")
    folder = tmp_path_factory.mktemp("spark é [*]")

    def engine(master: str, place: Path = folder) -> SparkEngine:
        return SparkEngine(master, "1GB" if master.startswith("local[") else None, place)

    yield engine
    stop_spark()
    assert list(folder.iterdir()) == []
