"""Models as sentence-transformers saves them: opened by path or name, or refused in one line."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from paragauge import BERTScore, Cosine
from paragauge.encode import convert_encoder, describe_encoder, open_encoder
from paragauge.encode.local_models import find_model, hub_cache
from paragauge.encode.onnx_encoder import OnnxEncoder
from paragauge.encode.safetensors_encoder import open_model
from paragauge.errors import InputError, MissingExtraError
from tests.encode import tiny_bert

TEXTS = ["The cat sat.", "", "a dog sitting"]
NAME = "someone/tiny-model"


def write_sentence_transformer(folder: Path, *, inside: str = "", pooling: str = "mean") -> Path:
    """A folder as `SentenceTransformer.save` makes it; former versions had the transformer `inside`."""
    tiny_bert.write_folder(folder / inside)
    steps = [("Transformer", inside), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")]
    modules = [{"type": f"sentence_transformers.models.{name}", "path": path} for name, path in steps]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode": pooling}))
    (folder / inside / "sentence_bert_config.json").write_text('{"max_seq_length": 8}')
    return folder


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Hugging Face's cache with one model, in two versions."""
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    model = tmp_path / "home" / "hub" / "models--someone--tiny-model"
    write_sentence_transformer(model / "snapshots" / "new")
    (model / "snapshots" / "old").mkdir()
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text("new")
    return model


def test_safetensors_open_as_their_conversion_does(tmp_path: Path) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    convert_encoder(folder, tmp_path / "out", bits=32)
    direct, converted = open_model(folder), OnnxEncoder(tmp_path / "out")
    assert direct.fingerprint == converted.fingerprint
    assert direct.layers == converted.layers == (0, 1, 2, 3)
    assert direct.limit == converted.limit == 8
    assert describe_encoder(folder)["bytes"] == describe_encoder(tmp_path / "out")["bytes"]
    ours, theirs = (encoder.encode(TEXTS, [0, 3]) for encoder in (direct, converted))
    np.testing.assert_array_equal(ours.vectors, theirs.vectors)
    np.testing.assert_array_equal(ours.sentences, theirs.sentences)


def test_a_transformer_in_a_folder_of_its_own(tmp_path: Path) -> None:
    plain = open_model(write_sentence_transformer(tmp_path / "plain"))
    inside = open_model(write_sentence_transformer(tmp_path / "inside", inside="0_Transformer"))
    assert (inside.fingerprint, inside.limit) == (plain.fingerprint, plain.limit)


@pytest.mark.parametrize(
    ("settings", "first"),
    [
        ({"pooling_mode": "cls"}, True),
        ({"pooling_mode": ["mean"]}, False),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, True),
        ({"pooling_mode_cls_token": False, "pooling_mode_mean_sqrt_len_tokens": True}, False),
    ],
)
def test_poolings(tmp_path: Path, settings: dict[str, object], first: bool) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(settings))
    encoded = open_model(folder).encode(["the cat sat"], [3])
    pooled = encoded.vectors[0, 0] if first else encoded.vectors[0].mean(axis=0)
    np.testing.assert_allclose(encoded.sentences[0], pooled / np.linalg.norm(pooled), atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"pooling_mode": "max"}, "max"),
        ({"pooling_mode": ["cls", "mean"]}, "cls and mean"),
        ({"pooling_mode_weightedmean_tokens": True}, "weightedmean_tokens"),
        ({}, "none"),
    ],
)
def test_poolings_that_are_refused(tmp_path: Path, settings: dict[str, object], found: str) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    path = folder / "1_Pooling" / "config.json"
    path.write_text(json.dumps(settings))
    with pytest.raises(InputError) as error:
        open_encoder(folder)
    assert str(error.value) == (
        f"{path}: expected pooling by the mean or the first piece, found {found}; choose an encoder "
        "that was trained with one of these"
    )


def test_modules_that_are_refused(tmp_path: Path) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    path = folder / "modules.json"
    path.write_text('[{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]')
    with pytest.raises(InputError) as error:
        open_encoder(folder)
    assert str(error.value) == (
        f"{path}: expected the modules Transformer, Pooling, Normalize, found Dense, which is not done "
        "here; choose an encoder without it, or name the transformer's folder without modules.json"
    )
    path.write_text('{"type": "Transformer"}')
    with pytest.raises(InputError, match=r"modules.json: expected a list of modules"):
        open_encoder(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.safetensors", None, "folder with model.onnx or .*, found neither graph nor weights"),
        ("tokenizer.json", None, "expected tokenizer.json, found none; save the model with its fast"),
        ("tokenizer.json", b"{}", "tokenizer.json: expected a tokenizer in Hugging Face's format"),
        ("config.json", None, "expected a folder with config.json"),
        ("config.json", b'{"model_type": "t5"}', "found 't5'; export it with Optimum"),
        ("sentence_bert_config.json", b'{"max_seq_length": 1}', "a whole number from 3, found 1"),
    ],
)
def test_folders_that_are_no_encoders(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    path = folder / name
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        open_encoder(folder)
    assert "\n" not in str(error.value)


def test_weights_that_only_torch_reads(tmp_path: Path) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"found pytorch_model.bin; load it with transformers"):
        open_encoder(folder)


def test_truncated_weights(tmp_path: Path) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match="found fewer; the file is cut off, copy it again"):
        open_encoder(folder)


def test_a_tokenizer_that_does_not_fit(tmp_path: Path) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    tokenizer = tiny_bert.tokenizer()
    tokenizer["model"]["vocab"]["more"] = len(tiny_bert.WORDS)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(InputError, match=r"at most 13 pieces, .* found 14; take the tokenizer that"):
        open_encoder(folder)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_an_absent_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    folder = write_sentence_transformer(tmp_path / "st")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'paragauge\[context\]'"):
        open_encoder(folder)


def test_a_model_in_the_cache_of_hugging_face(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_model(NAME) == hub / "snapshots" / "new"
    for metric in (Cosine(encoder=NAME), BERTScore(encoder=NAME, layer=3)):
        assert metric.segments(["the cat"], references=["the cat"])[0] == pytest.approx(100)
        fingerprint = open_model(hub / "snapshots" / "new").fingerprint
        assert f"encoder:{NAME}|" in metric.signature
        assert f"fingerprint:{fingerprint}" in metric.signature
    monkeypatch.setenv("HF_HUB_CACHE", str(hub.parent / "elsewhere"))
    assert hub_cache() == hub.parent / "elsewhere"
    with pytest.raises(InputError):
        find_model(NAME)


def test_a_name_without_an_owner(hub: Path) -> None:
    hub.rename(hub.with_name("models--sentence-transformers--tiny-model"))
    assert find_model("tiny-model").name == "new"


def test_the_cache_without_a_branch(hub: Path) -> None:
    (hub / "refs" / "main").unlink()
    with pytest.raises(InputError, match="found none of this name"):  # which of the two?
        find_model(NAME)
    shutil.rmtree(hub / "snapshots" / "old")
    assert find_model(NAME).name == "new"


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert hub_cache() == Path.home() / ".cache" / "huggingface" / "hub"
    monkeypatch.setenv("XDG_CACHE_HOME", "elsewhere")
    assert hub_cache() == Path("elsewhere", "huggingface", "hub")


def test_a_name_that_is_nowhere(hub: Path) -> None:
    with pytest.raises(InputError) as error:
        find_model("someone/else")
    assert str(error.value) == (
        "someone/else: expected english, an encoder's folder, or a model on this machine, found none "
        f"of this name in {hub.parent}; download it first: hf download someone/else"
    )
    with pytest.raises(InputError, match=r"hf download sentence-transformers/all-MiniLM$"):
        find_model("all-MiniLM")
    with pytest.raises(InputError, match="found none; check the path"):
        find_model("no/such/folder")


def test_a_package_that_carries_a_model(
    hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    write_sentence_transformer(site / "carrier" / "model")
    details = site / "carrier_model-1.0.dist-info"
    details.mkdir()
    (details / "METADATA").write_text("Metadata-Version: 2.1\nName: carrier-model\nVersion: 1.0\n")
    files = [path for path in sorted(site.rglob("*")) if path.is_file()]
    (details / "RECORD").write_text("".join(f"{path.relative_to(site)},,\n" for path in files))
    monkeypatch.syspath_prepend(str(site))
    assert find_model("carrier-model") == site / "carrier" / "model"
    with pytest.raises(InputError, match="found none of this name"):
        find_model("numpy")  # a package without a model


def test_convert_takes_names(hub: Path, tmp_path: Path) -> None:
    convert_encoder(NAME, tmp_path / "out", bits=32)
    assert OnnxEncoder(tmp_path / "out").limit == 8
