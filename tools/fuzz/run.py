"""Fuzz the readers and commands: `python tools/fuzz/run.py TARGET... --seconds 60` or `make fuzz`.

Each target runs in a process of its own. An input fails if it ends in an exception that is not ours,
in a command's exit code other than 0 and 2, in more than 5 seconds of processor time, in 500 MB more
memory than before, or in the end of the process. Failing inputs are kept in `fuzz-failures/TARGET`, and
a table is printed. Without targets, all have an equal share of the time. `--list` lists them.

A long run is made of short ones: with `--record FILE`, what was tried is added to FILE, and the next
run goes on after it; `--goal 10000 --native-goal 100000 --command-goal 100` says how many inputs of a
target are enough.
`python tools/fuzz/table.py FILE` prints the table of the documentation.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gc
import hashlib
import io
import json
import multiprocessing
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
ROOT = Path(__file__).resolve().parents[2]
SLOW = 5.0  # seconds of processor time
DEAD = 120.0  # seconds without an input done until the process is killed
MEMORY = 500 << 20
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108  # in memory: disks are slow


BROKEN = 99  # the exit code of a process in which the fuzzer itself fails


class SeedError(Exception):
    """A target refuses one of its seeds: the target is wrong."""


class SlowError(BaseException):
    """An input takes longer than SLOW."""


def main() -> None:
    """Fuzz the targets that the command line names."""
    from all_targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=float, default=60.0, help="for all targets together")
    parser.add_argument("--inputs", type=int, default=0, help="for each target, instead of a time")
    parser.add_argument("--record", type=Path, help="a file of JSON lines that counts what was tried")
    parser.add_argument("--goal", type=int, default=0, help="inputs of each target, with --record")
    parser.add_argument("--native-goal", type=int, default=0, help="the same for readers in C++")
    parser.add_argument("--command-goal", type=int, default=0, help="the same for commands")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--failures", type=Path, default=ROOT / "fuzz-failures")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    names = options.targets or list(TARGETS)
    unknown = [name for name in names if name not in TARGETS]
    if unknown:
        parser.error(f"unknown target {unknown[0]}; known: {', '.join(TARGETS)}")
    if options.list:
        print("\n".join(names))
        return
    done = read_record(options.record)
    if options.goal:
        goals = {name: goal_of(name, TARGETS[name].native, options) for name in names}
        names = sorted(
            (name for name in names if done[name] < goals[name]), key=lambda n: done[n] / goals[n]
        )
    if len(names) > 3:
        preload()
    if any(name.startswith(("command ", "folder ")) for name in names):
        from command_targets import workspace

        workspace()  # before processes are forked
    share = options.seconds * options.jobs / max(1, len(names))
    if options.goal:
        share = max(share, 10.0)
    end = time.monotonic() + options.seconds
    context = multiprocessing.get_context("fork")
    rows: list[dict[str, Any]] = []
    waiting, running = list(names), []
    while waiting or running:
        if options.goal and time.monotonic() > end:
            waiting.clear()
        while waiting and len(running) < options.jobs:
            name = waiting.pop(0)
            most = goals[name] - done[name] if options.goal else options.inputs
            running.append(Job(context, name, share, most, done[name], options))
        time.sleep(0.05)
        for job in list(running):
            if job.is_done():
                running.remove(job)
                rows.append(job.row())
                print_row(rows[-1])
                if options.record:
                    with options.record.open("a", encoding="utf-8") as record:
                        record.write(json.dumps(rows[-1]) + "\n")
    total = sum(row["inputs"] for row in rows)
    failed = sum(row["failures"] for row in rows)
    print(f"{len(rows)} targets, {total:,} inputs, {failed} failures")
    sys.exit(1 if failed else 0)


def goal_of(name: str, is_native: bool, options: argparse.Namespace) -> int:
    """How many inputs of a target are enough."""
    if name.startswith(("command ", "folder ")):
        return int(options.command_goal or options.goal)
    return int((options.native_goal if is_native else 0) or options.goal)


def read_record(path: Path | None) -> collections.Counter[str]:
    """How many inputs of each target earlier runs have tried."""
    done: collections.Counter[str] = collections.Counter()
    if path and path.exists():
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            done[row["target"]] += row["inputs"] + sum(
                count for kind, count in row["kinds"].items() if kind.startswith("died")
            )
    return done


def preload() -> None:
    """Import once what targets import, before processes are forked."""
    sys.path.insert(0, str(ROOT / "tools" / "docs"))
    from command_server import load

    load()


def print_row(row: dict[str, Any]) -> None:
    """One line of the table."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in row["kinds"].items())
    print(
        f"{row['target']:<28} {row['inputs']:>9,} inputs  {row['accepted']:>8,} accepted  "
        f"{row['slowest']:5.2f} s at most  {row['failures']:>4} failures  {kinds}",
        flush=True,
    )


class Job:
    """The processes that fuzz one target: another one goes on where one died."""

    def __init__(
        self,
        context: Any,
        name: str,
        seconds: float,
        most: int,
        first: int,
        options: argparse.Namespace,
    ) -> None:
        self.name, self.options, self.context = name, options, context
        self.most, self.first = most, first
        self.end = time.monotonic() + seconds
        prefix = f"fuzz-{re.sub(r'[^a-z0-9]+', '-', name)}-"
        self.folder = Path(tempfile.mkdtemp(prefix=prefix, dir=SCRATCH))
        self.state: dict[str, Any] = {"inputs": 0, "accepted": 0, "slowest": 0.0, "kinds": {}}
        self.crashes: collections.Counter[str] = collections.Counter()
        self.start()

    def start(self) -> None:
        """Start a process that begins with the next input."""
        first = self.first + self.state["inputs"] + sum(self.crashes.values())
        self.process = self.context.Process(target=work, args=(self.name, self.folder, first, self))
        self.process.start()
        self.changed = time.monotonic()

    def is_done(self) -> bool:
        """Whether the target has had its time; kills a process that hangs."""
        beat = self.folder / "beat"
        with contextlib.suppress(OSError):
            self.changed = max(self.changed, time.monotonic() - (time.time() - beat.stat().st_mtime))
        if self.process.is_alive():
            if time.monotonic() - self.changed < DEAD:
                return False
            self.process.kill()
        self.process.join()
        self.read()
        code = self.process.exitcode
        if code == 0 or not (self.folder / "state").exists():  # it has not come to its first input
            if code:
                self.crashes["seeds are refused"] += 1
            return True
        if code == BROKEN:
            self.crashes["the fuzzer failed"] += 1
            return True
        keep(self.options.failures, self.name, self.folder / "input", f"died: {code}")
        self.crashes[f"died ({'hang' if code == -9 else code})"] += 1
        if self.has_time(self.state["inputs"]):
            self.start()
            return False
        return True

    def has_time(self, done: int) -> bool:
        """Whether more inputs are to be tried."""
        if self.options.inputs:
            return done < self.most
        return (not self.most or done < self.most) and time.monotonic() < self.end

    def read(self) -> None:
        """Read what the process counted."""
        with contextlib.suppress(OSError, ValueError):
            self.state = json.loads((self.folder / "state").read_text())

    def row(self) -> dict[str, Any]:
        """The line of this target in the table."""
        import shutil

        shutil.rmtree(self.folder, ignore_errors=True)
        kinds = {**self.state["kinds"], **self.crashes}
        return {**self.state, "target": self.name, "kinds": kinds, "failures": sum(kinds.values())}


def work(name: str, folder: Path, first: int, job: Job) -> None:
    """Fuzz a target in this process until its time is over."""
    try:
        work_on(name, folder, first, job)
    except BaseException:  # noqa: BLE001  # what inputs raise is caught in `attempt`
        traceback.print_exc()
        os._exit(BROKEN)
    os._exit(0)


def work_on(name: str, folder: Path, first: int, job: Job) -> None:
    """Fuzz a target."""
    import logging

    from all_targets import TARGETS
    from mutators import mutate

    logging.disable()
    os.chdir(folder)
    begin = time.monotonic()
    target = TARGETS[name]
    seeds = target.seeds(folder)
    path = folder / f"input{target.ending}"
    state = job.state
    signal.signal(signal.SIGPROF, raise_slow)
    done = 0
    saved = time.monotonic()
    limit = SLOW
    for seed in seeds:  # what is not mutated must be accepted; modules are imported before time counts
        path.write_bytes(seed)
        start = time.process_time()
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = target.run(path)
        if code not in (None, 0):
            out.flush()
            raise SeedError(f"{name}: {out.buffer.getvalue().decode()}")  # type: ignore[attr-defined]
        limit = max(limit, SLOW + time.process_time() - start)  # some commands take seconds
    job.end += time.monotonic() - begin
    limit_memory()
    (folder / "state").write_text(json.dumps(state))
    while job.has_time(state["inputs"]):
        draw = random.Random(f"{job.options.seed} {name} {first + done}")  # noqa: S311  # no secret
        data = mutate(seeds, draw)
        path.write_bytes(data)
        if path.name != "input":
            (folder / "input").write_bytes(data)
        start = time.process_time()
        forget_peak()
        memory = peak()
        kind, trace = attempt(target, path, limit)
        seconds = time.process_time() - start
        done += 1
        state["inputs"] += 1
        state["accepted"] += kind == ""
        state["slowest"] = max(state["slowest"], seconds)
        if peak() - memory > MEMORY and not kind.startswith("foreign"):
            kind = "memory"
        if seconds > limit:
            kind = "slow"
        if kind not in ("", "ours"):
            state["kinds"][kind] = state["kinds"].get(kind, 0) + 1
            keep(job.options.failures, name, path, trace or kind)
        if time.monotonic() - saved > 0.5 or kind not in ("", "ours"):
            saved = time.monotonic()
            (folder / "state").write_text(json.dumps(state))
            (folder / "beat").touch()
    (folder / "state").write_text(json.dumps(state))


def raise_slow(*_: object) -> None:
    """End an input that takes too long."""
    raise SlowError


def limit_memory() -> None:
    """Let no input take the machine's memory: 4 GB more than now."""
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (4 << 30),) * 2)


def forget_peak() -> None:
    """Measure the most memory from now on, where the system can (Linux)."""
    with contextlib.suppress(OSError), Path("/proc/self/clear_refs").open("w") as file:
        file.write("5")


def peak() -> int:
    """The most memory this process has taken, in bytes, since `forget_peak`."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size if sys.platform == "darwin" else size << 10


def attempt(target: Any, path: Path, limit: float = SLOW) -> tuple[str, str]:
    """How an input ends: "" if it is accepted, "ours" if it is refused, else what is wrong."""
    from paragauge.errors import ParagaugeError

    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    signal.setitimer(signal.ITIMER_PROF, limit)  # of processor time: other jobs may share the machine
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = target.run(path)
    except ParagaugeError as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        text = str(error)
        if len(text) > 2000 or "Traceback" in text or not text.strip():
            return "message", text[:3000]
        return "ours", ""
    except SlowError:
        return "slow", traceback.format_exc()
    except BaseException as error:  # noqa: BLE001  # that is what it looks for
        signal.setitimer(signal.ITIMER_PROF, 0)
        return f"foreign {type(error).__name__}", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if gc.get_count()[2] > 20:
            gc.collect()
    if isinstance(code, int) and code not in (0, 2):
        out.flush()
        text = out.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]
        return f"code {code}", text[-3000:]
    return ("ours" if code == 2 else ""), ""


def keep(failures: Path, name: str, path: Path, why: str) -> None:
    """Keep an input that failed, once for each kind of failure and place."""
    lines = [line.strip() for line in why.splitlines() if line.strip().startswith("File ")]
    place = (lines[-1] if lines else "") + why.strip().splitlines()[-1][:60]
    digest = hashlib.sha256(place.encode()).hexdigest()[:10]
    folder = failures / name.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / f"{digest}.why").exists():
        with contextlib.suppress(OSError):
            (folder / f"{digest}{path.suffix}").write_bytes(path.read_bytes())
        (folder / f"{digest}.why").write_text(why)


if __name__ == "__main__":
    main()
