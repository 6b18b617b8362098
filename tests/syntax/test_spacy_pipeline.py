"""spaCy as tagger and parser, on a real pipeline where one is installed."""

from __future__ import annotations

import importlib
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from paragauge.errors import MissingExtraError, SettingError, ShapeError
from paragauge.syntax import spacy_pipeline
from paragauge.syntax.protocols import DependencyParser, Tagger
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.spacy_pipeline import SpacyPipeline, installed_pipelines
from paragauge.syntax.treebank import read_treebank

NO_SPACY = "spaCy is not installed; run: make test-adapters"


@pytest.fixture(scope="module")
def spacy() -> Any:
    return pytest.importorskip("spacy", reason=NO_SPACY)


@pytest.fixture(scope="module")
def pipeline(spacy: Any) -> SpacyPipeline:
    if not installed_pipelines():
        pytest.skip("no English pipeline; run: pip install -r tests/requirements-models.txt --no-deps")
    return SpacyPipeline.load()


def test_it_is_a_tagger_and_a_parser(pipeline: SpacyPipeline, spacy: Any) -> None:
    assert isinstance(pipeline, Tagger)
    assert isinstance(pipeline, DependencyParser)
    assert pipeline.name.startswith(f"spacy{spacy.__version__}-en_core_web_")
    assert pipeline.name[-1].isdigit()


def test_analysis(pipeline: SpacyPipeline) -> None:
    words = ["``", "Dogs", "do", "n't", "bark", ",", "''", "she", "said", "."]
    sentence, empty = pipeline.parse([words, []])
    assert sentence.words == tuple(words)
    assert sentence.tags == ("``", "NNS", "VBP", "RB", "VB", ",", "''", "PRP", "VBD", ".")
    assert sentence.lemmas is not None
    assert sentence.lemmas[1:5] == ("dog", "do", "not", "bark")
    assert sentence.heads is not None
    assert sentence.heads[1] == 5  # Dogs: of bark
    assert sentence.heads.count(0) == 1
    assert sentence.relations is not None
    assert sentence.relations[1] == "nsubj"
    assert empty == Sentence((), (), (), (), ())
    assert pipeline.tag([words, []]) == [list(sentence.tags), []]


def test_one_sentence_has_one_root(pipeline: SpacyPipeline) -> None:
    (sentence,) = pipeline.parse([["Yes", ".", "No", ".", "She", "left", ".", "They", "came", "."]])
    assert sentence.heads is not None
    assert sentence.heads.count(0) == 1


def test_words_are_kept(pipeline: SpacyPipeline) -> None:
    words = ["U.S.", "can't", "日本", "🙂", "e\u0301", "-LRB-", "a/b", "\u00a0"]
    assert pipeline.parse([words])[0].words == tuple(words)
    with pytest.raises(ShapeError, match="segment 2: expected a list of words, none of them empty"):
        pipeline.tag([["a"], ["b", ""]])
    with pytest.raises(ShapeError, match="segment 1: expected a list of words"):
        pipeline.tag(["a b"])


def test_accuracy_on_ewt(pipeline: SpacyPipeline, benchmark_data: Path) -> None:
    """About 92 % for the small pipeline: its training data is of another kind."""
    sentences = list(read_treebank(benchmark_data / "treebanks" / "ewt-test.conllu.gz"))[:300]
    tags = pipeline.tag([sentence.words for sentence in sentences])
    equal = [
        a == b for s, t in zip(sentences, tags, strict=True) for a, b in zip(s.tags, t, strict=True)
    ]
    assert sum(equal) / len(equal) > 0.88


def test_a_folder(pipeline: SpacyPipeline, spacy: Any, tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    blank = SpacyPipeline.load(str(tmp_path / "blank"))
    with pytest.raises(SettingError, match="expected a pipeline with a tagger, found one of nothing"):
        blank.tag([["a"]])
    with pytest.raises(SettingError, match="a pipeline with a tagger and a parser"):
        blank.parse([["a"]])


def test_another_language(spacy: Any, tmp_path: Path) -> None:
    spacy.blank("de").to_disk(tmp_path / "blank")
    with pytest.raises(SettingError, match="expected an English pipeline, found one for 'de'"):
        SpacyPipeline.load(str(tmp_path / "blank"))


def test_not_there(spacy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingError, match=r"spaCy: no pipeline or folder 'en_none' .* spacy download"):
        SpacyPipeline.load("en_none")
    with pytest.raises(SettingError, match=r"spaCy: cannot load .*meta\.json"):
        SpacyPipeline.load(str(tmp_path))
    monkeypatch.setattr(spacy_pipeline, "installed_pipelines", list)
    with pytest.raises(SettingError) as caught:
        SpacyPipeline.load()
    assert str(caught.value) == (
        "spaCy: no English pipeline is installed; run: python -m spacy download en_core_web_sm"
    )


def test_only_the_warning_of_versions_is_kept_back(spacy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, exclude: list[str]) -> Any:
        assert "ner" in exclude
        warnings.warn(f"[W{name}] something", UserWarning, stacklevel=1)
        return spacy.blank("en")

    monkeypatch.setattr(spacy, "load", load)
    assert "-en_" in SpacyPipeline.load("095").name
    with pytest.warns(UserWarning, match=r"\[W096\]"):
        SpacyPipeline.load("096")


def test_official_ones_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        def __init__(self, name: str) -> None:
            self.name = name

    names = ["en_my_own", "de_core_news_sm", "en_core_web_lg", "en_core_web_sm", "en_aaa"]
    monkeypatch.setattr(
        spacy_pipeline.importlib.metadata, "entry_points", lambda group: [Entry(n) for n in names]
    )
    assert installed_pipelines() == ["en_core_web_sm", "en_core_web_lg", "en_aaa", "en_my_own"]


def test_without_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"spaCy is not installed; run: pip install 'parag"):
        SpacyPipeline.load()


def test_nothing_else_imports_spacy() -> None:
    loaded = "spacy" in sys.modules
    for name in ("perceptron", "conllu", "spacy_pipeline", "analysis", "tagger_evaluation"):
        importlib.import_module(f"paragauge.syntax.{name}")
    assert ("spacy" in sys.modules) == loaded
