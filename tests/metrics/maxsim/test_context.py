"""MAXSIM in context."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge import MaxSimContext, fit
from paragauge.encode import open_encoder
from paragauge.errors import InputError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.maxsim.context_pairs import word_cosines
from paragauge.metrics.maxsim.names import Names
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines

REFERENCE = "They put off the meeting until Monday."
TEXTS = [
    "The meeting was postponed to Monday.",
    "The meeting was recorded on Monday.",
    "They put off the meeting until Monday.",
    "",
    "Oil prices fell again.",
    "naïve café 猫 🙂 ‏שלום",
]


def value(metric: MaxSimContext, candidate: str, reference: str = REFERENCE) -> float:
    return float(metric.segments([candidate], references=[reference])[0])


def alone(part: str, **settings: Any) -> MaxSimContext:
    """The metric with one part only."""
    names = MaxSimContext(**settings).part_names()
    return MaxSimContext(weights="/".join("1" if name == part else "0" for name in names), **settings)


def cosines(candidate: str, reference: str, layers: str = "4") -> np.ndarray:
    metric = MaxSimContext(layers=layers)
    lines = metric.read_lines(open_encoder(), Lines.of([candidate, reference]), 1)
    return word_cosines(lines.by_text[candidate], lines.by_text[reference])


# --- parts, from the cosines of words --------------------------------------------------------------


def test_unigrams_are_the_best_matching_of_rescaled_cosines() -> None:
    table = cosines("big dogs", "large dogs")[0]
    for floor in (0.0, 0.3):
        similar = np.maximum((table - floor) / (1 - floor), 0)
        best = max(similar[0, 0] + similar[1, 1], similar[0, 1] + similar[1, 0])
        metric = alone("F1@4", layers="4", floor=floor, alpha=0.5)
        assert value(metric, "big dogs", "large dogs") == pytest.approx(100 * best / 2)


def test_bigrams_average_their_words() -> None:
    table = cosines("big dogs", "large dogs")[0]
    similar = np.maximum((table - 0.3) / 0.7, 0)
    metric = alone("F2@4", layers="4")
    expected = 100 * (similar[0, 0] + similar[1, 1]) / 2
    assert value(metric, "big dogs", "large dogs") == pytest.approx(expected)


def test_alpha_weighs_recall() -> None:
    table = cosines("dogs", "large dogs")[0]
    match = max((table.max() - 0.3) / 0.7, 0)
    metric = alone("F1@4", layers="4", alpha=0.9)
    assert value(metric, "dogs", "large dogs") == pytest.approx(100 * match / (0.9 * 2 + 0.1 * 1))


def test_the_weakest_word_of_both_sides() -> None:
    table = cosines("big dogs", "large dogs bark")[0]
    low, other = table.max(axis=1).min(), table.max(axis=0).min()
    expected = 100 * 2 * low * other / (low + other)
    assert value(alone("weakest@4", layers="4"), "big dogs", "large dogs bark") == pytest.approx(
        expected
    )


def test_the_sentence_is_the_cosine_of_its_vectors() -> None:
    a, b = open_encoder().encode(["big dogs", "large dogs"], [4]).sentences.astype(np.float64)
    cosine = a @ b / np.sqrt((a @ a) * (b @ b))
    assert value(alone("sentence"), "big dogs", "large dogs") == pytest.approx(100 * cosine)
    assert value(alone("sentence"), "zebra", "of the 17 and") >= 0


def test_names_count_by_their_letters() -> None:
    metric = alone("names")
    assert value(metric, "He met Smith in Paris.", "He met Smith in London.") == pytest.approx(50.0)
    assert value(metric, "He met nobody.", "Nobody was met.") == 100.0
    # At the beginning of a sentence a capital letter says nothing, unless the other text has the name.
    assert value(metric, "Smith was met.", "They met Smith.") == 100.0
    assert value(metric, "Nobody was met.", "They met Smith.") == 0.0


def test_what_may_be_a_name() -> None:
    names = Names.of(["McDonald", "said", ":", "I", "saw", "Ann", "and", "Ann"])
    assert names.certain == {"Ann": 2}
    assert names.possible == {"McDonald": 1}
    assert Names.of([]).certain == {}


def test_function_words_weigh_less() -> None:
    # "the" is equal in both; without its weight only dog and cat count.
    table = cosines("the dog", "the cat")[0]
    metric = alone("F1@4", layers="4", function=0.0, alpha=0.5)
    assert value(metric, "the dog", "the cat") == pytest.approx(100 * max((table[1, 1] - 0.3) / 0.7, 0))
    assert value(dataclasses.replace(metric, function=1.0), "the dog", "the cat") > 60


def test_exact_phases_count_equal_words_fully() -> None:
    exact = alone("F1@4", layers="4", phases="tag+lemma+graph", order=1)
    graph = alone("F1@4", layers="4", order=1)
    texts = "The bank raised rates.", "The bank of the river."
    assert value(exact, *texts) > value(graph, *texts)


def test_relations_have_their_part(tmp_path: Path) -> None:
    rows = "".join(
        f"# text = {child} bark\n1\t{child}\t{child}\t_\tNNS\t_\t2\tnsubj\t_\t_\n"
        "2\tbark\tbark\t_\tVBP\t_\t0\troot\t_\t_\n\n"
        for child in ("dogs", "cats")
    )
    path = tmp_path / "a.conllu"
    path.write_text(rows)
    tools: dict[str, Any] = {"tagger": "conllu", "parser": "conllu", "analyzed": str(path)}
    metric = alone("relations@4", layers="4", order=1, **tools)
    table = np.maximum((cosines("dogs bark", "cats bark")[0] - 0.3) / 0.7, 0)
    expected = 100 * (table[0, 0] + 1 + table[1, 1]) / 3
    assert value(metric, "dogs bark", "cats bark") == pytest.approx(expected)
    explanation = metric.explain("dogs bark", "cats bark")
    assert explanation.value == pytest.approx(expected)
    assert [part.name for part in explanation.parts][:2] == ["F1@4", "relations@4"]


# --- what a score promises -------------------------------------------------------------------------


def test_without_weights_the_ngrams_count_alike() -> None:
    metric = MaxSimContext()
    assert metric.part_names() == [
        *("F1@4", "F2@4", "F3@4", "F1@6", "F2@6", "F3@6"),
        *("weakest@4", "weakest@6", "sentence", "names"),
    ]
    assert metric.part_weights().tolist() == [1 / 6] * 6 + [0] * 4
    parts = [value(alone(name), TEXTS[0]) for name in metric.part_names()[:6]]
    assert value(metric, TEXTS[0]) == pytest.approx(np.mean(parts))


def test_good_paraphrases_score_above_others() -> None:
    metric = MaxSimContext.load()
    good, recorded, equal, empty, other, _ = metric.segments(TEXTS, references=[REFERENCE] * len(TEXTS))
    assert 100.0 == equal > good > recorded > other > empty == 0.0


def test_texts_without_words() -> None:
    metric = MaxSimContext.load()
    assert value(metric, "", "") == 100.0
    assert value(metric, "...", "!") == 100.0
    assert value(metric, "", "word") == value(metric, "word", "...") == 0.0
    assert metric.score(["a"], references=["a"]).value == 100.0


@pytest.mark.parametrize("settings", [{}, {"function": 0.5}, {"phases": "tag+lemma+graph"}])
def test_order_threads_and_company_do_not_matter(settings: dict[str, Any]) -> None:
    metric = MaxSimContext(**settings)
    references = [[REFERENCE, TEXTS[1]]] * len(TEXTS)
    usual = metric.segments(TEXTS, references=references, threads=1)
    for threads in (2, 7):
        assert metric.segments(TEXTS, references=references, threads=threads).tolist() == usual.tolist()
    turned = metric.segments(TEXTS[::-1], references=references)
    assert turned[::-1].tolist() == usual.tolist()
    for number, text in enumerate(TEXTS):
        assert metric.segments([text], references=references[:1]).tolist() == [usual[number]]


def test_many_lines_are_walked_in_blocks() -> None:
    candidates = [TEXTS[i % 5] for i in range(300)]
    references = [[REFERENCE] * (1 + i % 2) for i in range(300)]
    metric = MaxSimContext()
    single = {text: value(metric, text) for text in TEXTS[:5]}
    batch = Batch.of({"a": candidates, "b": candidates[::-1]}, references=references)
    for name, texts in (("a", candidates), ("b", candidates[::-1])):
        stats = metric.batch_stats(batch, name)
        assert stats[:, 0] == pytest.approx([single[text] for text in texts])


def test_sources_instead_of_references() -> None:
    metric = MaxSimContext(against="sources")
    assert metric.needs == {"sources"}
    scored = metric.segments([TEXTS[0]], sources=[REFERENCE])
    assert scored[0] == value(MaxSimContext(), TEXTS[0])
    explanation = metric.explain(TEXTS[0], REFERENCE)
    assert "source     They put off" in str(explanation)
    with pytest.raises(InputError, match="needs sources"):
        metric.segments([TEXTS[0]], references=[REFERENCE])


def test_other_languages_need_no_tagger_but_the_shipped_encoder_is_english() -> None:
    assert MaxSimContext(language="de").segments(["Guten Tag"], references=["Guten Tag"]).tolist() == [
        100.0
    ]
    with pytest.raises(SettingError, match="language=de: the built-in tagger"):
        MaxSimContext(language="de", function=0.5)
    russian = ["Все счастливые семьи похожи друг на друга, каждая несчастливая по-своему."] * 40
    with pytest.raises(InputError, match="references: expected English"):
        MaxSimContext().segments(russian, references=russian)


def test_long_sentences_are_refused() -> None:
    with pytest.raises(InputError, match=r"candidates: segment 2: .* at most 1,000 words, found 1,001"):
        MaxSimContext().segments(["a", "a " * 1001], references=["a", "b"])


# --- explanations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("settings", [{}, {"function": 0.5, "phases": "lemma+graph"}])
def test_explanations_add_up(text: str, settings: dict[str, Any]) -> None:
    metric = dataclasses.replace(MaxSimContext.load(), **settings)
    explanation = metric.explain(text, REFERENCE)
    assert explanation.value == value(metric, text)
    total = sum(part.weight * (part.value or 0) for part in explanation.parts)
    assert total == pytest.approx(explanation.value)
    for part in explanation.parts:
        if part.match is not None:
            assert sum(link.weight for link in part.links) == pytest.approx(part.match)


def test_an_explanation_says_which_words() -> None:
    text = str(MaxSimContext.load().explain("Ms. Smith left Paris.", "Paris was left by Ms. Smith."))
    assert "unigrams in layer 4" in text
    assert "same word" in text
    assert "both: Ms., Paris, Smith" in text
    assert "by (best: " in text


def test_an_explanation_says_why_a_part_is_0_or_1() -> None:
    metric = MaxSimContext.load()
    notes = [part.note for part in metric.explain("a dog", "the dog").parts]
    assert notes[-1] == "neither side has any, so none is lost"
    notes = [part.note for part in metric.explain("", "the dog").parts]
    assert notes[-4:] == ["one side has no words"] * 4
    notes = [part.note for part in metric.explain("...", "").parts]
    assert notes[-4:] == ["neither side has any"] * 4


# --- fits and specifications -----------------------------------------------------------------------


def test_specifications() -> None:
    shipped = Metric.from_spec("maxsim-context")
    assert shipped == MaxSimContext.load()
    assert shipped.label == "maxsim-context"
    untuned = Metric.from_spec("maxsim-context:model=none:alpha=0.5")
    assert untuned == MaxSimContext(alpha=0.5)
    assert untuned.label == "maxsim-context:model=none:alpha=0.5"
    for metric in (shipped, untuned, MaxSimContext.unfitted(layers="3/6")):
        assert Metric.from_spec(metric.label) == metric
    with pytest.raises(SettingError, match="leave out model or weights"):
        Metric.from_spec("maxsim-context:model=a.json:weights=1")
    with pytest.raises(SettingError, match="'modl'; did you mean 'model'"):
        Metric.from_spec("maxsim-context:modl=none")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("layers=3/5", "layers: expected 4/6, which the fit was made for, found 3/5; add model=none"),
        ("layers=4", "layers: expected 4/6, which the fit was made for, found 4; add model=none"),
        ("order=2", "order: expected 3, which the fit was made for, found 2; add model=none"),
        ("parser=spacy", "parser: expected none, which the fit was made for, found spacy"),
        ("encoder=mine", "encoder: expected english, which the fit was made for, found mine"),
    ],
)
def test_a_fit_is_not_used_for_other_parts(change: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Metric.from_spec(f"maxsim-context:{change}")
    name, value = change.split("=")
    if name == "encoder":
        with pytest.raises(SettingError, match=message):
            Metric.from_spec("maxsim-context", {name: value})
    untuned = Metric.from_spec(f"maxsim-context:model=none:{change}")
    assert str(getattr(untuned, name)) == value
    assert Metric.from_spec("maxsim-context:model=none", {"parser": "spacy"}).parser == "spacy"  # type: ignore[attr-defined]


def test_a_tokenizer_for_all_metrics_does_not_change_a_fit() -> None:
    defaults = {"tokenize": "13a", "smooth": "floor"}
    assert Metric.from_spec("maxsim-context", defaults) == MaxSimContext.load()
    assert Metric.from_spec("maxsim-context:model=none", defaults) == MaxSimContext(tokenize="13a")
    weights = "/".join("1" * 10)
    weighted = Metric.from_spec(f"maxsim-context:weights={weights}", defaults)
    assert weighted == MaxSimContext(weights=weights, tokenize="13a")


def test_labels_of_fitted_weights_elsewhere_are_specifications() -> None:
    shipped = MaxSimContext.load()
    for settings in ({"layers": "3/5"}, {"encoder": "mine"}, {"alpha": 0.5}, {"floor": 0.25}):
        metric = dataclasses.replace(shipped, **settings)
        assert Metric.from_spec(metric.label) == metric


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"layers": "4/x"},
            "layers: expected different numbers separated by /, such as 4/6, found '4/x'",
        ),
        ({"layers": "4/4"}, "layers: expected different numbers"),
        ({"layers": ""}, "layers: expected"),
        ({"floor": 1.0}, "floor: expected a number from 0 to 0.99"),
        ({"weights": "1/2"}, "weights: expected 10 numbers"),
        ({"similarity": min}, "similarity: comes from the encoder; give the function to MaxSim"),
    ],
)
def test_bad_settings_get_one_line(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        MaxSimContext(**settings)


def test_a_layer_that_the_encoder_lacks() -> None:
    with pytest.raises(SettingError, match="context layers: expected one of 0, 1, 2, 3, 4, 5, 6"):
        value(MaxSimContext(layers="4/9"), "a")


def rated() -> tuple[list[str], list[str], list[float]]:
    """Candidates of two kinds for ten references: a near one, rated 5, and a far one, rated 2."""
    things = "dog cat horse ship house tree river book phone garden".split()  # noqa: SIM905
    references = [f"A large {thing} was seen near the town." for thing in things] * 2
    near = [f"Near the town a big {thing} was seen." for thing in things]
    far = [f"Nobody near the town sold a {thing}." for thing in things]
    return near + far, references, [5.0] * 10 + [2.0] * 10


def test_a_fit_learns_and_is_saved(tmp_path: Path) -> None:
    candidates, references, ratings = rated()
    fitted = MaxSimContext.fit(ratings, candidates, references=references, folds=2, layers="4")
    assert fitted.ratings == 20
    assert fitted.held_out > 0.8
    path = tmp_path / "fit.json"
    fitted.save(path)
    assert MaxSimContext.load(path) == fitted.metric
    assert Metric.from_spec(f"maxsim-context:model={path}") == fitted.metric
    again = fitted.metric.segments(candidates, references=references)
    assert np.corrcoef(again, ratings)[0, 1] == pytest.approx(fitted.pearson)


def test_fits_against_sources_and_by_name() -> None:
    candidates, references, ratings = rated()
    systems = {"near": candidates[:10], "far": candidates[10:]}
    by_segment = {(name, i): ratings[i + 10 * (name == "far")] for name in systems for i in range(10)}
    fitted = fit(
        systems,
        by_segment,
        "maxsim-context",
        sources=references[:10],
        folds=2,
        against="sources",
        layers="4",
    )
    assert fitted.metric.needs == {"sources"}
    assert fitted.held_out > 0.8
    with pytest.raises(SettingError, match="floor: is learned by the fit"):
        MaxSimContext.fit(ratings, candidates, references=references, floor=0.2)
