"""A tiny encoder of the BERT family with random weights, in the files of transformers.

As a script it writes one to the folder that is named.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "a", "cat", "dog", "sat", "##s", "##ting", ".", "é"]
WIDTH, INNER, LAYERS, HEADS, POSITIONS = 32, 64, 3, 4, 20


def tokenizer() -> dict[str, Any]:
    special = [
        {"id": i, "content": WORDS[i], "special": True}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for i in range(4)
    ]
    ends = {
        name: {"id": name, "ids": [i], "tokens": [name]} for i, name in ((2, "[CLS]"), (3, "[SEP]"))
    }
    first, last = ({"SpecialToken": {"id": name, "type_id": 0}} for name in ends)
    text = {"Sequence": {"id": "A", "type_id": 0}}
    other = {"Sequence": {"id": "B", "type_id": 1}}
    return {
        "version": "1.0",
        "truncation": {"max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": None,
        "added_tokens": special,
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": False,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [first, text, last],
            "pair": [first, text, last, other, last],
            "special_tokens": ends,
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {word: i for i, word in enumerate(WORDS)},
        },
    }


def config(kind: str = "bert") -> dict[str, Any]:
    return {
        "model_type": kind,
        "hidden_act": "gelu",
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": POSITIONS,
        "pad_token_id": 0,
    }


def arrays(seed: int = 7) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        return random.normal(0, 0.5, shape).astype(np.float32)

    weights = {
        "embeddings.word_embeddings.weight": draw(len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": draw(POSITIONS, WIDTH),
        "embeddings.token_type_embeddings.weight": draw(2, WIDTH),
        "embeddings.LayerNorm.weight": 1 + draw(WIDTH),
        "embeddings.LayerNorm.bias": draw(WIDTH),
    }
    for n in range(LAYERS):
        layer = f"encoder.layer.{n}."
        for name, rows, columns in (
            ("attention.self.query", WIDTH, WIDTH),
            ("attention.self.key", WIDTH, WIDTH),
            ("attention.self.value", WIDTH, WIDTH),
            ("attention.output.dense", WIDTH, WIDTH),
            ("intermediate.dense", INNER, WIDTH),
            ("output.dense", WIDTH, INNER),
        ):
            weights[f"{layer}{name}.weight"] = draw(rows, columns)
            weights[f"{layer}{name}.bias"] = draw(rows)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            weights[f"{layer}{name}.weight"] = 1 + draw(WIDTH)
            weights[f"{layer}{name}.bias"] = draw(WIDTH)
    return weights


def write_safetensors(path: Path, weights: dict[str, np.ndarray]) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    place = 0
    for name, array in weights.items():
        end = place + array.nbytes
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [place, end]}
        place = end
    text = json.dumps(header).encode()
    data = b"".join(np.ascontiguousarray(array).tobytes() for array in weights.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def write_folder(folder: Path, kind: str = "bert", prefix: str = "") -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config(kind)))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()))
    write_safetensors(
        folder / "model.safetensors", {prefix + name: array for name, array in arrays().items()}
    )
    return folder


if __name__ == "__main__":
    write_folder(Path(sys.argv[1]))
