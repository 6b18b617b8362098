"""Fixtures for all tests. Nothing here depends on the working directory or the network.

Tests give the same result in each run. Hypothesis draws the same examples (profile `paragauge`), and
what a collection draws at random comes from `--identifier-seed`. To look for what may differ:

    make explore                          property tests with other, and ten times as many, examples
    pytest --shuffle 3                    files, and the tests in each, in the order that seed 3 draws
    pytest --identifier-seed 3            other ids, keys and orders of tasks in collections
"""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import itertools
import math
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from command_server import CommandServer
from paragauge.align.systran import has_systran
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

# For small data: few parts, no code that is compiled for one query, and a Java that starts quickly
# rather than one that runs quickly. Tests of grammars and of scores on a local cluster have Spark
# compile code, as it does by default; the test of phrase tables there took twice as long with it.
JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC "
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
SPARK = {
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
}
NO_CODE = {"spark.sql.codegen.wholeStage": "false"}

settings.register_profile(
    "paragauge",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    # A slow machine must not fail a test.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
# For `make explore`: fresh examples, and EXPLORED times as many, also where a test sets their number.
settings.register_profile("explore", settings.get_profile("paragauge"), derandomize=False)
settings.load_profile("paragauge")
EXPLORED = 10


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this suite."""
    group = parser.getgroup("paragauge")
    group.addoption(
        "--shuffle",
        type=int,
        metavar="SEED",
        help="Run files, and the tests in each, in an order drawn by this seed.",
    )
    group.addoption(
        "--identifier-seed",
        type=int,
        default=7,
        metavar="SEED",
        help="Seed of ids, keys and orders of tasks in collections (default: 7).",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle, and give property tests more examples, where asked to."""
    seed = config.getoption("shuffle")
    if seed is not None:
        items[:] = shuffle_items(items, seed)
    if settings.get_current_profile_name() == "explore":
        # One function may be several tests.
        functions = [
            getattr(item.obj, "__func__", item.obj)
            for item in items
            if isinstance(item, pytest.Function) and getattr(item.obj, "is_hypothesis_test", False)
        ]
        for function in dict.fromkeys(functions):
            scale_examples(function)


def shuffle_items(items: list[pytest.Item], seed: int) -> list[pytest.Item]:
    """Files in random order, and the tests in each: the same for the same seed on every worker."""
    draw = random.Random(seed)
    by_file = [list(group) for _, group in itertools.groupby(items, lambda item: item.path)]
    draw.shuffle(by_file)
    for group in by_file:
        draw.shuffle(group)
    return list(itertools.chain.from_iterable(by_file))


def scale_examples(function: Any) -> None:
    """Let Hypothesis try EXPLORED times as many examples of a property."""
    own = function._hypothesis_internal_use_settings
    more = settings(own, max_examples=own.max_examples * EXPLORED)
    function._hypothesis_internal_use_settings = more


@pytest.fixture(scope="session")
def property_settings() -> Callable[..., settings]:
    """Settings for a property inside a test: property_settings(max_examples=12)."""

    def make(*, max_examples: int, **more: Any) -> settings:
        explores = settings.get_current_profile_name() == "explore"
        return settings(max_examples=max_examples * (EXPLORED if explores else 1), **more)

    return make


class SeededRandomness:
    """Ids and secrets of a collection that a seed decides: see `paragauge.collect.store.randomness`."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def token(self, size: int) -> str:
        """`size` bytes as text."""
        with self._lock:
            data = self._random.randbytes(size)
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.fixture(scope="session")
def seeded_source(request: pytest.FixtureRequest) -> Callable[[], SeededRandomness]:
    """Makes a source of ids and secrets that gives the same ones in each run."""
    return lambda: SeededRandomness(request.config.getoption("identifier_seed"))


@pytest.fixture
def seeded_ids(monkeypatch: pytest.MonkeyPatch, seeded_source: Callable[[], SeededRandomness]) -> None:
    """Stores opened by this test, also by the code that it calls, have the same ids in each run."""
    monkeypatch.setattr("paragauge.collect.store.store.SYSTEM", seeded_source())


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[Any], list[Any]]:
    """Look for doctests only where there are some: a test file would be imported twice."""
    nodes = yield
    if b">>>" in file_path.read_bytes():
        return nodes
    return [node for node in nodes if not isinstance(node, DoctestModule)]


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
def systran_align() -> None:
    """Skips where systran-align, the aligner that repeats itself, is not installed."""
    if not has_systran():
        pytest.skip(
            "systran-align is NOT installed: what aligns words is NOT tested; it exists for Python "
            "3.11 on Linux (x86-64) only: pip install '.[test]'"
        )


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


def java_runs() -> bool:
    """Whether there is a Java, and not only a program that tells how to get it, as on macOS."""
    java = Path(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    try:
        return subprocess.run([java, "-version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.fixture(scope="session")
def spark_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., SparkEngine]]:
    """An engine for a master; the session is stopped at the end, and what it leaves is looked at."""
    missing = [] if importlib.util.find_spec("pyspark") else ["PySpark (pip install '.[spark]')"]
    if not java_runs():
        missing.append("Java (apt-get install openjdk-17-jre-headless)")
    if missing:
        pytest.skip(f"Spark is not tested: no {' and no '.join(missing)} on this machine")
    folder = tmp_path_factory.mktemp("spark é [*]")

    def engine(master: str, place: Path = folder, *, code: bool = False) -> SparkEngine:
        settings = SPARK if code else SPARK | NO_CODE
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


@pytest.fixture(scope="session")
def command_server() -> Iterator[CommandServer]:
    """Runs commands in forks of one interpreter, which is as good as a new one and much faster."""
    with CommandServer() as server:
        yield server


@pytest.fixture
def run(
    tmp_path: Path, command_server: CommandServer
) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run the command line in a process of its own."""

    def call(
        *arguments: object, stdin: bytes = b"", cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return command_server.run([str(argument) for argument in arguments], stdin, cwd or tmp_path)

    return call


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run the command line in an interpreter that has just started."""

    def call(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "paragauge", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
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
