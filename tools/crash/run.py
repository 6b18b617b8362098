"""Kill every writer at every file-system call, and fill its disk: `make crash`.

A small library (`system_calls.c`, compiled here, preloaded) counts the calls that change the output's
folder: open, write, rename, unlink, mkdir, fsync and so on. Each case first makes an old output, then
runs the command that replaces it, in a new process for each call: the process is killed before that
call, as by kill -9. In a second round each write fails after so many bytes, as on a full disk. Then
each output must be the old or the new one, whole; the next run must succeed, give the new output, and
leave nothing hidden.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
STEPS = 12  # sizes of a full disk
ARMED = "PARAGAUGE_CRASH"
Snapshot = dict[str, str]


@dataclass(frozen=True)
class Case:
    """A command that replaces what an earlier one wrote; `before` makes its input."""

    old: str
    new: str
    before: tuple[str, ...] = ()


LINKS, ENGLISH, FRENCH = "links", "en", "fr"
TABLE = "phrases extract in/en in/fr --alignment in/links"
RULES = "grammar convert in/{} -o out/rules"
CASES = {
    "file": Case(
        "score -s S -c E -m pinc --segments out/s.tsv", "score -s S -c F -m pinc --segments out/s.tsv"
    ),
    "gzip file": Case("rewrite run -r R -c E -o out/r.tsv.gz", "rewrite run -r R -c F -o out/r.tsv.gz"),
    "page and plots": Case(
        "report -s S -c E -m pinc -o out/r.html --plots out/plots --bootstrap 10",
        "report -s S -c F -m pinc -o out/r.html --plots out/plots --bootstrap 10",
    ),
    "controls": Case("controls -s S -o out/c --seed 1", "controls -s S -o out/c --seed 2 --force"),
    "language model": Case(
        "lm train S -n 2 --discount-fallback -o out/lm.bin",
        "lm train E -n 2 --discount-fallback -o out/lm.bin",
    ),
    "phrase table": Case(
        f"{TABLE} --max-length 1 --output out/table", f"{TABLE} --max-length 2 --output out/table"
    ),
    "grammar": Case(RULES.format("old.txt"), RULES.format("new.txt")),
    "generator": Case(
        "generate train grammar out/g --lm-text S --discount-fallback -o out/m",
        "generate train grammar out/g --lm-text E --discount-fallback -o out/m",
        ("grammar convert in/old.txt -o out/g",),
    ),
    "tagger": Case(
        "tagger train in/a.conllu --epochs 1 -o out/t.bin",
        "tagger train in/a.conllu --epochs 2 -o out/t.bin",
    ),
    "judging": Case("generate judge -s S -c E -o out/j", "generate judge -s S -c F -o out/j"),
    "PEM model": Case("PEM out/pem 1", "PEM out/pem 2"),
    "export": Case("EXPORT out/e 1", "EXPORT out/e 2"),
}


def main() -> None:
    """Run the cases that the command line names."""
    if ARMED not in os.environ:
        sys.exit(run_with_library())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--calls", type=int, default=0, help="calls of each case; 0: all")
    options = parser.parse_args()
    names = options.cases or list(CASES)
    unknown = [name for name in names if name not in CASES]
    if unknown:
        parser.error(f"unknown case {unknown[0]}; known: {', '.join(CASES)}")
    sys.path.insert(0, str(ROOT / "tools" / "docs"))
    from command_server import load

    load()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="crash-") as place:
        for name in names:
            failures += Runner(name, CASES[name], Path(place).resolve() / "work", options.calls).run()
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

    def __init__(self, name: str, case: Case, place: Path, calls: int) -> None:
        self.name, self.case, self.place, self.most = name, case, place, calls
        self.problems: list[str] = []
        self.kept = {"old": 0, "new": 0}

    def run(self) -> int:
        """Run the case; prints a line and returns the number of problems."""
        self.prepare()
        old = snapshot(self.place / "out")
        self.ready = self.place.with_name("ready")
        shutil.rmtree(self.ready, ignore_errors=True)
        shutil.copytree(self.place, self.ready, symlinks=True)
        calls = self.count()
        new = snapshot(self.place / "out")
        if old == new:
            raise SystemExit(f"{self.name}: the old and the new output are the same")
        self.states = {"new": new, "old": old}
        self.outputs = {top(name) for name in (*old, *new)}
        for call in spread(1, calls, self.most):
            self.attempt(f"killed before call {call} of {calls}", call, -1)
        size = sum(path.stat().st_size for path in (self.place / "out").rglob("*") if path.is_file())
        for room in spread(0, 2 * size, min(self.most or STEPS, STEPS)):
            self.attempt(f"disk full after {room:,} bytes", -1, room)
        kept = ", ".join(f"{count} {state}" for state, count in self.kept.items())
        print(f"{self.name:<16} {calls:>5} calls  {kept}  {len(self.problems)} problems", flush=True)
        for problem in self.problems[:10]:
            print(f"    {problem}", flush=True)
        return len(self.problems)

    def prepare(self) -> None:
        """The input and the old output."""
        shutil.rmtree(self.place, ignore_errors=True)
        (self.place / "out").mkdir(parents=True)
        make_input(self.place / "in")
        for line in (*self.case.before, self.case.old):
            code = self.fork(line, -1, -1)
            if code:
                raise SystemExit(f"{self.name}: {line} ended with {code}")

    def count(self) -> int:
        """Run the new command to its end; returns how many calls it makes."""
        read, write = os.pipe()
        code = self.fork(self.case.new, 0, -1, write)
        os.close(write)
        with os.fdopen(read) as pipe:
            calls = int(pipe.read() or 0)
        if code or not calls:
            raise SystemExit(f"{self.name}: {self.case.new} ended with {code} after {calls} calls")
        return calls

    def attempt(self, what: str, call: int, room: int) -> None:
        """Run the new command with one failure, look at what is left, and run it again."""
        shutil.rmtree(self.place)
        shutil.copytree(self.ready, self.place, symlinks=True)
        code = self.fork(self.case.new, call, room)
        if code not in (0, 2, -9):
            self.problems.append(f"{what}: exit code {code}")
        self.fork("CLEAN", -1, -1)
        left = snapshot(self.place / "out")
        states = {self.state_of(left, name) for name in {*map(top, left), *self.outputs}}
        if "broken" in states:
            self.problems.append(f"{what}: neither old nor new: {sorted(left)}")
            return
        self.kept["old" if "old" in states else "new"] += 1
        again = self.fork(self.case.new, -1, -1)
        if again:
            self.problems.append(f"{what}: the next run ended with {again}")
        if snapshot(self.place / "out") != self.states["new"]:
            self.problems.append(f"{what}: the next run gave another output")
        hidden = [path.name for path in (self.place / "out").rglob(".paragauge-*")]
        if hidden:
            self.problems.append(f"{what}: left after the next run: {hidden}")

    def state_of(self, left: Snapshot, output: str) -> str:
        """Whether one output, a file or a folder, is as before, or as the command writes it."""
        own = {name: digest for name, digest in left.items() if top(name) == output}
        for state, files in self.states.items():
            if own == {name: digest for name, digest in files.items() if top(name) == output}:
                return state
        return "broken"

    def fork(self, line: str, call: int, room: int, report: int | None = None) -> int:
        """The exit code of a command in a process of its own, negative if it was killed."""
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                os.chdir(self.place)
                library = ctypes.CDLL(os.environ[ARMED])
                if call >= 0 or room >= 0:
                    out = os.fsencode(self.place / "out") + b"/"
                    library.crash_arm(out, ctypes.c_long(call), ctypes.c_long(room))
                code = run_line(line)
                if report is not None:
                    library.crash_calls.restype = ctypes.c_long
                    os.write(report, str(library.crash_calls()).encode())
            except BaseException:  # noqa: BLE001  # the parent sees the code
                traceback.print_exc()
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def run_line(line: str) -> int:
    """Run a command line of ours, or one of the functions that stand for code in Python."""
    from paragauge.cli.main import run

    words = line.split()
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        if words[0] == "CLEAN":
            clean()
            return 0
        if words[0] in ("PEM", "EXPORT"):
            return run_python(*words)
        names = {"S": "sources.txt", "E": "edits.txt", "F": "free.txt", "R": "references.tsv"}
        return run([str(EXAMPLES / names[word]) if word in names else word for word in words])


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


def make_input(folder: Path) -> None:
    """Small files that the cases read."""
    folder.mkdir()
    texts = {
        "en": "the house\nthe book\n",
        "fr": "la maison\nle livre\n",
        "links": "0-0 1-1\n0-0 1-1\n",
        "old.txt": "[NN] ||| answer ||| reply ||| p=0.5\n",
        "new.txt": "[NN] ||| answer ||| reply ||| p=0.25\n[X] ||| [X,1] x ||| y [1] ||| p=1\n",
        "a.conllu": 9
        * (
            "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
        ),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def snapshot(folder: Path) -> Snapshot:
    """The hash of every file that is not hidden, by its path."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".paragauge-" not in path.as_posix()
    }


def top(name: str) -> str:
    """The output that a file belongs to: the first part of its path."""
    return name.partition("/")[0]


def spread(first: int, last: int, most: int) -> Sequence[int]:
    """All numbers of a range, or `most` of them, the ends among them."""
    count = last - first + 1
    if not most or count <= most:
        return range(first, last + 1)
    return sorted({first + round(at * (count - 1) / max(1, most - 1)) for at in range(most)})


if __name__ == "__main__":
    main()
