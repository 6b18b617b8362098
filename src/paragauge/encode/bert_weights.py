"""Weights of encoders of the BERT family, read from a folder of safetensors.

A folder as sentence-transformers and transformers save it: `config.json`, `model.safetensors` (or
several files named by `model.safetensors.index.json`) and `tokenizer.json`. BERT, RoBERTa and
XLM-RoBERTa have the same layers under the same names; they differ in where positions begin. Other
architectures are refused by name.

Safetensors is eight bytes with the length of a JSON header, the header (type, shape and place of every
array), and the arrays. Files are mapped, so reading one array does not read the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.encode.encoder import Vectors
from paragauge.errors import FileFormatError
from paragauge.text.numbers import parse_json

FAMILY = ("bert", "roberta", "xlm-roberta")
COUNT_FROM_PADDING = ("roberta", "xlm-roberta")
ACTIVATIONS = ("gelu",)
# The largest header that is read: real ones are a few kilobytes.
LARGEST_HEADER = 100_000_000


@dataclass(frozen=True)
class Dense:
    """A linear map: weight [inputs, outputs] and bias [outputs]."""

    weight: Vectors
    bias: Vectors


@dataclass(frozen=True)
class Norm:
    """Layer normalization: scale and shift, each [width]."""

    scale: Vectors
    shift: Vectors


@dataclass(frozen=True)
class Layer:
    """One layer: attention and a feed-forward network, each followed by a normalization."""

    query: Dense
    key: Dense
    value: Dense
    attention: Dense
    attention_norm: Norm
    inner: Dense
    outer: Dense
    outer_norm: Norm


@dataclass(frozen=True)
class BertWeights:
    """An encoder: `pieces` [vocabulary, width], `positions` [limit, width], and its layers.

    The vector of the first token type, which every piece has, is already added to `positions`.
    """

    pieces: Vectors
    positions: Vectors
    norm: Norm
    layers: tuple[Layer, ...]
    heads: int
    epsilon: float


def read_weights(folder: str | Path) -> BertWeights:
    """The weights in a folder of safetensors; an error in one line if it is not of the family."""
    folder = Path(folder)
    config = read_config(folder)
    arrays = _Arrays(folder)
    positions = arrays.get("embeddings.position_embeddings.weight")[first_position(config) :]
    types = arrays.get("embeddings.token_type_embeddings.weight")
    return BertWeights(
        arrays.get("embeddings.word_embeddings.weight"),
        positions + types[0],
        arrays.norm("embeddings.LayerNorm"),
        tuple(_layer(arrays, f"encoder.layer.{n}") for n in range(int(config["num_hidden_layers"]))),
        int(config["num_attention_heads"]),
        float(config["layer_norm_eps"]),
    )


def first_position(config: Mapping[str, Any]) -> int:
    """The row of the positions that a text's first piece has: RoBERTa counts from its padding on.

    >>> first_position({"model_type": "bert"}), first_position({"model_type": "roberta"})
    (0, 2)
    """
    if config.get("model_type") not in COUNT_FROM_PADDING:
        return 0
    return int(config.get("pad_token_id", 1)) + 1


def read_config(folder: Path) -> dict[str, Any]:
    """The `config.json` of a folder; an error if the model is not of the BERT family."""
    path = folder / "config.json"
    try:
        config = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise FileFormatError(
            folder, None, "expected a folder with config.json and *.safetensors, found no such config"
        ) from None
    kind = config.get("model_type") if isinstance(config, dict) else None
    if kind not in FAMILY:
        raise FileFormatError(
            path,
            None,
            f"expected a model of type {', '.join(FAMILY)}, found {kind!r}; export it with Optimum "
            "(optimum-cli export onnx) and give the folder it writes",
        )
    if config.get("hidden_act", "gelu") not in ACTIVATIONS:
        raise FileFormatError(path, None, f"expected hidden_act gelu, found {config['hidden_act']}")
    needed = ("num_hidden_layers", "num_attention_heads", "layer_norm_eps", "max_position_embeddings")
    for name in needed:
        if name not in config:
            raise FileFormatError(path, None, f"expected the setting {name}, found none")
    return dict(config)


class _Arrays:
    """The arrays of all safetensors of a folder, by name."""

    def __init__(self, folder: Path) -> None:
        paths = sorted(folder.glob("*.safetensors"))
        if not paths:
            raise FileFormatError(folder, None, "expected *.safetensors, found none")
        self._folder = folder
        self._places = {name: array for path in paths for name, array in _map(path).items()}

    def get(self, name: str) -> Vectors:
        """The array of this name, with or without the prefix of a model that contains the encoder."""
        for prefix in ("", "bert.", "roberta.", "0.auto_model."):
            if prefix + name in self._places:
                array = self._places[prefix + name]
                return np.array(array, np.float32)
        raise FileFormatError(self._folder, None, f"expected an array {name}, found none")

    def dense(self, name: str) -> Dense:
        return Dense(self.get(f"{name}.weight").T, self.get(f"{name}.bias"))

    def norm(self, name: str) -> Norm:
        return Norm(self.get(f"{name}.weight"), self.get(f"{name}.bias"))


def _layer(arrays: _Arrays, name: str) -> Layer:
    return Layer(
        arrays.dense(f"{name}.attention.self.query"),
        arrays.dense(f"{name}.attention.self.key"),
        arrays.dense(f"{name}.attention.self.value"),
        arrays.dense(f"{name}.attention.output.dense"),
        arrays.norm(f"{name}.attention.output.LayerNorm"),
        arrays.dense(f"{name}.intermediate.dense"),
        arrays.dense(f"{name}.output.dense"),
        arrays.norm(f"{name}.output.LayerNorm"),
    )


def _map(path: Path) -> Mapping[str, Any]:
    """The arrays of one file, mapped; an error if it is cut off or not safetensors."""
    types = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "u1"}
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, LARGEST_HEADER):
            raise FileFormatError(
                path, None, "expected safetensors, found a file that is cut off; copy it again"
            )
        try:
            header = parse_json(file.read(length))
            entries = {
                name: (entry["dtype"], tuple(entry["shape"]), tuple(entry["data_offsets"]))
                for name, entry in header.items()
                if name != "__metadata__"
            }
        except (ValueError, KeyError, TypeError, AttributeError):
            raise FileFormatError(path, None, "expected the header of safetensors") from None
    data = np.memmap(path, np.uint8, "r", 8 + length)
    arrays = {}
    for name, (kind, shape, (start, end)) in entries.items():
        if kind not in types:
            continue
        wanted = math.prod(shape) * np.dtype(types[kind]).itemsize
        if end - start != wanted or end > len(data):
            raise FileFormatError(
                path,
                None,
                f"{name}: expected {wanted:,} bytes, found fewer; the file is cut off, copy it again",
            )
        arrays[name] = data[start:end].view(types[kind]).reshape(shape)
    return arrays
