"""What becomes of a run when its pipes break, its disk is full or it is stopped."""

from __future__ import annotations

import fcntl
import gzip
import os
import resource
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and pipes as on Linux")

PARAGAUGE = [sys.executable, "-m", "paragauge"]
DEADLINE = 60.0


def wait_until(condition: Callable[[], bool], process: subprocess.Popen) -> None:
    """Poll until the condition holds; fails when the process ends or a minute has passed."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end, "nothing happened for a minute"
        time.sleep(0.005)


def unread(pipe) -> int:
    """Bytes that were written to a pipe and not yet read."""
    return int.from_bytes(fcntl.ioctl(pipe.fileno(), termios.FIONREAD, b"\0" * 4), sys.byteorder)


def default_signals() -> None:
    # A job in the background inherits an ignored SIGINT.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def start():
    """Start a command with pipes on all streams; killed at the end if it still runs."""
    started = []

    def begin(*arguments: object) -> subprocess.Popen:
        process = subprocess.Popen(
            [*PARAGAUGE, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=default_signals,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def closed():
    """Run a command some of whose streams are closed, as by `<&-`."""

    def run(*arguments: object, streams: list[int]) -> subprocess.CompletedProcess[bytes]:
        def close() -> None:
            for stream in streams:
                os.close(stream)

        return subprocess.run(
            [*PARAGAUGE, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            preexec_fn=close,
            check=False,
            timeout=DEADLINE,
        )

    return run


@pytest.fixture
def pinc(examples):
    return ["score", "-s", examples / "sources.txt", "-c", examples / "edits.txt", "--bootstrap", 5]


def test_the_command_is_installed():
    command = Path(sys.executable).with_name("paragauge")
    if not command.exists():
        pytest.skip("not installed beside the interpreter")
    done = subprocess.run([command, "--version"], capture_output=True, check=True)
    assert done.stdout.startswith(b"paragauge ")


def test_happy_path_in_a_process(fresh, pinc):
    done = fresh(*pinc)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"system ")


def test_errors_in_a_process(fresh, tmp_path):
    for arguments in (["score", "-c", tmp_path / "none", "-s", "x"], ["score", "--bogus"]):
        done = fresh(*arguments)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(b"paragauge: error: ")
        assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("what", ["score", "compare", "metrics", "tokenize", "--help", "--version"])
def test_broken_pipe(examples, tmp_path, pinc, what):
    big = tmp_path / "big.txt"
    big.write_bytes(b"some words, and more of them.\n" * 20_000)
    arguments = {
        "score": pinc,
        "compare": ["compare", *pinc[1:], "-c", examples / "copy.txt", "--randomization", 5],
        "tokenize": ["tokenize", big],
    }.get(what, [what])
    reader, writer = os.pipe()
    os.close(reader)  # nobody will ever read
    try:
        done = subprocess.run(
            [*PARAGAUGE, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            timeout=DEADLINE,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("what", ["score", "tokenize", "metrics"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_full_disk(examples, pinc, what, unbuffered):
    arguments = {"score": pinc, "tokenize": ["tokenize", examples / "copy.txt"]}.get(what, [what])
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PARAGAUGE, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=DEADLINE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.stderr == b"paragauge: error: output: no space left on device\n"
    assert done.returncode == 2


def test_closed_standard_input(closed, examples):
    done = closed("score", "-s", examples / "sources.txt", "-c", "-", streams=[0])
    assert done.returncode == 2
    assert done.stderr.startswith(b"paragauge: error: <stdin>: ")
    assert done.stderr.count(b"\n") == 1


def test_closed_standard_output(closed, pinc, examples):
    # A result that nobody gets is an error.
    for arguments in (pinc, ["tokenize", examples / "copy.txt"]):
        done = closed(*arguments, streams=[1])
        assert b"Traceback" not in done.stderr
        assert done.returncode == 2
        assert done.stderr.count(b"\n") == 1


def test_closed_standard_error(closed, pinc):
    done = closed(*pinc, streams=[2])
    assert done.returncode == 0
    assert done.stdout.startswith(b"system ")


def test_an_error_with_closed_standard_error(closed, tmp_path):
    done = closed("tokenize", tmp_path / "none", streams=[2])
    assert (done.returncode, done.stdout) == (2, b"")


def test_interrupt(start, examples, tmp_path):
    outputs = [tmp_path / "out.tsv", tmp_path / "out.html"]
    process = start(
        "score",
        *("-s", examples / "sources.txt", "-c", "-"),
        *("--segments", outputs[0], "--html", outputs[1]),
    )
    process.stdin.write(b"one line, and then nothing for ever\n")
    process.stdin.flush()
    wait_until(lambda: unread(process.stdin) == 0, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert err.strip() == b"paragauge: interrupted"
    assert list(tmp_path.iterdir()) == []


def test_interrupt_while_tokenizing(start):
    process = start("tokenize")
    process.stdin.write(b"a line\n")
    process.stdin.flush()
    wait_until(lambda: unread(process.stdin) == 0, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE)
    assert (process.returncode, out, err.strip()) == (130, b"", b"paragauge: interrupted")


@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl", "parquet"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda s: s.name)
def test_stopped_while_writing_segments(start, tmp_path, kind, how):
    # 1.5 MB are read, in batches of 8192 lines; then the pipe stays open and silent.
    line = b"some words, and then more of them\n"
    count = 3 * (1 << 19) // len(line)
    sources, target = tmp_path / "sources.txt", tmp_path / f"out.{kind}"
    sources.write_bytes(line * (2 * count))
    target.write_text("old")
    command = ["score", "-s", sources, "-c", "-", "-m", "pinc:order=1", "--bootstrap", 0]
    process = start(*command, "--segments", target)
    process.stdin.write(line * count)
    process.stdin.flush()

    def temporary() -> list[Path]:
        return [path for path in tmp_path.iterdir() if path not in (sources, target)]

    wait_until(lambda: any(path.stat().st_size > 0 for path in temporary()), process)
    process.send_signal(how)
    process.communicate(timeout=DEADLINE)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(how, -how)
    assert target.read_text() == "old"
    if how != signal.SIGKILL:
        assert temporary() == []


def test_gzip_from_a_slow_pipe(start, examples):
    # The first byte arrives alone; the format can be told from the second on.
    data = gzip.compress((examples / "edits.txt").read_bytes())
    process = start("tokenize", "-t", "none")
    process.stdin.write(data[:1])
    process.stdin.flush()
    wait_until(lambda: unread(process.stdin) == 0, process)
    out, err = process.communicate(data[1:], timeout=DEADLINE)
    assert (process.returncode, err) == (0, b"")
    assert out.count(b"\n") == 120


def test_more_threads_than_the_system_gives(monkeypatch, examples):
    # Many systems limit threads or memory; running out is an error message or a slower run.
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # which would take memory for each core

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    inputs = ["-s", examples / "sources.txt", "-c", examples / "copy.txt", "-c", examples / "edits.txt"]
    tests = ["--threads", 100_000, "--randomization", 100_000, "--bootstrap", 0]
    done = subprocess.run(
        [*PARAGAUGE, "compare", *map(str, [*inputs, *tests])],
        capture_output=True,
        preexec_fn=limit,
        check=False,
        timeout=DEADLINE,
    )
    assert b"terminate called" not in done.stderr
    assert done.returncode in (0, 2)
    assert done.stderr.count(b"\n") == (done.returncode == 2)
