"""PEM on a model that is small enough to compute by hand."""

from __future__ import annotations

import json
import math
import shutil
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.pem.features import (
    EXTENDED,
    FEATURE_SETS,
    MEASURED,
    PAPER,
    Bags,
    Reader,
    pair_features,
)
from paragauge.metrics.pem.metric import PEM
from paragauge.metrics.pem.model import PEMModel, open_model
from paragauge.metrics.target_f1 import TargetF1
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import tokenize
from tests.edit_json import edit_json, load_json

PAIRS = [
    ("The meeting was put off until Monday.", "They postponed the meeting to Monday."),
    ("The meeting was put off until Monday.", "Monday off the dog until was."),
    ("The meeting was put off until Monday.", "The meeting was put off until Monday."),
    ("The dog barked.", "Ärger mit dem 🐕 !"),
    ("The dog.", ""),
    ("", ""),
]
SOURCES = [source for source, _ in PAIRS]
CANDIDATES = [candidate for _, candidate in PAIRS]


def words(text: str) -> str:
    return " ".join(tokenize([text.lower()], "13a")[0])


def agreement(ours: dict[str, float], theirs: dict[str, float]) -> tuple[float, float, float]:
    """Precision, recall and F1 of two bags."""
    if not ours and not theirs:
        return 1.0, 1.0, 1.0
    shared = sum((Counter(ours) & Counter(theirs)).values())
    mine, other = sum(ours.values()), sum(theirs.values())
    return (
        shared / mine if mine else 0.0,
        shared / other if other else 0.0,
        2 * shared / (mine + other),
    )


def own_ngrams(text: str, order: int) -> dict[str, float]:
    tokens = text.split()
    grams = Counter(
        " ".join(tokens[i : i + n]) for n in range(1, order + 1) for i in range(len(tokens) - n + 1)
    )
    return {gram: float(count) for gram, count in grams.items()}


def by_hand(model: PEMModel, source: str, candidate: str) -> dict[str, float]:
    """The features, from the bags of single sentences."""
    known = model.resources
    ours, theirs = words(candidate), words(source)
    rows: dict[str, list[tuple[float, float, float]]] = {"pivot": [], "pivot1": [], "word1": []}
    single = type(known.network)(
        edge=known.network.edge, renormalize=known.network.renormalize, longest=1, order=1
    )
    for pivot in known.pivots:
        bags = [pivot.bag(text, known.network) for text in (ours, theirs)]
        rows["pivot"].append(agreement(*bags))
        ones = [{gram: w for gram, w in bag.items() if " " not in gram} for bag in bags]
        rows["pivot1"].append(agreement(*ones))
        rows["word1"].append(agreement(*(pivot.bag(text, single) for text in (ours, theirs))))
    rows["target"] = [agreement(own_ngrams(ours, 4), own_ngrams(theirs, 4))]
    rows["target1"] = [agreement(own_ngrams(ours, 1), own_ngrams(theirs, 1))]
    features = {
        f"{bag}_{name}": float(np.mean([row[i] for row in own]))
        for bag, own in rows.items()
        for i, name in enumerate(("precision", "recall", "f1"))
    }
    n, m = len(ours.split()), len(theirs.split())
    log10 = known.model.score([candidate]).log10[0]
    return features | {
        "copy": float(source == candidate),
        "fluency": log10 * math.log(10) / (n + 1),
        "length_ratio": math.log((n + 1) / (m + 1)),
        "length": math.log(m + 1),
    }


def test_features_equal_those_made_by_hand(pem_model: PEMModel) -> None:
    table = pair_features(MEASURED, pem_model.resources, CANDIDATES, SOURCES)
    assert table.shape == (len(PAIRS), len(MEASURED))
    for row, (source, candidate) in zip(table, PAIRS, strict=True):
        features = dict(zip(MEASURED, row.tolist(), strict=True))
        expected = by_hand(pem_model, source, candidate)
        assert {name: features[name] for name in expected} == pytest.approx(expected, abs=1e-12)
        assert set(features) - set(expected) == {
            f"{bag}_{name}"
            for bag in ("word1_idf", "target1_idf", "letters")
            for name in ("precision", "recall", "f1")
        }


def test_weights_of_words_and_letters(pem_model: PEMModel) -> None:
    (row,) = pair_features(MEASURED, pem_model.resources, ["the dog"], ["dog dog"])
    features = dict(zip(MEASURED, row.tolist(), strict=True))
    # In the largest pivot's ten sentences "the" stands in seven and "dog" in three.
    dog = math.log(11 / 3.5)
    words = ("the", "dog")
    weights = dict(zip(words, pem_model.resources.word_weights.look_up(words).tolist(), strict=True))
    assert weights == pytest.approx({"the": weights["the"], "dog": dog})
    the = weights["the"]
    assert features["target1_idf_precision"] == pytest.approx(dog / (the + dog))
    assert features["target1_idf_recall"] == pytest.approx(dog / (2 * dog))
    # Letters: thedog against dogdog. Shared: d, o, g; do, og; dog. Orders 4 to 6: none.
    precision = (3 / 6 + 2 / 5 + 1 / 4) / 6
    assert features["letters_precision"] == pytest.approx(precision)
    assert features["letters_recall"] == pytest.approx(precision)


@pytest.mark.parametrize("name", ["pivot_f1", "word1_recall", "fluency"])
def test_weights_of_words_are_not_enough_for_features_of_a_model(
    pem_model: PEMModel, name: str
) -> None:
    weights = pem_model.resources.word_weights
    assert pair_features(("target_f1",), weights, ["a"], ["a"]).tolist() == [[1.0]]
    with pytest.raises(InputError, match=f"found {name}; give a model's resources"):
        pair_features((name,), weights, ["a"], ["a"])


def test_paper_features_are_the_same_in_both_sets(pem_model: PEMModel) -> None:
    few = pair_features(PAPER, pem_model.resources, CANDIDATES, SOURCES)
    many = pair_features(EXTENDED, pem_model.resources, CANDIDATES, SOURCES)
    np.testing.assert_array_equal(few, many[:, [EXTENDED.index(name) for name in PAPER]])


def test_target_f1_is_the_metric_of_that_name(pem_model: PEMModel) -> None:
    table = pair_features(PAPER, pem_model.resources, CANDIDATES, SOURCES)
    metric = TargetF1(case="lower").segments(CANDIDATES, sources=SOURCES)
    np.testing.assert_allclose(100 * table[:, 2], metric)


@pytest.mark.parametrize("features", list(FEATURE_SETS))
def test_the_score_is_the_prediction_on_0_to_100(
    pem_model: PEMModel, pem_folder: Path, features: str
) -> None:
    metric = PEM(model=str(pem_folder), features=features)
    regression = pem_model.regressions[features]
    table = pair_features(FEATURE_SETS[features], pem_model.resources, CANDIDATES, SOURCES)
    expected = []
    for row in table:
        z = (row - regression.mean) / regression.scale
        kernel = [math.exp(-regression.gamma * float(((z - v) ** 2).sum())) for v in regression.vectors]
        expected.append(regression.intercept + float(np.dot(kernel, regression.coefficients)))
    scores = metric.segments(CANDIDATES, sources=SOURCES)
    np.testing.assert_allclose(scores, 100 * (np.array(expected) - 1) / 4)
    parts = metric.components(CANDIDATES, sources=SOURCES)
    np.testing.assert_allclose(parts["rating"], expected)
    np.testing.assert_allclose(parts["pivot_f1"], 100 * table[:, 0])
    np.testing.assert_allclose(parts["fluency"], table[:, 1])
    score = metric.score(CANDIDATES, sources=SOURCES)
    assert score.value == pytest.approx(scores.mean())
    assert score.parts == pytest.approx({name: values.mean() for name, values in parts.items()})


def test_a_good_paraphrase_beats_a_bad_one(pem_folder: Path) -> None:
    scores = PEM(model=str(pem_folder), features="paper").segments(CANDIDATES, sources=SOURCES)
    good, bad, copy, *_ = scores
    assert good > bad
    assert copy > bad


def test_several_sources_are_averaged(pem_folder: Path) -> None:
    metric = PEM(model=str(pem_folder))
    one, two = (metric.segments([CANDIDATES[0]], sources=[SOURCES[i]])[0] for i in (0, 3))
    both = metric.segments(
        [CANDIDATES[0], CANDIDATES[1]], sources=[[SOURCES[0], SOURCES[3]], [SOURCES[0]]]
    )
    assert both[0] == pytest.approx((one + two) / 2)


def test_threads_and_batches_do_not_matter(pem_folder: Path) -> None:
    metric = PEM(model=str(pem_folder))
    many = CANDIDATES * 40, SOURCES * 40
    whole = metric.segments(many[0], sources=many[1], threads=1)
    np.testing.assert_array_equal(whole, metric.segments(many[0], sources=many[1], threads=3))
    np.testing.assert_array_equal(whole[:6], metric.segments(CANDIDATES, sources=SOURCES))


def test_sources_are_read_once_for_all_systems(
    pem_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    original = Reader.encode

    def counted(self: Reader, lines: Any, threads: int) -> Any:
        read.append(len(lines))
        return original(self, lines, threads)

    monkeypatch.setattr(Reader, "encode", counted)
    batch = Batch.of({f"s{i}": CANDIDATES for i in range(50)}, sources=SOURCES)
    metric = PEM(model=str(pem_folder))
    rows = [metric.batch_stats(batch, name) for name in batch.systems]
    assert len(read) == 51
    for row in rows[1:]:
        np.testing.assert_array_equal(row, rows[0])


def test_words_of_one_reader_agree_between_lines(pem_model: PEMModel) -> None:
    from paragauge.text.lines import Lines

    reader = Reader(pem_model.resources, MEASURED)
    first = Bags(reader, Lines.of(["Querrien met Zyx"]), 1)
    second = Bags(reader, Lines.of(["Zyx", "Querrien met Zyx"]), 1)
    same = first.phrases[0].overlaps(second.phrases[0], np.array([0]), np.array([1]))
    assert same[0, 0].tolist() == [3.0, 3.0, 3.0]


def test_the_signature_names_every_resource(pem_folder: Path, pem_model: PEMModel) -> None:
    signature = PEM(model=str(pem_folder)).signature
    for pivot in pem_model.resources.pivots:
        assert f"{pivot.language}-{pivot.fingerprint}" in signature
    assert f"lm:{pem_model.resources.model.name}" in signature
    assert f"svr:{pem_model.regressions['extended'].fingerprint}" in signature
    assert "tok:13a|case:lower|stem:none" in signature
    assert PEM(model=str(pem_folder), features="paper").signature != signature


def test_the_command_line_names_a_model(pem_folder: Path) -> None:
    assert Metric.from_spec(f"pem:model={pem_folder}:features=paper") == PEM(str(pem_folder), "paper")


class TestFolder:
    """A model's folder that is not one."""

    @pytest.fixture
    def folder(self, pem_folder: Path, tmp_path: Path) -> Path:
        return Path(shutil.copytree(pem_folder, tmp_path / "model"))

    def change(self, folder: Path, **values: Any) -> None:
        edit_json(folder / "model.json", values)

    def refused(self, folder: Path, message: str) -> None:
        with pytest.raises(FileFormatError, match=message):
            open_model(folder)

    def test_without_its_description(self, folder: Path) -> None:
        (folder / "model.json").unlink()
        self.refused(folder, r"expected a PEM model, found no model\.json; train it with paragauge pem")

    def test_another_json(self, folder: Path) -> None:
        (folder / "model.json").write_text("[1]")
        self.refused(folder, "expected the description of a PEM model, found another JSON file")
        (folder / "model.json").write_text("{")
        self.refused(folder, "expected the description of a PEM model")

    def test_another_version(self, folder: Path) -> None:
        self.change(folder, version=99)
        self.refused(folder, "expected a model of version 1, found 99")

    @pytest.mark.parametrize("name", ["pivot-fra.bin", "lm.bin", "regression-paper.bin"])
    def test_a_missing_file(self, folder: Path, name: str) -> None:
        (folder / name).unlink()
        self.refused(folder, f"{name}: no such file")

    @pytest.mark.parametrize("name", ["pivot-fra.bin", "lm.bin", "regression-paper.bin"])
    def test_a_cut_file(self, folder: Path, name: str) -> None:
        (folder / name).write_bytes((folder / name).read_bytes()[:-5])
        self.refused(folder, name)

    @pytest.mark.parametrize("name", ["pivots", "scale", "form", "network", "fingerprints"])
    def test_a_description_without_a_part(self, folder: Path, name: str) -> None:
        path = folder / "model.json"
        content = load_json(path)
        del content[name]
        path.write_text(json.dumps(content))
        self.refused(folder, "expected the description of a PEM model")

    @pytest.mark.parametrize(
        ("part", "value"),
        [
            ("scale", [1, 1]),
            ("scale", [5, 1]),
            ("scale", [math.nan, 5]),
            ("fingerprints", None),
            ("network", {"order": 2.5}),
            ("network", {"longest": 1.5}),
        ],
    )
    def test_a_description_that_makes_no_sense(self, folder: Path, part: str, value: Any) -> None:
        self.change(folder, **{part: value})
        self.refused(folder, "expected the description of a PEM model")

    def test_text_of_another_form(self, folder: Path) -> None:
        self.change(folder, form={"tokenize": "char", "case": "lower", "stem": None})
        self.refused(folder, r"expected form tok:13a.*, found tok:char")

    def test_files_of_two_models(self, folder: Path) -> None:
        shutil.copy(folder / "regression-extended.bin", folder / "old.bin")
        regression = open_model(folder).regressions["extended"]
        type(regression)(
            regression.names,
            regression.mean,
            regression.scale,
            regression.gamma,
            regression.intercept + 1,
            regression.vectors,
            regression.coefficients,
        ).save(folder / "regression-extended.bin")
        (folder / "model.json").touch()
        self.refused(folder, "expected extended .*, found .*: files of two models")

    def test_no_regression_for_the_features(self, folder: Path) -> None:
        content = json.loads((folder / "model.json").read_text())
        self.change(
            folder,
            regressions=["paper"],
            fingerprints={k: v for k, v in content["fingerprints"].items() if k != "extended"},
        )
        with pytest.raises(SettingError, match="has no regression for features=extended; it has paper"):
            PEM(model=str(folder)).segments(["a"], sources=["b"])

    def test_saved_again_it_is_the_same(self, folder: Path, tmp_path: Path) -> None:
        model = open_model(folder)
        model.save(tmp_path / "again")
        model.save(tmp_path / "again")
        for path in folder.iterdir():
            assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        str.upper,
        lambda text: f"{text} ",
        lambda text: text.replace(" ", "  ", 1),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.removesuffix("."),
        lambda text: text.replace("café", "ca\u200bfé"),
    ],
)
def test_a_copy_is_a_copy_in_other_spelling(change: Callable[[str], str]) -> None:
    pem, source = PEM(), "The café was closed until Monday."
    copy, other = pem.segments([source, change(source)], sources=[source, source])
    assert other < copy + 20
    assert pem.segments(["The café was shut until Monday."], sources=[source])[0] > copy + 30
