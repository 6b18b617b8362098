"""Two runs with different threads, hash seeds, folders and time zones write the same bytes.

The examples of commands that take seconds are compared by `make same-bytes`.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from commands.examples import EXAMPLES_BY_COMMAND
from commands.same_bytes import COMPARED, QUICK, Place, compare, compare_models, differences, two_places
from paragauge.cli.main import app

pytestmark = pytest.mark.xdist_group("same-bytes")  # the workspaces are made once


@pytest.fixture(scope="module")
def places(systran_align: object) -> Iterator[list[Place]]:
    pytest.importorskip("sqlalchemy", reason="the examples have collections")
    with two_places(QUICK) as made:
        yield made


def test_every_command_has_an_example() -> None:
    commands = app.all_commands()
    names = {name for name, command in commands.items() if not isinstance(command, click.Group)}
    assert EXAMPLES_BY_COMMAND.keys() == names
    outputs = (
        "--output",
        "--html",
        "--segments",
        "--record",
        "--per-pair",
        "--plot",
        "--plots",
        "output",
    )
    for name, example in EXAMPLES_BY_COMMAND.items():
        assert example.line.startswith(name)
        for parameter in commands[name].params:
            for option in {*parameter.opts} & {*outputs}:
                used = any(one in example.words for one in parameter.opts)
                assert used or option == "output", f"{name} {option}: not in the example"


def test_only_stores_and_services_may_differ() -> None:
    changing = {name.split()[0] for name, example in EXAMPLES_BY_COMMAND.items() if example.changes}
    assert changing == {"collect"}
    assert {name for name, example in COMPARED.items() if example.timed} == {"grammar evaluate"}


@pytest.mark.parametrize("name", QUICK)
def test_a_command_writes_the_same_bytes(places: list[Place], name: str) -> None:
    assert compare(places, EXAMPLES_BY_COMMAND[name]) == []


def test_models_are_the_same_bytes(places: list[Place]) -> None:
    assert compare_models(places) == []


def test_differences_are_told() -> None:
    found = differences({"a": b"x", "b": b"1"}, {"b": b"2", "c": b""})
    assert found == [
        "a: written by one run only",
        "c: written by one run only",
        "b: byte 0 of 1: b'1' or b'2'",
    ]
