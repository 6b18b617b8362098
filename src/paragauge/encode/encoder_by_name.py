"""Encoders by name, each opened once per process.

`english` is the one that comes with the package, all-MiniLM-L6-v2 in 8 bits; everything else is the
path of a folder, with a graph or with safetensors, or the name of a model on this machine.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from paragauge.encode.local_models import find_model
from paragauge.encode.onnx_encoder import OnnxEncoder, shipped_folder
from paragauge.encode.safetensors_encoder import open_model
from paragauge.encode.vector_cache import CachedEncoder

SHIPPED = "english"
_LOCK = threading.Lock()
_folder: Path | None = None


def keep_vectors(folder: str | Path | None) -> None:
    """Keep the vectors of all encoders in a folder, for later runs too; None: in memory only.

    >>> keep_vectors(None)
    """
    global _folder  # one choice per process, as --cache makes it
    with _LOCK:
        _folder = None if folder is None else Path(folder)
        _open.cache_clear()


def vector_folder() -> Path | None:
    """The folder that `keep_vectors` chose.

    >>> vector_folder() is None
    True
    """
    return _folder


def open_encoder(name: str | Path = SHIPPED) -> CachedEncoder:
    """The encoder of this name or folder; `local_models.py` says what names there are.

    >>> open_encoder().layers, open_encoder().width
    ((0, 1, 2, 3, 4, 5, 6), 384)
    """
    with _LOCK:
        return _open(str(name), _folder)


@contextlib.contextmanager
def announced_layers(layers: Mapping[str, Iterable[int]]) -> Iterator[None]:
    """Inside, texts are encoded with these layers of these encoders at once; see `vector_cache.py`.

    >>> with announced_layers({"english": [4, 6]}):
    ...     open_encoder().encode(["both layers"], [4]).vectors.shape
    (1, 4, 384)
    """
    encoders = {name: open_encoder(name) for name in layers}
    for name, encoder in encoders.items():
        encoder.announce(layers[name])
    try:
        yield
    finally:
        for encoder in encoders.values():
            encoder.announce(())


def describe_encoder(name: str | Path = SHIPPED) -> dict[str, Any]:
    """What there is to know about an encoder, by name.

    >>> describe_encoder()["layers"]
    [0, 1, 2, 3, 4, 5, 6]
    """
    encoder = _load(str(name))
    return {
        "folder": str(encoder.folder),
        "fingerprint": encoder.fingerprint,
        "layers": list(encoder.layers),
        "width": encoder.width,
        "pieces_at_once": encoder.limit,
        "vocabulary": encoder.vocabulary,
        "language": encoder.language or "not stated",
        "bytes": encoder.size,
    }


@functools.lru_cache(maxsize=4)
def _open(name: str, folder: Path | None) -> CachedEncoder:
    return CachedEncoder(_load(name), folder)


def _load(name: str) -> OnnxEncoder:
    return open_model(shipped_folder() if name == SHIPPED else find_model(name))
