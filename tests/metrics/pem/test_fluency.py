"""The learned fluency: its features by hand, its order of sentences, and what it refuses."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from paragauge import Fluency
from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.lm.model import LanguageModel
from paragauge.metrics.pem.fluency_features import (
    FEATURES,
    TaggedWords,
    measure_sentences,
    measure_tokens,
)
from paragauge.metrics.pem.fluency_model import FOLDER, FluencyModel
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.vocabulary import Vocabulary
from tests.edit_json import edit_json

LN10 = math.log(10)
# log10 probabilities; after <s> and after "it" the model backs off with 10 ** -0.5.
ARPA = """\\data\\
ngram 1=5
ngram 2=2

\\1-grams:
-2\t<unk>
-99\t<s>\t-0.5
-1\t</s>
-1\tit\t-0.5
-1\trains

\\2-grams:
-0.25\t<s> it
-0.5\tit rains

\\end\\
"""
# From correct to scrambled.
LADDERS = [
    (
        "The committee will meet again next week to discuss the budget.",
        "The committee will meets again next week to discuss the budget.",
        "Committee will meets agan next week for discuss the the budget.",
        "budget week the discuss again to committee meet the next will.",
    ),
    (
        "She has been living in this house since she was a child.",
        "She has been live in this house since she was a child.",
        "She have been live on this house sinse she were child.",
        "house she in was this been a since living has child she.",
    ),
    (
        "Most of the students were able to answer the question.",
        "Most of the students was able to answer the question.",
        "Most of student was able answer to the qestion the.",
        "answer of most able the students the to question were.",
    ),
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    path = tmp_path_factory.mktemp("lm") / "tiny.arpa"
    path.write_text(ARPA, encoding="utf-8")
    return LanguageModel.load(path)


def features(text: str, model: LanguageModel) -> dict[str, float]:
    row = measure_sentences(Lines.of([text]), model, model)[0]
    return dict(zip(FEATURES, row.tolist(), strict=True))


class TestFeatures:
    def test_lifts_by_hand(self, tiny: LanguageModel) -> None:
        it, rains = tiny.vocabulary["it"], tiny.vocabulary["rains"]
        lift, shortfall = measure_tokens(tiny, Ragged.from_lists([[it, rains], [rains, it], []]))
        # it rains </s>: -0.25 - -1, -0.5 - -1, -1 - -1.
        # rains it </s>: -0.5 for backing off after <s>, 0 after rains, -0.5 after it.
        # </s>: -0.5 after <s>.
        expected = np.array([(0.75 + 0.5 + 0) / 3, (-0.5 + 0 - 0.5) / 3, -0.5])
        np.testing.assert_allclose(lift, LN10 * expected, rtol=1e-6)
        np.testing.assert_allclose(shortfall, LN10 * np.array([0, -1.0, -0.5]), rtol=1e-6)

    def test_features_of_a_sentence(self, tiny: LanguageModel) -> None:
        row = features("It rains", tiny)
        assert row["surface_lift"] == pytest.approx(LN10 * 1.25 / 3, rel=1e-6)
        assert row["length"] == pytest.approx(math.log(3))
        assert row["unknown"] == 0

    def test_unknown_words(self, tiny: LanguageModel) -> None:
        # WordNet has dogs as a form of dog; Zorblat is a name; x2 is not made of letters.
        assert features("the dogs", tiny)["unknown"] == pytest.approx(math.log(2))  # "the"
        assert features("it rains dogs", tiny)["unknown"] == 0
        assert features("it rains qestions and qestions", tiny)["unknown"] == pytest.approx(math.log(4))
        assert features("it rains in Zorblat x2", tiny)["unknown"] == 0

    def test_forms(self) -> None:
        tagged = TaggedWords.read(Lines.of(["Ann does not feed 3 dogs."]))
        forms = {}
        for form in ("surface", "mixed"):
            names, symbols = tagged.symbols(form)
            forms[form] = " ".join(names[i] for i in symbols)
        assert forms == {
            "surface": "NNP does not feed CD dogs .",
            "mixed": "NNP does not VB CD NNS .",
        }

    def test_a_word_that_the_model_does_not_have_becomes_its_tag(self) -> None:
        vocabulary = Vocabulary(["<unk>", "<s>", "</s>", "he", "VBZ"])
        words, tags = Ragged.from_lists([[0, 1, 2]]), np.array([0, 1, 2], np.int32)
        tagged = TaggedWords(words, tags, ["he", "sings", "well"], ["PRP", "VBZ", "RB"])
        assert tagged.encode("surface", vocabulary).ids.tolist() == [3, 4, -1]

    def test_marks_in_a_text_are_unknown(self, tiny: LanguageModel) -> None:
        names = ["<s>", "</s>", "<unk>"]
        tags = np.zeros(3, np.int32)
        tagged = TaggedWords(Ragged.from_lists([[0, 1, 2]]), tags, names, ["NN"])
        assert tagged.encode("surface", tiny.vocabulary).ids.tolist() == [-1, -1, -1]


class TestScores:
    def test_score_by_hand(self, tiny: LanguageModel) -> None:
        # 2 * length - 1 from 0 to 4: 100 * (2 ln 3 - 1) / 4.
        weights = np.array([0.0] * 5 + [2.0])
        model = FluencyModel(tiny, tiny, weights, -1.0, 0.0, 4.0)
        expected = 100 * (2 * math.log(3) - 1) / 4
        assert model.score(Lines.of(["it rains"]))[0] == pytest.approx(expected)
        many = Lines.of([" ".join(["it"] * 20), ""])
        assert model.score(many).tolist() == [100, 0]

    def test_fit_recovers_a_line(self, tiny: LanguageModel) -> None:
        rng = np.random.default_rng(7)
        rows = rng.normal(size=(200, len(FEATURES)))
        errors = np.repeat([0.0, 8.0], 100)
        rows[:, 1] = 3 - np.log1p(errors) / 2  # so -ln(1 + errors) = 2 * row - 6
        model = FluencyModel.fit(tiny, tiny, rows, errors, 1e-9, 8)
        np.testing.assert_allclose(model.weights, [0, 2, 0, 0, 0, 0], atol=1e-6)
        assert model.intercept == pytest.approx(-6)
        assert (model.low, model.high) == pytest.approx((-math.log(9), 0), abs=1e-6)
        np.testing.assert_allclose(model.predict(rows), np.repeat([100.0, 0.0], 100), atol=1e-4)

    @pytest.mark.parametrize("ladder", LADDERS)
    def test_more_errors_score_lower(self, ladder: tuple[str, ...]) -> None:
        clean, one, many, scrambled = Fluency().segments(list(ladder))
        assert clean > one > many
        assert one > scrambled
        assert clean > 75
        assert scrambled < 50

    def test_spelling_of_apostrophes_quotes_and_accents(self) -> None:
        plain = ["I don't know.", 'He said "no" to me.', "The caf\u00e9 is closed."]
        other = ["I don’t know.", "He said “no” to me.", "The cafe\u0301 is closed."]
        np.testing.assert_array_equal(Fluency().segments(plain), Fluency().segments(other))

    def test_empty_text_scores_nothing(self) -> None:
        assert Fluency().segments(["", "  ", "\u3000", "\xa0\t"]).tolist() == [0] * 4
        assert Fluency().segments([]).tolist() == []

    def test_neither_threads_nor_batches_change_a_value(self) -> None:
        texts = [text for ladder in LADDERS for text in ladder] * 50
        one = Fluency().segments(texts, threads=1)
        np.testing.assert_array_equal(one, Fluency().segments(texts, threads=3))
        alone = [Fluency().segments([text])[0] for text in texts[:12]]
        np.testing.assert_array_equal(one[:12], alone)


class TestSettings:
    def test_signatures(self, pem_folder: Path) -> None:
        metrics = (Fluency(), Fluency(method="lm"), Fluency(method="lm", model=str(pem_folder)))
        assert len({metric.signature for metric in metrics}) == 3
        assert "|scale:100|" in metrics[0].signature
        assert f"|fluency:{FluencyModel.default().name}|" in metrics[0].signature
        assert "|scale:1|" in metrics[1].signature
        assert metrics[1].label == "fluency:method=lm"

    def test_what_is_refused(self) -> None:
        with pytest.raises(
            SettingError, match="unknown Fluency method 'learnt'; did you mean 'learned'"
        ):
            Fluency(method="learnt")  # type: ignore[arg-type]
        with pytest.raises(SettingError, match="model=folder has no effect with method=learned; leave"):
            Fluency(model="folder")

    def test_another_script_is_refused(self) -> None:
        with pytest.raises(
            InputError, match="candidates: expected English, found mostly letters of an"
        ):
            Fluency().segments(["Кошка сидит на окне."] * 100)
        assert np.isfinite(Fluency(method="lm").segments(["Кошка сидит на окне."] * 100)).all()


class TestFiles:
    def test_save_and_load(self, tmp_path: Path) -> None:
        shutil.copytree(FOLDER, tmp_path / "model")
        FluencyModel.default().save(tmp_path / "model")
        assert FluencyModel.load(tmp_path / "model").name == FluencyModel.default().name

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                {"version": 9},
                r"expected the description of a fluency model \(another format or version\)",
            ),
            ({"weights": {"lift": 1.0}}, r"\(other features\); make it with tools/models/train_flu"),
            ({"low": 9.0}, r"\(numbers out of range\)"),
            ({"intercept": None}, "expected the description of a fluency model"),
            (
                {"fingerprints": {"surface": "4gram-0", "mixed": "5gram-0"}},
                "expected surface.bin to be 4gram-0, found 4gram-.*: files of two models",
            ),
        ],
    )
    def test_damaged_descriptions(
        self, tmp_path: Path, change: dict[str, object], message: str
    ) -> None:
        folder = tmp_path / "model"
        shutil.copytree(FOLDER, folder)
        edit_json(folder / "model.json", change)
        with pytest.raises(FileFormatError, match=message):
            FluencyModel.load(folder)
