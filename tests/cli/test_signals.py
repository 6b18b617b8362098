"""Ctrl-C and SIGTERM at any moment: one exit path, no traceback, no wrong word."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paragauge.cli import main, signals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")

SIGNALED = {signal.SIGINT: (130, b"paragauge: interrupted\n"), signal.SIGTERM: (143, b"")}
# A finder that sends a signal when a module is looked for, as if it came while that is imported.
FINDER = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests run
from paragauge.cli import signals
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Finder())
from paragauge.__main__ import main
main()
"""


@pytest.mark.parametrize("number", SIGNALED)
@pytest.mark.parametrize("name", ["paragauge.cli.main", "click", "numpy", "paragauge.kernels"])
def test_a_signal_during_an_import(examples, number, name):
    script = FINDER.format(name=name, number=int(number))
    arguments = ["score", "-s", examples / "sources.txt", "-c", examples / "copy.txt", "-m", "pinc"]
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, check=False)
    assert (done.returncode, done.stderr.removeprefix(b"\n")) == SIGNALED[number]
    assert done.stdout == b""


@pytest.mark.parametrize("number", SIGNALED)
def test_a_signal_in_a_command(call, monkeypatch, number):
    def interrupted(**_: object) -> None:
        os.kill(os.getpid(), number)

    monkeypatch.setattr(main.app, "callback", interrupted)
    before = signal.signal(number, signal.default_int_handler)  # it may be ignored where tests run
    try:
        outcome = call()
    finally:
        signal.signal(number, before)
    assert (outcome.code, outcome.err.removeprefix(b"\n")) == SIGNALED[number]


def test_handlers_of_a_program_that_calls_us_come_back(call):
    before = [signal.getsignal(number) for number in signals.SIGNALS]
    assert call("--version").code == 0
    assert [signal.getsignal(number) for number in signals.SIGNALS] == before


def test_an_unknown_error_is_one_line(call, monkeypatch):
    def fail(**_: object) -> None:
        raise OverflowError("9" * 1000)

    monkeypatch.setattr(main.app, "callback", fail)
    monkeypatch.delenv("PARAGAUGE_DEBUG", raising=False)
    outcome = call()
    assert outcome.code == 70
    text = outcome.err.decode()
    assert text.startswith("paragauge: internal error: OverflowError: 99999")
    assert "... (1,000 characters) at test_signals.py:" in text
    assert text.endswith(
        "; please report it with the command and its input, and with what PARAGAUGE_DEBUG=1 shows\n"
    )
    assert text.count("\n") == 1
    monkeypatch.setenv("PARAGAUGE_DEBUG", "1")
    text = call().err.decode()
    assert text.startswith("Traceback (most recent call last):\n")
    assert f'File "{Path(__file__)}"' in text
    assert text.count("paragauge: internal error: ") == 1


def test_the_command_is_installed_with_signals_first(repository):
    text = (repository / "pyproject.toml").read_text()
    assert '\nparagauge = "paragauge.__main__:main"\n' in text
