"""Sentences too long for a paraphraser: rejected with file and line, or copied and counted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from paragauge.errors import FileFormatError, unknown_name
from paragauge.generate.generator import Generator
from paragauge.generate.metric_search import apply_form
from paragauge.kernels.layout import Ints
from paragauge.text.bitext import token_counts
from paragauge.text.files import display_name
from paragauge.text.lines import Lines

LongLines = Literal["error", "copy"]
TOO_LONG: tuple[LongLines, ...] = get_args(LongLines)
ADVICE = "split it, or copy such sentences (--too-long copy)"


@dataclass(frozen=True)
class FittingLines:
    """Lines for decoding, in which lines that are too long are empty, and the texts of these."""

    lines: Lines
    long: Ints
    copies: list[str]

    def insert_copies(self, texts: list[str]) -> list[str]:
        """The paraphrases, with the copies of long lines in their places.

        >>> FittingLines(Lines.of(["a", ""]), np.array([1]), ["b c"]).insert_copies(["x", ""])
        ['x', 'b c']
        """
        complete = list(texts)
        for place, text in zip(self.long.tolist(), self.copies, strict=True):
            complete[place] = text
        return complete


def take_fitting_lines(
    generator: Generator,
    lines: Lines,
    too_long: LongLines = "error",
    *,
    path: str | Path = "lines",
    before: int = 0,
    advice: str | None = None,
    threads: int = 0,
) -> FittingLines:
    """Separate the lines that are too long for the paraphraser from the others.

    `before` is the number of lines of the file before these. `advice` ends the message about a sentence
    that is rejected.
    """
    if too_long not in TOO_LONG:
        raise unknown_name("treatment of long sentences", too_long, TOO_LONG)
    words = apply_form(lines, generator.form, threads)
    counts = token_counts(words)
    long = np.flatnonzero(counts > generator.longest)
    if len(long) == 0:
        return FittingLines(lines, long, [])
    if too_long == "error":
        first = int(long[0])
        raise FileFormatError(
            display_name(path),
            before + first + 1,
            f"expected a sentence of at most {generator.longest} words, found {int(counts[first]):,}; "
            f"{advice or ADVICE}",
        )
    spans = lines.spans.copy()
    spans[long, 1] = spans[long, 0]
    return FittingLines(Lines(lines.buffer, spans), long, [words[place] for place in long.tolist()])
