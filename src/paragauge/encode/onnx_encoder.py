"""Encoders that onnxruntime runs: a folder with `model.onnx` and `tokenizer.json`.

Two kinds of folders are read: those that `paragauge encoder convert` writes, whose `encoder.json` says
what the graph gives, and those that Optimum exports (`optimum-cli export onnx`), with `config.json`
and the outputs `last_hidden_state` or `hidden_states.0`, `hidden_states.1`, ...

A text's vectors do not depend on the texts beside it. Texts are sorted by their number of pieces, and a
batch has texts of one length only: there is no padding to mask, and every sum inside the graph runs
over the same numbers in the same order as for the text alone. Each batch runs on one thread and batches
run side by side, so the number of threads changes nothing either. What holds for the encoder that ships
is equality to the last bit, on one machine with one version of onnxruntime; between machines,
instructions and rounding may differ.

Sentence vectors are the mean of all pieces in the last layer, the special ones included, as
sentence-transformers computes them; or the first piece's vector, if `1_Pooling/config.json` or
`encoder.json` says so. `safetensors_encoder.py` opens folders without a graph.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.encode.bert_weights import first_position
from paragauge.encode.encoder import EncodedTexts, Vectors
from paragauge.encode.model_files import LEAST_LIMIT, check_files, read_model_files, read_object
from paragauge.encode.word_pieces import Pieces, Window, WordPieces, windows
from paragauge.errors import FileFormatError, InputError, MissingExtraError, SettingError
from paragauge.kernels.layout import Ints
from paragauge.text.saving.leftovers import restore_folder
from paragauge.text.tokenizers import check_threads

GRAPH, TOKENIZER, DESCRIPTION, CONFIG = "model.onnx", "tokenizer.json", "encoder.json", "config.json"
# Texts that are run together, and the most pieces that they may have, which bounds memory.
BATCH_TEXTS, BATCH_PIECES = 32, 2048
# What an export of Optimum is limited to if its files do not say.
USUAL_LIMIT = 512
# Numbers in a folder's settings that are used here, and their least values.
COUNTS = {
    "limit": LEAST_LIMIT,
    "max_position_embeddings": LEAST_LIMIT,
    "num_hidden_layers": 1,
    "vocab_size": 1,
}


class OnnxEncoder:
    """An encoder in a folder.

    >>> encoder = OnnxEncoder(shipped_folder())
    >>> encoded = encoder.encode(["A dog barks.", ""], [4])
    >>> encoded.vectors.shape, encoded.offsets.tolist()
    ((1, 9, 384), [0, 7, 9])
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        graph: bytes | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Load graph and tokenizer; an error in one line if the folder is no encoder.

        A `graph` in memory stands in for the folder's, with `settings` in place of `encoder.json`.
        """
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise FileFormatError(
                folder, None, f"expected an encoder's folder with {GRAPH} and {TOKENIZER}, found none"
            )
        for name in (GRAPH, TOKENIZER) if graph is None else (TOKENIZER,):
            if not (self.folder / name).is_file():
                raise FileFormatError(folder, None, self._remedy(name))
        self._settings = _read_settings(self.folder) if settings is None else dict(settings)
        if graph is None:
            check_files(self.folder, self._settings)
        self._pieces = WordPieces(self.folder / TOKENIZER)
        vocabulary = self._settings.get("vocab_size")
        if vocabulary is not None and self._pieces.size > vocabulary:
            raise FileFormatError(
                self.folder / TOKENIZER,
                None,
                f"expected at most {vocabulary:,} pieces, as the model has, "
                f"found {self._pieces.size:,}; take the tokenizer that came with the model",
            )
        self._session = _open_session(self.folder / GRAPH, graph)
        self._inputs = {value.name for value in self._session.get_inputs()}
        self._outputs = self._find_outputs()
        tokenizer = (self.folder / TOKENIZER).stat().st_size
        self.size = tokenizer + ((self.folder / GRAPH).stat().st_size if graph is None else len(graph))
        # A graph in memory is not kept, so its fingerprint is taken at once.
        self._fingerprint = None if graph is None else self._digest(graph)

    def _remedy(self, name: str) -> str:
        if name == GRAPH and any(self.folder.glob("*.safetensors")):
            return (
                f"expected {GRAPH}, found safetensors; convert it first: "
                f"paragauge encoder convert {self.folder} --output FOLDER"
            )
        return (
            f"expected an encoder's folder with {GRAPH} and {TOKENIZER}, found no {name}; copy it there"
        )

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers that the graph gives, ascending."""
        return tuple(self._outputs)

    @property
    def width(self) -> int:
        """The length of a vector."""
        return int(self._session.get_outputs()[0].shape[-1])

    @property
    def language(self) -> str | None:
        """The language that `encoder.json` names."""
        language = self._settings.get("language")
        return None if language is None else str(language)

    @property
    def vocabulary(self) -> int:
        """The number of different pieces."""
        return self._pieces.size

    @property
    def limit(self) -> int:
        """The most pieces that the graph reads at once, the two special ones included."""
        if "limit" in self._settings:
            return int(self._settings["limit"])
        positions = int(self._settings.get("max_position_embeddings", USUAL_LIMIT))
        return positions - first_position(self._settings)

    @property
    def fingerprint(self) -> str:
        """The first eight hexadecimal digits of the SHA-256 of graph and tokenizer."""
        if self._fingerprint is None:
            self._fingerprint = self._digest((self.folder / GRAPH).read_bytes())
        return self._fingerprint

    def _digest(self, graph: bytes) -> str:
        digest = hashlib.sha256(graph)
        digest.update((self.folder / TOKENIZER).read_bytes())
        return digest.hexdigest()[:8]

    def pieces(self, texts: Sequence[str]) -> list[Ints]:
        """The pieces of each text, without their vectors."""
        return [pieces.ids for pieces in self._pieces.cut(texts)]

    def encode(self, texts: Sequence[str], layers: Sequence[int], *, threads: int = 0) -> EncodedTexts:
        """The vectors of each text at `layers`; those beyond the limit are read in windows."""
        check_threads(threads)
        unknown = [layer for layer in layers if layer not in self._outputs]
        if unknown:
            raise SettingError(
                f"layer {unknown[0]}: {self.folder} has the layers {', '.join(map(str, self.layers))}"
            )
        cut = self._pieces.cut(texts)
        own = [
            (text, window)
            for text, pieces in enumerate(cut)
            for window in windows(len(pieces.ids) - 2, self.limit - 2)
        ]
        results = self._run(cut, own, [*layers, self.layers[-1]], threads)
        return self._collect(cut, own, results)

    def _run(
        self,
        cut: Sequence[Pieces],
        own: Sequence[tuple[int, Window]],
        layers: Sequence[int],
        threads: int,
    ) -> list[list[Vectors]]:
        """The vectors of every window at every layer, [pieces, width] each."""
        by_length: dict[int, list[int]] = {}
        for number, (_, window) in enumerate(own):
            by_length.setdefault(window.end - window.start, []).append(number)
        batches = [
            numbers[i : i + size]
            for length, numbers in sorted(by_length.items(), reverse=True)
            for size in (max(1, min(BATCH_TEXTS, BATCH_PIECES // (length + 2))),)
            for i in range(0, len(numbers), size)
        ]
        names = [self._outputs[layer] for layer in layers]
        results: list[list[Vectors]] = [[] for _ in own]

        def run(batch: list[int]) -> None:
            ids = np.stack([_window_ids(cut[own[number][0]], own[number][1]) for number in batch])
            outputs = self._call(ids, names)
            for place, number in enumerate(batch):
                results[number] = [output[place] for output in outputs]

        workers = threads or os.cpu_count() or 1
        if workers == 1 or len(batches) < 2:
            for batch in batches:
                run(batch)
        else:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(run, batches))
        return results

    def _call(self, ids: Ints, names: list[str]) -> list[Vectors]:
        values: dict[str, Any] = {"input_ids": ids}
        if "attention_mask" in self._inputs:
            values["attention_mask"] = np.ones_like(ids)
        if "token_type_ids" in self._inputs:
            values["token_type_ids"] = np.zeros_like(ids)
        try:
            outputs: list[Vectors] = self._session.run(names, values)
        except Exception as error:  # noqa: BLE001  # onnxruntime has no one class of its own
            reason = " ".join(str(error).split())
            raise FileFormatError(
                self.folder, None, f"tokenizer and model do not fit together: {reason[:200]}"
            ) from None
        return outputs

    def _collect(
        self,
        cut: Sequence[Pieces],
        own: Sequence[tuple[int, Window]],
        results: Sequence[list[Vectors]],
    ) -> EncodedTexts:
        counts = np.array([len(pieces.ids) for pieces in cut], np.int64)
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        count = len(results[0]) if results else 1
        vectors = np.zeros((count, int(offsets[-1]), self.width), np.float32)
        for (text, window), layers in zip(own, results, strict=True):
            # Special pieces come from the outermost windows.
            first = window.first + 1 if window.first else 0
            last = window.last + 1 if window.last < counts[text] - 2 else window.last + 2
            start = int(offsets[text])
            for layer, rows in enumerate(layers):
                inside = rows[first - window.start : last - window.start]
                vectors[layer, start + first : start + last] = inside
        sentences = self._pool(vectors[-1], offsets)
        if len(cut) == 0:
            nothing = np.zeros(0, np.int64)
            return EncodedTexts(nothing, nothing.reshape(0, 2), vectors[:-1], sentences, offsets)
        return EncodedTexts(
            np.concatenate([pieces.ids for pieces in cut]),
            np.concatenate([pieces.spans for pieces in cut]),
            vectors[:-1],
            sentences,
            offsets,
        )

    def _pool(self, vectors: Vectors, offsets: Ints) -> Vectors:
        if self._settings.get("pooling") == "first":
            pooled = vectors[offsets[:-1]]
        else:
            pooled = np.zeros((len(offsets) - 1, vectors.shape[1]), np.float32)
            for number, (start, end) in enumerate(itertools.pairwise(offsets)):
                pooled[number] = vectors[start:end].mean(axis=0)
        return np.asarray(
            pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12), np.float32
        )

    def _find_outputs(self) -> dict[int, str]:
        names = [value.name for value in self._session.get_outputs()]
        if "input_ids" not in self._inputs:
            listed = ", ".join(sorted(self._inputs))
            raise FileFormatError(
                self.folder / GRAPH, None, f"expected an input input_ids, found {listed}"
            )
        outputs = {
            int(name.removeprefix(prefix)): name
            for prefix in ("layer_", "hidden_states.")
            for name in names
            if name.startswith(prefix)
        }
        if "last_hidden_state" in names:
            last = int(self._settings.get("num_hidden_layers", max(outputs, default=1)))
            outputs[last] = "last_hidden_state"
        if not outputs:
            raise FileFormatError(
                self.folder / GRAPH,
                None,
                f"expected outputs last_hidden_state or hidden_states.N, found {', '.join(names)}; "
                "export it with: optimum-cli export onnx --task feature-extraction",
            )
        return dict(sorted(outputs.items()))


def shipped_folder() -> Path:
    """Where the English encoder that comes with the package lies."""
    return Path(__file__).parents[1] / "models" / "encoder"


def _window_ids(pieces: Pieces, window: Window) -> Ints:
    """The pieces of a window between the two special ones of its text."""
    inside = pieces.ids[window.start + 1 : window.end + 1]
    return np.concatenate([pieces.ids[:1], inside, pieces.ids[-1:]])


def _read_settings(folder: Path) -> dict[str, Any]:
    """What the folder says about its graph: `encoder.json`, or `config.json` and the pooling."""
    restore_folder(folder)
    for name in (DESCRIPTION, CONFIG):
        path = folder / name
        if not path.is_file():
            continue
        settings = read_object(path)
        for key, least in COUNTS.items():
            value = settings.get(key, least)
            if not isinstance(value, int) or value < least:
                raise FileFormatError(
                    path, None, f"{key}: expected a whole number from {least}, found {value!r}"
                )
        if name == CONFIG:
            settings["pooling"] = read_model_files(folder).pooling
        return settings
    return {}


def _open_session(path: Path, graph: bytes | None) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtraError("onnxruntime, which runs encoders,", "context") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(
            str(path) if graph is None else graph, options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # noqa: BLE001  # onnxruntime has no one class of its own
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: expected a graph that onnxruntime reads, found another or a part of one; copy or "
            f"convert it again ({reason[:200]})"
        ) from None
