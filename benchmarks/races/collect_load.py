"""Load test of the collection application: many simulated workers on a real server.

    python -m benchmarks.races.collect_load --workers 200 --seconds 120
    python -m benchmarks.races.collect_load --store postgresql --kill server

The script starts a server process on a new store: an SQLite file, or a database of a private
PostgreSQL server with its usual durability. Workers think between tasks, five seconds on
average (the fastest of Chen and Dolan, 2011, took 20); `--think 0` shows the server's
limit. Half of the items need only three answers, so that quotas fill while many ask. At the end the
store is compared with what each worker was told: no acknowledged answer may be missing or stored
twice, no answer may be stored that nobody sent, and quotas, money and answers must agree
(`collect check`). `--kill server` kills the server with SIGKILL halfway and
restarts it; `--kill database` does the same with PostgreSQL. `--endurance 60` runs 50 workers for 60
minutes and samples the server's memory (on Linux): in the last quarter it may be at most 5 % above that
of the second quarter, when all caches are full. The script fails if a check fails.

    python -m benchmarks.races.collect_load --endurance 60
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from benchmarks.data.collect_client import Record, Worker
from benchmarks.race import RESULTS
from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, TierSettings
from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.store.schema import assignments
from paragauge.collect.store.schema_answers import submissions
from paragauge.collect.store.store import Store

WANTED_MEDIAN = 0.1
PLENTY = 100_000
SAMPLE_SECONDS = 5
MOST_GROWTH = 0.05
HELPER = Path(__file__).parents[2] / "tests" / "collect" / "postgresql.py"


def serve(address: str, port: int) -> None:
    """The server, without limits on requests: all workers come from one address here."""
    from paragauge.collect.web.app import create_app
    from paragauge.collect.web.http.connections import run_server
    from paragauge.collect.web.http.rate_limit import Limits

    app = create_app(Store.open(address), limits=Limits.off())
    run_server(app, [socket.create_server(("127.0.0.1", port), backlog=2048)])


def start_server(address: str, port: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "benchmarks.races.collect_load",
        "--serve",
        address,
        "--port",
        str(port),
    ]
    process = subprocess.Popen(command)
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return process
        time.sleep(0.05)
    raise SystemExit("the server did not start")


@contextlib.contextmanager
def place(kind: str) -> Iterator[tuple[str, Any]]:
    """The location of the store, and the PostgreSQL server if there is one."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "collection.db"), None
        return
    spec = importlib.util.spec_from_file_location("postgresql", HELPER)
    if spec is None or spec.loader is None:
        raise SystemExit(f"no such file: {HELPER}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if module.binaries() is None:
        raise SystemExit("no initdb on this machine; install postgresql")
    with module.server([]) as server:
        yield server.database("load"), server


def fill(address: str, count: int) -> None:
    """A campaign with a number of clips."""
    settings = CampaignSettings(
        kind="describe",
        title="Load",
        tiers={1: TierSettings(1, PLENTY)},
        budget_cents=100_000_000,
        fee_percent=20,
    )
    content = {"url": "https://example.org/clip.webm", "start": 1, "end": 5}
    rows = [{"key": f"clip{n}", "content": content} for n in range(count)]
    rows = [row | ({"wanted": {1: 3}} if n % 2 else {}) for n, row in enumerate(rows)]
    with Store.open(address, create=True) as store:
        campaign = campaigns.create(store, settings, "load", "benchmark")
        items.add(store, campaign, rows, "benchmark")


async def load(arguments: argparse.Namespace, address: str, port: int, database: Any) -> Record:
    """All workers at once, with a kill in the middle where one is asked for."""
    record = Record()
    process = await asyncio.to_thread(start_server, address, port)
    end = time.monotonic() + arguments.seconds
    workers = [Worker(n, port, record, arguments.think, end) for n in range(arguments.workers)]
    tasks = [asyncio.create_task(worker.work()) for worker in workers]
    if arguments.endurance:
        tasks.append(asyncio.create_task(watch_memory(process.pid, arguments.memory, end)))
    try:
        if arguments.kill != "none":
            await asyncio.sleep(arguments.seconds / 2)
            if arguments.kill == "database":
                await asyncio.to_thread(database.kill)
                await asyncio.to_thread(database.start)
            else:
                record.seconds += stop(process)
                process = await asyncio.to_thread(start_server, address, port)
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        record.seconds += stop(process)
    return record


async def watch_memory(pid: int, samples: list[float], end: float) -> None:
    """Sample the resident memory of the server, in megabytes, until the end."""
    while time.monotonic() < end:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        samples.append(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
        await asyncio.sleep(min(SAMPLE_SECONDS, max(0.0, end - time.monotonic())))


def check_memory(samples: list[float]) -> list[str]:
    """Print the memory by tenths of the time, and compare the last quarter with the second."""
    size = len(samples)
    if size < 40:
        return [f"{size} samples of memory are too few"]
    tenths = [statistics.median(samples[n * size // 10 : (n + 1) * size // 10]) for n in range(10)]
    print("memory of the server by tenths of the time, MB:", " ".join(f"{mb:.0f}" for mb in tenths))
    early = statistics.median(samples[size // 4 : size // 2])
    late = statistics.median(samples[3 * size // 4 :])
    growth = late / early - 1
    print(f"last quarter against the second: {late:.1f} MB, {early:.1f} MB, {100 * growth:+.1f} %")
    return [] if growth <= MOST_GROWTH else [f"memory grew by {100 * growth:.1f} %"]


def stop(process: subprocess.Popen[bytes]) -> float:
    """Kill the server at once; return the processor time that it used."""
    process.send_signal(signal.SIGKILL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = -signal.SIGKILL
    return used.ru_utime + used.ru_stime


def check(address: str, record: Record) -> list[str]:
    """Problems found in the store."""
    query = sa.select(assignments.c.public_id, submissions.c.text).join(
        submissions, submissions.c.assignment_id == assignments.c.id
    )
    with Store.open(address) as store:
        wrong = find_problems(store)
        with store.read() as connection:
            rows = connection.execute(query).all()
    stored = dict(rows)
    lost = [task for task, text in record.acknowledged.items() if stored.get(task) != text]
    texts = Counter(text for _, text in rows)
    print(f"answers acknowledged: {len(record.acknowledged)}, stored: {len(rows)}, lost: {len(lost)}")
    wrong += [f"acknowledged and not stored: {task}" for task in lost]
    wrong += [f"stored {many} times: {text}" for text, many in texts.items() if many > 1]
    wrong += [f"stored and not sent: {task}" for task in stored if task not in record.sent]
    return wrong


def report(arguments: argparse.Namespace, record: Record) -> float:
    """Print and save the times; return the median over all requests."""
    times = [seconds for kind in record.times.values() for seconds in kind]
    rows = {"all": times, **dict(sorted(record.times.items()))}
    print("\n| request | number | median | 95 % | most |\n|---|---:|---:|---:|---:|")
    results = {}
    for name, seconds in rows.items():
        steps = statistics.quantiles(seconds, n=20) if len(seconds) > 1 else seconds * 19
        results[name] = {"number": len(seconds), "median": statistics.median(seconds), "p95": steps[18]}
        milliseconds = [1000 * value for value in (results[name]["median"], steps[18], max(seconds))]
        print(
            f"| {name} | {len(seconds)} | {' | '.join(f'{value:.0f} ms' for value in milliseconds)} |"
        )
    print(f"\nrequests a second: {len(times) / arguments.seconds:.0f};", dict(record.counts))
    share = 1000 * record.seconds / len(times)
    print(f"processor time of the server: {record.seconds:.0f} s, {share:.1f} ms a request")
    print(f"load of the machine (last minute, everything on it): {os.getloadavg()[0]:.1f}")
    RESULTS.mkdir(parents=True, exist_ok=True)
    name = f"collect_load_{arguments.store}_{arguments.kill}.json"
    (RESULTS / name).write_text(json.dumps(vars(arguments) | {"times": results}, indent=1) + "\n")
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=5, help="seconds between tasks, on average")
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--kill", choices=["none", "server", "database"], default="none")
    parser.add_argument(
        "--endurance", type=float, default=0, metavar="MINUTES", help="50 workers; watch the memory"
    )
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve, arguments.port)
        return
    arguments.memory = []
    if arguments.endurance:
        if arguments.kill != "none":
            parser.error("--endurance watches one server; leave --kill out")
        arguments.workers, arguments.seconds = 50, 60 * arguments.endurance
    if arguments.kill == "database" and arguments.store == "sqlite":
        parser.error("--kill database needs --store postgresql")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    print(
        f"{arguments.workers} workers, {arguments.seconds:g} s, {arguments.think:g} s between tasks, "
        f"{arguments.store}, killed: {arguments.kill}\n"
    )
    with place(arguments.store) as (address, database):
        fill(address, arguments.items)
        record = asyncio.run(load(arguments, address, port, database))
        wrong = check(address, record) + record.wrong
        if arguments.endurance:
            wrong += check_memory(arguments.memory)
    median = report(arguments, record)
    for line in wrong[:20]:
        print("wrong:", line)
    if wrong:
        raise SystemExit(f"{len(wrong)} checks failed")
    verdict = "as wanted" if median < WANTED_MEDIAN else "slower than wanted"
    print(
        f"all checks passed; median {1000 * median:.0f} ms: {verdict} ({WANTED_MEDIAN * 1000:.0f} ms)"
    )


if __name__ == "__main__":
    main()
