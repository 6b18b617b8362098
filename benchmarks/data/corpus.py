"""Input for the races: sentence pairs made from the words of the bundled examples.

Words are drawn by their frequency there, with capitals and punctuation, about 20 tokens a sentence.
The second sentence of a pair keeps most of the first one. All lines differ, so that no tool's cache
of repeated lines helps it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def words() -> list[str]:
    """All words of the example texts, as often as they occur."""
    texts = [
        (EXAMPLES / name).read_text(encoding="utf-8") for name in ("sources.txt", "references.tsv")
    ]
    return [word.strip(".,!?;:\"'“”") for text in texts for word in text.split()]


def pairs(count: int, seed: int = 7) -> Iterator[tuple[str, str]]:
    """Pairs (first, second), where the second changes about a quarter of the words."""
    rng = random.Random(seed)
    pool = [word for word in words() if word]
    for _ in range(count):
        first = rng.choices(pool, k=rng.randint(10, 26))
        second = [rng.choice(pool) if rng.random() < 0.25 else word for word in first]
        yield _sentence(first, rng), _sentence(second, rng)


def _sentence(tokens: list[str], rng: random.Random) -> str:
    text = " ".join(tokens)
    comma = text.find(" ", len(text) // 2)
    if comma > 0:
        text = text[:comma] + "," + text[comma:]
    return text[:1].upper() + text[1:] + rng.choice(".......?!")


def write_files(folder: Path, count: int) -> tuple[Path, Path]:
    """The pairs as two plain files: candidates, and references (or sources)."""
    candidates, references = folder / "candidates.txt", folder / "references.txt"
    with (
        candidates.open("w", encoding="utf-8") as left,
        references.open("w", encoding="utf-8") as right,
    ):
        for first, second in pairs(count):
            left.write(first + "\n")
            right.write(second + "\n")
    return candidates, references


def read_lines(path: Path) -> list[str]:
    """All lines of a file, read as a peer's script reads them."""
    with path.open(encoding="utf-8") as lines:
        return [line.rstrip("\n") for line in lines]
