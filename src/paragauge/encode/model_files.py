"""The files that sentence-transformers and transformers save beside the weights of a model.

`modules.json` lists the steps from a text to its vector: a Transformer, a Pooling, and perhaps a
Normalize, each with its folder. Without it the folder is that of the transformer, and the mean of the
pieces' vectors is taken. Other steps, such as Dense, are refused: they change the sentence's vector.

`1_Pooling/config.json` says how a sentence's vector is made from those of its pieces. Done here are
the mean (which has the direction of the sum by the root of the length, and vectors are scaled to
length 1) and the first piece. `sentence_bert_config.json` says how many pieces are read at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError
from paragauge.text.numbers import parse_json
from paragauge.text.saving.sealed_json import unseal_json

MODULES = "modules.json"
# A window has the two special pieces and at least one other.
LEAST_LIMIT = 3
STEPS = ("Transformer", "Pooling", "Normalize")
# The poolings of sentence-transformers by its names, former ones included, and what they are here.
POOLINGS = {
    "mean": "mean",
    "mean_tokens": "mean",
    "mean_sqrt_len_tokens": "mean",
    "cls": "first",
    "cls_token": "first",
}


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder: where its transformer is, its pooling (mean or first) and its length."""

    folder: Path
    transformer: Path
    pooling: str
    limit: int | None


def read_model_files(folder: str | Path) -> ModelFiles:
    """What the files of a folder say; an error in one line if the model has a step not done here."""
    folder = Path(folder)
    places = {"Transformer": "", "Pooling": "1_Pooling"} | _read_steps(folder / MODULES)
    pooling = folder / places["Pooling"] / "config.json"
    return ModelFiles(
        folder,
        folder / places["Transformer"],
        read_pooling(pooling) if pooling.is_file() else "mean",
        _read_limit(folder, folder / places["Transformer"]),
    )


def _read_steps(path: Path) -> dict[str, str]:
    """The folder of each step in `modules.json`, if there is one."""
    if not path.is_file():
        return {}
    try:
        modules = parse_json(path.read_text(encoding="utf-8"))
        steps = {str(one["type"]).rpartition(".")[2]: str(one["path"]) for one in modules}
    except (OSError, ValueError, KeyError, TypeError):
        raise FileFormatError(
            path, None, "expected a list of modules with type and path, as sentence-transformers saves"
        ) from None
    others = [name for name in steps if name not in STEPS]
    if others:
        raise FileFormatError(
            path,
            None,
            f"expected the modules {', '.join(STEPS)}, found {', '.join(others)}, which is not done "
            "here; choose an encoder without it, or name the transformer's folder without modules.json",
        )
    return steps


def read_pooling(path: Path) -> str:
    """The pooling in a file `1_Pooling/config.json`: mean or first."""
    settings = read_object(path)
    named = settings.get("pooling_mode")
    if named is None:
        prefix = "pooling_mode_"
        modes = [
            name.removeprefix(prefix)
            for name, value in settings.items()
            if name.startswith(prefix) and value is True
        ]
    else:
        modes = [str(mode) for mode in (named if isinstance(named, list) else [named])]
    if len(modes) != 1 or modes[0] not in POOLINGS:
        raise FileFormatError(
            path,
            None,
            f"expected pooling by the mean or the first piece, found {' and '.join(modes) or 'none'}; "
            "choose an encoder that was trained with one of these",
        )
    return POOLINGS[modes[0]]


def _read_limit(*folders: Path) -> int | None:
    """The most pieces at once, if sentence-transformers was told."""
    for folder in folders:
        path = folder / "sentence_bert_config.json"
        if path.is_file():
            limit = read_object(path).get("max_seq_length")
            if limit is not None and not (isinstance(limit, int) and limit >= LEAST_LIMIT):
                raise FileFormatError(
                    path,
                    None,
                    f"max_seq_length: expected a whole number from {LEAST_LIMIT}, found {limit!r}",
                )
            return limit
    return None


def checksum_of(path: Path) -> str:
    """The first 16 digits of the SHA-256 of a file.

    >>> checksum_of(Path("/dev/null"))
    'e3b0c44298fc1c14'
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def check_files(folder: Path, settings: Mapping[str, Any]) -> None:
    """Compare the files of a converted encoder with the checksums in its description."""
    checksums = settings.get("checksums")
    for name, checksum in checksums.items() if isinstance(checksums, dict) else ():
        path = folder / Path(str(name)).name
        if path.is_file() and checksum_of(path) != checksum:
            message = "the file is damaged or another model's (its checksum is wrong); copy it again"
            raise FileFormatError(path, None, message)


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    try:
        settings = unseal_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        settings = None
    if not isinstance(settings, dict):
        raise FileFormatError(path, None, "expected a JSON object")
    return settings
