"""Explanations of MAXSIM: examples worked by hand, and what holds for every pair of sentences."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import ShapeError
from paragauge.metrics.maxsim.explanation import Explanation, Item, Link, Word
from paragauge.metrics.maxsim.metric import MaxSim, MaxSimDep
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.syntax.conllu import write_conllu
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.spacy_pipeline import installed_pipelines

WORDS = (
    *("a", "the", "big", "large", "dog", "dogs", "hound", "of", "to", "barked", "bark"),
    *("2", "two", ",", ".", "!", "zzz", "color", "colour", "naïve", "汉字", "🙂"),
)
sentences = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def links(explanation: Explanation, part: int) -> list[tuple[str, str, str, float, str]]:
    part_links = explanation.parts[part]
    return [
        (
            link.phase,
            str(part_links.candidate_items[link.candidate]),
            str(part_links.reference_items[link.reference]),
            round(link.weight, 4),
            link.why,
        )
        for link in part_links.links
    ]


def check(metric: MaxSim, candidate: str, reference: str) -> Explanation:
    """What must hold for every explanation; gives it."""
    explanation = metric.explain(candidate, reference)
    (value,) = metric.segments([candidate], references=[reference])
    assert explanation.value == (None if math.isnan(value) else value)
    assert [part.name for part in explanation.parts] == metric.part_names()
    total = sum(part.weight * (part.value or 0.0) for part in explanation.parts)
    if any(part.weight for part in explanation.parts):
        assert math.isclose(explanation.value, total, abs_tol=1e-9)
    elif any(part.exists for part in explanation.parts):
        assert explanation.value is None
    else:
        assert explanation.value == 100
    for part in explanation.parts:
        if part.match is None:
            assert part.name in ("order", "near", "letters")
            continue
        assert math.isclose(sum(link.weight for link in part.links), part.match, abs_tol=1e-9)
        for side, items in enumerate((part.candidate_items, part.reference_items)):
            used = [(link.candidate, link.reference)[side] for link in part.links]
            assert len(set(used)) == len(used)
            assert sorted([*used, *part.unmatched[side]]) == list(range(len(items)))
        assert all(0 < link.weight <= 1 and link.why for link in part.links)
        if part.exists:
            below = metric.alpha * part.reference + (1 - metric.alpha) * part.candidate
            expected = 100 * part.match / below if below else 0.0
            assert math.isclose(part.value, expected, abs_tol=1e-9)
        if part.name != "soft":
            sizes = len(part.candidate_items), len(part.reference_items)
            assert (part.candidate, part.reference) == sizes
    json.dumps(explanation.record(), allow_nan=False)
    assert str(explanation).startswith(
        f"{metric.name} {'-' if explanation.value is None else f'{explanation.value:.2f}'}\n"
    )
    return explanation


def test_unigrams_and_bigrams_by_hand():
    explanation = check(MaxSim(order=2), "A big dog!", "The large dogs")
    assert explanation.candidate == (
        Word("A", "a", "DT"),
        Word("big", "big", "JJ"),
        Word("dog", "dog", "NN"),
    )
    assert explanation.reference[2] == Word("dogs", "dog", "NNS")
    assert links(explanation, 0) == [
        ("lemma", "dog", "dogs", 1.0, "lemmas equal"),
        ("graph", "A", "The", 0.5, "tags equal"),
        ("graph", "big", "large", 1.0, "synonyms, tags equal"),
    ]
    # (1/2 + 1) / 2 and (1 + 1/2) / 2
    assert links(explanation, 1) == [
        ("graph", "A big", "The large", 0.75, "A/The tag, big/large synonym+tag"),
        ("graph", "big dog", "large dogs", 0.75, "big/large synonym+tag, dog/dogs lemma"),
    ]
    first, second = explanation.parts
    assert (first.match, first.candidate, first.reference) == (2.5, 3, 3)
    assert (second.match, second.candidate, second.reference) == (1.5, 2, 2)
    np.testing.assert_allclose([first.precision, first.recall, first.value], 100 * 2.5 / 3)
    np.testing.assert_allclose(explanation.value, (100 * 2.5 / 3 + 75) / 2)
    assert (first.weight, second.weight) == (0.5, 0.5)


def test_equal_tags_come_first():
    explanation = check(MaxSim(order=1), "the dog saw dogs", "dogs saw the dog")
    assert [link[:3] for link in links(explanation, 0)] == [
        ("tag", "the", "the"),
        ("tag", "dog", "dog"),
        ("tag", "saw", "saw"),
        ("tag", "dogs", "dogs"),
    ]


def test_a_word_that_wordnet_lacks():
    """`of` is no synonym of itself in the graph, unless asked for."""
    candidate, reference = "color of houses", "colour of houses"
    assert links(check(MaxSim(order=2), candidate, reference), 1)[-1] == (
        ("graph", "color of", "colour of", 0.75, "color/colour synonym+tag, of/of tag (no synonyms)")
    )
    whole = check(MaxSim(order=2, outside="synonym"), candidate, reference)
    assert links(whole, 1)[-1] == (
        ("graph", "color of", "colour of", 1.0, "color/colour synonym+tag, of/of lemma+tag")
    )
    alone = check(MaxSim(order=1, phases="graph"), "of", "of")
    assert links(alone, 0) == [("graph", "of", "of", 0.5, "tags equal (the lemma has no synonyms)")]


def test_text(tmp_path):
    path = tmp_path / "a.conllu"
    mine = Sentence(("A", "big", "dog", ",", "汉字"), ("DT", "JJ", "NN", ",", "FW"))
    write_conllu(path, [mine, Sentence(("The", "old", "dogs"), ("DT", "JJ", "NNS"))])
    metric = MaxSim(order=2, tagger="conllu", analyzed=str(path))
    text = str(check(metric, "A big dog , 汉字", "The old dogs"))
    # F of unigrams: 2 / (0.9 * 3 + 0.1 * 4); of bigrams: 1 / (0.9 * 2 + 0.1 * 3).
    assert text.split("\n")[:-2] == [
        "MAXSIM 56.07",
        "",
        "3 of the 4 words of the candidate have a partner in the reference, 3 of them in a different",
        "word.",
        (
            "MAXSIM averages how well these match: single words (65) and pairs of words (48), which "
            "gives 56"
        ),
        "of 100.",
        "",
        "candidate  A/DT big/JJ dog/NN 汉字/FW",
        "reference  The/DT old/JJ dogs/NNS/dog",
        "",
        "part      weight      F      P      R  match  candidate  reference",
        "unigrams   0.500  64.52  50.00  66.67      2          4          3",
        "bigrams    0.500  47.62  33.33  50.00      1          3          2",
        "",
        "unigrams",
        "  lemma  3  dog  3  dogs  1.000  lemmas equal",
        "  graph  1  A    1  The   0.500  tags equal",
        "  graph  2  big  2  old   0.500  tags equal",
        "  unmatched in the candidate: 4 汉字",
        "",
        "bigrams",
        "  graph  1  A big    1  The old   0.500  A/The tag, big/old tag",
        "  graph  2  big dog  2  old dogs  0.500  big/old tag, dog/dogs lemma",
        "  unmatched in the candidate: 3 dog 汉字",
    ]


def test_parts_that_neither_side_has():
    explanation = check(MaxSim(), "Dog.", "Dogs")
    assert [part.exists for part in explanation.parts] == [True, False, False]
    assert [part.weight for part in explanation.parts] == [1, 0, 0]
    assert explanation.parts[1].note == "neither side has any"
    zero = check(MaxSim(short="zero"), "Dog.", "Dogs")
    assert [part.weight for part in zero.parts] == pytest.approx([1 / 3] * 3)
    assert zero.value == pytest.approx(100 / 3)


def test_nothing_to_match():
    for candidate, reference in itertools.product(("", "...", " "), repeat=2):
        assert check(MaxSim(), candidate, reference).value == 100
    one = check(MaxSim(), "", "A dog")
    assert one.value == 0
    assert (one.parts[0].precision, one.parts[0].recall, one.parts[0].value) == (None, 0, 0)


def test_one_pair_at_a_time():
    with pytest.raises(ShapeError) as caught:
        MaxSim().explain("a", ["b", "c"])  # type: ignore[arg-type]
    assert str(caught.value) == (
        "reference: expected one sentence, found list; explain one pair at a time"
    )


def parse(text: str, tags: str, heads: list[int], labels: str) -> Sentence:
    words = tuple(text.split())
    return Sentence(words, tuple(tags.split()), None, tuple(heads), tuple(labels.split()))


@pytest.fixture(scope="module")
def trees(tmp_path_factory) -> tuple[str, list[str]]:
    """Random sentences with random dependencies, as a CoNLL-U file, and their texts."""
    draw = np.random.default_rng(5)
    trees_by_text = {}
    for _ in range(60):
        words = [str(word) for word in draw.choice(WORDS, draw.integers(1, 10))]
        size = len(words)
        tags = tuple(str(tag) for tag in draw.choice(["NN", "VB", "DT", "JJ"], size))
        heads = tuple(0 if i == 0 else int(draw.integers(0, size + 1)) for i in range(size))
        heads = tuple(0 if head == i + 1 else head for i, head in enumerate(heads))
        labels = tuple(str(label) for label in draw.choice(["nsubj", "obj", "amod", "punct"], size))
        trees_by_text[" ".join(words)] = Sentence(tuple(words), tags, None, heads, labels)
    path = tmp_path_factory.mktemp("trees") / "all.conllu"
    write_conllu(path, list(trees_by_text.values()))
    return str(path), list(trees_by_text)


def test_relations_by_hand(tmp_path):
    path = tmp_path / "a.conllu"
    mine = parse("The dogs chase $", "DT NNS VBP $", [2, 3, 0, 3], "det nsubj root obj")
    theirs = parse("A hound trails cats", "DT NN VBZ NNS", [2, 3, 0, 3], "det nsubj root obj")
    write_conllu(path, [mine, theirs])
    metric = MaxSimDep(tagger="conllu", parser="conllu", analyzed=str(path))
    explanation = check(metric, "The dogs chase $", "A hound trails cats")
    assert explanation.parts[3].candidate_items == (
        Item(("dogs", "chase"), "subject"),
        Item(("$", "chase"), "object"),
    )
    assert links(explanation, 3) == [
        (
            "graph",
            "dogs <-subject- chase",
            "hound <-subject- trails",
            1.0,
            "types equal, children synonyms, parents synonyms",
        ),
        (
            "graph",
            "$ <-object- chase",
            "cats <-object- trails",
            0.6667,
            "types equal, parents synonyms",
        ),
    ]
    np.testing.assert_allclose(explanation.parts[3].match, 5 / 3)
    assert [word.text for word in explanation.candidate] == ["The", "dogs", "chase"]


def test_soft_by_hand():
    metric = MaxSimSoft(
        weights="1/0/0/1/1/1/1",
        function=0.5,
        synonym=0.8,
        characters=0.75,
        category=1.0,
        distance=0.0,
        floor=0.2,
    )
    explanation = check(metric, "The big colurr", "The large colour")
    soft = explanation.parts[3]
    assert (soft.name, soft.candidate, soft.reference) == ("soft", 2.5, 2.5)
    assert soft.links[:2] == (
        Link("soft", 0, 0, 0.5, "lemmas equal", 1.0),
        Link("soft", 1, 1, 0.8, "synonyms", 0.8),
    )
    assert soft.links[2].why == "letters alike"
    order, near = explanation.parts[4:6]
    assert (order.value, order.note) == (100.0, "3 links in 1 chunk")
    assert (near.value, near.note) == (100.0, "mean distance 0.000")
    assert "soft  1  The     1  The     0.500  lemmas equal, similarity 1.000" in str(explanation)


def test_soft_reasons_name_another_part_of_speech(tmp_path):
    path = tmp_path / "a.conllu"
    write_conllu(path, [Sentence(("run",), ("NN",)), Sentence(("runs",), ("VBZ",))])
    usual = MaxSimSoft.load().settings()
    metric = MaxSimSoft(**(usual | {"tagger": "conllu", "analyzed": str(path), "category": 0.9}))
    (link,) = check(metric, "run", "runs").parts[3].links
    assert (link.why, link.similarity) == ("lemmas equal, other part of speech", 0.9)


@given(sentences, sentences)
def test_every_pair(candidate, reference):
    check(MaxSim(), candidate, reference)
    check(MaxSimSoft.load(), candidate, reference)


@given(any_text, any_text)
def test_any_text(candidate, reference):
    check(MaxSim(), candidate, reference)
    check(MaxSimSoft.load(), candidate, reference)


@pytest.mark.parametrize(
    "settings",
    [
        {"phases": "graph"},
        {"phases": "tag"},
        {"phases": "lemma+graph", "synonyms": "synset"},
        {"synonyms": "none", "outside": "synonym"},
        {"order": 5, "short": "zero", "alpha": 0.5},
        {"weights": "0/0/1"},
        {"tokenize": "char", "tagset": "tagger", "lemmas": "tag"},
    ],
    ids=str,
)
@given(candidate=sentences, reference=sentences)
def test_every_setting(settings, candidate, reference):
    check(MaxSim(**settings), candidate, reference)


@pytest.mark.parametrize("relations", ["subject+object", "subject", "all"])
def test_every_pair_of_trees(trees: tuple[str, list[str]], relations):
    path, texts = trees
    tools = {"tagger": "conllu", "parser": "conllu", "analyzed": path, "relations": relations}
    soft = MaxSimSoft(**(MaxSimSoft.load(relations=True).settings() | tools))
    linked = 0
    for candidate, reference in zip(texts, texts[1:] + texts[:1], strict=True):
        linked += len(check(MaxSimDep(**tools), candidate, reference).parts[3].links)
        check(soft, candidate, reference)
    assert linked > 5


def test_spacy(examples: Path):
    pytest.importorskip("spacy", reason="spaCy is not installed; run: make test-adapters")
    if not installed_pipelines():
        pytest.skip("no English pipeline; run: pip install -r tests/requirements-models.txt --no-deps")
    lines = (examples / "rewrites.txt").read_text(encoding="utf-8").split("\n")[:8]
    sources = (examples / "sources.txt").read_text(encoding="utf-8").split("\n")[:8]
    for candidate, reference in zip(lines, sources, strict=True):
        assert check(MaxSimDep(), candidate, reference).parts[3].links
