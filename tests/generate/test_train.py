"""Training from sentence pairs: the whole process with a real aligner, and what is rejected before it.

The aligner is systran-align, which gives the same links each time; eflomal has no seed.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.generate.phrase_settings import PhraseSettings
from paragauge.generate.train import PhraseTraining, train_phrases, training_steps
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.phrases.table import PhraseTable
from paragauge.text.bitext import Bitext

NOUNS = {"man": "guy", "boy": "lad", "girl": "lass", "dog": "hound"}
VERBS = {"eats": "devours", "sees": "notices", "likes": "loves", "takes": "grabs"}
EVERYTHING = PhraseTraining(
    min_similarity=0, min_count=1, significance="off", threads=1, aligner="systran"
)
needs_systran = pytest.mark.usefixtures("systran_align")


def pairs(tokenize: str = "13a") -> Bitext:
    sentences = [
        (f"A {n} {v} it.", f"A {x} {y} it.") for n, x in NOUNS.items() for v, y in VERBS.items()
    ]
    left, right = zip(*sentences * 3, strict=True)
    return Bitext.of(left, right, tokenize=(tokenize, tokenize), case="lower")


@needs_systran
def test_the_whole_way(tmp_path: Path) -> None:
    steps: list[str] = []
    trained = train_phrases(
        pairs(),
        tmp_path / "model",
        replace(EVERYTHING, max_length=4),
        decoding=PhraseSettings(stack=50),
        facts={"corpus": "toy"},
        progress=steps.append,
    )
    assert trained.generator.form == TextForm("13a", "lower")
    assert trained.generator.settings.stack == 50
    assert trained.generator.nbest(["A man takes it."], 3)[0][0].text == "a guy grabs it ."
    assert len(steps) == training_steps(48, 0)
    written = json.loads((tmp_path / "model" / "generator.json").read_text())
    assert (written["kind"], written["made"]["corpus"]) == ("phrase", "toy")
    assert written["made"]["sentence_pairs"] == 48
    assert written["made"]["training"]["max_length"] == 4
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@needs_systran
def test_a_user_language_model(tmp_path: Path) -> None:
    path = tmp_path / "lm.bin"
    form = TextForm("13a", "lower")
    model = LanguageModel.train(["A lad notices it."], form=form, discount_fallback=(0.5, 1, 1.5))
    model.save(path)
    trained = train_phrases(pairs(), tmp_path / "model", EVERYTHING, lm=path)
    assert trained.facts["ngrams"] == list(model.counts)
    with pytest.raises(InputError, match="trained on text of the form tok:13a"):
        train_phrases(pairs("intl"), tmp_path / "other", lm=path, aligner="systran")
    assert not (tmp_path / "other").exists()


@needs_systran
def test_the_language_model_counts_repeated_sentences_once_or_each_time(
    tmp_path: Path,
) -> None:
    # Of three equal sentences and a fourth one, "b" after "a" has 3 of 4, or 1 of 2.
    bitext = Bitext.of(["a b"] * 3 + ["a c"], ["a b"] * 3 + ["a c"])
    likely = []
    for repeats in (False, True):
        trained = train_phrases(
            bitext,
            tmp_path / f"model-{repeats}",
            replace(EVERYTHING, lm_repeats=repeats, lm_order=1),
        )
        scores = LanguageModel.load(trained.folder / "language-model.bin").score(["b", "c"])
        likely.append(float(scores.log10[0] - scores.log10[1]))
    assert likely[0] == 0
    assert likely[1] > 0.1


@needs_systran
def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    # Sixteen different sentences are too few for the discounts.
    with pytest.raises(InputError, match="cannot estimate the discounts"):
        train_phrases(pairs(), tmp_path / "model", EVERYTHING, lm_discount_fallback=False)
    assert list(tmp_path.iterdir()) == []


@needs_systran
def test_pairs_without_a_frequent_phrase_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="expected phrase pairs that occur at least 99 times, found none in 48"
    ):
        train_phrases(pairs(), tmp_path / "model", EVERYTHING, min_count=99)
    assert not (tmp_path / "model").exists()


@needs_systran
def test_the_defaults_leave_out_pairs_that_do_not_mean_the_same(tmp_path: Path) -> None:
    # Each good pair comes four times; the other one is unrelated and would be frequent enough as well.
    good = [(f"a {n} is singing a song", f"a {n} sings a song") for n in ("man", "woman", "boy")]
    other = [("a dog is eating", "two men are playing chess")]
    sources, targets = zip(*(good + other) * 4, strict=True)
    bitext = Bitext.of(sources, targets)
    trained = train_phrases(bitext, tmp_path / "model", aligner="systran", threads=1)
    assert (trained.facts["sentence_pairs"], trained.facts["dissimilar"]) == (12, 4)
    table = PhraseTable.open(tmp_path / "model" / "phrase-table")
    assert [pair.target for pair in table.query("man")] == ["man"]
    assert table.query("eating") == []
    assert table.info["counts"]["insignificant"] > 0
    with pytest.raises(InputError, match=r"similarity of at least 100, found none in 16; lower min_si"):
        train_phrases(bitext, tmp_path / "other", aligner="systran", min_similarity=100)
    assert not (tmp_path / "other").exists()


@needs_systran
def test_phrase_pairs_that_do_not_mean_the_same_are_left_out(tmp_path: Path) -> None:
    # Aligned word by word: "pizza" stands beside "carpet" each time, as often as "man" beside "guy".
    bitext = Bitext.of(["a man eats pizza", "a man likes pizza"] * 4, ["a guy eats carpet"] * 8)
    settings = replace(EVERYTHING, max_length=1)

    def targets(model: str, word: str, **changes: float) -> list[str]:
        train_phrases(bitext, tmp_path / model, settings, **changes)
        pairs = PhraseTable.open(tmp_path / model / "phrase-table").query(word)
        return [pair.target for pair in pairs]

    assert targets("all", "pizza") == ["carpet"]
    assert targets("filtered", "pizza", min_phrase_similarity=60) == []
    assert targets("filtered", "man", min_phrase_similarity=60) == ["guy"]
    made = json.loads((tmp_path / "filtered" / "generator.json").read_text())["made"]
    assert made["dissimilar_phrases"] >= 1
    with pytest.raises(InputError, match=r"found none in 1 sentence pair \(.*, unlike: 1\)"):
        train_phrases(Bitext.of(["x"], ["z"]), tmp_path / "none", settings, min_phrase_similarity=99)
    with pytest.raises(SettingError, match="min_phrase_similarity: expected a number from 0 to 100"):
        PhraseTraining(min_phrase_similarity=-1)


@needs_systran
def test_more_text_for_the_language_model(tmp_path: Path) -> None:
    text, bad = tmp_path / "more.txt", tmp_path / "bad.txt"
    text.write_text("A Zebra sleeps.\n\nA zebra eats.\n", encoding="utf-8")
    bad.write_text("fine\na </s> b\n", encoding="utf-8")
    form = {"tokenize": ("13a", "13a"), "case": "lower"}
    bitext = Bitext.of(["a b"] * 3, ["a b"] * 3, **form)
    trained = train_phrases(bitext, tmp_path / "model", EVERYTHING, lm_text=(str(text),), lm_order=1)
    model = LanguageModel.load(trained.folder / "language-model.bin")
    assert {"zebra", "sleeps", "."} <= set(model.vocabulary)
    with pytest.raises(FileFormatError, match=r"bad.txt:2: expected words, found </s>"):
        train_phrases(Bitext.of(["a"], ["a"]), tmp_path / "other", EVERYTHING, lm_text=(str(bad),))
    assert not (tmp_path / "other").exists()


def test_what_is_rejected_before_training(tmp_path: Path) -> None:
    mixed = Bitext.of(["a"], ["b"], tokenize=("13a", "intl"))
    with pytest.raises(InputError, match="expected one tokenizer for both sides of paraphrases"):
        train_phrases(mixed, tmp_path / "model")
    (tmp_path / "file").touch()
    with pytest.raises(FileFormatError, match="expected a folder for the generator, found a file"):
        train_phrases(pairs(), tmp_path / "file")
    with pytest.raises(InputError, match="expected sentence pairs, found none"):
        train_phrases(Bitext.of([], []), tmp_path / "model", aligner="systran")
    marked = Bitext.of(["a", "b"], ["c", "d </s>"], names=("a.txt", "b.txt"))
    with pytest.raises(FileFormatError, match=r"^b.txt:2: expected words, found </s>, which has a"):
        train_phrases(marked, tmp_path / "model", aligner="systran")
    assert not (tmp_path / "model").exists()
    with pytest.raises(SettingError, match="order: expected a whole number from 1 to 6, found 9"):
        PhraseTraining(lm_order=9)
    with pytest.raises(SettingError, match="min_similarity: expected a number from 0 to 100"):
        PhraseTraining(min_similarity=101)
    with pytest.raises(SettingError, match="unknown significance 'high'"):
        PhraseTraining(significance="high")
    with pytest.raises(SettingError, match="max_length: expected a whole number"):
        PhraseTraining(max_length=0)
