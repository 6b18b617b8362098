"""Models that several tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.lm import LanguageModel, TextForm
from paragauge.text.line_reader import LineReader

FALLBACK = (0.5, 1.0, 1.5)


@pytest.fixture(scope="session")
def text(examples: Path) -> list[str]:
    """Some English sentences."""
    lines: list[str] = []
    for name in ("sources.txt", "edits.txt", "rewrites.txt", "free.txt"):
        with LineReader(examples / name) as reader:
            lines += list(reader.read(10_000))
    return lines


@pytest.fixture(scope="session")
def form() -> TextForm:
    return TextForm("13a", "lower")


@pytest.fixture(scope="session")
def model(text: list[str], form: TextForm) -> LanguageModel:
    """A 4-gram model of them."""
    return LanguageModel.train(text, order=4, form=form, discount_fallback=FALLBACK)
