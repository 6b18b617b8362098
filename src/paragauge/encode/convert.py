"""Convert an encoder of the BERT family from safetensors to a folder that onnxruntime runs.

The folder has `model.onnx`, `tokenizer.json` and `encoder.json`. In 8 bits the graph is a quarter as
large and about twice as fast; `bert_graph.py` says how, and that a text's vectors depend on
that text alone. Before the folder gets its name, one sentence goes through the new graph and
through the readable forward pass; if they disagree, the conversion fails.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from paragauge.encode.bert_forward import forward
from paragauge.encode.bert_graph import write_graph
from paragauge.encode.bert_weights import BertWeights, read_config
from paragauge.encode.local_models import find_model
from paragauge.encode.model_files import checksum_of, read_model_files
from paragauge.encode.onnx_encoder import DESCRIPTION, GRAPH, TOKENIZER, OnnxEncoder
from paragauge.encode.safetensors_encoder import encoder_settings, read_encoder_weights
from paragauge.errors import FileFormatError, SettingError
from paragauge.text.atomic_folders import atomic_folder
from paragauge.text.saving.sealed_json import seal_json

# The smallest cosine of a piece's vector to that of the forward pass, by bits.
LEAST_COSINE = {8: 0.95, 32: 0.99999}
SENTENCE = "The quick brown fox, aged 7, doesn't jump over lazy dogs."


def convert_encoder(
    folder: str | Path,
    output: str | Path,
    *,
    bits: int = 8,
    layers: Sequence[int] | None = None,
    language: str | None = None,
) -> None:
    """Write the encoder in `folder` to `output`, in 8 or 32 bits.

    `folder` may also be the name of a model on this machine (see `local_models.py`).

    `layers`, by default all, are those that can be asked for.

    `language` is the one language that the encoder knows, such as "en"; it lets metrics refuse text
    that is plainly in another script.
    """
    if bits not in LEAST_COSINE:
        raise SettingError(f"bits: expected 8 or 32, found {bits}")
    files = read_model_files(find_model(folder))
    source = files.transformer
    weights = read_encoder_weights(files)
    count = len(weights.layers)
    chosen = sorted(set(range(count + 1) if layers is None else layers))
    wrong = [layer for layer in chosen if not 0 <= layer <= count]
    if wrong or not chosen:
        raise SettingError(f"layers: expected some of 0 to {count}, found {wrong or chosen}")
    with atomic_folder(output, "encoder", DESCRIPTION, (GRAPH, TOKENIZER)) as target:
        write_graph(target / GRAPH, weights, chosen, bits=bits)
        shutil.copyfile(source / TOKENIZER, target / TOKENIZER)
        description = {
            "format": 1,
            "bits": bits,
            "layers": chosen,
            **encoder_settings(files, weights),
            "language": language,
            "name": str(read_config(source).get("_name_or_path") or files.folder.resolve().name),
        }
        description["checksums"] = {name: checksum_of(target / name) for name in (GRAPH, TOKENIZER)}
        (target / DESCRIPTION).write_text(seal_json(description), encoding="utf-8", newline="\n")
        _check(output, OnnxEncoder(target), weights, bits)


def parse_layers(text: str) -> list[int]:
    """Layers separated by commas.

    >>> parse_layers("0,4")
    [0, 4]
    """
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise SettingError(f"layers: expected numbers such as 0,4,6, found '{text}'") from None


def _check(output: str | Path, encoder: OnnxEncoder, weights: BertWeights, bits: int) -> None:
    """Compare the graph with the forward pass on one sentence."""
    text = SENTENCE
    while len(encoder.pieces([text])[0]) > encoder.limit:
        text = text[: len(text) // 2]
    encoded = encoder.encode([text], encoder.layers, threads=1)
    expected = forward(weights, encoded.pieces)
    for layer, vectors in zip(encoder.layers, encoded.vectors, strict=True):
        a, b = vectors.astype(np.float64), expected[layer]
        cosines = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
        if not cosines.min() >= LEAST_COSINE[bits]:
            raise FileFormatError(
                output,
                None,
                f"layer {layer}: graph and twin differ, cosine {cosines.min():.4f}; try 32 bits",
            )
