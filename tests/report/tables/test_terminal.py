"""Tables on terminals: the long layout, colors, and what switches them on and off."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paragauge import BLEU, PINC, compare, score
from paragauge.report.tables import render_comparison, render_scores
from paragauge.report.tables.score_tables import readable
from paragauge.report.tables.terminal import Terminal, detect_terminal, show_on
from paragauge.text.terminal_columns import width

TEXTS = {
    "base": ["a b c d", "e f g h", "a c", "d e f"] * 5,
    "other": ["a b c x", "e f", "a c", "d e"] * 5,
}
REFERENCES = ["a b c d", "e f g h", "a c e", "d e f"] * 5


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "columns", "color"),
    [
        ({"TERM": "xterm", "COLUMNS": "72"}, 72, True),
        ({"TERM": "xterm", "COLUMNS": "wide"}, None, True),
        ({"TERM": "dumb", "COLUMNS": "72"}, 72, False),
        ({"COLUMNS": "72"}, 72, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, None, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, None, True),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, None, True),
        ({"TERM": "dumb", "FORCE_COLOR": "0"}, None, False),
        ({"TERM": "xterm", "FORCE_COLOR": "1", "NO_COLOR": "1"}, None, False),
    ],
)
def test_what_a_terminal_allows(environment: dict[str, str], columns: int | None, color: bool) -> None:
    assert detect_terminal(FakeTerminal(), environment) == Terminal(columns, color)
    piped = detect_terminal(io.StringIO(), environment)
    assert piped == Terminal(None, color and "FORCE_COLOR" in environment)


def test_a_wide_table_turns_to_records() -> None:
    sheet = score(TEXTS, [BLEU(), PINC()], sources=REFERENCES, references=REFERENCES, bootstrap=0)
    usual = render_scores(sheet)
    needed = max(width(line) for line in usual.split("\n\n")[0].split("\n"))
    with show_on(Terminal(needed)):
        assert render_scores(sheet) == usual
    with show_on(Terminal(needed - 1)):
        lines = render_scores(sheet).split("\n")
    first, second = (sheet["base", name] for name in ("bleu", "pinc"))
    assert lines[:4] == [
        "base",
        f"  {first.title}  {first.value:.2f}",
        f"  {second.title}  {second.value:.2f}",
        "",
    ]
    assert lines[4] == "other"


def test_records_have_every_cell_and_the_titles_over_them() -> None:
    header, rows = ["metric", "system", "x", "y", "verdict"], [["m", "汉字", "1.0", "", "worse"]]
    spans = [("", 2), ("over", 2), ("", 1)]
    with show_on(Terminal(20)):
        text = readable("text", "llrrl", header, rows, ["A note."], spans)
    assert text == "m, 汉字\n  over: x  1.0\n  verdict  worse\n\nA note.\n"
    with show_on(Terminal(10)):
        assert readable("text", "l", ["only"], [["a rather long cell"]], []) == "a rather long cell\n"
        assert readable("markdown", "l", ["only"], [["a rather long cell"]], []).startswith("| only |")


def test_colors_change_nothing_else() -> None:
    sheet = compare(
        TEXTS, [BLEU()], baseline="base", references=REFERENCES, randomization=200, bootstrap=200
    )
    for columns in (None, 40):
        with show_on(Terminal(columns)):
            plain = render_comparison(sheet)
        with show_on(Terminal(columns, color=True)):
            colored = render_comparison(sheet)
        assert "\x1b[31mworse" in colored
        assert colored.startswith("\x1b[1m")
        assert re.sub(r"\x1b\[\d+m", "", colored) == plain


def run_on_a_terminal(tmp_path: Path, environment: dict[str, str]) -> str:
    """What a command writes to a terminal of its own, a pseudo terminal of 30 columns."""
    files = {}
    for name, lines in TEXTS.items():
        files[name] = tmp_path / f"{name}.txt"
        files[name].write_text("\n".join(lines) + "\n", encoding="utf-8")
    mine, theirs = pty.openpty()
    words = ["score", "-m", "bleu,pinc", "-c", files["other"], "-r", files["base"], "-s", files["base"]]
    with subprocess.Popen(
        [sys.executable, "-m", "paragauge", *map(str, words)],
        stdout=theirs,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "20", **environment},
    ) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(mine, 65536)
            except OSError:  # Linux says so at the end of a pseudo terminal
                break
            if not part:
                break
            written += part
        process.wait()
    os.close(mine)
    assert process.returncode == 0
    return written.decode("utf-8").replace("\r\n", "\n")


def test_a_command_on_a_terminal(tmp_path: Path) -> None:
    colored = run_on_a_terminal(tmp_path, {"TERM": "xterm", "NO_COLOR": "", "FORCE_COLOR": ""})
    assert colored.startswith("\x1b[1mother\x1b[0m\n  BLEU")
    plain = run_on_a_terminal(tmp_path, {"TERM": "dumb", "NO_COLOR": "", "FORCE_COLOR": ""})
    assert plain == re.sub(r"\x1b\[\d+m", "", colored)
