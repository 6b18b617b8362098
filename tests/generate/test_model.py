"""Model folders: errors name missing or damaged parts, and nothing half-written stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.align.links import Links
from paragauge.errors import FileFormatError, ParagaugeError, SettingError
from paragauge.generate import model_folder as models
from paragauge.generate.model_folder import (
    Description,
    new_generator,
    write_description,
)
from paragauge.generate.model_loader import open_generator
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import FEATURES, PhraseSettings, default_weights
from paragauge.generate.weights import read_weights, write_weights
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.phrases.extract import extract_table
from paragauge.text.bitext import Bitext
from tests.edit_json import edit_json


def write_model(output: Path, word: str = "guy") -> None:
    bitext = Bitext.of(["a man eats", "a man sings"], [f"a {word} eats", f"a {word} sings"])
    links = Links.from_lists([[(0, 0), (1, 1), (2, 2)]] * 2)
    with new_generator(output) as folder:
        table = extract_table(bitext, links, folder / "phrase-table")
        model = LanguageModel.train(bitext.target, order=2, discount_fallback=(0.5, 1, 1.5))
        model.save(folder / models.LM_FILE)
        write_weights(folder / models.WEIGHTS_FILE, FEATURES, default_weights())
        prints = {"phrase-table": table.fingerprint, "language-model": model.name}
        described = Description("phrase", TextForm(), PhraseSettings().record(), prints)
        write_description(folder, described)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_model(tmp_path / "model")
    return tmp_path / "model"


def test_a_model_is_opened(folder: Path) -> None:
    generator = open_generator(folder)
    assert isinstance(generator, PhraseBased)
    assert generator.nbest(["a man eats"]).best() == ["a guy eats"]
    assert generator.weights.tolist() == default_weights().tolist()
    other = open_generator(folder, settings={"stack": 7}, weights=np.ones(10))
    assert isinstance(other, PhraseBased)
    assert (other.settings.stack, other.weights.tolist()) == (7, [1.0] * 10)
    assert sorted(path.name for path in folder.iterdir()) == [
        "generator.json",
        "language-model.bin",
        "phrase-table",
        "weights.tsv",
    ]


def test_weights_of_another_file(folder: Path, tmp_path: Path) -> None:
    write_weights(tmp_path / "tuned.tsv", FEATURES, np.arange(10.0))
    assert open_generator(folder, weights=tmp_path / "tuned.tsv").weights.tolist() == [*range(10)]


def test_a_model_is_replaced_and_other_folders_are_not(folder: Path, tmp_path: Path) -> None:
    write_model(folder, "chap")
    assert open_generator(folder).nbest(["a man eats"]).best() == ["a chap eats"]
    other = tmp_path / "thesis"
    other.mkdir()
    (other / "chapter").touch()
    with pytest.raises(FileFormatError, match="expected a new folder or a generator to replace"):
        write_model(other)
    assert [path.name for path in other.iterdir()] == ["chapter"]


def test_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    def interrupted() -> None:
        with new_generator(tmp_path / "model") as folder:
            (folder / "part").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("generator.json", "expected a generator, found a folder without generator.json; train it"),
        ("phrase-table", "expected the part phrase-table of the model, found none; train it"),
        ("language-model.bin", "expected the part language-model.bin of the model, found none; train"),
        ("weights.tsv", "expected the part weights.tsv of the model, found none; train it again"),
    ],
)
def test_a_missing_part_is_named(folder: Path, part: str, message: str) -> None:
    path = folder / part
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(FileFormatError, match=message) as caught:
        open_generator(folder)
    assert str(caught.value).startswith(str(folder))
    assert "\n" not in str(caught.value)


def test_parts_of_two_models(folder: Path, tmp_path: Path) -> None:
    write_model(tmp_path / "other", "chap")
    for part, message in (
        ("language-model.bin", "expected the language-model with the fingerprint 2gram-"),
        ("phrase-table", "expected the phrase-table with the fingerprint"),
    ):
        mixed = tmp_path / f"mixed-{part}"
        shutil.copytree(folder, mixed)
        theirs, ours = tmp_path / "other" / part, mixed / part
        if ours.is_dir():
            shutil.rmtree(ours)
            shutil.copytree(theirs, ours)
        else:
            shutil.copyfile(theirs, ours)
        with pytest.raises(FileFormatError, match=message):
            open_generator(mixed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "expected the description of a generator, found another JSON file"),
        ({"version": 9}, "expected a generator of version 1, found 9"),
        ({"version": True}, "expected a generator of version 1, found True"),
        ({"kind": "neural"}, "expected a generator of kind phrase or grammar, found 'neural'"),
        ({"kind": ["phrase"]}, "expected a generator of kind phrase or grammar, found \\['phrase'"),
        (
            {"settings": {"stack": 0}},
            "generator.json: stack: expected a whole number .*; train it again",
        ),
        ({"form": {"tokenize": "13a", "case": "lower", "stem": None}}, "expected the form of the lang"),
        ({"form": {}}, "expected the description of a generator"),
        ({"fingerprints": 3}, "expected the description of a generator"),
    ],
)
def test_another_description(folder: Path, change: dict[str, object], message: str) -> None:
    edit_json(folder / "generator.json", change)
    with pytest.raises(FileFormatError, match=message):
        open_generator(folder)


def test_a_setting_that_does_not_exist(folder: Path) -> None:
    with pytest.raises(SettingError, match="unknown setting 'stak'; did you mean 'stack'"):
        open_generator(folder, settings={"stak": 3})


@settings(max_examples=60)
@given(
    st.sampled_from(["generator.json", "weights.tsv", "language-model.bin"]),
    st.one_of(st.binary(max_size=60), st.integers(0, 400)),
)
def test_damaged_files_are_paragauge_errors(folder: Path, part: str, content: bytes | int) -> None:
    path = folder / part
    whole = path.read_bytes()
    if isinstance(content, int):
        # What is cut inside the last number is a number too.
        most = whole.rindex(b"\t") + 1 if part == "weights.tsv" else len(whole.rstrip()) - 1
        content = whole[: min(content, most)]
    try:
        path.write_bytes(content)
        with pytest.raises(ParagaugeError) as caught:
            open_generator(folder)
        assert part in str(caught.value)
    finally:
        path.write_bytes(whole)


def test_weights_are_read_as_written(tmp_path: Path) -> None:
    values = np.array([0.1, -1 / 3, 1e-300])
    write_weights(tmp_path / "w", ["x", "y", "z"], values)
    assert read_weights(tmp_path / "w", ["z", "y", "x"]).tolist() == values[::-1].tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x\t1\n", "w: expected a weight for each feature, found none for y"),
        ("x\t1\ny\tfew\n", "w:2: expected a feature, a tab and a number from .*, found 'y.*few'"),
        ("x 1\n", "w:1: expected a feature, a tab and a number from .*, found 'x 1'"),
        ("x\tnan\n", "w:1: expected a feature, a tab and a number"),
        ("x\t-1e7\n", "w:1: expected .* a number from -1e.06 to 1e.06, found"),
        ("x\t1\nx\t2\n", "w:2: x already has a weight; leave one out"),
        ("# mine\n\nz\t1\n", "w:3: unknown feature 'z'; known: x, y"),
    ],
)
def test_bad_weights(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "w").write_text(text)
    with pytest.raises(FileFormatError, match=message):
        read_weights(tmp_path / "w", ["x", "y"])


def test_a_feature_may_begin_with_the_sign_of_comments(tmp_path: Path) -> None:
    write_weights(tmp_path / "w", ["#words", "x"], np.array([2.0, 3.0]))
    assert read_weights(tmp_path / "w", ["#words", "x"]).tolist() == [2, 3]


def test_an_endless_weights_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("#\n" * ((1 << 16) + 1))
    with pytest.raises(FileFormatError, match="expected 2 weights, found a longer file"):
        read_weights(tmp_path / "w", ["x", "y"])
