"""The aligners: what is written for them, what they must give, and what goes wrong."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from paragauge.align import aligners, eflomal, systran
from paragauge.align.aligner import Aligner, Alignment
from paragauge.align.aligners import choose_aligner
from paragauge.align.alignment_files import AlignedFiles
from paragauge.align.eflomal import Eflomal, find_eflomal
from paragauge.align.links import Links
from paragauge.align.systran import Systran, has_systran
from paragauge.errors import (
    FileFormatError,
    InputError,
    MissingExtraError,
    ParagaugeError,
    SettingError,
)
from paragauge.text.bitext import Bitext

needs_eflomal = pytest.mark.skipif(
    find_eflomal() is None, reason="eflomal is not installed; run: pip install eflomal"
)
needs_systran = pytest.mark.usefixtures("systran_align")

# A stand-in: reads eflomal's arguments and input, and links equal positions of both sentences.
STAND_IN = """#!{python}
import sys
from pathlib import Path
given = dict(zip(sys.argv[2::2], sys.argv[3::2]))
Path({log!r}).write_text("\\n".join(sys.argv[1:]))
sides = [Path(given[flag]).read_text().splitlines()[1:] for flag in ("-s", "-t")]
lengths = [[int(line.split()[0]) for line in side] for side in sides]
lines = [" ".join(f"{{i}}-{{i}}" for i in range(min(pair))) for pair in zip(*lengths)]
for flag in ("-f", "-r"):
    Path(given[flag]).write_text("".join(line + "\\n" for line in lines))
"""


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    path = tmp_path / "eflomal"
    path.write_text(STAND_IN.format(python=sys.executable, log=str(tmp_path / "log")))
    path.chmod(0o755)
    return path


def program(folder: Path, body: str) -> Path:
    path = folder / "broken"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def bitext() -> Bitext:
    """Made-up sentences of which word i always translates word i, in another order."""
    draw = random.Random(7)
    sources, targets = [], []
    for _ in range(600):
        words = [draw.randrange(25) for _ in range(draw.randrange(2, 7))]
        sources.append(" ".join(f"s{word}" for word in words))
        targets.append(" ".join(f"t{word}" for word in words))
    return Bitext.of(["", *sources, "|||", "s1"], ["t1", *targets, "|||", ""], empty="keep")


def recall(links: Links, bitext: Bitext) -> float:
    hits = expected = 0
    for i, row in enumerate(links):
        source, target = (side.split() for side in bitext[i])
        right = {(a, b) for a, s in enumerate(source) for b, t in enumerate(target) if s[1:] == t[1:]}
        hits += len(right & set(row))
        expected += len(row)
    return hits / expected


@needs_eflomal
def test_eflomal_finds_translations(bitext: Bitext) -> None:
    alignment = Eflomal(samplers=1).align(bitext)
    assert alignment.reverse is not None
    assert len(alignment.forward) == len(alignment.reverse) == len(bitext)
    assert alignment.forward[0] == alignment.forward[len(bitext) - 1] == []
    # eflomal has no seed. Every run finds all of these translations; one in ten may be missed.
    for links in (alignment.forward, alignment.reverse, alignment.symmetrize()):
        assert recall(links, bitext) > 0.9
    for i, row in enumerate(alignment.forward):
        assert len({target for _, target in row}) == len(row), f"pair {i} is no function of the target"
    for i, row in enumerate(alignment.reverse):
        assert len({source for source, _ in row}) == len(row), f"pair {i} is no function of the source"


@needs_systran
def test_systran_finds_translations_and_repeats_itself(bitext: Bitext) -> None:
    alignment = Systran().align(bitext)
    assert alignment.reverse is None
    assert len(alignment.forward) == len(bitext)
    assert alignment.forward[0] == alignment.forward[len(bitext) - 1] == []
    assert recall(alignment.symmetrize(), bitext) > 0.9
    assert Systran().align(bitext).forward == alignment.forward


def test_what_eflomal_is_given(stand_in: Path, tmp_path: Path) -> None:
    bitext = Bitext.of(["a b a", "", "c"], ["x y", "z", "x"], empty="keep")
    alignment = Eflomal(program=stand_in, model=2, samplers=4, null_prior=0.1, iterations=0.5).align(
        bitext
    )
    assert alignment.forward.to_lists() == [[(0, 0), (1, 1)], [], [(0, 0)]]
    # 0.5 * 5000 / sqrt(3) = 1443.4 iterations of the HMM after a quarter of them of IBM 1.
    start = (tmp_path / "log").read_text().split("\n")[:11]
    assert start == ["-q", "-m", "2", "-n", "4", "-N", "0.1", "-1", "360", "-2", "1443"]


@pytest.mark.parametrize(("model", "flags"), [(1, ["-1", "2"]), (3, ["-1", "2", "-2", "1", "-3", "2"])])
def test_models(stand_in: Path, tmp_path: Path, model: int, flags: list[str]) -> None:
    Eflomal(program=stand_in, model=model, iterations=0.0001).align(Bitext.of(["a"], ["b"]))
    assert (tmp_path / "log").read_text().split("\n")[7 : 7 + len(flags)] == flags


def test_long_sentences_are_named(stand_in: Path) -> None:
    long = " ".join(["a"] * 1024)
    fits = " ".join(["a"] * 1023)
    bitext = Bitext.of(["x", long, fits, "x"], ["y", "z", fits, long], names=("a.en", "a.fr"))
    with pytest.raises(InputError) as error:
        Eflomal(program=stand_in).align(bitext)
    assert str(error.value) == (
        "a.en and a.fr: eflomal takes sentences of up to 1,023 tokens, but 2 pairs are longer (up to "
        "1,024 tokens; lines 2, 4); split them, or leave them without links with --too-long skip"
    )
    alignment = Eflomal(program=stand_in, too_long="skip").align(bitext)
    assert alignment.skipped == (2, 4)
    assert alignment.forward.lengths.tolist() == [1, 0, 1023, 0]


def test_only_empty_pairs_need_no_run(tmp_path: Path) -> None:
    bitext = Bitext.of(["", "a"], ["b", ""], empty="keep")
    fails = program(tmp_path, "exit 9")
    assert Eflomal(program=fails).align(bitext).forward.to_lists() == [[], []]
    if has_systran():
        assert Systran().align(bitext).forward.to_lists() == [[], []]


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        (
            "echo first >&2; echo bad thing >&2; exit 3",
            ParagaugeError,
            "ended with code 3: bad thing; ",
        ),
        ("exit 1", ParagaugeError, "ended with code 1; run it by hand"),
        ("kill -9 $$", ParagaugeError, "ended with code -9; "),
        ("exit 0", ParagaugeError, r"broken result .*forward: no such file"),
    ],
)
def test_a_program_that_fails(tmp_path: Path, body: str, kind: type, message: str) -> None:
    with pytest.raises(kind, match=message):
        Eflomal(program=program(tmp_path, body)).align(Bitext.of(["a"], ["b"]))


def test_a_program_that_gives_too_few_lines(tmp_path: Path) -> None:
    broken = program(
        tmp_path,
        'while [ $# -gt 1 ]; do case $1 in -f|-r) echo 0-0 > "$2";; esac; shift; done',
    )
    with pytest.raises(
        ParagaugeError,
        match=r"broken result .*forward has 1 line, but there are at least 2 .*; make room in",
    ):
        Eflomal(program=broken).align(Bitext.of(["a", "b"], ["c", "d"]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": 4}, "model: expected 1, 2 or 3, found 4"),
        ({"samplers": 0}, "samplers: expected a whole number from 1 to 100, found 0"),
        ({"iterations": 0.0}, "iterations: expected a number from 0 to 1,000, found 0.0"),
        ({"null_prior": 1.0}, "null_prior: expected a number between 0 and 1, found 1.0"),
        ({"too_long": "cut"}, "unknown treatment of long sentences 'cut'; known: error, skip"),
        ({"threads": -1}, "threads: expected a whole number"),
    ],
)
def test_settings_of_eflomal(settings: dict, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Eflomal(**settings)


def test_settings_of_systran() -> None:
    with pytest.raises(
        SettingError, match="iterations: expected a whole number from 1 to 1,000, found 0"
    ):
        Systran(iterations=0)


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="program: expected an executable file, found none at"):
        Eflomal(program=tmp_path / "none").align(Bitext.of(["a"], ["b"]))


def test_the_best_installed_aligner(monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"eflomal": Path("/x"), "systran": True}
    monkeypatch.setattr(aligners, "find_eflomal", lambda: here["eflomal"])
    monkeypatch.setattr(aligners, "has_systran", lambda: here["systran"])
    assert choose_aligner() == Eflomal()
    assert choose_aligner("systran") == Systran()
    here["eflomal"] = None
    assert choose_aligner() == Systran()
    assert choose_aligner("eflomal", too_long="skip", threads=2) == Eflomal(too_long="skip", threads=2)
    here["systran"] = False
    with pytest.raises(MissingExtraError) as error:
        choose_aligner()
    assert str(error.value) == (
        "an aligner is not installed; run: pip install eflomal (the better one; GPL-3), "
        "or, with Python 3.11 on Linux (x86-64), pip install systran-align"
    )


def test_an_aligner_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eflomal, "find_eflomal", lambda: None)
    monkeypatch.setattr(systran, "has_systran", lambda: False)
    bitext = Bitext.of(["a"], ["b"])
    with pytest.raises(MissingExtraError, match=r"eflomal is not installed; run: pip install eflomal$"):
        Eflomal().align(bitext)
    with pytest.raises(MissingExtraError) as error:
        Systran().align(bitext)
    assert str(error.value) == (
        "systran-align is not installed; run: pip install systran-align, with Python 3.11 on Linux "
        "(x86-64); elsewhere use eflomal: pip install eflomal"
    )


def test_a_worker_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(systran, "has_systran", lambda: True)
    monkeypatch.setattr(sys, "executable", str(program(tmp_path, "echo no memory >&2; exit 4")))
    with pytest.raises(ParagaugeError, match="systran-align ended with code 4: no memory; install"):
        Systran().align(Bitext.of(["a"], ["b"]))


def test_symmetric_links_take_no_heuristic() -> None:
    links = Links.from_lists([[(0, 0)]])
    alignment = Alignment("x-1", links)
    assert alignment.symmetrize() is links
    with pytest.raises(SettingError, match="x-1 gives links that are symmetric already, so 'union'"):
        alignment.symmetrize("union")


def test_files_as_an_aligner(tmp_path: Path) -> None:
    forward, reverse = tmp_path / "f.txt", tmp_path / "r.txt"
    forward.write_text("0-0 1-1\n\n")
    reverse.write_text("0-0\n0-0\n")
    bitext = Bitext.of(["a b", "c"], ["d e", "f"])
    aligner: Aligner = AlignedFiles(forward, reverse)
    assert (aligner.name, aligner.symmetric) == (f"{forward} and {reverse}", False)
    assert aligner.align(bitext).symmetrize("intersection").to_lists() == [[(0, 0)], []]
    assert AlignedFiles(forward).symmetric
    with pytest.raises(FileFormatError, match=r"f\.txt:1: link 1-1, but the source has 1 token; "):
        AlignedFiles(forward).align(Bitext.of(["a", "c"], ["d e", "f"]))


def test_every_aligner_keeps_the_protocol() -> None:
    aligners: list[Aligner] = [Eflomal(), Systran(), AlignedFiles("x")]
    assert [aligner.symmetric for aligner in aligners] == [False, True, True]
    assert np.all([aligner.name for aligner in aligners])
