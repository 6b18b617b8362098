"""Estimation: by hand, against lmplz, as a distribution, and its error messages."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.lm import Estimation, EstimationSettings, LanguageModel, TextForm
from paragauge.lm.estimate import LEAST_MEMORY
from paragauge.text.line_reader import LineReader

FALLBACK = (0.5, 1.0, 1.5)


def values(model: LanguageModel) -> dict[tuple[str, ...], tuple[float, float]]:
    texts = list(model.vocabulary)
    by_ngram = {}
    for order in range(1, model.order + 1):
        for words, probabilities, backoffs in model.table.ngrams(order):
            rows = zip(words.tolist(), probabilities.tolist(), backoffs.tolist(), strict=True)
            by_ngram |= {tuple(texts[i] for i in gram): (p, b) for gram, p, b in rows}
    return by_ngram


def test_two_sentences_by_hand() -> None:
    """Discounts 0.5, 1 and 1.5. Different words before: a 1 (<s>), b 1, c 1, </s> 2 (b and c)."""
    trained = values(LanguageModel.train(["a b", "a c"], order=2, discount_fallback=FALLBACK))
    left = (3 * 0.5 + 1) / 5  # three words with count 1 and one with 2, of 5 in all
    uniform = left / 5  # <unk>, </s>, a, b, c
    a, end = (1 - 0.5) / 5 + uniform, (2 - 1) / 5 + uniform
    expected = {
        ("<unk>",): (uniform, 1),
        ("<s>",): (1, 1 / 2),
        ("</s>",): (end, 1),
        ("a",): (a, (0.5 + 0.5) / 2),
        ("b",): (a, 0.5),
        ("c",): (a, 0.5),
        ("<s>", "a"): ((2 - 1) / 2 + 1 / 2 * a, 1),
        ("a", "b"): ((1 - 0.5) / 2 + 0.5 * a, 1),
        ("a", "c"): ((1 - 0.5) / 2 + 0.5 * a, 1),
        ("b", "</s>"): (0.5 + 0.5 * end, 1),
        ("c", "</s>"): (0.5 + 0.5 * end, 1),
    }
    assert set(trained) == set(expected)
    for gram, (probability, backoff) in expected.items():
        assert trained[gram] == pytest.approx((math.log10(probability), math.log10(backoff)), abs=1e-6)


@pytest.mark.parametrize("order", [3, 4])
def test_every_value_is_that_of_lmplz(benchmark_data: Path, order: int) -> None:
    """lmplz -o 3 and -o 4 on the same text, default settings."""
    folder = benchmark_data / "oracles" / "lm"
    with LineReader(folder / "text.gz") as reader:
        trained = values(LanguageModel.train(reader.read(1 << 20), order=order))
    with gzip.open(folder / f"lmplz.o{order}.arpa.gz", "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) > 1:
                ours = trained.pop(tuple(fields[1].split(" ")))
                theirs = (float(fields[0]), float(fields[2]) if len(fields) > 2 else 0.0)
                assert ours == pytest.approx(theirs, abs=1e-4), line
    assert not trained


def sums(model: LanguageModel, histories: list[list[str]]) -> list[float]:
    """The sum of P(w | history) over all words but <s>, for each history."""
    totals = []
    for history in histories:
        state = model.begin
        for word in history:
            _, state = model.score_word(state, word)
        words = [word for word in model.vocabulary if word != "<s>"]
        totals.append(sum(10 ** model.score_word(state, word)[0] for word in words))
    return totals


@given(
    st.lists(st.lists(st.sampled_from("abcde"), max_size=6), min_size=1, max_size=12),
    st.lists(st.lists(st.sampled_from("abcdez"), max_size=5), min_size=1, max_size=5),
    st.integers(1, 5),
    st.integers(0, 2),
    st.sampled_from([0.0, 1e-3, 1e-2]),
)
@settings(max_examples=120)
def test_probabilities_sum_to_one(
    corpus: list[list[str]], histories: list[list[str]], order: int, prune: int, entropy: float
) -> None:
    lines = [" ".join(words) for words in [*corpus, ["a"]]]
    model = LanguageModel.train(
        lines,
        order=order,
        prune=(0, prune)[:order],
        entropy_prune=entropy,
        discount_fallback=FALLBACK,
    )
    assert sums(model, histories) == pytest.approx([1.0] * len(histories), abs=1e-5)


def test_a_real_model_sums_to_one_before_and_after_pruning(text: list[str], form: TextForm) -> None:
    draw = np.random.default_rng(7)
    for options in ({}, {"prune": (0, 0, 1)}, {"entropy_prune": 1e-5}):
        for order in (1, 2, 3, 4, 5):
            if order == 1 and "prune" in options:
                continue
            settings = dict(options)
            if order == 2 and "prune" in settings:
                settings["prune"] = (0, 1)
            model = LanguageModel.train(
                text, order=order, form=form, discount_fallback=FALLBACK, **settings
            )
            words = list(model.vocabulary)[3:]
            histories = [list(draw.choice(words, size=3)) for _ in range(4)] + [["the"], ["the", "man"]]
            assert sums(model, histories) == pytest.approx([1.0] * 6, abs=1e-4)


def test_pruning_by_count_keeps_what_stands_more_often(text: list[str], form: TextForm) -> None:
    whole = values(LanguageModel.train(text, order=3, form=form, discount_fallback=FALLBACK))
    model = LanguageModel.train(text, order=3, form=form, prune=(0, 0, 1), discount_fallback=FALLBACK)
    pruned = values(model)
    assert set(pruned) < set(whole)
    assert {g for g in whole if len(g) < 3} == {g for g in pruned if len(g) < 3}
    padded = [["<s>", *line, "</s>"] for line in _tokens(text)]
    trigrams = [tuple(line[i : i + 3]) for line in padded for i in range(len(line) - 2)]
    assert {g for g in pruned if len(g) == 3} == {g for g in trigrams if trigrams.count(g) > 1}


def _tokens(text: list[str]) -> list[list[str]]:
    from paragauge.text.tokenizers import tokenize

    return tokenize(text, "13a", case="lower")


def test_entropy_pruning_takes_more_with_a_higher_threshold(model: LanguageModel) -> None:
    sizes = [sum(model.table.prune_by_entropy(t).counts) for t in (0.0, 1e-6, 1e-5, 1e-4, 0.5)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[1] < sum(model.counts)
    assert model.table.prune_by_entropy(0.5).counts[0] == model.counts[0]


def test_entropy_pruning_costs_perplexity_step_by_step(model: LanguageModel, text: list[str]) -> None:
    perplexities = [model.score(text).perplexity()]
    for threshold in (1e-8, 1e-7, 1e-6, 1e-5, 1e-4):
        pruned = LanguageModel(model.table.prune_by_entropy(threshold), model.form)
        perplexities.append(pruned.score(text).perplexity())
    assert perplexities == sorted(perplexities)
    assert perplexities[0] < perplexities[1] < 1.3 * perplexities[0] < perplexities[-1]


def test_a_tiny_memory_gives_the_same_bytes(tmp_path: Path, text: list[str], form: TextForm) -> None:
    many = text * 8
    models = []
    for memory in (LEAST_MEMORY, 1 << 30):
        options = EstimationSettings(
            order=5, discount_fallback=FALLBACK, memory=memory, folder=tmp_path
        )
        with Estimation(options, form) as estimation:
            estimation.add(many)
            estimation.finish()
            models.append(LanguageModel(estimation.table(), form))
            assert (estimation.spilled > 0) == (memory == LEAST_MEMORY)
    for path, model in zip(("a.bin", "b.bin"), models, strict=True):
        model.save(tmp_path / path)
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.bin", "b.bin"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"order": 0}, "order: expected a whole number from 1 to 6, found 0"),
        ({"order": 7}, "order: expected a whole number from 1 to 6, found 7"),
        ({"memory": 10}, "memory: expected 1,048,576 to 1,152,921,504,606,846,976 bytes, found 10"),
        ({"prune": (1,)}, "prune: unigrams are not pruned; begin with 0, found 1"),
        ({"prune": (0, 2, 1)}, "prune: expected counts that do not decrease, found 0 2 1"),
        ({"prune": (0, 0, 0, 0, 1)}, "prune: expected at most 4 counts, found 0 0 0 0 1"),
        ({"prune": (0, -1)}, "prune: expected counts such as 0 0 1, found 0 -1"),
        ({"prune": ()}, "prune: expected counts such as 0 0 1, found nothing"),
        ({"discount_fallback": (1, 2)}, "discount fallback: expected D1, D2 and D3"),
        ({"discount_fallback": (2, 1, 1)}, "discount fallback: expected D1, D2 and D3"),
        ({"threads": -1}, "threads: expected a whole number from 0"),
    ],
)
def test_settings_that_make_no_sense(change: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError) as error:
        EstimationSettings(**change)
    assert message in str(error.value)


def test_texts_that_give_no_model() -> None:
    with pytest.raises(InputError, match="found no words"):
        LanguageModel.train(["", " "])
    with pytest.raises(InputError) as error:
        LanguageModel.train(["a b", "b <s> c"])
    assert str(error.value).startswith("lines:2: expected words, found <s>, which a language model")
    with pytest.raises(InputError) as error:
        LanguageModel.train(["a b c d"], order=2)
    assert "cannot estimate the discounts of 1-grams: none has adjusted count 2" in str(error.value)
    assert "--discount-fallback" in str(error.value)
    with (
        pytest.raises(FileFormatError, match="no such file"),
        Estimation(EstimationSettings(folder="/none")),
    ):
        pass
    with pytest.raises(SettingError, match="entropy pruning: expected a share from 0 to 1"):
        LanguageModel.train(["a b"], entropy_prune=2, discount_fallback=FALLBACK)


def test_any_script() -> None:
    lines = ["日本 語", "e\u0301te\u0301 🙂", "שלום עולם", "日本 🙂"]
    model = LanguageModel.train(lines, order=3, discount_fallback=FALLBACK)
    assert model.score(lines).unknown.tolist() == [0, 0, 0, 0]
    assert model.score(["日本 語 é"]).unknown.tolist() == [1]


def test_stems_and_case() -> None:
    form = TextForm("13a", "lower", "porter")
    model = LanguageModel.train(
        ["Dogs bark.", "The dog barked!"], form=form, discount_fallback=FALLBACK
    )
    assert list(model.vocabulary)[3:] == ["dog", "bark", ".", "the", "!"]
    assert model.score(["DOG BARKING."]).unknown.tolist() == [0]
    assert model.score(["Dogs"], tokenized=True).unknown.tolist() == [1]
    assert model.score(["dog"], tokenized=True).unknown.tolist() == [0]
