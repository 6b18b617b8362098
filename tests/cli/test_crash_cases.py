"""Every command that writes is killed by `make crash`, and every command is fuzzed by `make fuzz`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from commands.examples import EXAMPLES_BY_COMMAND, SECRETS
from crash.cases import CASES, WITHOUT_CASE

FUZZ = Path(__file__).parents[2] / "tools" / "fuzz"


def test_every_command_that_writes_is_killed() -> None:
    writers = {
        name
        for name, example in EXAMPLES_BY_COMMAND.items()
        if example.writes or example.changes == SECRETS
    }
    assert writers - CASES.keys() == set()
    assert set(WITHOUT_CASE) <= EXAMPLES_BY_COMMAND.keys() - CASES.keys()


def test_a_case_replaces_an_output_or_adds_to_a_store() -> None:
    for name, case in CASES.items():
        assert case.old or case.is_store, f"{name}: what does it replace?"
        assert case.old != case.new
        assert "out/" in case.new


def test_every_command_is_fuzzed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sqlalchemy", reason="the examples have collections")
    monkeypatch.syspath_prepend(str(FUZZ))
    from all_targets import TARGETS, command_targets, targets

    read = {name for name, example in EXAMPLES_BY_COMMAND.items() if example.inputs}
    fuzzed = {name.removeprefix("command ") for name in TARGETS if name.startswith("command ")}
    assert read - fuzzed == set(command_targets.LEFT_OUT)
    assert set(targets.NATIVE) == {name for name, target in TARGETS.items() if target.native}
    for name in (
        *("all_targets", "command_targets", "model_targets", "several_file_targets", "targets"),
    ):
        sys.modules.pop(name, None)
