"""Run the examples in README.md and docs/ and write their output into the pages.

Blocks fenced as `console` hold commands after `$ ` (continued by a backslash) and their output;
blocks fenced as `pycon` hold doctests. Commands run in a temporary folder that has only `examples`, so
that paths are those of a checkout. The blocks of one page share the folder and their variables.
Commands of the package run in forks of one interpreter; see command_server.py.

What an encoder computes differs a little between processors: it multiplies in 8 bits, and its rounding
follows the order of sums. Examples that use one keep their output if only numbers differ, by little.

    python tools/docs/docs_examples.py            # rewrite the pages
    python tools/docs/docs_examples.py --check    # only list outdated pages
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from command_server import CommandServer

ROOT = Path(__file__).parents[2]
SHELL = re.compile(r"[|&;<>()$`*?\[\]{}~!#]")  # characters that only a shell can interpret
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
WITH_ENCODER = re.compile(
    r"context|encoder|bertscore|bert-ibleu|parascore|cosine|Encoder|rewrite|--min-similarity"
)
BLOCK = re.compile(r"^```(console|pycon)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def list_pages() -> list[Path]:
    """Every page with examples."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def refresh_page(text: str, server: CommandServer) -> str:
    """The page with the current output of its examples."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "examples").symlink_to(ROOT / "examples")
        names: dict[str, object] = {}

        def run(block: re.Match[str]) -> str:
            kind, body = block.groups()
            lines = (
                run_commands(body, folder, server)
                if kind == "console"
                else run_statements(body, folder, names)
            )
            refreshed = "\n".join([f"```{kind}", *lines, "```"])
            if WITH_ENCODER.search(body) and is_close(block[0], refreshed):
                return block[0]
            return refreshed

        return BLOCK.sub(run, text)


def is_close(old: str, new: str) -> bool:
    """Whether two outputs are equal but for numbers with decimals that differ by at most 2 % and 0.02.

    Numbers with one decimal, as scores from 0 to 100 have, may differ by one point more.

    >>> is_close("PEM  12.4 of 20", "PEM  11.7 of 20"), is_close("0.98", "0.91"), is_close("20", "21")
    (True, False, False)
    """
    if [text.split() for text in NUMBER.split(old)] != [text.split() for text in NUMBER.split(new)]:
        return False
    for a, b in zip(NUMBER.findall(old), NUMBER.findall(new), strict=True):
        decimals, others = (len(number.partition(".")[2]) for number in (a, b))
        allowed = 0.02 * abs(float(a)) + (1.0 if decimals == 1 else 0.02) if decimals else 0.0
        # Numbers in full precision have as many digits as they need.
        if (decimals != others and min(decimals, others) < 10) or abs(float(a) - float(b)) > allowed:
            return False
    return True


def run_commands(body: str, folder: str, server: CommandServer) -> list[str]:
    """Commands with their output on both streams."""
    environment = server.environment(os.environ | {"COLUMNS": "100", "LC_ALL": "C.UTF-8"})
    lines = []
    for command in re.findall(r"^\$ ((?:.*\\\n)*.*)$", body, re.MULTILINE):
        if command.startswith("paragauge ") and not SHELL.search(command):
            words = shlex.split(command.replace("\\\n", ""))[1:]
            result = server.run(words, folder=folder, environment=environment, join_streams=True)
        else:
            result = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
        printed = result.stdout.decode("utf-8")
        lines += [f"$ {command}", *printed.rstrip("\n").split("\n")]
        if not printed:
            lines.pop()
    return lines


def run_statements(body: str, folder: str, names: dict[str, object]) -> list[str]:
    """Python statements with their output; an error is shown by its last line."""
    lines: list[str] = []
    for example in doctest.DocTestParser().get_examples(body + "\n"):
        first, *rest = example.source.rstrip("\n").split("\n")
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in rest)]
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), contextlib.chdir(folder):
                exec(compile(example.source, "<example>", "single"), names)  # noqa: S102
        except Exception as error:  # noqa: BLE001  # any error is what the page shows
            kind = type(error)
            name = kind.__qualname__
            if kind.__module__ != "builtins":
                name = f"{kind.__module__}.{name}"
            printed.write(f"Traceback (most recent call last):\n    ...\n{name}: {error}\n")
        if printed.getvalue():
            lines += printed.getvalue().rstrip("\n").split("\n")
    # The blank line ends the last output, so that doctest can read the page as well.
    return [*lines, ""]


def main() -> int:
    stale = 0
    with CommandServer() as server:
        for page in list_pages():
            text = page.read_text(encoding="utf-8")
            new = refresh_page(text, server)
            if new != text:
                stale += 1
                print(f"{page.relative_to(ROOT)} was outdated")
                if "--check" not in sys.argv:
                    page.write_text(new, encoding="utf-8")
    return stale if "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
