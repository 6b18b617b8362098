"""Encoders by name, each opened once per process.

`english` is the one that comes with the package, all-MiniLM-L6-v2 in 8 bits; everything else is the
path of a folder that `onnx_encoder.py` reads.
"""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import Any

from paragauge.encode.onnx_encoder import GRAPH, TOKENIZER, OnnxEncoder, shipped_folder
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
    """The encoder of this name or folder.

    >>> open_encoder().layers, open_encoder().width
    ((0, 1, 2, 3, 4, 5, 6), 384)
    """
    with _LOCK:
        return _open(str(name), _folder)


def describe_encoder(name: str | Path = SHIPPED) -> dict[str, Any]:
    """What there is to know about an encoder, by name.

    >>> describe_encoder()["layers"]
    [0, 1, 2, 3, 4, 5, 6]
    """
    encoder = OnnxEncoder(shipped_folder() if str(name) == SHIPPED else name)
    return {
        "folder": str(encoder.folder),
        "fingerprint": encoder.fingerprint,
        "layers": list(encoder.layers),
        "width": encoder.width,
        "pieces_at_once": encoder.limit,
        "vocabulary": encoder.vocabulary,
        "language": encoder.language or "not stated",
        "bytes": sum((encoder.folder / name).stat().st_size for name in (GRAPH, TOKENIZER)),
    }


@functools.lru_cache(maxsize=4)
def _open(name: str, folder: Path | None) -> CachedEncoder:
    encoder = OnnxEncoder(shipped_folder() if name == SHIPPED else name)
    return CachedEncoder(encoder, folder)
