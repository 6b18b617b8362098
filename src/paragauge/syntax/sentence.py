"""An analyzed sentence: what taggers and parsers return, and what metrics take."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.errors import ShapeError


@dataclass(frozen=True)
class Sentence:
    """Words with Penn tags, and with lemmas and dependencies if there are any.

    `heads` are 1-based positions, 0 for the root; `relations` are the labels of those arcs.

    >>> sentence = Sentence(("dogs", "bark"), ("NNS", "VBP"), heads=(2, 0), relations=("nsubj", "root"))
    >>> len(sentence), sentence.lemmas
    (2, None)
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...] | None = None
    heads: tuple[int, ...] | None = None
    relations: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("tags", "lemmas", "heads", "relations"):
            values = getattr(self, name)
            if values is not None and len(values) != len(self.words):
                raise ShapeError(
                    f"{name}: expected {len(self.words)}, one for each word, found {len(values)}"
                )
        for position, head in enumerate(self.heads or (), 1):
            if not 0 <= head <= len(self.words):
                raise ShapeError(
                    f"heads: word {position}: expected 0 (the root) to {len(self.words)}, found {head}"
                )

    def __len__(self) -> int:
        return len(self.words)
