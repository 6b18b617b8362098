"""The learned adequacy: its model, its features with and without an encoder, and what it sees."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from paragauge import Adequacy, AdequacyContext
from paragauge.encode import open_encoder
from paragauge.errors import FileFormatError, InputError
from paragauge.metrics.pem.adequacy.adequacy_features import (
    NAMES,
    measure_dissimilarity,
    measure_pairs,
)
from paragauge.metrics.pem.adequacy.adequacy_model import ENSEMBLES, AdequacyModel
from paragauge.metrics.pem.adequacy.context_changes import (
    CONTEXT,
    DISTANCE,
    MATCHING_LAYERS,
    match_words,
    measure_context,
)
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.metrics.regression.boosted_trees import BoostedTrees
from paragauge.text.lines import Lines

KINDS = [Adequacy(), AdequacyContext()]
# Sentences of no training or contrast set: source, the same in other words, another meaning.
PAIRS = [
    (
        "The mechanic repaired our old van in two days.",
        "It took the mechanic two days to fix our old van.",
        "The mechanic repaired our old van in nine days.",
    ),
    (
        "My grandmother rarely eats meat in the evening.",
        "My grandma seldom has meat for dinner.",
        "My grandmother does not like to be photographed.",
    ),
    (
        "The committee approved the plan on Thursday.",
        "On Thursday the plan was approved by the committee.",
        "The committee rejected the plan on Thursday.",
    ),
    (
        "Our neighbors are building a new garage.",
        "A new garage is being built by our neighbors.",
        "Our neighbors are not building a new garage.",
    ),
]


def small_model() -> AdequacyModel:
    rows = np.random.default_rng(1).normal(size=(200, 2))
    options = {"trees": 4, "leaves": 3, "rate": 0.5, "least": 5, "ridge": 0.0}
    number = BoostedTrees.fit(("a", "b"), rows, rows[:, 0], link="identity", **options)
    likely = BoostedTrees.fit(
        ("a", "b"), rows, (rows[:, 1] > 0).astype(float), link="logistic", **options
    )
    return AdequacyModel(number, number, likely, likely, share=0.25, power=2.0, cost=0.5)


def test_components_are_combined_by_the_formula() -> None:
    model = small_model()
    rating, similarity, change, reversal = 0.8, 0.4, 0.5, 0.6
    expected = (0.25 * 0.8 + 0.75 * 0.4) * (1 - 0.5**2) * (1 - 0.5 * 0.6)
    value = model.combine(np.array([[rating, similarity, change, reversal]]))
    assert value == pytest.approx([expected])


def test_ratings_beyond_their_scale_are_cut() -> None:
    values = small_model().combine(np.array([[3.0, 3.0, 0.0, 0.0], [-1.0, -1.0, 0.0, 0.0]]))
    assert values.tolist() == [1.0, 0.0]


def test_a_model_is_saved_and_loaded(tmp_path: Path) -> None:
    model = small_model()
    model.save(tmp_path / "model")
    again = AdequacyModel.load(tmp_path / "model")
    rows = np.random.default_rng(2).normal(size=(50, 2))
    np.testing.assert_array_equal(again.predict(rows), model.predict(rows))
    assert again.name == model.name


@pytest.mark.parametrize(
    ("key", "value"),
    [("version", 9), ("share", 2.0), ("power", 0.0), ("cost", "much"), ("fingerprints", {})],
)
def test_a_wrong_description_is_one_line(tmp_path: Path, key: str, value: object) -> None:
    small_model().save(tmp_path)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
    with pytest.raises(FileFormatError, match="expected the description of an adequacy model"):
        AdequacyModel.load(tmp_path)


def test_files_of_two_models_are_refused(tmp_path: Path) -> None:
    model = small_model()
    model.save(tmp_path)
    model.change.save(tmp_path / "rating.bin")
    with pytest.raises(FileFormatError, match=r"expected rating\.bin to be .*files of two models"):
        AdequacyModel.load(tmp_path)


@pytest.mark.parametrize("kind", ["words", "context"])
def test_the_shipped_models_read_the_features_of_this_version(kind: str) -> None:
    names = AdequacyModel.default(kind).names  # type: ignore[arg-type]
    assert names == (NAMES if kind == "words" else (*NAMES, *CONTEXT))


@pytest.mark.parametrize("metric", KINDS, ids=lambda metric: metric.name)
@pytest.mark.parametrize(("source", "good", "changed"), PAIRS)
def test_the_same_meaning_beats_another(metric: Adequacy, source: str, good: str, changed: str) -> None:
    kept, other = metric.segments([good, changed], sources=[source] * 2)
    assert kept > other


@pytest.mark.parametrize("metric", KINDS, ids=lambda metric: metric.name)
def test_a_copy_keeps_everything_and_another_sentence_little(metric: Adequacy) -> None:
    sources = [pair[0] for pair in PAIRS]
    copies = metric.segments(sources, sources=sources)
    others = metric.segments(sources[1:] + sources[:1], sources=sources)
    assert copies.min() > 80
    assert others.max() < 30


@pytest.mark.parametrize("metric", KINDS, ids=lambda metric: metric.name)
def test_values_do_not_depend_on_threads_order_or_company(metric: Adequacy) -> None:
    sources, candidates = [p[0] for p in PAIRS] * 3, [p[i] for i in (0, 1, 2) for p in PAIRS]
    one = metric.segments(candidates, sources=sources, threads=1)
    for threads in (2, 7):
        np.testing.assert_array_equal(
            metric.segments(candidates, sources=sources, threads=threads), one
        )
    back = metric.segments(candidates[::-1], sources=sources[::-1])[::-1]
    np.testing.assert_array_equal(back, one)
    alone = [metric.segments([c], sources=[s])[0] for c, s in zip(candidates, sources, strict=True)]
    np.testing.assert_array_equal(alone, one)


@pytest.mark.parametrize("metric", KINDS, ids=lambda metric: metric.name)
def test_several_sources_are_averaged(metric: Adequacy) -> None:
    source, good, changed = PAIRS[0]
    both = metric.segments([good], sources=[[source, changed]])
    single = metric.segments([good, good], sources=[source, changed])
    assert both[0] == pytest.approx(single.mean())


@pytest.mark.parametrize("metric", KINDS, ids=lambda metric: metric.name)
def test_odd_texts_have_a_value(metric: Adequacy) -> None:
    texts = ["", " ", "...", "🙂", "don\u2019t", "e\u0301te\u0301", "a " * 300, "12,000.5 % — “x”"]
    pairs = list(itertools.product(texts, texts))
    values = metric.segments([a for a, _ in pairs], sources=["It rains."] * len(pairs))
    assert np.isfinite(values).all()
    assert ((values >= 0) & (values <= 100)).all()


def test_candidates_in_another_script_are_refused() -> None:
    with pytest.raises(InputError, match="candidates: expected English"):
        Adequacy().segments(["天气很好"] * 200, sources=["It rains."] * 200)


def test_another_script_is_refused() -> None:
    with pytest.raises(InputError, match="expected English"):
        Adequacy().segments(["天气很好"] * 200, sources=["今天天气不错"] * 200)


def test_parts_are_the_components() -> None:
    source, good, _ = PAIRS[0]
    score = Adequacy().score([good], sources=[source])
    assert tuple(score.parts) == ENSEMBLES
    components = np.array([[score.parts[name] / 100 for name in ENSEMBLES]])
    assert 100 * AdequacyModel.default().combine(components) == pytest.approx([score.value])


def test_a_misspelled_word_is_hardly_new_wording() -> None:
    source = "The weather was beautiful yesterday."
    candidates = [source, "The weathr was beautiful yesterday.", "Yesterday we had a lovely day."]
    columns = Lines.of(candidates), Lines.of([source] * 3)
    rows = measure_pairs(*columns, WordWeights.default())
    copy, misspelled, new = measure_dissimilarity(rows)
    assert copy == 0
    assert 0 < misspelled < new / 2


# ---- words in context


def context_rows(pairs: list[tuple[str, str]]) -> np.ndarray:
    candidates, sources = (Lines.of([pair[side] for pair in pairs]) for side in (0, 1))
    return measure_context(candidates, sources, WordWeights.default(), open_encoder(), 1)


def test_equal_sentences_have_cosines_of_one() -> None:
    (row,) = context_rows([("She bought a red car in May.",) * 2])
    values = dict(zip(CONTEXT, row, strict=True))
    counts = ("order_", "drop_", "other_count", "new_count", "lost_count")
    assert all(values[name] == pytest.approx(1) for name in CONTEXT if not name.startswith(counts))
    assert all(values[name] == pytest.approx(0) for name in CONTEXT if name.startswith(counts))


def test_an_exchanged_word_is_the_weakest_match() -> None:
    (row,) = context_rows([("She sold a red car.", "She bought a red car.")])
    values = dict(zip(CONTEXT, row, strict=True))
    assert values["new_count"] == values["lost_count"] == values["other_count"] == 1
    assert values["matched_lowest_0"] == values["lowest_verb_0"] == values["other_lowest_0"] < 0.9


def test_empty_sentences_agree_with_each_other_only() -> None:
    rows = context_rows([("", ""), ("It rains.", ""), ("", "It rains.")])
    assert rows[0].tolist() == [1.0] * len(CONTEXT)
    assert not rows[1:].any()


@pytest.mark.parametrize("shape", [(1, 1), (2, 4), (4, 3), (4, 4)])
def test_the_matching_is_the_best_of_all(shape: tuple[int, int]) -> None:
    cosines = np.random.default_rng(sum(shape)).uniform(-1, 1, (7, *shape))
    left, right = match_words(cosines)
    places = [(np.arange(count) + 0.5) / count for count in shape]
    total = cosines[list(MATCHING_LAYERS)].sum(axis=0)
    total -= DISTANCE * np.abs(places[0][:, None] - places[1][None])
    short, long = min(shape), max(shape)
    table = total if shape[0] <= shape[1] else total.T
    best = max(
        sum(table[i, j] for i, j in enumerate(chosen))
        for chosen in itertools.permutations(range(long), short)
    )
    assert len(left) == short
    assert total[left, right].sum() == pytest.approx(best, abs=1e-5)
