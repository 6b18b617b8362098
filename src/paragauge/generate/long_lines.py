"""Sentences longer than a paraphraser takes: refused with file and line, or copied and counted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError, unknown_name
from paragauge.generate.generator import Generator
from paragauge.generate.metric_search import apply_form
from paragauge.kernels.layout import Ints
from paragauge.text.bitext import token_counts
from paragauge.text.files import display_name
from paragauge.text.lines import Lines

TOO_LONG = ("error", "copy")
ADVICE = "split it, or have such sentences copied (--too-long copy)"


@dataclass(frozen=True)
class FittingLines:
    """Lines that can be decoded, in which those that are too long are empty, and what these were."""

    lines: Lines
    long: Ints
    copies: list[str]

    def restored(self, texts: list[str]) -> list[str]:
        """The paraphrases with the copies in their places.

        >>> FittingLines(Lines.of(["a", ""]), np.array([1]), ["b c"]).restored(["x", ""])
        ['x', 'b c']
        """
        whole = list(texts)
        for place, text in zip(self.long.tolist(), self.copies, strict=True):
            whole[place] = text
        return whole


def take_fitting_lines(
    generator: Generator,
    lines: Lines,
    too_long: str = "error",
    *,
    path: str | Path = "lines",
    before: int = 0,
    advice: str | None = None,
    threads: int = 0,
) -> FittingLines:
    """The lines of a file, of which `before` precede, as far as the paraphraser takes them.

    `advice` ends the message on a sentence that is refused.
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
            f"expected a sentence of at most {generator.longest} words, got {int(counts[first]):,}; "
            f"{advice or ADVICE}",
        )
    spans = lines.spans.copy()
    spans[long, 1] = spans[long, 0]
    return FittingLines(Lines(lines.buffer, spans), long, [words[place] for place in long.tolist()])
