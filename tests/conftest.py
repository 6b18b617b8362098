"""Fixtures for all tests. Nothing here depends on the working directory or the network."""

from __future__ import annotations

import contextlib
import importlib.util
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from paragauge.engine.spark_engine import SparkEngine
from paragauge.engine.spark_session import stop_spark
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.syntax.spacy_pipeline import installed_pipelines

REPOSITORY = Path(__file__).parents[1]

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--mute-audio",
)

settings.register_profile(
    "paragauge", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("paragauge")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def examples() -> Path:
    """The bundled example data."""
    return REPOSITORY / "examples"


@pytest.fixture(scope="session")
def benchmark_data() -> Path:
    """Real data that is not part of the project; tests that want it skip without it."""
    folder = Path(os.environ.get("PARAGAUGE_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no benchmark data at {folder}; set PARAGAUGE_DATA to its folder")
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless Chromium, from $PARAGAUGE_CHROMIUM or the PATH."""
    if importlib.util.find_spec("playwright") is None:
        pytest.skip(
            "Playwright is NOT installed: pages are NOT tested in a browser; pip install '.[test]'"
        )
    path = os.environ.get("PARAGAUGE_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip(
            "no Chromium found: pages are NOT tested in a browser; install chromium, or set "
            "PARAGAUGE_CHROMIUM to its path"
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pem_models() -> Any:
    """The module `tests/metrics/pem_models.py`, for its sentences."""
    path = REPOSITORY / "tests" / "metrics" / "pem_models.py"
    spec = importlib.util.spec_from_file_location("pem_models", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def pem_model(pem_models: Any) -> Any:
    """A small PEM model, made by hand."""
    return pem_models.small_model()


@pytest.fixture(scope="session")
def pem_folder(pem_model: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with that model."""
    folder = tmp_path_factory.mktemp("pem")
    pem_model.save(folder)
    return folder


@pytest.fixture(scope="session")
def english_pipeline() -> bool:
    """Whether spaCy and an English pipeline for it are installed."""
    if importlib.util.find_spec("spacy") is None:
        return False
    return bool(installed_pipelines())


@pytest.fixture(scope="session")
def spark_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., SparkEngine]]:
    """An engine for a master; the session is stopped at the end, and what it leaves is looked at."""
    missing = [] if importlib.util.find_spec("pyspark") else ["PySpark (pip install '.[spark]')"]
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing.append("Java (apt-get install openjdk-17-jre-headless)")
    if missing:
        pytest.skip(f"Spark is not tested: no {' and no '.join(missing)} on this machine")
    folder = tmp_path_factory.mktemp("spark é [*]")

    # Small data: few parts, and a Java that starts quickly rather than one that runs quickly.
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    settings = {
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.extraJavaOptions": java,
        "spark.executor.extraJavaOptions": java,
    }

    def engine(master: str, place: Path = folder) -> SparkEngine:
        return SparkEngine(master, "1GB" if master.startswith("local[") else None, place, settings)

    yield engine
    stop_spark()
    assert list(folder.iterdir()) == []


@pytest.fixture
def unprivileged() -> Callable[[], AbstractContextManager[None]]:
    """A context in which permissions count, also for root."""
    if os.name != "posix":
        pytest.skip("permissions work differently on this system")

    @contextlib.contextmanager
    def drop() -> Iterator[None]:
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(user)

    return drop


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run the command line in a process of its own."""

    def call(
        *arguments: object, stdin: bytes = b"", cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "paragauge", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=cwd or tmp_path,
            check=False,
            timeout=120,
        )

    return call


@dataclass(frozen=True)
class Undefined(MeanMetric):
    """The length of a candidate; an empty one has none."""

    name: ClassVar[str] = "Length"
    summary: ClassVar[str] = "for tests"

    @property
    def needs(self) -> frozenset[str]:
        return frozenset()

    def batch_stats(self, batch, system):
        lengths = [float(len(text)) if text else math.nan for text in batch.systems[system]]
        return mean_stats(np.array(lengths))


@pytest.fixture
def undefined() -> MeanMetric:
    """A metric that has no value where the candidate is empty."""
    return Undefined()
