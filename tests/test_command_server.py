"""Commands in forks of one interpreter give what commands in interpreters of their own give."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from command_server import CommandServer, write_program

Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["score", "--bogus"],
        ["score", "-s", "{}/sources.txt", "-c", "{}/edits.txt", "-m", "pinc,ter"],
        ["tokenize"],
        ["tokenize", "none.txt"],
        ["metrics"],
    ],
    ids=" ".join,
)
def test_same_as_a_fresh_interpreter(run: Run, fresh: Run, examples: Path, words: list[str]) -> None:
    words = [word.format(examples) for word in words]
    stdin = b"a word, \xc3\xa9\n" * 40_000
    one, two = (runner(*words, stdin=stdin) for runner in (run, fresh))
    assert (one.returncode, one.stdout, one.stderr) == (two.returncode, two.stdout, two.stderr)


def test_a_shell_finds_the_command(command_server: CommandServer, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("One, two.\n")
    script = 'cat text | paragauge tokenize "$NAME" | tr a-z A-Z; paragauge score; echo $?'
    environment = command_server.environment(os.environ | {"NAME": "-"})
    done = subprocess.run(
        ["/bin/sh", "-c", script], cwd=tmp_path, env=environment, capture_output=True, check=True
    )
    assert done.stdout == b"ONE , TWO .\n2\n"
    assert done.stderr.startswith(b"paragauge: error: ")


def test_commands_know_nothing_of_each_other(command_server: CommandServer, tmp_path: Path) -> None:
    before = Path.cwd()
    for name in ("é", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "text").write_text(name)
        done = command_server.run(["tokenize", "text"], folder=tmp_path / name)
        assert done.stdout.decode("utf-8") == f"{name}\n"
    assert Path.cwd() == before
    joined = command_server.run(["tokenize", "none"], join_streams=True)
    assert joined.stdout.startswith(b"paragauge: error: none: no such file")
    assert joined.stderr == b""


def feed(fifo: Path) -> int:
    """The writing end of a FIFO, as soon as a command reads it."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            assert time.monotonic() < deadline, "the command did not start"
            time.sleep(0.01)


def check_nobody_reads(writer: int) -> None:
    """The command that read the FIFO is gone."""
    events = select.poll()
    events.register(writer, 0)  # what is always told: an error, which is that of no reader
    assert events.poll(10_000), "the command still runs"
    os.close(writer)


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


def test_a_command_that_hangs_is_killed(command_server: CommandServer, fifo: Path) -> None:
    errors: list[BaseException] = []

    def call() -> None:
        try:
            command_server.run(["tokenize", str(fifo)], stdin=b"x" * 1_000_000, seconds=2)
        except TimeoutError as error:
            errors.append(error)

    caller = threading.Thread(target=call, daemon=True)
    caller.start()
    writer = feed(fifo)
    caller.join(60)
    assert [str(error) for error in errors] == [
        f"paragauge tokenize {fifo}: not done after 2 s, killed"
    ]
    check_nobody_reads(writer)
    assert command_server.run(["--version"]).returncode == 0


def test_a_command_ends_with_its_client(command_server: CommandServer, fifo: Path) -> None:
    environment = command_server.environment(os.environ)
    program = shutil.which("paragauge", path=environment["PATH"])
    assert program is not None
    with subprocess.Popen([program, "tokenize", fifo], env=environment) as client:
        writer = feed(fifo)
        client.kill()
    check_nobody_reads(writer)
    assert command_server.run(["--version"]).returncode == 0


def test_commands_end_with_the_server(fifo: Path) -> None:
    with CommandServer() as server:
        environment = server.environment(os.environ)
        program = shutil.which("paragauge", path=environment["PATH"])
        assert program is not None
        client = subprocess.Popen([program, "tokenize", fifo], env=environment)
        writer = feed(fifo)
    check_nobody_reads(writer)
    assert client.wait(10) != 0


@pytest.mark.parametrize("name", ["it's a place", "long" * 50], ids=["space", "long"])
def test_python_may_be_anywhere(
    command_server: CommandServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    place = tmp_path / name
    place.symlink_to(Path(sys.executable).parent, target_is_directory=True)
    monkeypatch.setattr("sys.executable", str(place / Path(sys.executable).name))
    program = write_program(tmp_path / "bin $HOME", command_server.address)
    done = subprocess.run([program, "tokenize"], input=b"a b.", capture_output=True, check=True)
    assert done.stdout == b"a b .\n"
