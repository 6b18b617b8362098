"""Encoders as sentence-transformers and transformers save them, without a conversion on disk.

A folder with `config.json`, `*.safetensors` and `tokenizer.json` of the BERT family is turned into a
graph in memory, in float32 with all layers, when it is opened. Its fingerprint is that of the same
folder converted by `paragauge encoder convert --bits 32`, which opens faster; `--bits 8` is also about
twice as fast to run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paragauge.encode.bert_graph import graph_bytes
from paragauge.encode.bert_weights import BertWeights, read_config, read_weights
from paragauge.encode.model_files import ModelFiles, read_model_files
from paragauge.encode.onnx_encoder import GRAPH, TOKENIZER, OnnxEncoder
from paragauge.errors import FileFormatError


def open_model(folder: str | Path) -> OnnxEncoder:
    """The encoder in a folder: a graph for onnxruntime, or safetensors."""
    if (Path(folder) / GRAPH).is_file():
        return OnnxEncoder(folder)
    files = read_model_files(folder)
    if not any(files.transformer.glob("*.safetensors")):
        raise FileFormatError(folder, None, _missing(files.transformer))
    weights = read_encoder_weights(files)
    layers = range(len(weights.layers) + 1)
    graph = graph_bytes(weights, layers, bits=32)
    return OnnxEncoder(files.transformer, graph=graph, settings=encoder_settings(files, weights))


def read_encoder_weights(files: ModelFiles) -> BertWeights:
    """The weights of a model that has a tokenizer too."""
    read_config(files.transformer)
    if not (files.transformer / TOKENIZER).is_file():
        raise FileFormatError(
            files.transformer,
            None,
            f"expected {TOKENIZER}, found none; save the model with its fast tokenizer",
        )
    return read_weights(files.transformer)


def encoder_settings(files: ModelFiles, weights: BertWeights) -> dict[str, Any]:
    """What an encoder must know about its graph."""
    positions = len(weights.positions)
    return {
        "limit": positions if files.limit is None else min(files.limit, positions),
        "pooling": files.pooling,
        "vocab_size": len(weights.pieces),
    }


def _missing(folder: Path) -> str:
    expected = f"expected an encoder's folder with {GRAPH} or *.safetensors and {TOKENIZER}"
    if any(folder.glob("pytorch_model*.bin")):
        return (
            f"{expected}, found pytorch_model.bin; load it with transformers and save it again: "
            "save_pretrained(FOLDER, safe_serialization=True)"
        )
    return f"{expected}, found neither graph nor weights; name the folder of a model"
