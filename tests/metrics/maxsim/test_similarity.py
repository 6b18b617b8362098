"""MAXSIM under a similarity of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import MaxSim, MaxSimDep, MaxSimSoft
from paragauge.errors import InputError, SettingError, ShapeError
from paragauge.metrics.base import Metric
from paragauge.metrics.maxsim import Word

PAIR = ("A big dog barked.", "The large dogs were barking.")
WORDS = "the a big large dog dogs cat barked slept house of in".split()  # noqa: SIM905
sentences = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)


def halves(mine: Sequence[Word], theirs: Sequence[Word]) -> list[list[float]]:
    """1 for equal lemmas, 0.5 for equal tags only."""
    return [[1.0 if a.lemma == b.lemma else (a.tag == b.tag) / 2 for b in theirs] for a in mine]


def value(metric: MaxSim, candidate: str, reference: str) -> float:
    return float(metric.segments([candidate], references=[reference])[0])


def test_by_hand() -> None:
    # a/DT big/JJ dog/NN bark/VBD and the/DT large/JJ dog/NNS be/VBD bark/VBG.
    # Unigrams: dog 1, bark 1, a-the 0.5, big-large 0.5.
    metric = MaxSim(similarity=halves, phases="graph", order=1, alpha=0.5)
    assert value(metric, *PAIR) == pytest.approx(100 * 2 * 3.0 / (4 + 5))
    # Bigrams: a big-the large (0.5 + 0.5) / 2, big dog-large dogs (0.5 + 1) / 2; dog barked has no
    # partner in which both words have any similarity.
    metric = MaxSim(similarity=halves, phases="graph", order=2, alpha=0.5, weights="0/1")
    assert value(metric, *PAIR) == pytest.approx(100 * 2 * 1.25 / (3 + 4))


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_the_papers_own_similarity_as_a_function(pairs: list[tuple[str, str]]) -> None:
    """S = (tags equal + synonyms) / 2, written as a function, scores as the metric itself does."""
    table = MaxSim().analyzer

    def published(mine: Sequence[Word], theirs: Sequence[Word]) -> np.ndarray:
        lemmas = table._table
        numbers = [lemmas.numbers([word.lemma for word in words]) for words in (mine, theirs)]
        return np.array(
            [
                [
                    ((a.tag == b.tag) + bool(lemmas.synonyms(int(i), int(j)))) / 2
                    for b, j in zip(theirs, numbers[1], strict=True)
                ]
                for a, i in zip(mine, numbers[0], strict=True)
            ]
        )

    candidates, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    own = MaxSim().segments(candidates, references=references)
    other = MaxSim(similarity=published).segments(candidates, references=references)
    np.testing.assert_allclose(own, other, atol=1e-9)


def test_relations_are_matched_by_it_too(tmp_path: Path) -> None:
    rows = {
        "dogs bark": [("dogs", "dog", "NNS", 2, "nsubj"), ("bark", "bark", "VBP", 0, "root")],
        "cats bark": [("cats", "cat", "NNS", 2, "nsubj"), ("bark", "bark", "VBP", 0, "root")],
    }
    blocks = []
    for text, words in rows.items():
        lines = [f"# text = {text}"]
        for number, (form, lemma, tag, head, label) in enumerate(words, 1):
            lines.append(f"{number}\t{form}\t{lemma}\t_\t{tag}\t_\t{head}\t{label}\t_\t_")
        blocks.append("\n".join(lines))
    path = tmp_path / "a.conllu"
    path.write_text("\n\n".join(blocks) + "\n\n")
    metric = MaxSimDep(
        similarity=halves, tagger="conllu", parser="conllu", analyzed=str(path), order=1, weights="0/1"
    )
    # (S(dog, cat) + 1 + S(bark, bark)) / 3
    assert value(metric, "dogs bark", "cats bark") == pytest.approx(100 * (0.5 + 1 + 1) / 3)
    explanation = metric.explain("dogs bark", "cats bark")
    assert explanation.value == pytest.approx(100 * 2.5 / 3)
    assert explanation.parts[1].links[0].why == "types equal, dogs/cats 0.50, bark/bark 1.00"


def test_several_references_and_segments() -> None:
    metric = MaxSim(similarity=halves)
    together = metric.segments([PAIR[0], "x"], references=[[PAIR[1], PAIR[0]], ["x"]])
    assert together[0] == pytest.approx((value(metric, *PAIR) + 100) / 2)
    assert together[1] == 100.0


def test_the_explanation_adds_up() -> None:
    metric = MaxSim(similarity=halves, phases="graph")
    explanation = metric.explain(*PAIR)
    assert explanation.value == pytest.approx(value(metric, *PAIR))
    for part in explanation.parts:
        assert sum(link.weight for link in part.links) == pytest.approx(part.match)
    assert explanation.parts[0].links[0].why == "similar words"


def test_the_signature_names_the_function() -> None:
    assert f"similarity:{__name__}.halves" in MaxSim(similarity=halves).signature
    assert "similarity" not in MaxSim().signature


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b: [[2.0] * len(b)] * len(a), "segment 1: expected numbers from 0 to 1, found 2"),
        (lambda a, b: [[np.nan] * len(b)] * len(a), "expected numbers from 0 to 1, found nan"),
        (lambda a, b: [0.5], r"expected a table of 4 x 5 .candidate words in rows., found 1"),
        (lambda a, b: 0.5, "found one number"),
        (lambda a, b: "x", "expected a table of numbers, found str"),
        (lambda a, b: None, "expected a table of numbers, found NoneType"),
        (lambda a, b: np.ones((len(a), len(b)), complex), "expected a table of numbers, found ndarray"),
        (lambda a, b: [["1"] * len(b)] * len(a), "expected a table of numbers, found list"),
        (
            lambda a, b: np.full((len(a), len(b)), 1 + 1e-9),
            r"from 0 to 1, found 1\.000000001; rescale the table or clip it",
        ),
    ],
)
def test_bad_tables_get_one_line(function: Any, message: str) -> None:
    with pytest.raises((InputError, ShapeError), match=message):
        value(MaxSim(similarity=function), *PAIR)


def test_where_it_cannot_be_given() -> None:
    with pytest.raises(SettingError, match="MAXSIM similarity: expected a Python function, found 3"):
        MaxSim(similarity=3)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="found text; give it in Python: MaxSim"):
        Metric.from_spec("maxsim:similarity=cosine")
    with pytest.raises(SettingError, match="give the function to MaxSim"):
        MaxSimSoft.unfitted(similarity=halves)
