"""Open a paraphraser of any kind from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paragauge.generate.generator import Generator
from paragauge.generate.grammar_based import GrammarBased
from paragauge.generate.model_folder import read_description
from paragauge.generate.phrase_based import PhraseBased
from paragauge.kernels.layout import Floats


def open_generator(
    folder: str | Path,
    *,
    weights: str | Path | Floats | None = None,
    settings: Mapping[str, Any] | None = None,
    threads: int = 0,
) -> Generator:
    """Open the paraphraser in a folder.

    `weights`, as numbers or in a file, replace the folder's. `settings` change decoding settings of the
    folder by name; `PhraseSettings` and `GrammarSettings` list them.

    >>> open_generator("no-such-folder")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: no-such-folder: no such folder; check the path
    """
    root = Path(folder)
    description = read_description(root)
    if description.kind == "grammar":
        return GrammarBased.open(root, description, weights=weights, settings=settings, threads=threads)
    return PhraseBased.open(root, description, weights=weights, settings=settings, threads=threads)
