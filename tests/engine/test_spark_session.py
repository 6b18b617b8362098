"""What can be said about Spark without starting it: settings, errors, what is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paragauge.engine import spark_session
from paragauge.engine.memory_size import parse_size
from paragauge.engine.spark_engine import SparkEngine
from paragauge.engine.spark_errors import explain_error, mark_errors
from paragauge.engine.spark_settings import default_settings, java_environment
from paragauge.errors import (
    EngineError,
    FileFormatError,
    InputError,
    MissingExtraError,
    SettingError,
)


@pytest.mark.parametrize(
    "master",
    [
        "local[2]",
        "local[*]",
        "local[2,4]",
        "local-cluster[2,1,1024]",
        "spark://host:7077",
        "spark://one:7077,two:7077",
        "yarn",
        "k8s://https://host:443",
    ],
)
def test_masters(master: str) -> None:
    assert SparkEngine(master).master == master


@pytest.mark.parametrize(
    "master", ["", "local", "local[]", "local[-1]", "spark:/host", "mesos", "spark://"]
)
def test_what_is_no_master(master: str) -> None:
    with pytest.raises(SettingError, match=r"^master: expected spark://HOST:PORT, .* found '"):
        SparkEngine(master)


def test_memory() -> None:
    assert parse_size("2GiB") == 2 << 30
    with pytest.raises(SettingError, match=r"^memory: expected a size such as .* found '2g'$"):
        SparkEngine("local[1]", memory="2g")


def test_a_local_spark_stays_on_this_machine(tmp_path: Path) -> None:
    for master in ("local[2]", "local-cluster[2,1,1024]"):
        settings = default_settings(master, tmp_path)
        assert settings["spark.driver.bindAddress"] == settings["spark.driver.host"] == "127.0.0.1"
        assert settings["spark.ui.enabled"] == "false"
        assert java_environment(master, tmp_path)["SPARK_LOCAL_IP"] == "127.0.0.1"
    remote = default_settings("spark://host:7077", tmp_path)
    assert "spark.driver.host" not in remote
    assert default_settings("local[2]", tmp_path)["spark.master"] == "local[2,4]"


def test_without_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'paragauge\[spark\]'"):
        list(SparkEngine("local[1]").batches("SELECT 1", {}))


def test_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(MissingExtraError, match=r"^Java, which Spark runs on, .* openjdk-17-jre-head"):
        spark_session.check_java()
    monkeypatch.setenv("JAVA_HOME", "/none")
    with pytest.raises(MissingExtraError, match=r"^JAVA_HOME is /none, where no bin/java is; Java"):
        spark_session.check_java()


@pytest.mark.parametrize("with_home", [False, True], ids=["path", "home"])
@pytest.mark.parametrize("code", [0, 1, None])
def test_spark_is_tested_where_java_runs(
    pytestconfig: pytest.Config,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    code: int | None,
    with_home: bool,
) -> None:
    """On macOS a program `java` is there without Java: the suite and the Makefile look further."""
    make = shutil.which("make")
    place = tmp_path / "a home" / "bin"
    place.mkdir(parents=True)
    if code is not None:
        (place / "java").write_text(f"#!/bin/sh\nexit {code}\n")
        (place / "java").chmod(0o755)
    # No apt-get is on the path, which would install Java.
    monkeypatch.setenv("PATH", str(tmp_path if with_home else place))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    if with_home:
        monkeypatch.setenv("JAVA_HOME", str(place.parent))
    fixtures = pytestconfig.pluginmanager.get_plugin(str(repository / "tests" / "conftest.py"))
    assert fixtures.java_runs() is (code == 0)
    if make is not None:
        (tmp_path / "probe.mk").write_text("probe:\n\t@if $(JAVA); then echo yes; else echo no; fi\n")
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # of `make test`
            monkeypatch.delenv(name, raising=False)
        words = [make, "-f", repository / "Makefile", "-f", tmp_path / "probe.mk", "probe"]
        completed = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
        assert completed.stdout == (b"yes\n" if code == 0 else b"no\n")


def test_a_spark_that_does_not_start() -> None:
    for log, message in (
        ("java.lang.UnsupportedClassVersionError: x", r"^Spark needs Java 17 or later"),
        ("All masters are unresponsive! Giving up.", r"^spark://h:1: no Spark answers there"),
        ("INFO x\nException: port\n", r"^Spark did not start: why Exception: port$"),
    ):
        error = spark_session._start_error("spark://h:1", RuntimeError("why\nmore"), log)
        with pytest.raises(EngineError, match=message):
            raise error


@pytest.mark.parametrize(
    "error",
    [
        InputError("no text"),
        FileFormatError("pärs.tsv", 3, 'expected "a"\nor {b}'),
        SettingError("order: expected 1"),
        EngineError("the disk is full"),
        MissingExtraError("spaCy", "syntax"),
    ],
)
def test_an_error_of_a_worker_arrives_as_it_was(error: Exception) -> None:
    with pytest.raises(RuntimeError) as caught, mark_errors():
        raise error
    text = f"An exception was thrown from the worker.\n{caught.value}\n\nJVM stacktrace:"
    explained = explain_error(RuntimeError(text))
    assert str(explained) == str(error)
    assert isinstance(error, type(explained)) or isinstance(explained, EngineError)


def test_errors_of_others() -> None:
    own = KeyError("x")
    assert explain_error(own) is own
    trace = "Job failed\nTraceback (most recent call last):\n  File x\nValueError: bad\n"
    for text, message in (
        (
            f"{trace}JVM stacktrace:\njava.lang.OutOfMemoryError",
            r"^out of memory; .*\(Spark: ValueError: bad\)",
        ),
        (
            f"{trace}ModuleNotFoundError: No module named 'paragauge'",
            r"^the Python of Spark's workers has no",
        ),
        (
            "java.io.IOException: No space left on device\nat x",
            r"^the disk is full; .*No space left on device\)$",
        ),
        (trace, r"^Spark: ValueError: bad$"),
        ("", r"^Spark: OSError$"),
    ):
        with pytest.raises(EngineError, match=message):
            raise explain_error(OSError(text))
