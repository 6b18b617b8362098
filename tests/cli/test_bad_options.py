"""Values that options do not expect end in one line of error; `make bad-options` tries more of them."""

from __future__ import annotations

import random

import pytest

from command_server import CommandServer
from commands.bad_options import VALUES, Attempt, OptionBench, attempts, parameters
from commands.examples import EXAMPLES_BY_COMMAND

# Found by `make bad-options`.
FOUND: tuple[tuple[str, ...], ...] = (
    ("score", "-s", "in/s.txt", "-c", "in/edits.txt", "-m", "pinc", "-s", "9" * 5000),
    ("score", "-s", "in/s.txt", "-c", "in/edits.txt", "-m", "pinc", "--seed", "x" * 5000),
)
pytestmark = pytest.mark.xdist_group("bad-options")  # the workspace is made once


@pytest.fixture(scope="module")
def tester(
    command_server: CommandServer, tmp_path_factory: pytest.TempPathFactory, systran_align: object
) -> OptionBench:
    pytest.importorskip("sqlalchemy", reason="the examples have collections")
    return OptionBench(command_server, tmp_path_factory.mktemp("bad-options") / "work")


@pytest.mark.parametrize("name", EXAMPLES_BY_COMMAND)
def test_a_command_with_a_bad_value(tester: OptionBench, name: str) -> None:
    if name == "collect serve":
        pytest.skip("with some ports it would serve")
    draw = random.Random(name)
    for parameter in draw.sample(parameters(name), min(1, len(parameters(name)))):
        attempt = next(attempts(name, parameter, draw, 1))
        assert tester.problem(attempt) == "", attempt


@pytest.mark.parametrize("words", FOUND, ids=lambda words: " ".join(words)[:60])
def test_what_was_found(tester: OptionBench, words: tuple[str, ...]) -> None:
    assert tester.problem(Attempt(words[0], words)) == ""


def test_values_are_tried_in_the_place_of_the_example() -> None:
    parameter = next(one for one in parameters("lm train") if "--output" in one.opts)
    tried = list(attempts("lm train", parameter, random.Random(7), 9))
    assert all(attempt.words[:3] == ("lm", "train", "in/s.txt") for attempt in tried)
    assert {len(attempt.words) for attempt in tried} == {10, 12}
    assert len(set(VALUES)) == len(VALUES)
