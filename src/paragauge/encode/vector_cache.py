"""Each distinct text is encoded once per set of layers: vectors are kept in memory and in a folder.

In memory, the vectors of the texts used last stay, up to `MEMORY` bytes; a text that comes again after
that is encoded again, and so is one that is asked for with other layers. With a folder (`--cache
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
from collections.abc import Iterator, Sequence
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
    """What is kept of one text."""

    pieces: Ints
    spans: Ints
    vectors: NDArray[np.float16]
    sentence: NDArray[np.float16]

    @property
    def size(self) -> int:
        return self.pieces.nbytes + self.spans.nbytes + self.vectors.nbytes + self.sentence.nbytes

    def to_bytes(self) -> bytes:
        parts = (self.pieces.astype("<i4"), self.spans.astype("<i4"), self.sentence, self.vectors)
        return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)

    @classmethod
    def from_bytes(cls, data: bytes, layers: int, width: int) -> _Vectors:
        count = (len(data) - 2 * width) // (12 + 2 * layers * width)
        pieces = np.frombuffer(data, "<i4", count)
        spans = np.frombuffer(data, "<i4", 2 * count, 4 * count).reshape(count, 2)
        sentence = np.frombuffer(data, "<f2", width, 12 * count)
        vectors = np.frombuffer(data, "<f2", layers * count * width, 12 * count + 2 * width)
        return cls(
            pieces.astype(np.int64),
            spans.astype(np.int64),
            vectors.reshape(layers, count, width),
            sentence,
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
        self._kept: OrderedDict[tuple[str, tuple[int, ...]], _Vectors] = OrderedDict()
        self._bytes = 0
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

    def encode(self, texts: Sequence[str], layers: Sequence[int], *, threads: int = 0) -> EncodedTexts:
        """The vectors of each text, rounded to half precision; one call at a time."""
        with self._lock:
            return self._encode(texts, tuple(layers), threads)

    def _encode(self, texts: Sequence[str], asked: tuple[int, ...], threads: int) -> EncodedTexts:
        distinct = list(dict.fromkeys(texts))
        known = {text: self._kept[text, asked] for text in distinct if (text, asked) in self._kept}
        for text in known:
            self._kept.move_to_end((text, asked))
        missing = [text for text in distinct if text not in known]
        if self._file is not None and missing:
            stored = self._file.read(missing, asked)
            known |= stored
            self._remember(stored, asked)
            missing = [text for text in missing if text not in stored]
        for start in range(0, len(missing), BLOCK):
            block = missing[start : start + BLOCK]
            fresh = dict(_split(block, self._encoder.encode(block, asked, threads=threads)))
            self.encoded += len(block)
            if self._file is not None:
                self._file.write(fresh, asked)
            known |= fresh
            self._remember(fresh, asked)
        return _join([known[text] for text in texts], len(asked), self.width)

    def _remember(self, vectors: dict[str, _Vectors], layers: tuple[int, ...]) -> None:
        for text, value in vectors.items():
            self._kept[text, layers] = value
            self._bytes += value.size
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
        """What is kept of these texts."""
        names = {_key(text, layers): text for text in texts}
        keys = list(names)
        vectors = {}
        for start in range(0, len(keys), LOOK_UP):
            some = keys[start : start + LOOK_UP]
            query = f"SELECT key, data FROM vectors WHERE key IN ({','.join('?' * len(some))})"  # noqa: S608
            try:
                rows = self._database.execute(query, some).fetchall()
            except sqlite3.Error as error:
                raise FileFormatError(
                    self._path, None, f"cannot read vectors: {error}; delete the file"
                ) from None
            for key, data in rows:
                vectors[names[key]] = _Vectors.from_bytes(data, len(layers), self._width)
        return vectors

    def write(self, vectors: dict[str, _Vectors], layers: tuple[int, ...]) -> None:
        """Keep these, all or nothing."""
        rows = [(_key(text, layers), value.to_bytes()) for text, value in vectors.items()]
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            raise FileFormatError(
                self._path, None, f"cannot keep vectors: {error}; make room or leave out the cache"
            ) from None


def _key(text: str, layers: tuple[int, ...]) -> bytes:
    digest = hashlib.sha256(" ".join(map(str, layers)).encode() + b"\n" + text.encode())
    return digest.digest()[:16]


def _split(texts: Sequence[str], encoded: EncodedTexts) -> Iterator[tuple[str, _Vectors]]:
    for number, text in enumerate(texts):
        part = slice(int(encoded.offsets[number]), int(encoded.offsets[number + 1]))
        yield (
            text,
            _Vectors(
                encoded.pieces[part],
                encoded.spans[part],
                encoded.vectors[:, part].astype(np.float16),
                encoded.sentences[number].astype(np.float16),
            ),
        )


def _join(texts: Sequence[_Vectors], layers: int, width: int) -> EncodedTexts:
    counts = [len(text.pieces) for text in texts]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    if not texts:
        empty = np.zeros(0, np.int64)
        vectors = np.zeros((layers, 0, width), np.float32)
        return EncodedTexts(
            empty, empty.reshape(0, 2), vectors, np.zeros((0, width), np.float32), offsets
        )
    return EncodedTexts(
        np.concatenate([text.pieces for text in texts]),
        np.concatenate([text.spans for text in texts]),
        np.concatenate([text.vectors for text in texts], axis=1).astype(np.float32),
        np.stack([text.sentence for text in texts]).astype(np.float32),
        offsets,
    )
