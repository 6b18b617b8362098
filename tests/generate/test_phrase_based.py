"""Phrase-based paraphrasing: sums a reader can check, settings, errors."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.generate.generator import Generator, Substitution, Substitutions
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import FEATURES, PhraseSettings, default_weights
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.phrases.table import COLUMNS, PhraseTable, new_table

LN10 = math.log(10)
# A bigram model whose logarithms are easy to add by hand.
ARPA = """\\data\\
ngram 1=7
ngram 2=4

\\1-grams:
-2.0\t<unk>
-99\t<s>\t-0.5
-1.0\t</s>
-1.0\ta\t-0.25
-1.25\tb\t-0.5
-1.5\tc\t-0.75
-1.75\td

\\2-grams:
-0.25\t<s> a
-0.5\ta b
-0.125\tb c
-0.375\tc </s>

\\end\\
"""
ROWS = [  # source, target, p(target|source)
    ("a", "a", 0.5),
    ("a", "c", 0.5),
    ("a b", "b c", 0.25),
    ("b", "b", 1.0),
    ("c", "d", 1.0),
]


def table(folder: Path, rows: list[tuple[str, str, float]] = ROWS) -> PhraseTable:
    with new_table(folder / "table") as writer:
        columns: dict[str, list[Any]] = {
            **{name: [1] * len(rows) for name in COLUMNS},
            "source": [row[0] for row in rows],
            "target": [row[1] for row in rows],
            "alignment": ["0-0"] * len(rows),
            **{name: [1.0] * len(rows) for name in ("p_source", "lex_target", "lex_source")},
            "p_target": [row[2] for row in rows],
        }
        writer.write(pa.table({name: columns[name] for name in COLUMNS}))
        writer.finish({})
    return PhraseTable.open(folder / "table")


@pytest.fixture
def model(tmp_path: Path) -> LanguageModel:
    path = tmp_path / "lm.arpa"
    path.write_text(ARPA)
    return LanguageModel.load(path)


def weights(**values: float) -> np.ndarray:
    return np.array([values.get(name, 0.0) for name in FEATURES])


@pytest.fixture
def paraphraser(tmp_path: Path, model: LanguageModel) -> PhraseBased:
    return PhraseBased.of_table(
        table(tmp_path), model, default_weights(), PhraseSettings(beam=0, distortion=6)
    )


def test_it_is_a_generator_with_substitutions(paraphraser: PhraseBased) -> None:
    assert isinstance(paraphraser, Generator)
    assert isinstance(paraphraser, Substitutions)
    assert paraphraser.features == FEATURES
    assert len(paraphraser) == len(ROWS)
    assert repr(paraphraser).startswith("PhraseBased(5 phrase pairs, LanguageModel(order 2")


def test_the_language_model_spans_phrase_boundaries(paraphraser: PhraseBased) -> None:
    by_text = {hypothesis.text: hypothesis for hypothesis in paraphraser.nbest(["a b"], 10)[0]}
    assert set(by_text) == {"b c", "a b", "c b", "b a"}
    in_order = paraphraser.with_settings(PhraseSettings(beam=0))  # the default
    assert {hypothesis.text for hypothesis in in_order.nbest(["a b"], 10)[0]} == {"b c", "a b", "c b"}
    # "a b" is two phrases: <s> a is in the model (-0.25), a b too (-0.5), b </s> is not: the weight
    # of b (-0.5) and </s> (-1).
    assert by_text["a b"].features["LM0"] == pytest.approx((-0.25 - 0.5 - 0.5 - 1.0) * LN10)
    # "b c" is one: <s> b backs off (-0.5 - 1.25), then b c (-0.125) and c </s> (-0.375).
    assert by_text["b c"].features["LM0"] == pytest.approx((-0.5 - 1.25 - 0.125 - 0.375) * LN10)
    # In "b a", b comes first: a jump over one word, and then a jump of two back.
    assert by_text["b a"].features["Distortion0"] == -3.0
    assert by_text["a b"].features["Distortion0"] == 0.0
    assert by_text["b c"].features["TranslationModel0_3"] == pytest.approx(math.log(0.25))
    expected = 0.5 * -2.25 * LN10 + 2 + 0.2 * 1 + 0.2 * math.log(0.25)
    assert by_text["b c"].score == pytest.approx(expected)


def test_features_times_weights_are_scores(paraphraser: PhraseBased) -> None:
    lists = paraphraser.nbest(["a b c", "c a", "b unheard a"], 20)
    np.testing.assert_allclose(lists.features @ paraphraser.weights, lists.scores, atol=1e-9)
    for one in lists:
        assert [hypothesis.score for hypothesis in one] == sorted(
            (hypothesis.score for hypothesis in one), reverse=True
        )
        assert len({hypothesis.text for hypothesis in one}) == len(one)


def test_options_are_scored_alone(paraphraser: PhraseBased) -> None:
    options = paraphraser.options("a b")
    assert [(option.start, option.end, option.text) for option in options] == [
        (0, 1, "a"),
        (0, 1, "c"),
        (0, 2, "b c"),
        (1, 2, "b"),
    ]
    # No <s> before, no </s> after: b (-1.25), then b c (-0.125).
    assert options[2].features["LM0"] == pytest.approx((-1.25 - 0.125) * LN10)
    assert options[2].score == pytest.approx(0.5 * -1.375 * LN10 + 2 + 0.2 + 0.2 * math.log(0.25))
    assert [option.text for option in paraphraser.options("a b", 1)] == ["a", "b c", "b"]


def test_substitutions_change_their_span(paraphraser: PhraseBased) -> None:
    substitutions = paraphraser.substitutions("a b x")
    assert [(option.start, option.end, option.text) for option in substitutions] == [
        (0, 1, "c"),
        (0, 2, "b c"),
    ]
    assert isinstance(substitutions[0], Substitution)
    assert [option.text for option in paraphraser.substitutions("a", 1)] == ["c"]


def test_a_pruned_hypothesis_had_a_worse_future(tmp_path: Path, model: LanguageModel) -> None:
    # With room for one hypothesis the search must guess: a -> c is the better choice so far
    # (1 > 0), but b costs 3 unless it is in one phrase with a.
    rows = [("a", "a", 1.0), ("a", "c", math.exp(-1)), ("a b", "d d", 0.5), ("b", "b", math.exp(-3))]
    greedy = PhraseSettings(stack=1, distortion=0)
    generator = PhraseBased.of_table(
        table(tmp_path, rows), model, weights(TranslationModel0_3=1.0), greedy
    )
    # Stack 1: "a" with 0 and the future -3; stack 2: it becomes "a b" with -3, but "d d" has ln 0.5.
    assert generator.nbest(["a b"], 5)[0][0].text == "d d"
    # Without the phrase the cheap start is right.
    assert generator.nbest(["a x b"]).best() == ["a x b"]


@pytest.mark.parametrize(
    ("limit", "texts"),
    [
        (0, {"1 2 3"}),
        (1, {"1 2 3"}),
        (2, {"1 2 3", "2 1 3", "1 3 2"}),
        (3, {"1 2 3", "2 1 3", "1 3 2", "3 1 2", "2 3 1", "3 2 1"}),
        (None, {"1 2 3", "2 1 3", "1 3 2", "3 1 2", "2 3 1", "3 2 1"}),
    ],
)
def test_the_distortion_limit(
    tmp_path: Path, model: LanguageModel, limit: int | None, texts: set[str]
) -> None:
    # A phrase that starts later must end at most `limit` words after the first open word, to which one
    # must jump back: with 2 translated first that is 2 words, with 3 first it is 3.
    rows = [("x1", "1", 1.0), ("x2", "2", 1.0), ("x3", "3", 1.0)]
    settings = PhraseSettings(distortion=limit, beam=0)
    generator = PhraseBased.of_table(table(tmp_path, rows), model, weights(Distortion0=0.1), settings)
    assert {hypothesis.text for hypothesis in generator.nbest(["x1 x2 x3"], 20)[0]} == texts


def test_unknown_words_pass_through(paraphraser: PhraseBased) -> None:
    (hypothesis,) = paraphraser.nbest(["日本 b"])[0]
    assert hypothesis.text == "日本 b"
    assert hypothesis.features["UnknownWordPenalty0"] == -100.0
    assert hypothesis.features["TranslationModel0_3"] == 0.0


def test_empty_lines_have_no_paraphrase(paraphraser: PhraseBased) -> None:
    lists = paraphraser.nbest(["", "b", "  "], 3)
    assert [len(hypotheses) for hypotheses in lists] == [0, 1, 0]
    assert lists.best() == ["", "b", ""]
    assert len(paraphraser.nbest([])) == 0
    assert paraphraser.options("") == []


def test_copies(tmp_path: Path, model: LanguageModel) -> None:
    rows = [("a", "a", 0.9), ("a", "c", 0.1), ("b", "b", 1.0)]
    own_weights = weights(TranslationModel0_3=1.0, CopyPenalty0=3.0)
    generator = PhraseBased.of_table(
        table(tmp_path, rows), model, own_weights, PhraseSettings(distortion=0)
    )

    def texts(copy: str) -> list[str]:
        other = generator.with_settings(PhraseSettings(distortion=0, copy=copy))
        return [hypothesis.text for hypothesis in other.nbest(["a b"], 5)[0]]

    assert texts("allow") == ["a b", "c b"]
    assert texts("differ") == ["c b"]
    assert texts("forbid") == ["c b"]
    # ln 0.9 - 3 x 2 words against ln 0.1 - 3 x 1 word.
    assert texts("penalize") == ["a b", "c b"][::-1]
    only = generator.with_settings(PhraseSettings(copy="forbid"))
    assert only.nbest(["b"]).best() == ["b"]  # there is nothing else


def test_weights_and_settings_share_the_table(paraphraser: PhraseBased) -> None:
    other = paraphraser.with_weights(weights(TranslationModel0_3=1.0))
    assert other.name != paraphraser.name
    assert paraphraser.name == paraphraser.with_weights(default_weights()).name
    assert other.nbest(["b"]).scores.tolist() == [0.0]
    for wrong in (np.ones(3), np.full(10, np.nan), np.full(10, 1e9)):
        with pytest.raises(
            InputError, match=r"expected 10 weights from -1e.06 to 1e.06, for Distortion0"
        ):
            paraphraser.with_weights(wrong)


def test_more_sentences_than_a_batch(paraphraser: PhraseBased) -> None:
    lines = ["a b c", "c", ""] * 200
    done: list[int] = []
    lists = paraphraser.nbest(lines, 2, threads=2, progress=done.append)
    assert sum(done) == len(lists) == 600
    assert lists.best() == paraphraser.nbest(lines[:3], 2).best() * 200


def test_sentences_above_the_cap_are_refused(paraphraser: PhraseBased) -> None:
    short = paraphraser.with_settings(PhraseSettings(longest=2))
    assert short.longest == 2
    with pytest.raises(InputError, match="line 2: expected a sentence of at most 2 words, found 3"):
        short.nbest(["a b", "a b c"])


def test_a_table_with_other_numbers_is_refused(tmp_path: Path, model: LanguageModel) -> None:
    bad = table(tmp_path, [("a", "b", -0.5)])
    with pytest.raises(FileFormatError, match="expected probabilities in each row"):
        PhraseBased.of_table(bad, model, default_weights())
    empty = tmp_path / "other"
    empty.mkdir()
    with pytest.raises(FileFormatError, match="a phrase must have a word; extract the table again"):
        PhraseBased.of_table(table(empty, [("a", " ", 0.5)]), model, default_weights())


def test_a_language_model_of_stems_is_refused(tmp_path: Path) -> None:
    form = TextForm("13a", "lower", "porter")
    stems = LanguageModel.train(["dogs bark"], order=1, form=form, discount_fallback=(0.5, 1, 1.5))
    with pytest.raises(InputError, match="expected a language model of words, found one of stems"):
        PhraseBased.of_table(table(tmp_path), stems, default_weights())


def test_a_probability_of_zero_is_very_unlikely(tmp_path: Path, model: LanguageModel) -> None:
    generator = PhraseBased.of_table(table(tmp_path, [("a", "b", 0.0)]), model, default_weights())
    (hypothesis,) = generator.nbest(["a"])[0]
    assert hypothesis.features["TranslationModel0_3"] == pytest.approx(-100)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"beam": 2}, "beam: expected a number from 0 to 1, found 2"),
        ({"distortion": -1}, "distortion: expected a whole number from 0"),
        ({"longest": 257}, "longest: expected a whole number from 1 to 256, found 257"),
        ({"copy": "forbit"}, "unknown treatment of copies 'forbit'; did you mean 'forbid'?"),
        ({"stack": True}, "stack: expected a whole number"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message.replace("?", r"\?")):
        PhraseSettings(**settings)


def test_bad_calls(paraphraser: PhraseBased) -> None:
    with pytest.raises(
        SettingError, match=r"size of n-best lists: expected .* from 1 to 100000, found 0"
    ):
        paraphraser.nbest(["a"], 0)
    with pytest.raises(SettingError, match="limit: expected a whole number from 1, found 0"):
        paraphraser.substitutions("a", 0)
    with pytest.raises(SettingError, match="limit: expected a whole number from 1, found 0"):
        paraphraser.options("a", 0)
