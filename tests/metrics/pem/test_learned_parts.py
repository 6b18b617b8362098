"""PEM from its learned parts: scale, copies, sources, other metrics as adequacy, explanations."""

from __future__ import annotations

import itertools
import json
import pickle
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge import PEM, Adequacy, Fluency, metric
from paragauge.cli import main
from paragauge.errors import InputError, SettingError
from paragauge.metrics.pem.adequacy.contradictions import find_contradictions
from paragauge.metrics.pem.adequacy.quantities import numbers_disagree
from paragauge.metrics.pem.features import same_text
from paragauge.metrics.pem.learned_parts import LEARNED, OTHER_MEANING, open_adequacy
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines

SOURCES = [
    "The café wasn't open until Monday.",
    "The plumber needed three hours for the old boiler.",
    "My uncle sold his boat last summer.",
    "Most students passed the difficult exam.",
]
GOOD = [
    "Before Monday the café did not open.",
    "It took the plumber three hours to deal with the old boiler.",
    "Last summer, my uncle's boat was sold.",
    "The exam was hard, but the majority of the students got through it.",
]
CHANGED = [
    "The café was open until Monday.",
    "The plumber needed eight hours for the old boiler.",
    "My uncle bought his boat last summer.",
    "Most students failed the difficult exam.",
]
CANDIDATES = [*SOURCES, *GOOD, *CHANGED]
OTHERS = ["pem:adequacy=bertscore", "pem:adequacy=pivotf1"]
OWN = ["pem", "pem-context"]  # with the learned adequacy
ALL = [*OWN, *OTHERS]
ODD = [
    *(
        "",
        " ",
        ".",
        "...",
        "a",
        "🙂",
        "🙂🙂 🙂",
        "\u200b",
        "\t",
        "<unk> </s>",
        "don\u2019t",
        "e\u0301te\u0301",
    ),
    *("12,000.5 % — “x”", "A" * 3000, "no " * 900, "汉字", "مرحبا", "?!?!", "It rains.", "IT RAINS"),
]


@pytest.mark.parametrize("spec", ALL)
def test_odd_texts_score_from_0_to_100(spec: str) -> None:
    pairs = list(itertools.product(ODD, ODD))
    texts: dict[str, Any] = {
        "candidates": [candidate for candidate, _ in pairs],
        "sources": [source for _, source in pairs],
    }
    rows = metric(spec).stats(**texts)
    assert np.isfinite(rows).all()
    assert (rows[:, 1] == 1).all()
    for column in (0, 2, 3, 4):
        assert (rows[:, column] >= 0).all()
        assert (rows[:, column] <= 100).all()


@pytest.mark.parametrize(
    "texts",
    [(["word " * 1001], ["It rains."]), (["It rains."], ["word " * 1001])],
    ids=["candidates", "sources"],
)
def test_a_long_sentence_is_refused_in_one_line(
    texts: tuple[list[str], list[str]], request: pytest.FixtureRequest
) -> None:
    side = request.node.callspec.id
    with pytest.raises(InputError) as error:
        PEM().segments(texts[0], sources=texts[1])
    assert str(error.value) == (
        f"{side}: segment 1: expected a sentence of at most 1,000 words, found 1,001; split it"
    )


def test_another_script_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match="expected English, found mostly letters of another") as error:
        PEM().segments(["天气很好"] * 200, sources=["今天天气不错"] * 200)
    assert "\n" not in str(error.value)


def test_a_paraphrase_beats_a_copy_and_a_copy_a_changed_meaning() -> None:
    copies, good, changed = PEM().segments(CANDIDATES, sources=SOURCES * 3).reshape(3, -1)
    assert (good > copies).all()
    assert good.mean() > 3 * copies.mean()
    assert (changed < copies.max()).all()


def test_parts_are_adequacy_fluency_and_new_wording() -> None:
    columns = PEM().components(CANDIDATES, sources=SOURCES * 3)
    assert tuple(columns) == ("rating", *LEARNED)
    expected = Adequacy().segments(CANDIDATES, sources=SOURCES * 3)
    disagree = [numbers_disagree(*pair) for pair in zip(CANDIDATES, SOURCES * 3, strict=True)]
    contradict = find_contradictions(Lines.of(CANDIDATES), Lines.of(SOURCES * 3))
    assert np.flatnonzero(disagree).tolist() == [9]
    assert np.flatnonzero(contradict).tolist() == [10, 11]  # bought and sold, passed and failed
    share = np.where(contradict | disagree, OTHER_MEANING, 1.0)
    np.testing.assert_allclose(columns["adequacy"], expected * share)
    np.testing.assert_allclose(columns["fluency"], Fluency().segments(CANDIDATES))
    assert (columns["dissimilarity"][: len(SOURCES)] == 0).all()
    assert (columns["dissimilarity"][len(SOURCES) :] > 0).all()
    assert list(PEM().shown_parts) == list(LEARNED)


# ---- another metric in place of adequacy


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("pem:adequacy=own", "pem"),
        ("pem:adequacy=pivotf1", "pem:adequacy=pivotf1"),
        ("pem:adequacy=PivotF1", "pem:adequacy=pivotf1"),
        ("pem:adequacy=bertscore", "pem:adequacy=bertscore:adequacy_against=sources"),
        (
            "pem:adequacy_layer=5:adequacy=bertscore",
            "pem:adequacy=bertscore:adequacy_against=sources:adequacy_layer=5",
        ),
        (
            "pem:adequacy=bertscore:adequacy_against=references:adequacy_layer=5",
            "pem:adequacy=bertscore:adequacy_layer=5:adequacy_against=references",
        ),
        ("pem:adequacy=parascore", "pem:adequacy=parascore"),
        ("pem:adequacy=chrf:adequacy_word_order=2", "pem:adequacy=chrf:adequacy_word_order=2"),
    ],
)
def test_labels_signatures_and_bytes_can_be_read_back(spec: str, label: str) -> None:
    chosen = metric(spec)
    assert chosen.label == label
    again = metric(label)
    assert again == chosen
    assert (again.label, again.signature) == (label, chosen.signature)
    assert pickle.loads(pickle.dumps(chosen)) == chosen  # noqa: S301  # our own bytes


def test_the_signature_names_the_metric_in_place_of_adequacy() -> None:
    signature = metric("pem:adequacy=bertscore:adequacy_layer=5").signature
    assert "|adequacy:BERTScore|" in signature
    assert "|adequacy_layer:5|" in signature
    assert "|adequacy_against:sources|" in signature
    assert "|weights:" not in signature  # those of the learned adequacy
    assert "|wordnet:" in signature  # fluency reads it
    assert len({metric(spec).signature for spec in ALL}) == len(ALL)


@pytest.mark.parametrize(
    ("spec", "inside"),
    [
        ("pem:adequacy=bertscore", "bertscore:against=sources"),
        ("pem:adequacy=bertscore:adequacy_layer=5", "bertscore:against=sources:layer=5"),
        ("pem:adequacy=pivotf1", "pivotf1"),
        ("pem:adequacy=adequacy", "adequacy"),
    ],
)
def test_its_scores_are_the_first_part(spec: str, inside: str) -> None:
    columns = metric(spec).components(CANDIDATES, sources=SOURCES * 3)  # type: ignore[attr-defined]
    expected = metric(inside).segments(CANDIDATES, sources=SOURCES * 3)
    np.testing.assert_allclose(columns["adequacy"], np.clip(expected, 0, 100))
    own = PEM().components(CANDIDATES, sources=SOURCES * 3)
    for part in LEARNED[1:]:
        np.testing.assert_array_equal(columns[part], own[part])


def test_the_layer_reaches_bertscore() -> None:
    four, five = (
        metric(f"pem:adequacy=bertscore:adequacy_layer={layer}").segments(GOOD, sources=SOURCES)
        for layer in (4, 5)
    )
    assert (four != five).all()
    assert metric("pem:adequacy=bertscore:adequacy_layer=5").encoder_layers == {
        "english": frozenset({5})
    }


def test_defaults_reach_the_metric_in_place_of_adequacy() -> None:
    defaults = {"encoder": "mine", "case": "lower"}
    label = metric("pem:adequacy=bertscore", defaults).label
    assert label == "pem:adequacy=bertscore:adequacy_encoder=mine:adequacy_against=sources"
    assert metric("pem:adequacy=bleu", defaults).label == "pem:adequacy=bleu:adequacy_case=lower"
    assert metric("pem", defaults) == PEM()


def test_its_needs_are_those_of_both() -> None:
    assert metric("pem:adequacy=bertscore").needs == {"sources"}
    chosen = metric("pem:adequacy=chrf")
    assert chosen.needs == {"sources", "references"}
    with pytest.raises(InputError, match="PEM needs references; give references="):
        chosen.segments(GOOD, sources=SOURCES)
    near, far = (chosen.segments(GOOD, sources=SOURCES, references=r) for r in (GOOD, GOOD[::-1]))
    assert (near > far).all()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "pem:adequacy=ter",
            (
                "PEM adequacy: expected a metric with scores from 0 to 100, higher for better "
                "sentences, found ter; use another, such as bertscore"
            ),
        ),
        (
            "pem:adequacy=pinc",
            (
                "PEM adequacy: expected a metric of the meaning kept, found pinc; use another, such as "
                "bertscore"
            ),
        ),
        (
            "pem:adequacy=fluency",
            (
                "PEM adequacy: expected a metric of the meaning kept, found fluency; use another, such "
                "as bertscore"
            ),
        ),
        (
            "pem:features=paper:adequacy=bertscore",
            (
                "PEM adequacy has no effect with features=paper; leave it out, or use "
                "features=learned and the model english"
            ),
        ),
        (
            "pem:model=FOLDER:adequacy=bertscore",
            (
                "PEM adequacy has no effect with features=extended; leave it out, or use "
                "features=learned and the model english"
            ),
        ),
        (
            "pem:features=learned:model=FOLDER",
            (
                "PEM features=learned: expected the model of the package, found FOLDER; use "
                "features=extended or features=paper"
            ),
        ),
        (
            "pem:adequacy_layer=5",
            "PEM adequacy_layer: expected adequacy=METRIC beside it; give that too",
        ),
    ],
)
def test_what_has_no_meaning_is_refused_in_one_line(
    spec: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SettingError) as error:
        metric(spec)
    assert str(error.value) == message
    assert main.run(["explain", "-m", spec, "--candidate", "a", "--source", "b"]) == 2
    assert capsys.readouterr() == ("", f"paragauge: error: {message}\n")


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(SettingError, match="unknown metric 'bertscor'; did you mean 'bertscore'"):
        open_adequacy("PEM", "bertscor")


# ---- copies


@pytest.mark.parametrize("spec", [*OWN, "pem:adequacy=bertscore"])
@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        str.upper,
        lambda text: text.replace("'", "\u2019"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: f" {text.replace(' ', '  ')} ",
    ],
    ids=["lowercase", "capitals", "apostrophe", "NFD", "no-break space", "white space"],
)
def test_a_copy_in_another_spelling_is_a_copy(spec: str, change: Callable[[str], str]) -> None:
    changed = [change(source) for source in SOURCES]
    assert all(map(same_text, changed, SOURCES))
    copies, others = (
        metric(spec).components(texts, sources=SOURCES)  # type: ignore[attr-defined]
        for texts in (SOURCES, changed)
    )
    # Capitals are tagged otherwise, and an encoder reads another apostrophe as another word.
    room = 0.0 if spec in OWN and not changed[0].isupper() else 2.0
    np.testing.assert_allclose(others["rating"], copies["rating"], rtol=0, atol=room)
    assert not others["dissimilarity"].any()


def test_a_copy_without_its_period_is_a_copy_that_is_less_fluent() -> None:
    copies, bare = (
        PEM().components(texts, sources=SOURCES)
        for texts in (SOURCES, [source.removesuffix(".") for source in SOURCES])
    )
    np.testing.assert_array_equal(bare["adequacy"], copies["adequacy"])
    assert not bare["dissimilarity"].any()
    np.testing.assert_allclose(bare["rating"], copies["rating"], rtol=0, atol=5)


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u3000", "\t"])
def test_a_negation_is_seen_before_any_space(space: str) -> None:
    sources = ["We need more money.", "He came to the meeting."]
    candidates = ["We don't need more money.", "He didn't come to the meeting."]
    other = [text.replace("n't ", f"n't{space}") for text in candidates]
    expected = PEM().components(candidates, sources=sources)
    columns = PEM().components(other, sources=sources)
    np.testing.assert_array_equal(columns["adequacy"], expected["adequacy"])
    np.testing.assert_array_equal(columns["fluency"], expected["fluency"])
    np.testing.assert_array_equal(columns["rating"], expected["rating"])


# ---- several sources, threads, company


@pytest.mark.parametrize("spec", ALL)
def test_several_sources_are_averaged(spec: str) -> None:
    chosen = metric(spec)
    groups = [[SOURCES[0], GOOD[0]], [SOURCES[1]], [SOURCES[2], CHANGED[2], GOOD[2]]]
    rows = chosen.stats(GOOD[:3], sources=groups)
    if spec in OWN:
        for row, candidate, group in zip(rows, GOOD, groups, strict=False):
            single = chosen.stats([candidate] * len(group), sources=group)
            np.testing.assert_allclose(row, single.mean(axis=0))
    else:
        # The other metric has its own way with several sources: one score for all of them.
        inside = metric(chosen.other.label)  # type: ignore[attr-defined]
        np.testing.assert_allclose(rows[:, 2], inside.segments(GOOD[:3], sources=groups))
        own = PEM().stats(GOOD[:3], sources=groups)
        np.testing.assert_array_equal(rows[:, 3:], own[:, 3:])


@pytest.mark.parametrize("spec", ALL)
def test_threads_order_and_company_do_not_matter(spec: str) -> None:
    chosen = metric(spec)
    sources = SOURCES * 3
    one = chosen.stats(CANDIDATES, sources=sources, threads=1)
    for threads in (2, 7):
        np.testing.assert_array_equal(chosen.stats(CANDIDATES, sources=sources, threads=threads), one)
    back = chosen.stats(CANDIDATES[::-1], sources=sources[::-1])[::-1]
    np.testing.assert_array_equal(back, one)
    alone = [chosen.stats([c], sources=[s])[0] for c, s in zip(CANDIDATES, sources, strict=True)]
    np.testing.assert_array_equal(alone, one)
    many = chosen.stats(CANDIDATES * 30, sources=sources * 30)
    np.testing.assert_array_equal(many, np.tile(one, (30, 1)))


@pytest.mark.parametrize("spec", ALL)
def test_other_systems_do_not_matter(spec: str) -> None:
    chosen = metric(spec)
    batch = Batch.of({"good": GOOD, "changed": CHANGED}, sources=SOURCES)
    for name, texts in (("good", GOOD), ("changed", CHANGED)):
        np.testing.assert_array_equal(
            chosen.batch_stats(batch, name), chosen.stats(texts, sources=SOURCES)
        )


# ---- explanations

PAIR = (CHANGED[2], SOURCES[2])


@pytest.mark.parametrize("spec", ALL)
@pytest.mark.parametrize("candidate", [*CHANGED, *GOOD, "", "🙂", SOURCES[0]])
def test_an_explanation_is_that_of_the_score(spec: str, candidate: str) -> None:
    chosen = metric(spec)
    explanation = chosen.explain(candidate, SOURCES[0])  # type: ignore[attr-defined]
    score = chosen.score([candidate], sources=[SOURCES[0]])
    assert explanation.value == score.value
    assert {"rating": explanation.rating, **explanation.parts} == score.parts
    assert tuple(explanation.parts) == LEARNED
    assert explanation.pivots == ()
    assert explanation.fluency is None
    assert (explanation.adequacy is None) == (spec not in OWN)
    assert tuple(feature.name for feature in explanation.features) == LEARNED
    assert [influence.name for influence in explanation.influences] == ["meaning", "fluency", "wording"]
    json.dumps(explanation.record())


def test_the_text_has_two_sentences_first_and_then_the_parts() -> None:
    explanation = PEM().explain(*PAIR)
    title, sentences, texts, parts, features, wording, signature = str(explanation).split("\n\n")
    assert (
        title == f"PEM {explanation.value:.2f} (rating {explanation.rating:.2f} on a scale of 0 to 100)"
    )
    assert "bought" in explanation.summary.change
    joined = " ".join(sentences.split("\n"))
    assert joined == f"{explanation.summary.change} {explanation.summary.score}"
    adequacy, fluency, new = explanation.parts.values()
    for words in (f"adequacy {adequacy:.0f}", f"fluency {fluency:.0f}", f"dissimilarity {new:.0f}"):
        assert f"({words})" in explanation.summary.score
    assert texts.split("\n")[0].split("  ")[0] == "source"
    shown = [line.split()[0] for line in parts.split("\n") if not line.startswith(" ")]
    assert shown == ["part", *LEARNED]
    assert [line.split()[0] for line in features.split("\n")[:4]] == ["feature", *LEARNED]
    assert wording.startswith("wording: n-grams of the sentences\n")
    assert signature == PEM().signature
    assert "pivot" not in str(explanation)


def test_the_record_has_the_parts_and_what_adequacy_is_made_of() -> None:
    record = PEM().explain(*PAIR).record()
    assert list(record["parts"]) == list(LEARNED)
    assert record["pivots"] == ()
    assert record["fluency"] is None
    components = Adequacy().score([PAIR[0]], sources=[PAIR[1]])
    assert record["adequacy"] == {"value": components.value, **components.parts}
    assert set(record["summary"]) == {"kind", "change", "score"}


@pytest.mark.parametrize("spec", ALL)
def test_the_page_has_two_sentences_and_no_pivots(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    texts = ("--candidate", PAIR[0], "--source", PAIR[1])
    assert main.run(["explain", "-m", spec, *texts, "--html", str(page)]) == 0
    explanation = metric(spec).explain(*PAIR)  # type: ignore[attr-defined]
    assert capsys.readouterr() == (f"{explanation}\n", "")
    html = page.read_text(encoding="utf-8")
    places = [html.index(text) for text in ("of 100: a rating", "(adequacy ", '<div class="tiles">')]
    assert places == sorted(places)
    for part, value in explanation.parts.items():
        assert f"<h3>{part}</h3><b>{value:.2f}</b>" in html
    assert '<ol class="network"' not in html
    assert "Pivot language" not in html
    assert "pivot F1" not in html
    assert ("probability that it changed" in html) == (spec in OWN)


def test_a_metric_of_references_is_explained_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = PEM(adequacy="chrf")
    candidate, source = PAIR
    explanation = chosen.explain(candidate, source, GOOD[2])
    assert explanation.value == chosen.segments([candidate], sources=[source], references=[GOOD[2]])[0]
    texts = ("explain", "-m", "pem:adequacy=chrf", "--candidate", candidate, "--source", source)
    assert main.run([*texts, "--reference", GOOD[2]]) == 0
    assert capsys.readouterr() == (f"{explanation}\n", "")
    with pytest.raises(InputError, match="pem:adequacy=chrf needs a reference, found none"):
        chosen.explain(candidate, source)


@pytest.mark.parametrize("name", ["pem", "pem-context"])
def test_nothing_is_no_paraphrase(name: str) -> None:
    candidates = ["", " ", "...", "It rains.", "It is raining."]
    sources = ["It is raining."] * 3 + ["", "It is raining."]
    *empty, copy = metric(name).segments(candidates, sources=sources)
    assert max(empty) < 10 < copy


def test_the_signature_names_the_features_that_are_used() -> None:
    assert metric("pem").signature == metric("pem:features=learned").signature
    assert "|features:learned|" in metric("pem").signature


@pytest.mark.parametrize("name", ["pem", "pem-context"])
@pytest.mark.parametrize("part", [0, 1], ids=["adequacy", "fluency"])
def test_more_meaning_or_fluency_hardly_lowers_the_score(name: str, part: int) -> None:
    # Where pairs lie: little new wording, and a copy or near-copy of middling to full adequacy.
    for dissimilarity in (0.05, 0.15, 0.25, 0.35):
        rows = np.tile([0.9, 0.8, dissimilarity], (11, 1))
        rows[:, part] = np.linspace(0, 1, 11)
        values = np.clip(metric(name).regression.predict(rows), 0, 100)
        drops = np.maximum.accumulate(values) - values
        assert drops.max() < 12
        assert values[-1] > values[0]
