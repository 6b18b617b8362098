"""Weights, the readable forward pass and the graphs made from them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from paragauge.encode import bert_graph
from paragauge.encode.bert_forward import attend, forward
from paragauge.encode.bert_weights import Dense, Layer, Norm, read_weights
from paragauge.encode.convert import convert_encoder, parse_layers
from paragauge.encode.onnx_encoder import OnnxEncoder
from paragauge.errors import FileFormatError, InputError, SettingError
from tests.encode import tiny_bert

TEXTS = ["The cat sat.", "", "a dog sitting", "cats", "é 猫 !"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert.write_folder(tmp_path_factory.mktemp("bert") / "tiny")


@pytest.fixture(scope="module")
def exact(source: Path) -> OnnxEncoder:
    target = source.with_name("exact")
    convert_encoder(source, target, bits=32)
    return OnnxEncoder(target)


def test_attention_by_hand() -> None:
    # One head of width 2. Keys and values are the vectors themselves, queries twice them.
    identity, zero = np.eye(2, dtype=np.float32), np.zeros(2, np.float32)
    norm = Norm(np.ones(2, np.float32), zero)
    plain, double = Dense(identity, zero), Dense(2 * identity, zero)
    layer = Layer(double, plain, plain, plain, norm, plain, plain, norm)
    x = np.array([[1.0, 0.0], [0.0, 1.0]])
    # Scores of the first piece: 2/sqrt(2) with itself, 0 with the other.
    share = math.exp(math.sqrt(2)) / (math.exp(math.sqrt(2)) + 1)
    np.testing.assert_allclose(attend(x, layer, 1), [[share, 1 - share], [1 - share, share]])


def test_float32_agrees_with_the_forward_pass(source: Path, exact: OnnxEncoder) -> None:
    weights = read_weights(source)
    encoded = exact.encode(TEXTS, exact.layers, threads=1)
    for text in range(len(TEXTS)):
        part = slice(encoded.offsets[text], encoded.offsets[text + 1])
        for layer, expected in enumerate(forward(weights, encoded.pieces[part])):
            np.testing.assert_allclose(encoded.vectors[layer, part], expected, atol=1e-5)
        pooled = expected.mean(axis=0)
        pooled /= np.linalg.norm(pooled)
        np.testing.assert_allclose(encoded.sentences[text], pooled, atol=1e-5)


def test_eight_bits_are_close_to_float32(source: Path, exact: OnnxEncoder) -> None:
    target = source.with_name("small")
    convert_encoder(source, target, bits=8)
    small = OnnxEncoder(target)
    a = small.encode(TEXTS, [3], threads=1).vectors[0]
    b = exact.encode(TEXTS, [3], threads=1).vectors[0]
    cosines = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert 0.99 < cosines.min() < 1
    assert (target / "model.onnx").stat().st_size < (exact.folder / "model.onnx").stat().st_size


def test_the_same_weights_give_the_same_bytes(source: Path, exact: OnnxEncoder) -> None:
    again = source.with_name("again")
    convert_encoder(source, again, bits=32)
    for name in ("model.onnx", "tokenizer.json", "encoder.json"):
        assert (again / name).read_bytes() == (exact.folder / name).read_bytes()


def test_a_graph_that_onnxruntime_cannot_read(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bert_graph, "MOST_BYTES", 50_000)
    convert_encoder(source, tmp_path / "small", bits=8)
    message = r"bits: in 32 bits .* 50,000; convert it in 8 bits"
    with pytest.raises(SettingError, match=message):
        convert_encoder(source, tmp_path / "large", bits=32)
    monkeypatch.setattr(bert_graph, "MOST_BYTES", 10_000)
    with pytest.raises(SettingError, match="10,000; choose a smaller encoder"):
        convert_encoder(source, tmp_path / "large", bits=8)
    assert not (tmp_path / "large").exists()


def test_roberta_counts_positions_from_its_padding(tmp_path: Path) -> None:
    plain = read_weights(tiny_bert.write_folder(tmp_path / "a"))
    other = read_weights(tiny_bert.write_folder(tmp_path / "b", "roberta", "roberta."))
    np.testing.assert_array_equal(other.positions, plain.positions[1:])
    np.testing.assert_array_equal(other.pieces, plain.pieces)


def test_chosen_layers(source: Path, tmp_path: Path, exact: OnnxEncoder) -> None:
    convert_encoder(source, tmp_path / "two", bits=32, layers=[2, 0], language="en")
    encoder = OnnxEncoder(tmp_path / "two")
    assert encoder.layers == (0, 2)
    assert encoder.language == "en"
    ours = encoder.encode(TEXTS, [2]).vectors
    np.testing.assert_array_equal(ours, exact.encode(TEXTS, [2]).vectors)
    with pytest.raises(SettingError, match=r"layer 3: .* has the layers 0, 2"):
        encoder.encode(TEXTS, [3])
    with pytest.raises(SettingError, match="layers: expected some of 0 to 3, found \\[4\\]"):
        convert_encoder(source, tmp_path / "no", layers=[4])
    with pytest.raises(SettingError, match="layers: expected numbers such as 0,4,6, found '1;2'"):
        parse_layers("1;2")
    with pytest.raises(SettingError, match="bits: expected 8 or 32, found 4"):
        convert_encoder(source, tmp_path / "no", bits=4)
    assert not (tmp_path / "no").exists()


def test_pooling_and_limit_of_sentence_transformers(source: Path, tmp_path: Path) -> None:
    folder = tiny_bert.write_folder(tmp_path / "st")
    (folder / "1_Pooling").mkdir()
    pooling = folder / "1_Pooling" / "config.json"
    pooling.write_text('{"pooling_mode_cls_token": true}')
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 8}')
    convert_encoder(folder, tmp_path / "out", bits=32)
    encoder = OnnxEncoder(tmp_path / "out")
    assert encoder.limit == 8
    encoded = encoder.encode(["the cat"], [3])
    first = encoded.vectors[0, 0]
    np.testing.assert_allclose(encoded.sentences[0], first / np.linalg.norm(first), atol=1e-6)
    pooling.write_text('{"pooling_mode_max_tokens": true}')
    with pytest.raises(FileFormatError, match="expected pooling by the mean or the first piece"):
        convert_encoder(folder, tmp_path / "other")


def broken(folder: Path, name: str, content: bytes | None) -> Path:
    path = folder / name
    path.unlink() if content is None else path.write_bytes(content)
    return folder


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", None, "expected a folder with config.json"),
        (
            "config.json",
            b'{"model_type": "t5"}',
            "type bert, .* found 't5'; export",
        ),
        ("config.json", b'{"model_type": "bert"}', "expected the setting num_hidden_layers"),
        ("tokenizer.json", None, "expected tokenizer.json, found none"),
        ("model.safetensors", None, "expected \\*.safetensors, found none"),
        ("model.safetensors", b"", "found a file that is cut off"),
        ("model.safetensors", b"\2\0\0\0\0\0\0\0[]", "expected the header of safetensors"),
        ("model.safetensors", b"\2\0\0\0\0\0\0\0{}", "expected an array embeddings"),
    ],
)
def test_folders_that_cannot_be_converted(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    folder = broken(tiny_bert.write_folder(tmp_path / "in"), name, content)
    with pytest.raises(InputError, match=message) as error:
        convert_encoder(folder, tmp_path / "out")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "out").exists()


def test_truncated_weights(tmp_path: Path) -> None:
    folder = tiny_bert.write_folder(tmp_path / "in")
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FileFormatError, match="the file is cut off"):
        convert_encoder(folder, tmp_path / "out")


def test_an_activation_that_is_not_gelu(tmp_path: Path) -> None:
    settings = tiny_bert.config() | {"hidden_act": "relu"}
    folder = broken(
        tiny_bert.write_folder(tmp_path / "in"), "config.json", json.dumps(settings).encode()
    )
    with pytest.raises(FileFormatError, match="expected hidden_act gelu, found relu"):
        convert_encoder(folder, tmp_path / "out")
