"""Analyses of text as numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.lexicon.lemmas import LemmaTable
from paragauge.lexicon.wordnet import WordNet
from paragauge.metrics.maxsim.metric import MaxSimDep
from paragauge.syntax.analysis import Analysis
from paragauge.syntax.analysis_settings import AnalysisSettings, check_analysis
from paragauge.syntax.analyzed_files import AnalyzedFiles
from paragauge.syntax.analyzer import Analyzer, code_of_tag, tool_names
from paragauge.syntax.conllu import write_conllu
from paragauge.syntax.relations import relation_type
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.tagset import journal_tag
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines

SEEN = Sentence(
    ("She", "saw", "them", "."),
    ("PRP", "VBD", "PRP", "."),
    ("she", "see", "they", "."),
    (2, 0, 2, 2),
    ("nsubj", "root", "obj", "punct"),
)


def lemmas(analysis: Analysis) -> list[list[str]]:
    return [[analysis.table.lemma(i) for i in row] for row in analysis.lemmas.to_lists()]


def tags(analysis: Analysis) -> list[str]:
    return [analysis.tag_names[i] for i in analysis.tags]


def test_native_chain() -> None:
    (analysis,) = Analyzer(AnalysisSettings()).analyze(
        [Lines.of(["She went to the mice's houses!", ""])]
    )
    assert lemmas(analysis) == [["she", "go", "to", "the", "mouse", "'s", "house", "!"], []]
    assert tags(analysis) == ["PRP", "VBD", "TO", "DT", "NNS", "POS", "NNS", "."]
    words, _, offsets = analysis.words()
    assert [analysis.table.lemma(i) for i in words] == [
        "she",
        "go",
        "to",
        "the",
        "mouse",
        "'s",
        "house",
    ]
    assert offsets.tolist() == [0, 7, 7]
    assert analysis.heads is None
    with pytest.raises(InputError, match="expected dependencies, found none; choose a parser"):
        analysis.triples("all")


def test_tag_set_of_the_tagger() -> None:
    (analysis,) = Analyzer(AnalysisSettings(tagset="tagger")).analyze([Lines.of(["She went to Rome"])])
    assert tags(analysis) == ["PRP", "VBD", "IN", "NNP"]
    assert journal_tag("a@b.org", "ADD") == "NN"


def test_lemmas_by_tag() -> None:
    text = [Lines.of(["She saw the saw"])]
    (word,) = Analyzer(AnalysisSettings(lemmas="word")).analyze(text)
    (tag,) = Analyzer(AnalysisSettings(lemmas="tag")).analyze(text)
    assert lemmas(word) == [["she", "see", "the", "see"]]
    assert lemmas(tag) == [["she", "see", "the", "saw"]]
    assert [code_of_tag(tag) for tag in ("NNP", "VBG", "MD", "JJ", "RBS", "RP", "IN", "")] == [
        1,
        2,
        2,
        3,
        4,
        0,
        0,
        0,
    ]


def test_both_chains_find_the_same_lemmas(tmp_path: Path) -> None:
    # The chain for words in strings and the native one answer alike for any part of speech.
    texts = ["The mice were running faster than cats", "She has eaten better apples , Mary said"]
    path = tmp_path / "a.conllu"
    for how in ("word", "tag"):
        (native,) = Analyzer(AnalysisSettings(lemmas=how)).analyze([Lines.of(texts)])
        names, ends = tags(native), native.lemmas.offsets
        write_conllu(
            path,
            [
                Sentence(tuple(text.split()), tuple(names[ends[i] : ends[i + 1]]))
                for i, text in enumerate(texts)
            ],
        )
        settings = AnalysisSettings(tagger="conllu", analyzed=(str(path),), lemmas=how)
        (from_files,) = Analyzer(settings).analyze([Lines.of(texts)])
        assert lemmas(from_files) == lemmas(native)
        assert tags(from_files) == tags(native)


def test_shared_lines_are_remembered() -> None:
    tool = Analyzer(AnalysisSettings())
    mine, theirs = Lines.of(["a dog", "a cat"]), Lines.of(["the dog", "the dog", "x"])
    first = tool.analyze([mine, theirs], [False, True])
    assert tool.analyzed_lines == 2 + 2
    second = tool.analyze([mine, theirs], [False, True])
    assert tool.analyzed_lines == 2 + 2 + 2
    for one, two in zip(first, second, strict=True):
        assert one.lemmas == two.lemmas
        np.testing.assert_array_equal(one.tags, two.tags)
    assert lemmas(second[1]) == [["the", "dog"], ["the", "dog"], ["x"]]


def test_an_error_leaves_nothing_half_remembered(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    write_conllu(path, [SEEN])
    tool = Analyzer(AnalysisSettings(tagger="conllu", analyzed=(str(path),)))
    for _ in range(2):
        with pytest.raises(InputError, match="found none of 'unknown'"):
            tool.analyze([Lines.of(["She saw them .", "unknown"])], [True])
    (analysis,) = tool.analyze([Lines.of(["She saw them ."])], [True])
    assert lemmas(analysis) == [["she", "see", "them", "."]]


def test_triples(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    write_conllu(path, [SEEN])
    settings = AnalysisSettings(tagger="conllu", parser="conllu", analyzed=(str(path),), lemmas="given")
    (analysis,) = Analyzer(settings).analyze([Lines.of(["She saw them .", "", " She saw them . "])])
    children, types, parents, offsets = analysis.triples("subject+object")
    name = analysis.table.lemma
    assert [(name(c), name(p)) for c, p in zip(children, parents, strict=True)] == [
        ("she", "see"),
        ("they", "see"),
    ] * 2
    assert types[0] != types[1]
    assert offsets.tolist() == [0, 2, 2, 4]
    assert analysis.triples("subject")[3].tolist() == [0, 1, 1, 2]
    assert analysis.triples("all")[3].tolist() == [0, 2, 2, 4]


@pytest.mark.parametrize(
    ("label", "expected", "kind"),
    [
        ("nsubj", "subject", "subject"),
        ("NSUBJ:pass", "subject+object", "subject"),
        ("expl", "subject+object", "subject"),
        ("obj", "subject", None),
        ("dobj", "object", "object"),
        ("obl", "subject+object", None),
        ("obl", "all", "obl"),
        ("ROOT", "all", None),
        ("punct", "all", None),
    ],
)
def test_relation_types(label: str, expected: str, kind: str | None) -> None:
    assert relation_type(label, expected) == kind


def test_two_analyses_of_one_text(tmp_path: Path) -> None:
    first, second = tmp_path / "a.conllu", tmp_path / "b.conllu"
    write_conllu(first, [SEEN, SEEN])
    assert len(AnalyzedFiles([str(first)])) == 1
    write_conllu(second, [Sentence(SEEN.words, ("PRP", "VBP", "PRP", "."))])
    with pytest.raises(
        FileFormatError, match=r"b\.conllu:1: expected one analysis of each text"
    ) as error:
        AnalyzedFiles([str(first), str(second)])
    assert f"{first}:1 analyzes differently" in str(error.value)


def test_dependencies_that_the_file_lacks(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    write_conllu(path, [Sentence(("Hm",), ("UH",))])
    assert len(AnalyzedFiles([str(path)])) == 1
    with pytest.raises(FileFormatError, match=r"a\.conllu:1: expected dependencies in columns 7 and 8"):
        AnalyzedFiles([str(path)], parsed=True)


def test_text_that_does_not_match_its_words(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("# text = Hello world\n1\tHello\thello\tUH\tUH\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(FileFormatError, match=r"a\.conllu:1: "):
        AnalyzedFiles([str(path)])


def test_no_such_file() -> None:
    with pytest.raises(FileFormatError, match=r"none\.conllu: no such file"):
        AnalyzedFiles(["none.conllu"])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (AnalysisSettings(tagger="conllu"), "expected CoNLL-U files with the analyses"),
        (AnalysisSettings(parser="conllu"), "expected CoNLL-U files with the analyses"),
        (AnalysisSettings(analyzed=("a",)), "given but not used"),
        (AnalysisSettings(parser="conllu", analyzed=("a",)), "choose tagger=conllu too"),
        (
            AnalysisSettings(tagger="conllu", parser="spacy", analyzed=("a",)),
            "have their relations there; choose parser=conllu too",
        ),
        (AnalysisSettings(lemmas="given"), "the tagger gives no lemmas"),
        (AnalysisSettings(pipeline="en_x"), "pipeline=en_x: a spaCy pipeline is given but not used"),
    ],
)
def test_tools_that_do_not_go_together(settings: AnalysisSettings, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        check_analysis(settings)


def test_lemmas_that_the_file_lacks(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    write_conllu(path, [Sentence(("Hm",), ("UH",))])
    tool = Analyzer(AnalysisSettings(tagger="conllu", analyzed=(str(path),), lemmas="given"))
    with pytest.raises(InputError, match="lemmas=given: expected lemmas, found none for 'Hm'"):
        tool.analyze([Lines.of(["Hm"])])


def test_names_of_the_tools(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    write_conllu(path, [SEEN])
    names = tool_names(AnalysisSettings(tagger="conllu", analyzed=(str(path),)))
    assert set(names) == {"analysed", "wordnet"}
    write_conllu(path, [SEEN, SEEN])
    assert tool_names(AnalysisSettings(tagger="conllu", analyzed=(str(path),))) != names
    with pytest.raises(FileFormatError, match="no such file"):
        tool_names(AnalysisSettings(tagger="conllu", analyzed=("none.conllu",)))


def test_lemma_table() -> None:
    table = LemmaTable(WordNet.default(), "synset")
    assert table.encode(Lines.of(["big large", "qqq !"])).to_lists() == [[0, 1], [2, 3]]
    assert set(table.sets[0].tolist()) & set(table.sets[1].tolist())
    assert table.sets[2].tolist() == []
    assert table.numbers(["big", "ice cream"]) == [0, 4]
    assert table.alphanumeric.tolist() == [True, True, True, False, True]
    assert list(table.texts) == ["big", "large", "qqq", "!", "ice cream"]
    assert len(table.sets) == len(table) == 5
    assert LemmaTable(WordNet.default(), "none").sets.to_lists() == []


SUBJECT = Sentence(("Dogs", "bark"), ("NNS", "VBP"), ("dog", "bark"), (2, 0), ("nsubj", "root"))
BOTH = Sentence(
    ("Dogs", "chase", "cats"),
    ("NNS", "VBP", "NNS"),
    ("dog", "chase", "cat"),
    (2, 0, 2),
    ("nsubj", "root", "obj"),
)


@pytest.fixture
def parsed(tmp_path: Path) -> str:
    path = tmp_path / "a.conllu"
    write_conllu(path, [SUBJECT, BOTH])
    return str(path)


@given(st.text(st.characters(exclude_categories=["Cs"])))
@pytest.mark.parametrize("tokenize", ["penn", "13a", "none", "char"])
def test_every_word_has_its_surface(tokenize: str, text: str) -> None:
    chain = Analyzer(AnalysisSettings(tokenize=tokenize))
    (analysis,) = chain.analyze([Lines.of([text])])
    assert len(chain.words(text)) == len(analysis.lemmas.ids)


def test_surface_of_conllu(parsed: str) -> None:
    chain = Analyzer(AnalysisSettings(tagger="conllu", analyzed=(parsed,)))
    assert chain.words(" Dogs chase cats ") == ["Dogs", "chase", "cats"]
    assert chain.words("") == []


def test_relations_are_numbered_alike_on_both_sides(parsed: str) -> None:
    """The candidate has no object: its subject must still be the type that the reference's is."""
    metric = MaxSimDep(tagger="conllu", parser="conllu", analyzed=parsed)
    batch = Batch.of({"": ["Dogs bark"]}, references=["Dogs chase cats"])
    mine, theirs = metric.analyses(batch, "")
    assert mine.triples("subject+object")[1].tolist() == [1]
    assert theirs.triples("subject+object")[1].tolist() == [1, 0]
    # One subject with an equal child: 2/3 of one relation, of 1 and of 2.
    f = (2 / 3) / (0.9 * 2 + 0.1 * 1)
    np.testing.assert_allclose(metric.part_values(batch, "")[0, 3], f)
