"""Kill every writer at every file-system call, and fill its disk: `make crash`.

A small library (`system_calls.c`, compiled here, preloaded) counts the calls that change the output's
folder: open, write, rename, unlink, mkdir, fsync and so on, of Python and of native code. Each case
first makes an old output. Then its command, which replaces the output, runs once and stops before each
call while the folder is looked at: that is what a kill there would leave. What can be left in hidden
files does not count. For each different state, and with `--every` for each call, the command runs again
and is killed there, as by kill -9. Last, writes fail after so many bytes, as on a full disk. Each time,
every output must be the old or the new one, whole; the next run must succeed, give the new output, and
leave nothing hidden.

`--record FILE` adds a line of JSON for each case; `--table FILE` prints them for the documentation.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from cases import CASES, Case

ROOT = Path(__file__).resolve().parents[2]
ARMED = "PARAGAUGE_CRASH"
HIDDEN = re.compile(r"\.paragauge-[0-9a-f]{8}-[0-9]+-[0-9a-f]{12}")
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108  # in memory: disks are slow
Snapshot = dict[str, str]


def main() -> None:
    """Run the cases that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--calls", type=int, default=0, help="kills of each case; 0: all")
    parser.add_argument("--every", action="store_true", help="kill at every call, not at every state")
    parser.add_argument("--sizes", type=int, default=12, help="sizes of a full disk")
    parser.add_argument("--quick", action="store_true", help="leave out commands that take seconds")
    parser.add_argument("--record", type=Path, help="a file of JSON lines; cases in it are left out")
    parser.add_argument("--table", type=Path, help="print the table of such a file, and nothing else")
    parser.add_argument("--seconds", type=float, default=0.0, help="start no case after this time")
    options = parser.parse_args()
    if options.table:
        print_table(options.table)
        return
    if ARMED not in os.environ:
        sys.exit(run_with_library())
    names = options.cases or list(CASES)
    unknown = [name for name in names if name not in CASES]
    if unknown:
        parser.error(f"unknown case {unknown[0]}; known: {', '.join(CASES)}")
    if options.quick:
        names = [name for name in names if not CASES[name].is_slow]
    if options.record and options.record.exists():
        done = {row["case"] for row in read_rows(options.record)}
        names = [name for name in names if name not in done]
    from command_server import load

    load()
    failures, end = 0, time.monotonic() + (options.seconds or 1e9)
    with tempfile.TemporaryDirectory(prefix="crash-", dir=SCRATCH) as place:
        work = Path(place).resolve() / "work"
        for name in names:
            if time.monotonic() > end:
                break
            runner = Runner(name, CASES[name], work, options)
            failures += runner.run()
            if options.record:
                with options.record.open("a", encoding="utf-8") as record:
                    record.write(json.dumps(runner.row()) + "\n")
    sys.exit(1 if failures else 0)


def run_with_library() -> int:
    """Compile the library and run this program again with it."""
    with tempfile.TemporaryDirectory() as place:
        library = Path(place, "system_calls.so")
        source = Path(__file__).with_name("system_calls.c")
        compiler = os.environ.get("CC", "cc")
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl", "-lpthread"],
            check=True,
        )
        environment = os.environ | {"LD_PRELOAD": str(library), ARMED: str(library)}
        environment["PYTHONPATH"] = str(ROOT / "src")
        return subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode


class Runner:
    """One case: how often it is killed, and what is left each time."""

    def __init__(self, name: str, case: Case, place: Path, options: argparse.Namespace) -> None:
        self.name, self.case, self.place, self.options = name, case, place, options
        self.problems: list[str] = []
        self.kept = {"old": 0, "new": 0}
        self.calls, self.kills, self.full = 0, 0, 0
        self.followed: set[tuple[str, ...]] = set()

    @property
    def out(self) -> Path:
        """The folder that is watched."""
        return self.place / "out"

    def run(self) -> int:
        """Run the case; prints a line and returns the number of problems."""
        self.prepare()
        old = self.snapshot()
        self.ready = self.place.with_name("ready")
        shutil.rmtree(self.ready, ignore_errors=True)
        shutil.copytree(self.out, self.ready, symlinks=True)
        found, written = self.watch()
        new = self.snapshot()
        if old == new:
            raise SystemExit(f"{self.name}: the old and the new output are the same")
        self.states = {"new": new, "old": old}
        self.outputs = {self.output_of(name) for name in (*old, *new)}
        for call in spread(found, self.options.calls):
            self.attempt(f"killed before call {call} of {self.calls}", call, -1)
            self.kills += 1
        for step in range(self.options.sizes):
            room = written * step // self.options.sizes
            self.attempt(f"disk full after {room:,} of {written:,} bytes", -1, room)
            self.full += 1
        row = self.row()
        print(
            f"{self.name:<24} {self.calls:>5} calls {self.kills:>4} kills {self.full:>3} full disks  "
            f"{self.kept['old']:>3} old {self.kept['new']:>3} new  {row['problems']} problems",
            flush=True,
        )
        for problem in self.problems[:10]:
            print(f"    {problem}", flush=True)
        return len(self.problems)

    def row(self) -> dict[str, object]:
        """What is recorded."""
        counts = {"calls": self.calls, "kills": self.kills, "full": self.full}
        return {"case": self.name, **counts, **self.kept, "problems": len(self.problems)}

    def prepare(self) -> None:
        """The input and the old output."""
        from commands.examples import make_workspace

        def run(words: Sequence[str], _: Path) -> None:
            self.check(words)

        lines = [*self.case.before, self.case.old, self.case.new]
        shutil.rmtree(self.place, ignore_errors=True)
        make_workspace(self.place, run, lines)
        for line in (*self.case.before, self.case.old):
            if line:
                self.check(split(line))

    def check(self, words: Sequence[str]) -> None:
        """Run a command that must succeed."""
        code = self.fork(words, -1, -1)
        if code:
            raise SystemExit(f"{self.name}: {' '.join(words)} ended with {code}")

    def watch(self) -> tuple[list[int], int]:
        """Run the new command to its end; returns calls with different states, and bytes written."""
        called, tell = os.pipe()
        wait, answer = os.pipe()
        report, write = os.pipe()
        pid = self.start(split(self.case.new), 0, -1, (tell, wait, write))
        for end in (tell, wait, write):
            os.close(end)
        states: dict[tuple[str, ...], int] = {}
        found = []
        while os.read(called, 1):
            self.calls += 1
            state = self.left_state()
            if state not in states or self.options.every:
                states[state] = self.calls
                found.append(self.calls)
            os.write(answer, b"x")
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with os.fdopen(report) as pipe:
            written = int(pipe.read() or 0)
        for end in (called, answer):
            os.close(end)
        if code or not self.calls:
            raise SystemExit(f"{self.name}: {self.case.new} ended with {code} after {self.calls} calls")
        return found, written

    def left_state(self) -> tuple[str, ...]:
        """What is in the folder: the content of files, but of hidden ones only whether there is any."""
        found = []
        for path in sorted(self.out.rglob("*")):
            name = path.relative_to(self.out).as_posix()
            with contextlib.suppress(FileNotFoundError):  # another thread may go on
                if not path.is_file():
                    text = "folder"
                elif HIDDEN.search(name):
                    text = "some" if path.stat().st_size else "empty"
                else:
                    text = digest(path)
                found.append(f"{HIDDEN.sub('*', name)} {text}")
        return tuple(found)

    def attempt(self, what: str, call: int, room: int) -> None:
        """Run the new command with one failure, look at what is left, and run it again."""
        shutil.rmtree(self.out)
        shutil.copytree(self.ready, self.out, symlinks=True)
        code = self.fork(split(self.case.new), call, room)
        if code not in (0, 2, -9):
            self.problems.append(f"{what}: exit code {code}")
        if code == 2 and list(self.out.rglob(".paragauge-*")):
            self.problems.append(f"{what}: hidden files after an error")
        state = self.left_state()
        self.fork(["CLEAN"], -1, -1)
        left = self.snapshot()
        outputs = {*map(self.output_of, left), *self.outputs}
        states = {name: self.state_of(left, name) for name in outputs}
        broken = sorted(name for name, state in states.items() if state == "broken")
        if broken:
            self.problems.append(f"{what}: neither old nor new: {broken}")
            return
        self.kept["old" if "old" in states.values() else "new"] += 1
        is_done = "old" not in states.values()
        if state not in self.followed and not (self.case.is_store and is_done):
            self.followed.add(state)
            self.follow(what)

    def follow(self, what: str) -> None:
        """The next run."""
        again = self.fork(split(self.case.new), -1, -1)
        if again:
            self.problems.append(f"{what}: the next run ended with {again}")
        if self.snapshot() != self.states["new"]:
            self.problems.append(f"{what}: the next run gave another output")
        hidden = [path.name for path in self.out.rglob(".paragauge-*")]
        if hidden:
            self.problems.append(f"{what}: left after the next run: {hidden}")

    def snapshot(self) -> Snapshot:
        """The hash of every file that is not hidden, by its path; of a store, that of its rows."""
        hashes = {}
        for path in sorted(self.out.rglob("*")):
            name = path.relative_to(self.out).as_posix()
            if not path.is_file() or ".paragauge-" in name:
                continue
            if self.case.is_store:
                if path.suffix == ".db":
                    hashes[name] = digest_rows(path)
            elif name in [timed.removeprefix("out/") for timed in self.case.timed]:
                hashes[name] = "timed"
            else:
                hashes[name] = digest(path)
        return hashes

    def state_of(self, left: Snapshot, output: str) -> str:
        """Whether one output, a file or a folder, is as before, or as the command writes it."""
        own = {name: value for name, value in left.items() if self.output_of(name) == output}
        for state, files in self.states.items():
            if own == {name: value for name, value in files.items() if self.output_of(name) == output}:
                return state
        return "broken"

    def output_of(self, name: str) -> str:
        """The output that a file belongs to: the first part of its path."""
        return name if self.case.by_file else name.partition("/")[0]

    def fork(self, words: Sequence[str], call: int, room: int) -> int:
        """The exit code of a command in a process of its own, negative if it was killed."""
        return os.waitstatus_to_exitcode(os.waitpid(self.start(words, call, room), 0)[1])

    def start(
        self, words: Sequence[str], call: int, room: int, pipes: tuple[int, int, int] | None = None
    ) -> int:
        """Start a command in a process of its own; with pipes it waits at each call."""
        pid = os.fork()
        if pid:
            return pid
        code = 70
        try:
            os.chdir(self.place)
            library = ctypes.CDLL(os.environ[ARMED])
            if call >= 0 or room >= 0:
                out = os.fsencode(self.out) + b"/"
                library.crash_arm(out, ctypes.c_long(call), ctypes.c_long(room))
            if pipes:
                library.crash_watch(pipes[0], pipes[1])
            code = run_line(words)
            if pipes:
                library.crash_bytes.restype = ctypes.c_long
                os.write(pipes[2], str(library.crash_bytes()).encode())
        except BaseException:  # noqa: BLE001  # the parent sees the code
            traceback.print_exc()
        finally:
            os._exit(code)


def split(line: str) -> list[str]:
    """The words of a command line."""
    import shlex

    return shlex.split(line)


def run_line(words: Sequence[str]) -> int:
    """Run a command line of ours, or one of the functions that stand for code in Python."""
    from paragauge.cli.main import run

    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        if words[0] == "CLEAN":
            clean()
            return 0
        if words[0] == "COPY":
            shutil.copyfile(*words[1:])
            return 0
        if words[0] in ("PEM", "EXPORT"):
            return run_python(*words)
        return run(list(words))


def clean() -> None:
    """What the next run in each folder does before its own work."""
    from paragauge.text.saving.leftovers import clean_up

    for folder in [Path("out"), *(path for path in Path("out").rglob("*") if path.is_dir())]:
        if folder.is_dir():
            clean_up(folder, again=True)


def run_python(kind: str, output: str, number: str) -> int:
    """Save a PEM model, or export rows; an error of ours is exit code 2, as in a command."""
    import dataclasses

    from paragauge.collect.corpus.export_files import export_rows
    from paragauge.errors import ParagaugeError
    from paragauge.metrics.pem.model import open_model

    try:
        if kind == "PEM":
            model = open_model("english")
            dataclasses.replace(model, about={"number": number}).save(output, f"# Model {number}\n")
        else:
            with export_rows(output, {"source": str, "target": str}, {}, plain=True) as rows:
                rows.write({"source": [f"a {number}"] * 9, "target": [f"b {number}"] * 9})
    except ParagaugeError:
        return 2
    return 0


def digest(path: Path) -> str:
    """The hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_rows(path: Path) -> str:
    """How many rows the tables of a store have; "damaged" if SQLite finds fault with it."""
    import sqlite3

    try:
        with contextlib.closing(sqlite3.connect(path)) as store:
            if store.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                return "damaged"
            query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            tables = [name for (name,) in store.execute(query)]
            counts = [store.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables]  # noqa: S608
    except sqlite3.Error:
        return "damaged"
    return json.dumps(dict(zip(tables, counts, strict=True)))


def spread(calls: Sequence[int], most: int) -> Sequence[int]:
    """All calls, or `most` of them, the first and the last among them."""
    if not most or len(calls) <= most:
        return calls
    return [calls[round(at * (len(calls) - 1) / max(1, most - 1))] for at in range(most)]


def read_rows(path: Path) -> list[dict[str, object]]:
    """The lines of a record."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def print_table(path: Path) -> None:
    """The table of the documentation."""
    fields = ("calls", "kills", "full", "old", "new", "problems")
    print("| Writer | Calls | Kills | Full disks | Old output left | New output left | Problems |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    rows = read_rows(path)
    for row in rows:
        print(f"| `{row['case']}` | " + " | ".join(f"{row[field]:,}" for field in fields) + " |")
    totals = [sum(int(str(row[field])) for row in rows) for field in fields]
    print(f"| {len(rows)} writers | " + " | ".join(f"{total:,}" for total in totals) + " |")


if __name__ == "__main__":
    main()
