"""Analysed lines: surface words beside them, and names that number alike in all columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.metrics.maxsim import MaxSimDep
from paragauge.syntax.analysis import Analyser, AnalysisSettings
from paragauge.syntax.conllu_write import write_conllu
from paragauge.syntax.sentence import Sentence
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines

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
    chain = Analyser(AnalysisSettings(tokenize=tokenize))
    (found,) = chain.analyse([Lines.of([text])])
    assert len(chain.words(text)) == len(found.lemmas.ids)


def test_surface_of_conllu(parsed: str) -> None:
    chain = Analyser(AnalysisSettings(tagger="conllu", analysed=(parsed,)))
    assert chain.words(" Dogs chase cats ") == ["Dogs", "chase", "cats"]
    assert chain.words("") == []


def test_relations_are_numbered_alike_on_both_sides(parsed: str) -> None:
    """The candidate has no object: its subject must still be the type that the reference's is."""
    metric = MaxSimDep(tagger="conllu", parser="conllu", analysed=parsed)
    batch = Batch.of({"": ["Dogs bark"]}, references=["Dogs chase cats"])
    mine, theirs = metric.analyses(batch, "")
    assert mine.triples("subject+object")[1].tolist() == [1]
    assert theirs.triples("subject+object")[1].tolist() == [1, 0]
    # One subject with an equal child: 2/3 of one relation, of 1 and of 2.
    f = (2 / 3) / (0.9 * 2 + 0.1 * 1)
    np.testing.assert_allclose(metric.part_values(batch, "")[0, 3], f)
