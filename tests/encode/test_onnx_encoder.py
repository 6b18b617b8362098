"""Encoders in folders: invariance, windows, and folders that are no encoders."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.encode.bert_graph import build_graph
from paragauge.encode.bert_weights import read_weights
from paragauge.encode.convert import convert_encoder
from paragauge.encode.encoder import EncodedTexts
from paragauge.encode.encoder_by_name import describe_encoder, open_encoder
from paragauge.encode.onnx_encoder import OnnxEncoder, shipped_folder
from paragauge.encode.onnx_graph import Node, TensorInfo, onnx_bytes
from paragauge.encode.word_pieces import windows
from paragauge.errors import FileFormatError, InputError, MissingExtraError
from tests.edit_json import edit_json
from tests.encode import tiny_bert

TEXTS = [
    "The meeting was put off until Monday because the director was ill.",
    "",
    "It rains.",
    "Dogs bark!",
    " \t\u00a0",
    "naïve café 猫 🙂 שלום",
    "A man is playing a guitar on the stage of a small theater in the old town.",
    "It pours.",
    "word " * 300,
]


@pytest.fixture(scope="module")
def shipped() -> OnnxEncoder:
    return OnnxEncoder(shipped_folder())


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    convert_encoder(tiny_bert.write_folder(tmp_path / "in"), tmp_path / "tiny", bits=32)
    return tmp_path / "tiny"


def vectors_of(encoded: EncodedTexts, text: int) -> np.ndarray:
    return encoded.vectors[:, encoded.offsets[text] : encoded.offsets[text + 1]]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_vectors_depend_on_the_text_alone(shipped: OnnxEncoder, threads: int) -> None:
    together = shipped.encode(TEXTS * 5, [0, 4, 6], threads=threads)
    reverse = shipped.encode(TEXTS[::-1], [0, 4, 6], threads=threads)
    for number, text in enumerate(TEXTS):
        alone = shipped.encode([text], [0, 4, 6], threads=1)
        for many, place in ((together, number + 9), (reverse, len(TEXTS) - 1 - number)):
            np.testing.assert_array_equal(vectors_of(many, place), alone.vectors)
            np.testing.assert_array_equal(many.sentences[place], alone.sentences[0])


def test_pieces_and_spans(shipped: OnnxEncoder) -> None:
    encoded = shipped.encode(["Unbelievable cafés"], [4])
    text = "Unbelievable cafés"
    assert encoded.spans[0].tolist() == encoded.spans[-1].tolist() == [0, 0]
    assert "".join(text[a:b] for a, b in encoded.spans[1:-1]) == "Unbelievablecafés"
    assert encoded.pieces.tolist() == shipped.pieces([text])[0].tolist()
    assert encoded.pieces[[0, -1]].tolist() == [101, 102]


def test_texts_without_words_have_two_pieces(shipped: OnnxEncoder) -> None:
    encoded = shipped.encode(["", "  ", "\u200d"], [4])
    assert np.diff(encoded.offsets).tolist() == [2, 2, 2]
    assert len(shipped.encode([], [4])) == 0


def test_sentence_vectors_have_length_1(shipped: OnnxEncoder) -> None:
    lengths = np.linalg.norm(shipped.encode(TEXTS, []).sentences, axis=1)
    np.testing.assert_allclose(lengths, 1, atol=1e-6)


def test_a_long_text_is_read_in_windows_and_nothing_is_cut(shipped: OnnxEncoder) -> None:
    text = " ".join(f"w{n}" for n in range(400))
    encoded = shipped.encode([text], [4])
    assert len(encoded.pieces) == len(shipped.pieces([text])[0]) > 800
    assert np.abs(encoded.vectors).sum(axis=2).min() > 0
    # Far from the handover the vectors are those of the first window alone.
    ids = shipped.pieces([text])[0]
    head = text[: int(encoded.spans[254][1])]
    assert shipped.pieces([head])[0][1:-1].tolist() == ids[1:255].tolist()
    first = shipped.encode([head], [4])
    np.testing.assert_array_equal(encoded.vectors[0, :220], first.vectors[0, :220])


@given(st.integers(0, 400), st.integers(3, 50), st.data())
def test_windows_cover_everything_once(count: int, limit: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, 2 * limit))
    pieces = windows(count, limit, overlap)
    kept = [place for window in pieces for place in range(window.first, window.last)]
    assert kept == list(range(count))
    for window in pieces:
        assert window.start <= window.first <= window.last <= window.end
        assert window.end - window.start <= limit


def test_an_export_of_optimum(tiny: Path, tmp_path: Path) -> None:
    """The same graph under Optimum's names, with its three inputs."""
    ours = build_graph(read_weights(tmp_path / "in"), [3], bits=32)
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = replace(
        ours,
        nodes=(*ours.nodes, Node("Identity", ("layer_3",), ("last_hidden_state",))),
        inputs=tuple(TensorInfo(name, "int64", ("texts", "pieces")) for name in names),
        outputs=(TensorInfo("last_hidden_state", "float32", ("texts", "pieces", tiny_bert.WIDTH)),),
    )
    folder = tmp_path / "optimum"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(onnx_bytes(graph))
    shutil.copy(tiny / "tokenizer.json", folder)
    (folder / "config.json").write_text(json.dumps(tiny_bert.config()))
    exported, converted = OnnxEncoder(folder), OnnxEncoder(tiny)
    assert exported.layers == (3,)
    assert exported.limit == 20
    (folder / "config.json").write_text(json.dumps(tiny_bert.config("roberta")))
    assert OnnxEncoder(folder).limit == 19  # the first position is that of padding
    np.testing.assert_array_equal(
        exported.encode(TEXTS[:4], [3]).vectors, converted.encode(TEXTS[:4], [3]).vectors
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.onnx", None, "found no model.onnx"),
        ("model.onnx", b"not a graph", "expected a graph that onnxruntime reads"),
        ("tokenizer.json", None, "found no tokenizer.json"),
        ("tokenizer.json", b"{}", "expected a tokenizer in Hugging Face's format"),
        ("tokenizer.json", b"\xff", "expected a tokenizer in Hugging Face's format"),
        ("encoder.json", b"[]", "encoder.json: expected a JSON object"),
        ("encoder.json", b'{"limit": 2}', "limit: expected a whole number from 3, found 2"),
        ("encoder.json", b'{"limit": "many"}', "limit: expected a whole number from 3, found 'many'"),
        ("encoder.json", b'{"vocab_size": null}', "vocab_size: expected a whole number from 1"),
    ],
)
def test_folders_that_are_no_encoders(
    tiny: Path, name: str, content: bytes | None, message: str
) -> None:
    path = tiny / name
    edit_json(tiny / "encoder.json", {"checksums": {}})  # an error of the file, not of its copy
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        OnnxEncoder(tiny)
    assert "\n" not in str(error.value)


def test_a_truncated_graph(tiny: Path) -> None:
    path = tiny / "model.onnx"
    edit_json(tiny / "encoder.json", {"checksums": {}})
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"model.onnx: expected a graph that onnxruntime reads"):
        OnnxEncoder(tiny)


def test_a_tokenizer_with_too_many_pieces(tiny: Path) -> None:
    tokenizer = tiny_bert.tokenizer()
    tokenizer["model"]["vocab"]["more"] = len(tiny_bert.WORDS)
    (tiny / "tokenizer.json").write_text(json.dumps(tokenizer))
    edit_json(tiny / "encoder.json", {"checksums": {}})
    with pytest.raises(FileFormatError, match=r"at most 13 pieces, .* found 14; take the"):
        OnnxEncoder(tiny)
    (tiny / "encoder.json").unlink()  # then it shows when a text has that piece
    with pytest.raises(FileFormatError, match="tokenizer and model do not fit together"):
        OnnxEncoder(tiny).encode(["more"], [3])


def test_no_folder_and_safetensors(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none: expected an encoder's folder with model.onnx"):
        OnnxEncoder(tmp_path / "none")
    folder = tiny_bert.write_folder(tmp_path / "in")
    with pytest.raises(FileFormatError, match="convert it first: paragauge encoder convert"):
        OnnxEncoder(folder)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_an_absent_extra(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'paragauge\[context\]'"):
        OnnxEncoder(shipped_folder())


def test_what_is_known_of_the_shipped_encoder() -> None:
    facts = describe_encoder()
    assert facts["bytes"] < 25_000_000
    assert (facts["width"], facts["pieces_at_once"], facts["language"]) == (384, 256, "en")
    assert open_encoder() is open_encoder()
