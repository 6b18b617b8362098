"""Phrase-based decoding: the kernel against its twin, and both against every derivation there is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts
from paragauge.kernels.reference.decode import phrase_decoder
from paragauge.lm.model import LanguageModel
from paragauge.text.lines import Lines

BOTH = (_native, reference)
LN10 = math.log(10)
OPEN = 1 << 20

# Few values, so that many scores are equal.
scores = st.sampled_from([-2.5, -1.0, -0.5, -0.25, 0.0])
weights_ = st.lists(
    st.one_of(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), st.floats(-1, 1)), min_size=10, max_size=10
)
words = st.sampled_from(["a", "b", "c", "日", "x"])
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)
rows_ = st.lists(
    st.tuples(phrases, phrases, st.tuples(scores, scores, scores, scores)),
    max_size=14,
    unique_by=lambda row: row[:2],
).map(sorted)
texts_ = st.lists(st.lists(words, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=8)


@dataclass(frozen=True)
class Setup:
    """All that decoding needs but the sentences."""

    rows: list[tuple[str, str, tuple[float, ...]]]
    weights: list[float]
    text: list[str]  # of the language model
    order: int = 3
    stack: int = OPEN
    beam: float = -math.inf
    distortion: int = -1
    limit: int = OPEN
    copy: str = "allow"

    def model(self) -> LanguageModel:
        return LanguageModel.train(
            self.text, order=self.order, discount_fallback=(0.5, 1, 1.5), threads=1
        )

    def decoder(self, module: Any, model: LanguageModel | None = None) -> Any:
        model = model or self.model()
        vocabulary = module.Vocabulary()
        for token in model.vocabulary:
            vocabulary.add(token)
        store = module.PhraseStore(vocabulary)
        half = len(self.rows) // 2
        for part in (self.rows[:half], self.rows[half:]):
            store.add(*columns(part))
        levels = [level.arrays() for level in model.table.levels]
        return module.PhraseDecoder(
            store,
            module.NgramModel(levels, 1),
            np.array(self.weights),
            self.stack,
            self.beam,
            self.distortion,
            self.limit,
            self.copy,
        )


def columns(rows: list[Any]) -> tuple[Any, Any, Any]:
    sides = [pack_texts([row[side] for row in rows]) for side in (0, 1)]
    values = np.array([row[2] for row in rows], np.float32).reshape(-1, 4)
    return sides[0], sides[1], values


def lists(decoder: Any, sentences: list[str], size: int, threads: int = 1) -> list[Any]:
    lines = Lines.of(sentences)
    (buffer, ends), offsets, features, scores = decoder.decode(lines.buffer, lines.spans, size, threads)
    assert (features.dtype, scores.dtype, offsets.dtype) == (np.float64, np.float64, np.int64)
    texts = [bytes(buffer[first:last]).decode() for first, last in itertools.pairwise(ends.tolist())]
    rows = list(zip(texts, scores.tolist(), features.tolist(), strict=True))
    return [rows[first:last] for first, last in itertools.pairwise(offsets.tolist())]


@st.composite
def setups(draw: st.DrawFn, **fixed: Any) -> Setup:
    setup = Setup(
        draw(rows_),
        draw(weights_),
        draw(texts_),
        draw(st.integers(1, 4)),
        draw(st.integers(1, 12)),
        draw(st.sampled_from([-math.inf, -3.0, -0.5, 0.0])),
        draw(st.integers(-1, 3)),
        draw(st.integers(1, 4)),
        draw(st.sampled_from(["allow", "penalize", "differ", "forbid"])),
    )
    return replace(setup, **fixed)


sentences_ = st.lists(st.lists(words, max_size=5).map(" ".join), max_size=4)


# A stack that is full once the third node, which is below the beam, is gone.
FULL = Setup(
    [("a", target, (-2.5,) * 4) for target in ("a", "a a", "a a a", "a a b")],
    [-1.0] * 10,
    ["a b"],
    stack=2,
    beam=-3.0,
    distortion=0,
)


@settings(max_examples=150)
@example(FULL, ["a a"], 3, 0)
@given(setups(), sentences_, st.integers(1, 6), st.sampled_from([0, 1, 2, 7]))
def test_the_kernel_is_its_twin(setup: Setup, sentences: list[str], size: int, threads: int) -> None:
    model = setup.model()
    native, twin = (setup.decoder(module, model) for module in BOTH)
    ours, theirs = lists(native, sentences, size, threads), lists(twin, sentences, size)
    assert ours == theirs  # texts, scores and features, bit for bit
    for sentence in sentences:
        for left, right in zip(native.options(sentence, 3), twin.options(sentence, 3), strict=True):
            pairs = zip(left, right, strict=True) if isinstance(left, tuple) else [(left, right)]
            for mine, other in pairs:
                assert mine.dtype == other.dtype
                np.testing.assert_array_equal(mine, other)


def derivations(
    setup: Setup, sentence: list[str], covered: frozenset[int] = frozenset()
) -> Iterator[list[tuple[int, int, str, tuple[float, ...] | None]]]:
    """Every order of every choice of rows, from the definition of the model alone."""
    if len(covered) == len(sentence):
        yield []
        return
    for start in range(len(sentence)):
        for end in range(start + 1, len(sentence) + 1):
            span = frozenset(range(start, end))
            if span & covered:
                continue
            if setup.distortion == 0 and start != len(covered):
                continue
            source = " ".join(sentence[start:end])
            steps = [(start, end, row[1], row[2]) for row in setup.rows if row[0] == source]
            if not steps and end == start + 1:
                steps = [(start, end, source, None)]
            for step in steps:
                for rest in derivations(setup, sentence, covered | span):
                    yield [step, *rest]


def features_of(derivation: list[Any], sentence: list[str], lm: float, copy: bool) -> list[float]:
    ends = [0, *(end for _, end, _, _ in derivation)]
    jumps = [abs(step[0] - last) for step, last in zip(derivation, ends, strict=False)]
    known = [values for _, _, _, values in derivation if values is not None]
    copied = [
        end - start
        for start, end, text, values in derivation
        if values is not None and text == " ".join(sentence[start:end])
    ]
    return [
        -float(sum(jumps)),
        lm,
        -float(sum(len(text.split()) for _, _, text, _ in derivation)),
        float(len(derivation)),
        *(math.fsum(values[i] for values in known) for i in range(4)),
        -100.0 * (len(derivation) - len(known)),
        -float(sum(copied)) if copy else 0.0,
    ]


@settings(max_examples=60)
@given(
    setups(stack=OPEN, beam=-math.inf, limit=OPEN),
    st.lists(words, min_size=1, max_size=4),
    st.sampled_from([-1, 0]),
    st.sampled_from(["allow", "penalize"]),
)
def test_both_find_every_derivation(
    setup: Setup, sentence: list[str], distortion: int, copy: str
) -> None:
    setup = replace(setup, distortion=distortion, copy=copy)
    every_derivation = list(derivations(setup, sentence))
    texts = sorted({" ".join(step[2] for step in derivation) for derivation in every_derivation})
    # The language model on whole texts: nothing here knows of states or phrases.
    model = setup.model()
    lm = dict(zip(texts, (model.score(texts, tokenized=True).log10 * LN10).tolist(), strict=True))
    best: dict[str, float] = {}
    for derivation in every_derivation:
        text = " ".join(step[2] for step in derivation)
        features = features_of(derivation, sentence, lm[text], copy == "penalize")
        score = math.fsum(w * v for w, v in zip(setup.weights, features, strict=True))
        best[text] = max(best.get(text, -math.inf), score)
    expected = sorted(best.values(), reverse=True)
    for module in BOTH:
        if module is reference and len(every_derivation) > 300:
            continue  # minutes
        decoder = setup.decoder(module, model)
        (rows,) = lists(decoder, [" ".join(sentence)], 1000)
        assert {text for text, _, _ in rows} == set(best)
        for text, score, features in rows:
            assert score == pytest.approx(best[text], abs=1e-9)
            assert features[1] == pytest.approx(lm[text], abs=1e-9)
        (top,) = lists(decoder, [" ".join(sentence)], 3)
        assert [score for _, score, _ in top] == pytest.approx(expected[:3], abs=1e-9)


def test_threads_make_no_difference() -> None:
    rows = sorted(
        (source, f"{target} {word}", (-0.5, -1.0, -0.25, float(-i)))
        for i, (source, target, word) in enumerate(itertools.product("abc", "abcx", "bx"))
    )
    setup = Setup(rows, [0.3, 0.5, -1, 0.2, 0.2, 0.2, 0.2, 0.2, 1, 1], ["a b c", "x b"], stack=10)
    sentences = [" ".join("abcx"[(i + j) % 4] for j in range(i % 9)) for i in range(40)]
    decoder = setup.decoder(_native)
    expected = lists(decoder, sentences, 5)
    assert [len(texts) for texts in expected[:3]] == [0, 5, 5]
    for threads in (0, 2, 7):
        assert lists(setup.decoder(_native), sentences, 5, threads) == expected


def test_source_phrases_with_many_targets_keep_the_best() -> None:
    rows = [("a", f"t{i:03}", (-(i * 37 % 101) / 10, 0.0, 0.0, 0.0)) for i in range(100)]
    setup = Setup(rows, [0.0] * 4 + [1.0] + [0.0] * 5, ["a"], limit=5)
    translations = {}
    for module in BOTH:
        decoder = setup.decoder(module)
        (translations[module],) = lists(decoder, ["a"], 10)
        assert lists(decoder, ["a"], 10) == [translations[module]]  # the second time from the shortlist
    ranked = sorted(range(100), key=lambda i: i * 37 % 101)[:5]
    assert [text for text, _, _ in translations[_native]] == [f"t{i:03}" for i in ranked]
    assert translations[_native] == translations[reference]
    for limit in (3, 8):  # fewer and more than the shortlist has
        (mine, theirs) = (setup.decoder(module).options("a a", limit) for module in BOTH)
        np.testing.assert_array_equal(mine[1][0], theirs[1][0])
        np.testing.assert_array_equal(mine[3], theirs[3])
        assert len(mine[3]) == 2 * limit


@pytest.mark.parametrize("module", BOTH)
def test_the_longest_sentence(module: Any) -> None:
    setup = Setup([("a", "b", (0.0,) * 4)], [1.0] * 10, ["a b"], stack=1, distortion=0)
    decoder = setup.decoder(module)
    if module is _native:
        (((text, _, features),),) = lists(decoder, [" ".join("a" * 256)], 1)
        assert (text, features[3]) == (" ".join("b" * 256), 256.0)
    with pytest.raises(ValueError, match="a sentence has at most 256 words"):
        lists(decoder, [" ".join("a" * 257)], 1)


@pytest.mark.parametrize("module", BOTH)
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a", "b", (0.0,) * 4), ("b", "a", (0.0,) * 4), ("a", "c", (0.0,) * 4)], "stand together"),
        ([("a", " ", (0.0,) * 4)], "a phrase must have a word"),
        ([("", "a", (0.0,) * 4)], "a phrase must have a word"),
        ([("a", "b", (math.nan, 0.0, 0.0, 0.0))], "scores must be finite"),
    ],
)
def test_bad_rows(module: Any, rows: list[Any], message: str) -> None:
    store = module.PhraseStore(module.Vocabulary())
    with pytest.raises(ValueError, match=message):
        store.add(*columns(rows))


@pytest.mark.parametrize("module", BOTH)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": [1.0]}, "a weight for each feature"),
        ({"weights": [math.inf] * 10}, "weights must be finite"),
        ({"stack": 0}, "stack and limit must be above 0"),
        ({"limit": 0}, "stack and limit must be above 0"),
        ({"beam": 0.5}, "logarithm of a share"),
        ({"beam": math.nan}, "logarithm of a share"),
        ({"distortion": -2}, "distortion must be -1 or more"),
        ({"copy": "never"}, "copy is allow, penalize, differ or forbid"),
    ],
)
def test_bad_settings(module: Any, change: dict[str, Any], message: str) -> None:
    setup = replace(Setup([], [1.0] * 10, ["a"]), **change)
    with pytest.raises(ValueError, match=message):
        setup.decoder(module)


@pytest.mark.parametrize("module", BOTH)
def test_counts_of_a_store(module: Any) -> None:
    store = module.PhraseStore(module.Vocabulary())
    rows = [("a", "x", (0.0,) * 4), ("a", "y", (0.0,) * 4), ("a b", "x", (0.0,) * 4)]
    store.add(*columns(rows))
    assert (len(store), store.sources, store.longest) == (3, 2, 2)


@pytest.mark.parametrize("module", BOTH)
def test_bad_calls(module: Any) -> None:
    decoder = Setup([], [1.0] * 10, ["a"]).decoder(module)
    with pytest.raises(ValueError, match="size must be above 0"):
        lists(decoder, ["a"], 0)
    with pytest.raises(ValueError, match="limit must be above 0"):
        decoder.options("a", 0)


def test_future_scores_by_hand() -> None:
    # Only p(source|target) counts: a = -1, b = -2, c = -4, a b = -2.5, b c = -3.
    rows = [
        ("a", "v", (-1.0, 0.0, 0.0, 0.0)),
        ("a b", "w", (-2.5, 0.0, 0.0, 0.0)),
        ("b", "x", (-2.0, 0.0, 0.0, 0.0)),
        ("b c", "y", (-3.0, 0.0, 0.0, 0.0)),
        ("c", "z", (-4.0, 0.0, 0.0, 0.0)),
    ]
    weights = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    decoder = Setup(rows, weights, ["v w x y z"]).decoder(reference)
    options = decoder._options(["a", "b", "c"], OPEN)
    assert {span: score for span, score in options.future.items() if span[0] < span[1]} == {
        (0, 1): -1,
        (1, 2): -2,
        (2, 3): -4,
        (0, 2): -2.5,  # a b, better than -1 - 2
        (1, 3): -3,  # b c, better than -2 - 4
        (0, 3): -4,  # a, b c; a b, c has -6.5
    }
    # Of a b c only b is translated: a and c are two stretches, and no phrase reaches over b.
    assert phrase_decoder._future(0b010, 3, options) == -1 - 4
    assert phrase_decoder._future(0b100, 3, options) == -2.5
    assert phrase_decoder._future(0b111, 3, options) == 0


def test_the_language_model_in_future_scores_sees_the_phrase_alone() -> None:
    # On the phrase alone, v has the probability of its unigram, and w that after v.
    setup = Setup(
        [("a", "v w", (0.0, 0.0, 0.0, 0.0))],
        [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        ["u u v w"],
        order=2,
    )
    model = setup.model()
    decoder = setup.decoder(reference, model)
    [only] = decoder._options(["a"], OPEN).all
    first = model.table.levels[0].probabilities[model.vocabulary.native.find("v")]
    state = model.score_word(model.begin, "v")[1]
    second = model.score_word(state, "w")[0]
    assert only.isolated_score(setup.weights) == pytest.approx(0.5 * LN10 * (first + second), abs=1e-6)
    # In a sentence v comes after <s>, and </s> after w: the decoder's own sum is another one.
    [[(text, score, _)]] = lists(decoder, ["a"], 1)
    assert text == "v w"
    assert score == pytest.approx(0.5 * LN10 * float(model.score(["v w"]).log10[0]), abs=1e-6)
    assert abs(score - only.isolated_score(setup.weights)) > 0.1
