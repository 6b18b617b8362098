"""Spark's session: started when it is first needed, shared by all engines with its settings.

A process has one Spark at a time. If one is running that was not started here (in a notebook, by
`spark-submit`), it is used and left as it is. One that was started here is replaced when an engine has
other settings, and ends with the process.

Its log goes to a file in a temporary folder, which is removed with everything else in it when the
session ends; the web interface is off; for masters on this machine, all sockets are bound to the
loopback address.

Needs the extra `spark`, and Java 17 or later.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.engine.spark_settings import add_failure_limit, default_settings, java_environment
from paragauge.errors import EngineError, MissingExtraError


@dataclass
class _RunningSession:
    """The session, what it was started with, and its temporary folder (None: not started here)."""

    session: Any
    started_with: tuple[str | None, tuple[tuple[str, str], ...]]
    folder: Path | None


_lock = threading.Lock()
_running: _RunningSession | None = None


def session(master: str | None, settings: Mapping[str, str], folder: str | Path | None) -> Any:
    """The session for this master (None: the one that Spark's own configuration names)."""
    global _running  # a process has one
    require_pyspark()
    requested = (master, tuple(sorted(settings.items())))
    with _lock:
        running = _alive()
        if running is not None and running.folder is not None and running.started_with == requested:
            return running.session
        if running is not None and running.folder is None:
            _check_fit(running.session, master)
            return running.session
        _stop()
        _running = _start(requested, dict(settings), folder)
        return _running.session


def stop_spark() -> None:
    """End the session that was started here, if there is one.

    >>> stop_spark()
    """
    with _lock:
        _stop()


def require_pyspark() -> Any:
    """The module pyspark; an error that says how to install it if it is missing."""
    try:
        import pyspark
    except ImportError:
        raise MissingExtraError("PySpark, which runs queries on many machines,", "spark") from None
    with warnings.catch_warnings(), contextlib.suppress(ImportError):
        # PySpark imports this later, and it warns of new versions of pandas, which is not used here.
        warnings.simplefilter("ignore", FutureWarning)
        import pyspark.testing.utils
    return pyspark


def check_java() -> None:
    """Raise an error that says how to install Java if it is missing."""
    home = os.environ.get("JAVA_HOME")
    if (Path(home, "bin", "java").exists() if home else shutil.which("java")) or (
        "PYSPARK_GATEWAY_PORT" in os.environ
    ):
        return
    where = f"JAVA_HOME is {home}, where no bin/java is; Java" if home else "Java"
    raise MissingExtraError(
        f"{where}, which Spark runs on,",
        command="apt-get install openjdk-17-jre-headless (or install Java 17 or later in another way)",
    )


def _alive() -> _RunningSession | None:
    """The session that is running, started here or elsewhere."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    context = SparkContext._active_spark_context
    if _running is not None and context is _running.session.sparkContext:
        ended = contextlib.suppress(Exception)  # a gateway whose Java is gone raises many things
        with ended:
            if not context._jsc.sc().isStopped():
                return _running
        _stop()
        return None
    return None if context is None else _RunningSession(SparkSession(context), (None, ()), None)


def _check_fit(session: Any, master: str | None) -> None:
    running = session.sparkContext.master
    if master is not None and running not in (master, add_failure_limit(master)):
        raise EngineError(
            f"Spark runs in this process already, with the master {running}, and a process has one; "
            f"use it, or stop it to use {master}"
        )


def _start(
    requested: tuple[str | None, tuple[tuple[str, str], ...]],
    settings: dict[str, str],
    place: str | Path | None,
) -> _RunningSession:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    check_java()
    master = requested[0]
    folder = Path(tempfile.mkdtemp(prefix="paragauge-spark-", dir=place)).resolve()
    # The Java of a session that was stopped elsewhere keeps its settings and would be reused.
    SparkContext._gateway = SparkContext._jvm = None
    conf = SparkConf(loadDefaults=False)
    for name, value in {**default_settings(master, folder), **settings}.items():
        conf.set(name, value)
    handler = _handler()
    try:
        variables = java_environment(master, folder, settings)
        with (folder / "spark.log").open("wb") as log, _environment(variables):
            pipes = {"stdout": log, "stderr": subprocess.STDOUT}
            context = SparkContext(conf=conf, gateway=launch_gateway(conf, pipes))
        context.setLogLevel("ERROR")
        # Errors are raised; this logger of PySpark would print them too, with their Java traces.
        logging.getLogger("SQLQueryContextLogger").disabled = True
        return _RunningSession(SparkSession(context), requested, folder)
    except Exception as error:  # noqa: BLE001  # Java's errors are of many types
        log_text = (folder / "spark.log").read_text("utf-8", "replace")
        _forget(folder)
        raise _start_error(master, error, log_text) from None
    except BaseException:
        _forget(folder)
        raise
    finally:
        # Spark's own interrupt handler cancels all jobs of the process, also those of other code.
        if handler is not None:
            signal.signal(signal.SIGINT, handler)


def _handler() -> Any:
    is_main = threading.current_thread() is threading.main_thread()
    return signal.getsignal(signal.SIGINT) if is_main else None


@contextlib.contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _start_error(master: str | None, error: Exception, log: str) -> EngineError:
    text = f"{error} {log}"
    if "UnsupportedClassVersionError" in text:
        return EngineError("Spark needs Java 17 or later; install it, or set JAVA_HOME to it")
    if "MASTER_URL_NOT_SET" in text:
        return EngineError("Spark has no master; name one, such as spark://host:7077 or local[2]")
    if "All masters are unresponsive" in text or "UnknownHostException" in text:
        return EngineError(f"{master}: no Spark answers there; check the address, and that it runs")
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    wrong = [line for line in log.split("\n") if "Exception" in line or line.startswith("Error")]
    reason = " ".join([*lines[:1], *wrong[:1]])[:300]
    return EngineError(f"Spark did not start: {reason}")


def _stop() -> None:
    """End the session started here and its Java, so that the next one may have other settings."""
    global _running  # a process has one
    if _running is None or _running.folder is None:
        return
    with contextlib.suppress(Exception):  # its Java may be gone already
        _running.session.stop()
    _forget(_running.folder)
    _running = None


def _forget(folder: Path) -> None:
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is not None and getattr(gateway, "proc", None) is not None:
        with contextlib.suppress(Exception):  # as above
            gateway.shutdown()
        gateway.proc.stdin.close()  # which ends Java
        try:
            gateway.proc.wait(timeout=20)
        except subprocess.TimeoutExpired:
            gateway.proc.kill()
            gateway.proc.wait()
        SparkContext._gateway = SparkContext._jvm = None
    SparkContext._active_spark_context = None
    shutil.rmtree(folder, ignore_errors=True)


atexit.register(stop_spark)
