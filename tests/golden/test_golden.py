"""Whole runs on the bundled examples against stored text.

After a change that is meant to change scores or their presentation, write the files anew and read
the difference before it is committed:

    PARAGAUGE_UPDATE_GOLDEN=1 pytest tests/golden

Versions in signatures are replaced by `*`, so that a release changes nothing here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

EXPECTED = Path(__file__).parent / "expected"
SYSTEMS = ["copy", "edits", "rewrites", "free", "scrambled"]

CASES = {
    "score": ["score", "-s", "-r", "-c"],
    "score-metrics": [
        *("score", "-s", "-r", "-c"),
        *("-m", "bleu:source=include,ibleu,bleu-pinc:mean=harmonic", "--bootstrap", "200"),
        *("-m", "pinc-sigmoid:slope=0.1:midpoint=30,targetf1,chrf"),
    ],
    "score-lower-intl": [
        *("score", "-s", "-r", "-c"),
        *("--tokenize", "intl", "--case", "lower", "--seed", "1", "--level", "0.9"),
    ],
    "score-pinc": ["score", "-s", "-c", "-m", "pinc,pinc:count=clip,pinc:order=2"],
    "compare": ["compare", "-s", "-r", "-c"],
    "compare-baseline": [
        *("compare", "-s", "-r", "-c", "-b", "rewrites", "-m", "bleu,pinc,ibleu"),
        *("--correction", "none", "--randomization", "2000", "--bootstrap", "500"),
    ],
}
OTHERS = {"wmt-folder"}  # of test_user_files.py


def arguments(case: str, examples: Path) -> list[str]:
    """The command with the example files in place."""
    files = {
        "-s": ["-s", str(examples / "sources.txt")],
        "-r": ["-r", str(examples / "references.tsv")],
        "-c": [part for name in SYSTEMS for part in ("-c", str(examples / f"{name}.txt"))],
    }
    return [part for word in CASES[case] for part in files.get(word, [word])]


def timeless(text: str) -> str:
    """Without the versions that signatures carry.

    >>> timeless("BLEU|tok:13a|scale:100|v:0.0.1")
    'BLEU|tok:13a|scale:100|v:*'
    """
    return re.sub(r"\|v:[^|\s]+", "|v:*", text)


@pytest.mark.parametrize("case", CASES)
def test_golden(run, examples, case):
    done = run(*arguments(case, examples))
    assert (done.returncode, done.stderr) == (0, b"")
    text = timeless(done.stdout.decode("utf-8"))
    path = EXPECTED / f"{case}.txt"
    if os.environ.get("PARAGAUGE_UPDATE_GOLDEN"):
        EXPECTED.mkdir(exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    assert path.exists(), f"no {path}; run: PARAGAUGE_UPDATE_GOLDEN=1 pytest tests/golden"
    assert text == path.read_bytes().decode("utf-8")


def test_no_file_is_left_over():
    assert {path.stem for path in EXPECTED.iterdir()} == set(CASES) | OTHERS
