"""A Spark cluster on this machine: a master and workers, each a process with memory of its own.

It is Spark's standalone cluster as many machines would run it, except that all addresses are 127.0.0.1.
A worker can be killed with all of its executors, as when its machine fails, and workers can be added.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

WAIT_SECONDS = 120
LOOPBACK = "127.0.0.1"
EXECUTOR_MEMORY = "512m"
WORKER_MEMORY = "900m"  # an executor and what Java adds


class StandaloneCluster:
    """A master and `workers` of one core each, with files and logs in `folder`.

    >>> with StandaloneCluster(folder, 3) as cluster:                              # doctest: +SKIP
    ...     engine = SparkEngine(cluster.address, settings=cluster.settings)
    """

    def __init__(self, folder: Path, workers: int) -> None:
        import pyspark

        self.folder = folder
        self.home = Path(pyspark.__file__).parent
        self.address = f"spark://{LOOPBACK}:{_free_port()}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self._wanted = workers
        self._started = 0
        self._master: subprocess.Popen[bytes] | None = None
        (folder / "events").mkdir(parents=True)

    @property
    def settings(self) -> dict[str, str]:
        """Settings of sessions on this cluster; they record the size of each task's shuffle."""
        return {
            "spark.driver.bindAddress": LOOPBACK,
            "spark.driver.host": LOOPBACK,
            "spark.executor.memory": EXECUTOR_MEMORY,
            "spark.pyspark.python": sys.executable,
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.dir": (self.folder / "events").as_uri(),
        }

    def __enter__(self) -> StandaloneCluster:
        port = self.address.rpartition(":")[2]
        try:
            self._master = self._start("master", "master.Master", "--port", port)
            self._wait_for_log("master", "I have been elected leader", 1)
            for _ in range(self._wanted):
                self.add_worker()
            self._wait_for_log("master", "Registering worker", self._wanted)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def add_worker(self) -> None:
        """Start one more worker, which registers with the master soon."""
        name = f"worker{self._started}"
        self._started += 1
        place = self.folder / name
        options = ["--cores", "1", "--memory", WORKER_MEMORY, "--work-dir", str(place), self.address]
        self.workers.append(self._start(name, "worker.Worker", *options))

    def kill_worker(self, process: int) -> None:
        """Kill the worker that started this process, with its executors and their Python processes."""
        for worker in self.workers:
            if process in _tree(worker.pid):
                self.workers.remove(worker)
                _kill_tree(worker.pid)
                worker.wait()
                return
        raise RuntimeError(f"process {process} belongs to no worker")

    def stop(self) -> None:
        """End all processes."""
        for process in [*self.workers, *filter(None, [self._master])]:
            _kill_tree(process.pid)
            process.wait()
        self.workers, self._master = [], None

    def _start(self, name: str, program: str, *options: str) -> subprocess.Popen[bytes]:
        place = str(self.folder / "local")
        variables = {"SPARK_LOCAL_IP": LOOPBACK, "SPARK_HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        variables |= {"SPARK_LOCAL_DIRS": place, "SPARK_DAEMON_MEMORY": "256m"}
        command = [str(self.home / "bin" / "spark-class"), f"org.apache.spark.deploy.{program}"]
        command += ["--host", LOOPBACK, "--webui-port", "0", *options]
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **variables}
            )

    def _wait_for_log(self, name: str, line: str, times: int) -> None:
        log, end = self.folder / f"{name}.log", time.monotonic() + WAIT_SECONDS
        while log.read_text(encoding="utf-8", errors="replace").count(line) < times:
            if time.monotonic() > end:
                raise RuntimeError(f"{log}: expected {line!r} {times} times in {WAIT_SECONDS} s")
            time.sleep(0.1)


@dataclass(frozen=True)
class Stage:
    """The tasks of a stage that read a shuffle: bytes that each read, and bytes written by all."""

    read: tuple[int, ...]
    written: int

    @property
    def skew(self) -> float:
        """The largest task's bytes, in times the mean.

        >>> Stage((10, 10, 40), 0).skew
        2.0
        """
        return max(self.read) * len(self.read) / sum(self.read) if any(self.read) else 0.0


@dataclass(frozen=True)
class ClusterEvents:
    """What the event log of a session tells.

    `writes` are the seconds since 1970 when a task ended that wrote for a shuffle, and the bytes.
    """

    stages: tuple[Stage, ...]
    writes: tuple[tuple[float, int], ...]
    tasks: int
    failed: int
    executors_added: int
    executors_lost: int


def read_events(folder: Path) -> ClusterEvents:
    """Read the event logs of a cluster's sessions."""
    read, written = defaultdict(list), defaultdict(int)
    counts: dict[str, int] = defaultdict(int)
    writes: list[tuple[float, int]] = []
    for log in sorted(path for path in (folder / "events").rglob("*") if path.is_file()):
        for event in _events(log):
            kind = event["Event"]
            counts[kind] += 1
            if kind != "SparkListenerTaskEnd":
                continue
            if event["Task End Reason"]["Reason"] != "Success":
                counts["failed"] += 1
                continue
            metrics, stage = event["Task Metrics"], (log.name, event["Stage ID"])
            shuffle = metrics["Shuffle Read Metrics"]
            read[stage].append(shuffle["Remote Bytes Read"] + shuffle["Local Bytes Read"])
            size = metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            written[stage] += size
            writes.append((event["Task Info"]["Finish Time"] / 1000, size))
    return ClusterEvents(
        tuple(Stage(tuple(sizes), written[stage]) for stage, sizes in read.items()),
        tuple(writes),
        counts["SparkListenerTaskEnd"],
        counts["failed"],
        counts["SparkListenerExecutorAdded"],
        counts["SparkListenerExecutorRemoved"],
    )


def _events(log: Path) -> Iterator[dict]:
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            with contextlib.suppress(json.JSONDecodeError):  # the last line of a session that runs
                yield json.loads(line)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _tree(root: int) -> list[int]:
    """A process and its descendants."""
    children = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may have ended
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children[parent].append(int(stat.parent.name))
    waiting, tree = [root], []
    while waiting:
        process = waiting.pop()
        tree.append(process)
        waiting += children[process]
    return tree


def _kill_tree(root: int) -> None:
    """Kill a process and its descendants, before they can say that they end."""
    for process in _tree(root):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
