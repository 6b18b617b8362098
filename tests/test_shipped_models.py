"""Every model that ships has a checksum: a damaged file is refused, whatever bit of it changed."""

from __future__ import annotations

import json
import pickle
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import paragauge
from paragauge.collect.quality.noise_filter import NoiseFilter
from paragauge.encode.onnx_encoder import OnnxEncoder
from paragauge.errors import ParagaugeError
from paragauge.lexicon import wordnet
from paragauge.lm.model import LanguageModel
from paragauge.metrics.maxsim.context import MaxSimContext
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.metrics.pem.adequacy.adequacy_model import AdequacyModel
from paragauge.metrics.pem.fluency_model import FluencyModel
from paragauge.metrics.pem.model import PEMModel
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.rewrite.context.context_model import ContextModel
from paragauge.rewrite.encoder.substitution_model import SubstitutionModel
from paragauge.syntax.constituents import ChartParser
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.saving.checked_file import read_checked
from paragauge.text.saving.sealed_json import seal_json, unseal_json

MODELS = Path(paragauge.__file__).parent / "models"
TEXTS = (".md", ".tsv", "LICENSE")  # read by people; their readers check every line


def load_maxsim(path: Path) -> object:
    return (MaxSimContext if path.name == "context.json" else MaxSimSoft).load(path)


def load_wordnet(path: Path) -> bytes:
    return read_checked(path, wordnet.MAGIC, "a WordNet; install it again")


# How the models in a folder are loaded, by the folder's place: the file itself, or the folder it is in.
FILES: dict[str, Callable[[Path], object]] = {
    "adequacy": WordWeights.load,
    "constituents": ChartParser.load,
    "context": ContextModel.open,
    "maxsim": load_maxsim,
    "noise": NoiseFilter.load,
    "pem/learned": RBFRegression.load,
    "substitution": SubstitutionModel.open,
    "tagger": PerceptronTagger.load,
    "wordnet": load_wordnet,
}
FOLDERS: dict[str, Callable[[Path], object]] = {
    "adequacy/context": AdequacyModel.load,
    "adequacy/words": AdequacyModel.load,
    "encoder": OnnxEncoder,
    "fluency": FluencyModel.load,
    "pem/english": PEMModel.load,
}
SHIPPED = [
    path for path in sorted(MODELS.rglob("*")) if path.is_file() and not path.name.endswith(TEXTS)
]


def relative(path: Path) -> str:
    return path.relative_to(MODELS).as_posix()


def test_every_shipped_model_is_tested() -> None:
    assert {relative(path.parent) for path in SHIPPED} == {*FILES, *FOLDERS}


@pytest.mark.parametrize("path", SHIPPED, ids=relative)
def test_a_flipped_bit_is_noticed(path: Path, tmp_path: Path) -> None:
    place = relative(path.parent)
    target = tmp_path / path.name
    if place in FOLDERS:
        for other in path.parent.iterdir():
            (tmp_path / other.name).symlink_to(other)
        target.unlink()
    shutil.copyfile(path, target)
    data = bytearray(path.read_bytes())
    draw = random.Random(path.name)
    for place_in_file in [draw.randrange(len(data)) for _ in range(3)]:
        changed = bytearray(data)
        changed[place_in_file] ^= 1 << draw.randrange(7)
        if path.suffix == ".json" and _same_content(changed, data):
            continue
        target.write_bytes(changed)
        with pytest.raises(ParagaugeError) as caught:
            FILES[place](target) if place in FILES else FOLDERS[place](tmp_path)
        assert str(tmp_path) in str(caught.value)


def _same_content(changed: bytes, data: bytes) -> bool:
    """Whether JSON text differs in its spaces only."""
    try:
        return bool(json.loads(changed) == json.loads(data))
    except ValueError:
        return False


@pytest.mark.parametrize("path", [path for path in SHIPPED if path.suffix == ".json"], ids=relative)
def test_json_is_sealed(path: Path) -> None:
    if path.name != "tokenizer.json":  # whose checksum is in encoder.json
        assert "checksum" in json.loads(path.read_text(encoding="utf-8"))


def test_every_bit_of_a_sealed_file_counts() -> None:
    content = {"kind": "fit", "settings": {"slope": 1.5, "names": ["é", "b"]}}
    text = seal_json(content).encode()
    for place in range(len(text)):
        for bit in range(8):
            changed = bytearray(text)
            changed[place] ^= 1 << bit
            try:
                found = unseal_json(bytes(changed))
            except ValueError:
                continue
            assert found == content, bytes(changed)
    assert unseal_json('{"kind": "fit"}') == {"kind": "fit"}
    with pytest.raises(ValueError, match="checksum is wrong"):
        unseal_json('{"checksum": null}')


def copied(model: Any) -> Any:
    return pickle.loads(pickle.dumps(model))  # noqa: S301  # of our own


def test_models_can_be_pickled() -> None:
    lm = LanguageModel.train(["a b c", "b c"], order=2, discount_fallback=(0.5, 1, 1.5))
    copy = copied(lm)
    assert copy.score(["a b d"]).log10.tolist() == lm.score(["a b d"]).log10.tolist()
    tagger = PerceptronTagger.default()
    assert copied(tagger).name == tagger.name
    words = [["She", "reads", "books", "."]]
    parser = copied(ChartParser.default())
    assert parser.name == ChartParser.default().name
    assert parser.parse(words).to_brackets() == ChartParser.default().parse(words).to_brackets()
    noise = NoiseFilter.shipped()
    assert copied(noise).names == noise.names
    assert copied(FluencyModel.default()).name == FluencyModel.default().name
