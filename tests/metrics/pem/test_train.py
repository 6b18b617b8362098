"""From bitexts and ratings to a model: stages, resumption, and bad input."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.align.aligner import Alignment
from paragauge.align.links import Links
from paragauge.errors import FileFormatError, InputError, MissingExtraError, SettingError
from paragauge.lm.text_form import Encoder, TextForm
from paragauge.metrics.pem import fit as pem_fit
from paragauge.metrics.pem import train as pem_train
from paragauge.metrics.pem.bitext import PivotText, stem_lines
from paragauge.metrics.pem.metric import PEM
from paragauge.metrics.pem.model import PEMModel
from paragauge.metrics.pem.train import TrainSettings, stage_count, train
from paragauge.metrics.pem.training_stages import Stages
from paragauge.metrics.regression import search as pem_search
from paragauge.text.bitext import Bitext
from paragauge.text.lines import Lines
from paragauge.text.rated_pairs import RatedPairs, SegmentRange, read_rated_pairs
from paragauge.text.vocabulary import Vocabulary

pytest.importorskip("sklearn")
pytest.importorskip("duckdb")

SUBJECTS = {"the dog": "le chien", "a cat": "un chat", "my friend": "mon ami", "she": "elle"}
VERBS = {"sees": "voit", "likes": "aime", "wants": "veut", "is buying": "achète"}
OBJECTS = {"the house": "la maison", "a book": "un livre", "bread": "du pain", "it": "cela"}
TIMES = {"today": "aujourd'hui", "now": "maintenant", "again": "encore", "": ""}


def sentences() -> list[tuple[str, str]]:
    return [
        (f"{s} {v} {o} {t}".strip() + " .", f"{ss} {vv} {oo} {tt}".strip() + " .")
        for s, ss in SUBJECTS.items()
        for v, vv in VERBS.items()
        for o, oo in OBJECTS.items()
        for t, tt in TIMES.items()
    ]


class Diagonal:
    """An aligner that links words at like places."""

    name = "diagonal 1"
    symmetric = True
    calls = 0

    def align(self, bitext: Bitext) -> Alignment:
        type(self).calls += 1
        rows = []
        for n, m in zip(bitext.source_lengths.tolist(), bitext.target_lengths.tolist(), strict=True):
            rows.append(sorted({(i, min(m - 1, i * m // n)) for i in range(n) if m}))
        return Alignment(self.name, Links.from_lists(rows))


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pem_train, "choose_aligner", lambda *_, **__: Diagonal())
    monkeypatch.setattr(pem_search, "SEARCH", {"gamma": (0.3,), "c": (1.0,), "epsilon": (0.1,)})
    monkeypatch.setattr(Diagonal, "calls", 0)


@pytest.fixture
def bitext(tmp_path: Path) -> str:
    path = tmp_path / "eng-fra.tsv"
    path.write_text("".join(f"{a}\t{b}\n" for a, b in sentences()), encoding="utf-8")
    return str(path)


@pytest.fixture
def ratings() -> RatedPairs:
    random = np.random.default_rng(7)
    english = [source for source, _ in sentences()]
    sources, candidates, values = [], [], []
    for source in random.choice(english, 20, replace=False).tolist():
        for other in random.choice(english, 4, replace=False).tolist():
            sources.append(source)
            candidates.append(other)
            values.append(1 + 4 * len({*source.split()} & {*other.split()}) / len({*source.split()}))
    return RatedPairs(sources, candidates, np.minimum(values, 5).tolist(), 80, 0)


SMALL = TrainSettings(least=1, lm_order=2, lm_discount_fallback=True, folds=2)


def kept(trained: Any) -> dict[str, bool]:
    return {stage.name: stage.kept for stage in trained.stages.done}


def test_a_model_from_scratch(bitext: str, ratings: RatedPairs, tmp_path: Path) -> None:
    words: list[str] = []
    trained = train(
        tmp_path / "model", [PivotText("fra", bitext)], ratings, SMALL, progress=words.append
    )
    assert len(words) == stage_count(1) == len(trained.stages.done)
    assert not any(kept(trained).values())
    metric = PEM(model=str(tmp_path / "model"))
    same, other = metric.components(
        ["the dog wants a book .", "she is buying bread now ."],
        sources=["the dog wants a book .", "the dog wants a book ."],
    )["pivot_f1"]
    assert same == 100.0
    assert other < 50
    description = json.loads((tmp_path / "model" / "model.json").read_text())
    assert description["about"]["bitexts"] == {"fra": {"file": "eng-fra.tsv", "segmenter": "13a"}}
    assert str(tmp_path) not in json.dumps(description)
    assert set(description["about"]["fits"]) == {"paper", "extended"}


def test_stages_are_not_done_twice(bitext: str, ratings: RatedPairs, tmp_path: Path) -> None:
    texts = [PivotText("fra", bitext)]
    first = train(tmp_path / "model", texts, ratings, SMALL)
    again = train(tmp_path / "model", texts, ratings, SMALL)
    assert all(kept(again).values())
    assert Diagonal.calls == 1
    assert again.fits == first.fits
    # Another edge concerns the pivot and the regressions, another order the language model.
    changed = dataclasses.replace(SMALL, least=2)
    assert [
        name
        for name, old in kept(train(tmp_path / "model", texts, ratings, changed)).items()
        if not old
    ] == [
        "fra: pivot",
        "regression: paper",
        "regression: extended",
    ]
    changed = dataclasses.replace(changed, lm_order=3)
    third = kept(train(tmp_path / "model", texts, ratings, changed))
    assert [name for name, old in third.items() if not old] == [
        "language model",
        "regression: paper",
        "regression: extended",
    ]
    assert Diagonal.calls == 1


def test_an_interrupted_run_goes_on(
    bitext: str, ratings: RatedPairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [PivotText("fra", bitext)]
    with monkeypatch.context() as patched:
        patched.setattr(pem_train, "pivot_of_table", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "model", texts, ratings, SMALL)
    assert not (tmp_path / "model").exists()
    trained = train(tmp_path / "model", texts, ratings, SMALL)
    assert [name for name, old in kept(trained).items() if old] == ["fra: align", "fra: phrases"]


def _interrupt(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


def test_a_model_that_is_made_anew_is_never_half_new(
    bitext: str, ratings: RatedPairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [PivotText("fra", bitext)]
    train(tmp_path / "model", texts, ratings, SMALL)
    before = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    monkeypatch.setattr(pem_fit, "fit_regression", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "model", texts, ratings, dataclasses.replace(SMALL, seed=8))
    assert {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()} == before
    PEMModel.load(tmp_path / "model")


def test_two_pivots_and_two_files(bitext: str, ratings: RatedPairs, tmp_path: Path) -> None:
    sides = [tmp_path / "eng.txt", tmp_path / "fra.txt"]
    for path, lines in zip(sides, zip(*sentences(), strict=True), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    texts = [PivotText("one", bitext), PivotText("two", str(sides[0]), str(sides[1]))]
    trained = train(tmp_path / "model", texts, ratings, SMALL)
    one, two = trained.model.resources.pivots
    assert (one.language, two.language) == ("one", "two")
    assert len(one) == len(two)


def test_a_pivot_without_its_segmenter(
    bitext: str, ratings: RatedPairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(MissingExtraError, match=r"jieba, which segments Chinese, .*paragauge\[chi"):
        train(tmp_path / "model", [PivotText("cmn", bitext, segmenter="jieba")], ratings, SMALL)
    assert not (tmp_path / "model.work").exists()


def test_a_language_model_of_ones_own(bitext: str, ratings: RatedPairs, tmp_path: Path) -> None:
    from paragauge.lm.model import LanguageModel

    lines = [english for english, _ in sentences()]
    texts = [PivotText("fra", bitext)]
    other = LanguageModel.train(
        lines, order=2, form=TextForm("13a", "mixed"), discount_fallback=(0.5, 1, 1.5)
    )
    other.save(tmp_path / "other.bin")
    with pytest.raises(InputError, match=r"other\.bin: .*tok:13a\|case:mixed\|stem:none"):
        train(
            tmp_path / "model",
            texts,
            ratings,
            dataclasses.replace(SMALL, lm=str(tmp_path / "other.bin")),
        )
    (tmp_path / "no.bin").write_bytes(b"hello\0")
    with pytest.raises(FileFormatError, match=r"no\.bin"):
        train(
            tmp_path / "model", texts, ratings, dataclasses.replace(SMALL, lm=str(tmp_path / "no.bin"))
        )
    mine = LanguageModel.train(lines, order=2, form=SMALL.form, discount_fallback=(0.5, 1, 1.5))
    mine.save(tmp_path / "mine.bin")
    trained = train(
        tmp_path / "model", texts, ratings, dataclasses.replace(SMALL, lm=str(tmp_path / "mine.bin"))
    )
    assert trained.model.resources.model.name == mine.name


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        ([], InputError, "expected at least one bitext, found none"),
        (["fra", "fra"], SettingError, "expected different names of pivots, found fra, fra"),
    ],
)
def test_bad_calls(
    bitext: str,
    ratings: RatedPairs,
    tmp_path: Path,
    texts: list[str],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        train(tmp_path / "model", [PivotText(name, bitext) for name in texts], ratings, SMALL)


def test_bad_bitexts(bitext: str, ratings: RatedPairs, tmp_path: Path) -> None:
    def refused(message: str, *paths: str) -> None:
        with pytest.raises(InputError, match=message):
            train(tmp_path / "model", [PivotText("fra", *paths)], ratings, SMALL)

    bad = tmp_path / "bad.tsv"
    bad.write_text("a\tb\nc\t\n")
    refused(r"bad\.tsv:2: expected text on both sides", str(bad))
    bad.write_text("a\tb\nc\n")
    refused(r"bad\.tsv:2: ", str(bad))
    bad.write_text("")
    refused(r"bad\.tsv: the file is empty; expected two columns of text", str(bad))
    refused(r"bad\.tsv: the file is empty; expected one sentence per line", str(bad), str(bad))
    bad.write_text("a\nb\n")
    (tmp_path / "short.txt").write_text("x\n")
    refused(
        r"short\.txt has 1 line but .*bad\.tsv has 2; expected equally many",
        str(bad),
        str(tmp_path / "short.txt"),
    )
    with pytest.raises(SettingError, match=r"pivot: expected a name of letters and digits"):
        PivotText("../fra", bitext)
    with pytest.raises(SettingError, match="pivot fra: unknown segmenter 'jeiba'"):
        PivotText("fra", bitext, segmenter="jeiba")


def test_a_damaged_record_of_stages(bitext: str, ratings: RatedPairs, tmp_path: Path) -> None:
    work = tmp_path / "model.work"
    work.mkdir()
    for content in ("[1]", "{", '{"a": 1}'):
        (work / "stages.json").write_text(content)
        with pytest.raises(FileFormatError, match="expected a record of finished stages; remove the"):
            train(tmp_path / "model", [PivotText("fra", bitext)], ratings, SMALL)


def test_rated_pairs_are_averaged_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "rated.tsv"
    path.write_text("source\tcandidate\trating\na\tb\t1\na\tb\t4\nc\td\t\ne\tf\t5\n")
    pairs = read_rated_pairs(path, scale=(1, 5))
    assert (pairs.sources, pairs.candidates, pairs.ratings) == (["a", "e"], ["b", "f"], [2.5, 5.0])
    assert (pairs.rows, pairs.unrated) == (4, 1)
    with pytest.raises(FileFormatError, match=r"rated\.tsv:3: expected a rating from 1 to 3, found 4"):
        read_rated_pairs(path, scale=(1, 3))
    with pytest.raises(FileFormatError, match=r"unknown column 'score'"):
        read_rated_pairs(path, ("source", "candidate", "score"))


def test_rated_pairs_of_a_range_of_segments(tmp_path: Path) -> None:
    path = tmp_path / "rated.tsv"
    path.write_text("segment\tsource\tcandidate\trating\n1\ta\tb\t1\n2\ta\tb\t4\n3\tc\td\t\n")
    pairs = read_rated_pairs(path, segments=SegmentRange(2, 3))
    assert (pairs.ratings, pairs.rows, pairs.unrated) == ([4.0], 2, 1)
    path.write_text("segment\tsource\tcandidate\trating\nx1\ta\tb\t1\n")
    with pytest.raises(FileFormatError, match=r"rated\.tsv:2: column 'segment': expected a number"):
        read_rated_pairs(path, segments=SegmentRange(2, 3))


def test_text_has_the_same_words_in_training_and_in_scoring() -> None:
    lines = Lines.of(["u . s . armies", "s", "it ' s theirs", "🙂 s \u3000 café"])
    vocabulary = Vocabulary()
    scored = Encoder(TextForm("none", "lower", "porter"), vocabulary, grow=True).encode(lines)
    trained = [line.split() for line in stem_lines(lines, "porter")]
    assert trained == vocabulary.decode(scored)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"heuristic": "onion"}, "unknown heuristic 'onion'; did you mean 'union'"),
        ({"heuristic": "union"}, "diagonal 1 gives links that are symmetric already"),
        ({"lm_prune": (1, 0)}, "prune: unigrams are not pruned"),
        ({"control_weight": 0.0}, "control_weight: expected a number above 0 and up to 1, found 0.0"),
    ],
)
def test_settings_are_refused_before_any_work(
    bitext: str, ratings: RatedPairs, tmp_path: Path, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        train(
            tmp_path / "model",
            [PivotText("fra", bitext)],
            ratings,
            dataclasses.replace(SMALL, **changed),
        )
    assert [path.name for path in tmp_path.iterdir()] == ["eng-fra.tsv"]


def test_every_bitext_is_there_before_any_work(
    bitext: str, ratings: RatedPairs, tmp_path: Path
) -> None:
    for other, message in (("no.tsv", "no.tsv: no such file"), ("-", "found standard input")):
        texts = [PivotText("fra", bitext), PivotText("deu", other)]
        with pytest.raises(InputError, match=message):
            train(tmp_path / "model", texts, ratings, SMALL)
    assert Diagonal.calls == 0


@pytest.mark.parametrize(("module", "extra"), [("sklearn.svm", "learn"), ("duckdb", "engine")])
def test_extras_are_there_before_any_work(
    bitext: str,
    ratings: RatedPairs,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    extra: str,
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"paragauge\[{extra}\]"):
        train(tmp_path / "model", [PivotText("fra", bitext)], ratings, SMALL)
    assert Diagonal.calls == 0


def test_pairs_with_an_empty_side_may_be_left_out(
    bitext: str, ratings: RatedPairs, tmp_path: Path
) -> None:
    with Path(bitext).open("a", encoding="utf-8") as out:
        out.write("the dog\t\n")
    texts = [PivotText("fra", bitext)]
    with pytest.raises(InputError, match="drop such pairs with --empty skip"):
        train(tmp_path / "model", texts, ratings, SMALL)
    settings = dataclasses.replace(SMALL, empty="skip")
    trained = train(tmp_path / "model", texts, ratings, settings)
    aligned = trained.stages.done[0].facts
    assert (aligned["pairs"], aligned["with an empty side left out"]) == (len(sentences()), 1)
    kept_pairs = train(
        tmp_path / "model", texts, ratings, dataclasses.replace(settings, empty="keep")
    ).stages.done[0]
    assert (kept_pairs.kept, kept_pairs.facts["pairs"]) == (False, len(sentences()) + 1)


def test_a_result_never_stands_under_the_key_of_another(tmp_path: Path) -> None:
    result = tmp_path / "result"

    def make(text: str, *, killed: bool = False) -> dict[str, Any]:
        result.write_text(text)
        if killed:
            raise KeyboardInterrupt
        return {"made": text}

    Stages(tmp_path).run("a", "first", result, lambda: make("first"))
    with pytest.raises(KeyboardInterrupt):
        Stages(tmp_path).run("a", "second", result, lambda: make("second", killed=True))
    again = Stages(tmp_path)
    again.run("a", "first", result, lambda: make("first"))
    assert (result.read_text(), again.done[0].kept) == ("first", False)


@pytest.mark.parametrize("name", ["pivot-fra.bin", "lm.bin", "regression-paper.bin"])
def test_a_model_is_saved_over_a_damaged_one(
    bitext: str, ratings: RatedPairs, tmp_path: Path, name: str
) -> None:
    texts, folder = [PivotText("fra", bitext)], tmp_path / "model"
    train(folder, texts, ratings, SMALL)
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[:-9])
    train(folder, texts, ratings, SMALL)
    assert (folder / name).read_bytes() == whole
