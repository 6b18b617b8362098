"""Each distinct text is encoded once: vectors are kept in memory and in a folder.

In memory, the vectors of the texts used last stay, up to `MEMORY` bytes; a text that comes again after
that is encoded again. Vectors are kept layer by layer, so a text that is asked for with fewer layers is
known; for layers that it was not encoded with, it is encoded again. Code that knows which layers will
be asked for announces them, and each text is encoded with all of them at once. With a folder (`--cache
FOLDER`, or `keep_vectors` in Python) vectors are also written to one SQLite file per encoder, which
later runs and other processes read; a killed run loses at most the batch that it was computing. Vectors
are kept in half precision, and what comes back is rounded to it whether or not it was kept, so a cache
never changes a score. A text of 25 pieces takes 19 kB per layer.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.encode.encoder import EncodedTexts, Encoder
from paragauge.errors import FileFormatError
from paragauge.kernels.layout import Ints

# Bytes of vectors that stay in memory, and seconds that a writer waits for another process.
MEMORY = 96 << 20
PATIENCE = 30.0
# Texts that are encoded and kept at a time.
BLOCK = 256
# SQLite's limit of values in one query is larger everywhere.
LOOK_UP = 500


@dataclass(frozen=True)
class _Vectors:
    """What is kept of one text: `layers` has the vectors [pieces, width] of each layer."""

    pieces: Ints
    spans: Ints
    sentence: NDArray[np.float16]
    layers: dict[int, NDArray[np.float16]]

    @property
    def size(self) -> int:
        vectors = sum(layer.nbytes for layer in self.layers.values())
        return self.pieces.nbytes + self.spans.nbytes + self.sentence.nbytes + vectors

    def has(self, layers: Sequence[int]) -> bool:
        return all(layer in self.layers for layer in layers)

    def to_bytes(self) -> bytes:
        """Pieces, spans and the sentence's vector."""
        parts = (self.pieces.astype("<i4"), self.spans.astype("<i4"), self.sentence)
        return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)

    @classmethod
    def from_bytes(cls, data: bytes, layers: dict[int, bytes], width: int) -> _Vectors:
        """What `to_bytes` wrote, with the vectors of these layers; a ValueError if they do not fit."""
        count = (len(data) - 2 * width) // 12
        if len(data) != 12 * count + 2 * width or any(
            len(rows) != 2 * count * width for rows in layers.values()
        ):
            raise ValueError("the size")
        pieces = np.frombuffer(data, "<i4", count)
        spans = np.frombuffer(data, "<i4", 2 * count, 4 * count).reshape(count, 2)
        return cls(
            pieces.astype(np.int64),
            spans.astype(np.int64),
            np.frombuffer(data, "<f2", width, 12 * count),
            {layer: np.frombuffer(rows, "<f2").reshape(-1, width) for layer, rows in layers.items()},
        )


class CachedEncoder:
    """An encoder that remembers. It is an `Encoder` itself.

    >>> from paragauge.encode.onnx_encoder import OnnxEncoder, shipped_folder
    >>> encoder = CachedEncoder(OnnxEncoder(shipped_folder()))
    >>> encoder.encode(["twice", "twice"], [4]).vectors.shape, encoder.encoded
    ((1, 6, 384), 1)
    """

    def __init__(
        self, encoder: Encoder, folder: str | Path | None = None, memory: int = MEMORY
    ) -> None:
        self._encoder = encoder
        self._memory = memory
        self._kept: OrderedDict[str, _Vectors] = OrderedDict()
        self._bytes = 0
        self._announced: frozenset[int] = frozenset()
        self._file = None if folder is None else _VectorFile(Path(folder), encoder)
        self._lock = threading.Lock()
        # How many texts went through the encoder itself.
        self.encoded = 0

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers of the encoder."""
        return self._encoder.layers

    @property
    def width(self) -> int:
        """The length of a vector."""
        return self._encoder.width

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the encoder."""
        return self._encoder.fingerprint

    @property
    def language(self) -> str | None:
        """The language of the encoder."""
        return self._encoder.language

    def pieces(self, texts: Sequence[str]) -> list[Ints]:
        """The pieces of each text, without their vectors."""
        return self._encoder.pieces(texts)

    def announce(self, layers: Iterable[int]) -> None:
        """Say which layers will be asked for, so that each text is encoded with all of them at once.

        The last announcement counts; layers that the encoder lacks are left to who asks for them.
        """
        with self._lock:
            self._announced = frozenset(layers) & frozenset(self.layers)

    def encode(self, texts: Sequence[str], layers: Sequence[int], *, threads: int = 0) -> EncodedTexts:
        """The vectors of each text, rounded to half precision; one call at a time."""
        with self._lock:
            return self._encode(texts, tuple(layers), threads)

    def _encode(self, texts: Sequence[str], asked: tuple[int, ...], threads: int) -> EncodedTexts:
        distinct = list(dict.fromkeys(texts))
        known = {
            text: self._kept[text]
            for text in distinct
            if text in self._kept and self._kept[text].has(asked)
        }
        for text in known:
            self._kept.move_to_end(text)
        missing = [text for text in distinct if text not in known]
        if self._file is not None and missing:
            stored = self._file.read(missing, asked)
            known |= stored
            self._remember(stored)
            missing = [text for text in missing if text not in stored]
        layers = tuple(sorted({*asked, *self._announced}))
        for start in range(0, len(missing), BLOCK):
            block = missing[start : start + BLOCK]
            fresh = dict(_split(block, self._encoder.encode(block, layers, threads=threads), layers))
            self.encoded += len(block)
            if self._file is not None:
                self._file.write(fresh)
            known |= fresh
            self._remember(fresh)
        return _join([known[text] for text in texts], asked, self.width)

    def _remember(self, vectors: dict[str, _Vectors]) -> None:
        for text, value in vectors.items():
            before = self._kept.pop(text, None)
            self._bytes += value.size - (0 if before is None else before.size)
            self._kept[text] = value
        while self._bytes > self._memory:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.size


class _VectorFile:
    """The vectors of one encoder in a folder."""

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        if not folder.is_dir():
            raise FileFormatError(
                folder, None, "expected a folder for vectors, found none; make it first"
            )
        self._path = folder / f"vectors-{encoder.fingerprint}.sqlite"
        self._width = encoder.width
        try:
            self._database = sqlite3.connect(
                self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, data BLOB NOT NULL)"
            )
        except sqlite3.Error as error:
            raise FileFormatError(
                self._path,
                None,
                f"cannot keep vectors: {error}; delete the file, or name a folder you can write to",
            ) from None

    def read(self, texts: Sequence[str], layers: tuple[int, ...]) -> dict[str, _Vectors]:
        """The texts of which everything that is asked for is kept."""
        keys = [_key(text, layer) for text in texts for layer in (None, *layers)]
        rows: dict[bytes, bytes] = {}
        for start in range(0, len(keys), LOOK_UP):
            some = keys[start : start + LOOK_UP]
            query = f"SELECT key, data FROM vectors WHERE key IN ({','.join('?' * len(some))})"  # noqa: S608
            try:
                rows |= dict(self._database.execute(query, some).fetchall())
            except sqlite3.Error as error:
                raise FileFormatError(
                    self._path, None, f"cannot read vectors: {error}; delete the file"
                ) from None
        vectors = {}
        for text in texts:
            parts = {layer: rows.get(_key(text, layer)) for layer in (None, *layers)}
            complete = {layer: data for layer, data in parts.items() if data is not None}
            if len(complete) == len(parts):
                data = complete.pop(None)
                by_layer = {layer: rows for layer, rows in complete.items() if layer is not None}
                try:
                    vectors[text] = _Vectors.from_bytes(data, by_layer, self._width)
                except (ValueError, TypeError):
                    raise FileFormatError(
                        self._path, None, "vectors of it are damaged; delete the file"
                    ) from None
        return vectors

    def write(self, vectors: dict[str, _Vectors]) -> None:
        """Keep these, all or nothing."""
        rows = [(_key(text, None), value.to_bytes()) for text, value in vectors.items()]
        rows += [
            (_key(text, layer), np.ascontiguousarray(layer_vectors).tobytes())
            for text, value in vectors.items()
            for layer, layer_vectors in value.layers.items()
        ]
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            raise FileFormatError(
                self._path, None, f"cannot keep vectors: {error}; make room or leave out the cache"
            ) from None


def _key(text: str, layer: int | None) -> bytes:
    """The key of a text's vectors in a layer; None: of everything else that is kept of it."""
    name = "text" if layer is None else f"layer {layer}"
    return hashlib.sha256(f"{name}\n{text}".encode()).digest()[:16]


def _split(
    texts: Sequence[str], encoded: EncodedTexts, layers: tuple[int, ...]
) -> Iterator[tuple[str, _Vectors]]:
    for number, text in enumerate(texts):
        part = slice(int(encoded.offsets[number]), int(encoded.offsets[number + 1]))
        yield (
            text,
            _Vectors(
                encoded.pieces[part],
                encoded.spans[part],
                encoded.sentences[number].astype(np.float16),
                {
                    layer: vectors[part].astype(np.float16)
                    for layer, vectors in zip(layers, encoded.vectors, strict=True)
                },
            ),
        )


def _join(texts: Sequence[_Vectors], layers: tuple[int, ...], width: int) -> EncodedTexts:
    counts = [len(text.pieces) for text in texts]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    nothing = np.zeros(0, np.int64)
    vectors = np.zeros((len(layers), int(offsets[-1]), width), np.float32)
    for number, layer in enumerate(layers):
        if texts:
            np.concatenate([text.layers[layer] for text in texts], out=vectors[number])
    sentences = np.zeros((len(texts), width), np.float32)
    for number, text in enumerate(texts):
        sentences[number] = text.sentence
    return EncodedTexts(
        np.concatenate([nothing, *(text.pieces for text in texts)]),
        np.concatenate([nothing.reshape(0, 2), *(text.spans for text in texts)]),
        vectors,
        sentences,
        offsets,
    )
