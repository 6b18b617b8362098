"""What fuzzing found stays found: each input of the corpus ends in success or in an error of ours.

A file `corpus/TARGET/NAME` is an input of that target of `tools/fuzz`; `tools/fuzz/run.py TARGET`
looks for more.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent / "corpus"
FUZZ = Path(__file__).parents[2] / "tools" / "fuzz"
INPUTS = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.fixture(scope="module", autouse=True)
def fuzz() -> Iterator[None]:
    """The modules of tools/fuzz can be imported."""
    sys.path.insert(0, str(FUZZ))
    before = signal.getsignal(signal.SIGPROF)
    yield
    signal.signal(signal.SIGPROF, before)
    sys.path.remove(str(FUZZ))


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.relative_to(CORPUS).as_posix())
def test_an_input_that_was_found(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import run as fuzz_run
    from all_targets import TARGETS

    monkeypatch.chdir(tmp_path)
    names = {name.replace(" ", "-"): target for name, target in TARGETS.items()}
    target = names[path.parent.name]
    place = tmp_path / f"input{target.ending}"
    place.write_bytes(path.read_bytes())
    signal.signal(signal.SIGPROF, fuzz_run.raise_slow)
    kind, trace = fuzz_run.attempt(target, place)
    assert kind in ("", "ours"), trace


def test_a_foreign_exception_and_a_slow_input_are_noticed(tmp_path: Path) -> None:
    import run as fuzz_run
    from targets import Target

    def fail(_: Path) -> None:
        raise OverflowError

    def hang(_: Path) -> None:
        signal.raise_signal(signal.SIGPROF)

    signal.signal(signal.SIGPROF, fuzz_run.raise_slow)
    assert fuzz_run.attempt(Target(list, fail), tmp_path)[0] == "foreign OverflowError"
    assert fuzz_run.attempt(Target(list, hang), tmp_path)[0] == "slow"
    assert fuzz_run.attempt(Target(list, lambda _: 70), tmp_path)[0] == "code 70"
    assert fuzz_run.attempt(Target(list, lambda _: 2), tmp_path)[0] == "ours"


def test_mutations_repeat() -> None:
    import random

    from mutators import mutate

    seeds = [b"a\tb\n1\t2.5\n", b'{"a": [1]}']
    one, other = ([mutate(seeds, random.Random(n)) for n in range(200)] for _ in range(2))
    assert one == other
    assert len(set(one)) > 150
