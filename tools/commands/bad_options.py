"""Give each command values that its options do not expect: `make bad-options`.

A run may end in success (0) or in one line of error (2); anything else is a failure: a traceback, exit
code 70 or 1, no message, more than one line of it, or 20 seconds. The values are drawn by a seed from a
list of what people and programs get wrong: numbers of 400 digits, NaN, names of folders and devices,
bytes that are not UTF-8.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
    sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "docs")]

import click

from command_server import CommandServer
from commands.examples import EXAMPLES_BY_COMMAND, make_workspace
from paragauge.cli.main import app

VALUES = (
    *("", " ", "-1", "0", "-0", "1", "7", "99999999", "1" + "0" * 30, "9" * 400, "9" * 5000, "1_000"),
    *(
        "nan",
        "inf",
        "-inf",
        "1e999",
        "1e-400",
        "0.5",
        "-0.5",
        "0x10",
        "٣",
        "½",
        "1:2",
        "2:1",
        "nan:inf",
    ),
    *(
        "a=b",
        "a=",
        "=b",
        "=",
        ":",
        ",",
        "a,b",
        "1,2",
        "1,,2",
        ";",
        "{",
        "[[",
        '{"a": 1}',
        "a:b=c",
        "a|b",
    ),
    *("a\nb", "a\tb", "\x1b[31m", "é𝕏\u2028", "x" * 5000, os.fsdecode(b"caf\xe9"), "%s", "$HOME", "~"),
    *(
        "in",
        "in/none",
        "in/copy.txt",
        "in/loop",
        "in/link",
        "in/copy.txt/x",
        "none/out",
        "out",
        "/",
        "-",
    ),
    *("/dev/null", "in/empty", "in/copy.gz", "pinc", "bleu:order=0", "13a", "text", "all"),
)
OUTPUTS = ("out/full", "/dev/full", "/dev/null", "in/closed/x", "none/x/y", "in/loop")
OUTPUT_OPTIONS = {
    "--output",
    "--html",
    "--segments",
    "--record",
    "--per-pair",
    "--plot",
    "--plots",
    "output",
}
# Flags that start a server or talk to another machine, and names where the value makes no difference.
SKIPPED = {"--browser", "--production", "--help", "--endpoint", "--host"}
SLOW = 20.0  # seconds


@dataclass(frozen=True)
class Attempt:
    """A command line with one value that it does not expect."""

    command: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        shown = (
            repr(word) if len(word) < 60 else f"{word[:40]!r}... ({len(word)})" for word in self.words
        )
        return f"paragauge {' '.join(shown)}"


def parameters(name: str) -> list[click.Parameter]:
    """The options and arguments of a command that are tried."""
    command = app.all_commands()[name]
    return [parameter for parameter in command.params if not SKIPPED & {*parameter.opts}]


def attempts(
    name: str, parameter: click.Parameter, draw: random.Random, count: int
) -> Iterator[Attempt]:
    """The example of a command with some values in the place of what it has for a parameter."""
    words = EXAMPLES_BY_COMMAND[name].words
    start = len(name.split())
    if isinstance(parameter, click.Option) and parameter.is_flag:
        yield Attempt(name, (*words, parameter.opts[0]))
        return
    values = draw.sample(VALUES, count)
    if {*parameter.opts} & OUTPUT_OPTIONS:  # endless as an input
        values[0] = draw.choice(OUTPUTS)
    for value in values:
        if isinstance(parameter, click.Argument):
            at = [n for n, word in enumerate(words) if n >= start and not word.startswith("-")]
            place = draw.choice(at) if at else len(words)
            yield Attempt(name, (*words[:place], value, *words[place + 1 :]))
            continue
        place = next((n for n, word in enumerate(words) if word in parameter.opts), None)
        if place is None or draw.random() < 0.3:  # twice, or with the good value after the bad one
            yield Attempt(name, (*words, parameter.opts[0], value))
        else:
            yield Attempt(name, (*words[: place + 1], value, *words[place + 2 :]))


class OptionBench:
    """A workspace, and a server that runs commands in it."""

    def __init__(
        self, server: CommandServer, folder: Path, names: Sequence[str] = tuple(EXAMPLES_BY_COMMAND)
    ) -> None:
        self.server, self.folder = server, folder
        self.variables = {
            **{name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
            "AWS_EC2_METADATA_DISABLED": "true",
        }
        lines = [EXAMPLES_BY_COMMAND[name].line for name in names]
        make_workspace(folder, self._prepare, lines)
        (folder / "in" / "loop").symlink_to("loop")
        (folder / "in" / "link").symlink_to("s.txt")
        (folder / "in" / "empty").touch()
        (folder / "in" / "closed").mkdir(mode=0o500)

    def _prepare(self, words: Sequence[str], folder: Path) -> None:
        done = self.server.run(words, folder=folder, environment=self.variables)
        if done.returncode:
            raise SystemExit(f"paragauge {' '.join(words)}: {done.stderr.decode()}")

    def problem(self, attempt: Attempt) -> str:
        """What is wrong with the way a run ends, if anything."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "out").mkdir(exist_ok=True)
        (self.folder / "out" / "full").symlink_to("/dev/full")
        for name in ("copy.txt", "copy.gz"):
            shutil.copyfile(self.folder / "in" / "one.txt", self.folder / "in" / name)
        try:
            done = self.server.run(
                attempt.words, folder=self.folder, environment=self.variables, seconds=SLOW
            )
        except TimeoutError:
            return f"not done after {SLOW:g} s"
        except RuntimeError as error:
            return str(error)[-200:]
        text = done.stderr.decode("utf-8", "replace")
        if b"Traceback" in done.stderr or done.returncode not in (0, 2):
            return f"exit code {done.returncode}: {text[-600:]}"
        lines = text.removesuffix("\n").split("\n")
        if done.returncode == 2 and not lines[-1].startswith("paragauge: error: "):
            return f"no message: {text[:300]!r}"
        own = ("paragauge: ", "paragauge meta ")  # papers --demo shows the command that it runs
        if done.returncode == 2 and not all(line.startswith(own) for line in lines):
            return f"other lines on standard error: {text[:600]!r}"
        if len(text) > 2000:
            return f"a message of {len(text)} characters: {text[:200]!r}"
        if hidden := list((self.folder / "out").rglob(".paragauge-*")):
            return f"left behind: {hidden}"
        return ""


def main() -> None:
    """Try the commands that the command line names, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", nargs="*", metavar="COMMAND")
    parser.add_argument("--count", type=int, default=3, help="values for each option")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    names = options.commands or list(EXAMPLES_BY_COMMAND)
    codes: collections.Counter[str] = collections.Counter()
    with CommandServer() as server, tempfile.TemporaryDirectory(prefix="bad-options-") as place:
        tester = OptionBench(server, Path(place).resolve() / "work", names)
        for name in names:
            draw = random.Random(f"{options.seed} {name}")  # noqa: S311  # no secret
            tried = failed = 0
            for parameter in parameters(name):
                for attempt in attempts(name, parameter, draw, options.count):
                    problem = tester.problem(attempt)
                    tried += 1
                    if problem:
                        failed += 1
                        print(f"FAILED {attempt}\n    {problem}", flush=True)
            codes["runs"] += tried
            codes["failures"] += failed
            print(f"{name:<24} {tried:>5} runs  {failed} failures", flush=True)
    print(f"{len(names)} commands, {codes['runs']:,} runs, {codes['failures']} failures")
    sys.exit(bool(codes["failures"]))


if __name__ == "__main__":
    main()
