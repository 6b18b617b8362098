"""Cube pruning: cases worked by hand, all derivations enumerated, and the kernel against its twin."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paragauge.grammar.rule import Rule
from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts, unpack_texts
from paragauge.lm.model import LanguageModel

MODULES = [_native, reference]
WORDS = ["a", "b", "c", "x", "y"]
TEXT = ["a b c", "x y a", "y x", "b b c x", "a x b y", "c"]
OPEN = (0, 0, 0)
LN10 = math.log(10)


class Decoder:
    """Rules, a language model of some text and features of rules, ready in one of the modules."""

    def __init__(
        self, module: Any, rules: list[str], model: LanguageModel, features: np.ndarray | None = None
    ) -> None:
        self.rules = [
            Rule.parse(rule if rule.count("|||") == 2 else f"[X] ||| {rule}") for rule in rules
        ]
        self.model = model
        words = dict.fromkeys(
            word
            for rule in self.rules
            for word in f"{rule.source} {rule.target}".split()
            if not word.startswith("[")
        )
        self.words = list(words)
        self.grammar = module.SyncGrammar(pack_texts(self.words), np.full(len(words), 3, np.uint8))
        columns = [[r.lhs, " ".join(r.labels), r.source, r.target] for r in self.rules]
        texts = [pack_texts(list(column)) for column in zip(*columns, strict=True)] or [
            pack_texts([])
        ] * 4
        self.grammar.add(*texts, np.zeros(len(rules)), 1)
        self.grammar.finish()
        self.label = self.grammar.label("X")
        self.pass_any = False
        if features is None:
            features = np.zeros((len(rules) + 3, 1), np.float32)
        lm = module.NgramModel([level.arrays() for level in model.table.levels], 1)
        self.native = module.CubeDecoder(
            self.grammar, lm, pack_texts(self.words), self.lm_ids(self.words), features
        )

    def lm_ids(self, words: list[str]) -> np.ndarray:
        return np.array([self.model.vocabulary.native.find(word) for word in words], np.int32)

    def sentences(self, lines: list[str]) -> tuple:
        own = list(dict.fromkeys(" ".join(lines).split()))
        rows = [[own.index(word) for word in line.split()] for line in lines]
        flat = np.array([word for row in rows for word in row], np.int32)
        known = [self.words.index(word) if word in self.words else -1 for word in own]
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return pack_texts(own), np.array(known, np.int32), self.lm_ids(own), (flat, offsets)

    def decode(
        self,
        lines: list[str],
        weights: list[float],
        chosen: tuple[int, int, int] = OPEN,
        size: int = 1,
        threads: int = 1,
    ) -> tuple[list[list[tuple[str, float]]], np.ndarray]:
        texts, offsets, features, scores = self.native.decode(
            *self.sentences(lines),
            np.array(weights),
            (*chosen, self.label, self.pass_any),
            size,
            threads,
        )
        pairs = list(zip(unpack_texts(texts), scores.tolist(), strict=True))
        return [pairs[first:last] for first, last in itertools.pairwise(offsets.tolist())], features


def model_of(order: int, text: list[str] = TEXT) -> LanguageModel:
    return LanguageModel.train(text, order=order, discount_fallback=(0.5, 1, 1.5))


def best(
    rules: list[str], line: str, weights: list[float], features: Any = None, **settings: Any
) -> str:
    """The best text, the same in both modules."""
    rows = None if features is None else np.array(features, np.float32)
    texts = {
        Decoder(module, rules, model_of(2), rows).decode([line], weights, **settings)[0][0][0]
        for module in MODULES
    }
    [(text, _)] = texts
    return text


def test_the_language_model_chooses_and_words_pass() -> None:
    # a -> x costs nothing, and so does a -> a: the model likes "a b c" more than "x b c".
    assert best(["a ||| x"], "a b c", [1.0, 0.0]) == "a b c"
    # 9 for the rule, and nothing for words that pass.
    assert best(["a ||| x"], "a b c", [1.0, 1.0], [[9], [0], [0], [0]]) == "x b c"
    assert best(["a ||| x"], "a b c", [1.0, -1.0], [[9], [0], [0], [0]]) == "a b c"


def test_unknown_words_and_glue_have_features_of_their_own() -> None:
    rows = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [10, 10, 10]], np.float32)
    for module in MODULES:
        [[(text, _)]], features = Decoder(module, ["a ||| x"], model_of(2), rows).decode(
            ["a q a"], [1.0, 5.0, 0.0, 0.0]
        )
        assert text == "x q x"
        # Two rules, one unknown word, and glue between three phrases.
        assert features[0, 1:].tolist() == [22.0, 20.0, 21.0]


def test_boundaries_of_a_bigram_model_worked_by_hand() -> None:
    """A rule that swaps: the words at the seams get their probabilities when it is applied."""
    model = model_of(2)
    rules = ["[X,1] [X,2] ||| [X,2] [X,1]", "a ||| x", "b ||| y"]
    rows = np.array([[5], [2], [2], [0], [0], [0]], np.float32)
    state, total = model.begin, 0.0
    for word in ("y", "x", "</s>"):  # <s> y, y x, x </s>
        log10, state = model.score_word(state, word)
        total += log10
    for module in MODULES:
        decoder = Decoder(module, rules, model, rows)
        [[(text, score)]], features = decoder.decode(["a b"], [1.0, 1.0])
        assert text == "y x"
        assert features[0].tolist() == [pytest.approx(total * LN10), 9.0]
        assert score == pytest.approx(total * LN10 + 9)
        # Exactly what the language model says of the text.
        assert features[0, 0] == model.score(["y x"]).log10[0] * LN10


def test_a_span_limit_holds_for_rules_and_not_for_glue() -> None:
    rules, rows = ["a [X,1] b ||| [X,1] y"], [[50], [0], [0], [0]]
    assert best(rules, "a c b", [1.0, 1.0], rows, chosen=(3, 0, 0)) == "c y"
    assert best(rules, "a c b", [1.0, 1.0], rows, chosen=(2, 0, 0)) == "a c b"


def test_labels_must_agree() -> None:
    rows = [[50], [9], [0], [0], [0]]
    rules = ["[A] ||| a [B,1] ||| [B,1]", "[C] ||| b ||| y"]
    assert best(rules, "a b", [1.0, 1.0], rows) == "a y"
    assert best([rules[0], "[B] ||| b ||| y"], "a b", [1.0, 1.0], rows) == "y"
    # Words that pass are X, which the rule does not take.
    assert best(["[A] ||| a [X,1] ||| [X,1] x"], "a b", [1.0, 1.0], [[50], [0], [0], [0]]) == "b x"


def test_a_rule_of_one_non_terminal_is_not_used() -> None:
    rules = ["[X,1] ||| x [X,1]", "a ||| x"]
    assert best(rules, "a", [0.1, 1.0], [[50], [0], [1], [0], [0]]) == "a"


def test_options_are_the_best_of_a_source_side() -> None:
    rows = [[1], [3], [2], [0], [0], [0]]
    for module in MODULES:
        decoder = Decoder(module, ["a ||| x", "a ||| y", "a ||| b"], model_of(2), np.array(rows, "f4"))
        texts = [
            {text for text, _ in decoder.decode(["a"], [1e-6, 1.0], (0, 0, options), 9)[0][0]}
            for options in (1, 2, 0)
        ]
        assert texts == [{"a", "y"}, {"a", "y", "b"}, {"a", "x", "y", "b"}]


def test_the_empty_sentence_and_none_at_all() -> None:
    for module in MODULES:
        decoder = Decoder(module, ["a ||| x"], model_of(3))
        lists, features = decoder.decode(["", "q"], [1.0, 0.0], size=3)
        assert [[text for text, _ in texts] for texts in lists] == [[], ["q"]]
        assert features.shape == (1, 2)
        assert decoder.decode([], [1.0, 0.0])[0] == []


def test_without_rules_text_passes() -> None:
    assert best([], "b ü 𝄞 [7] <s> |||", [1.0, 0.0]) == "b ü 𝄞 [7] <s> |||"


@pytest.mark.parametrize("module", MODULES)
def test_bad_arguments(module: Any) -> None:
    model = model_of(2)
    decoder = Decoder(module, ["a ||| x"], model)
    for weights, message in (
        ([1.0], "every feature must have a finite weight"),
        ([1.0, math.nan], "every feature must have a finite weight"),
    ):
        with pytest.raises(ValueError, match=message):
            decoder.decode(["a"], weights)
    decoder.label = 7
    with pytest.raises(ValueError, match="must be a label"):
        decoder.decode(["a"], [1.0, 0.0])
    with pytest.raises(ValueError, match="three rows after them"):
        Decoder(module, ["a ||| x"], model, np.zeros((1, 1), np.float32))
    with pytest.raises(ValueError, match="features must be finite"):
        Decoder(module, ["a ||| x"], model, np.full((4, 1), np.inf, np.float32))
    words, known, lm_ids, lines = decoder.sentences(["a"])
    rest = np.array([1.0, 0.0]), (0, 0, 0, 0, False), 1, 1
    with pytest.raises(ValueError, match="every id must be an index"):
        decoder.native.decode(words, known, lm_ids, (lines[0] + 1, lines[1]), *rest)
    with pytest.raises(ValueError, match="go from -1 to their count"):
        decoder.native.decode(words, known + 9, lm_ids, lines, *rest)
    with pytest.raises(ValueError, match="must have both numbers"):
        decoder.native.decode(words, known, lm_ids[:0], lines, *rest)
    decoder.grammar.add(*map(pack_texts, (["X"], [""], ["a"], ["a"])), np.zeros(1), 1)
    with pytest.raises(ValueError, match="the grammar must not change"):
        decoder.native.decode(words, known, lm_ids, lines, *rest)
    with pytest.raises(ValueError, match="the grammar must be finished"):
        module.CubeDecoder(
            decoder.grammar,
            module.NgramModel([level.arrays() for level in model.table.levels], 1),
            pack_texts(decoder.words),
            decoder.lm_ids(decoder.words),
            np.zeros((5, 1), np.float32),
        )


def test_phrases_of_a_sentence() -> None:
    rules = ["a ||| a", "a ||| x", "a ||| y", "a b ||| c", "a [X,1] ||| [X,1]", "b ||| y"]
    rows = np.array([[9], [1], [2], [3], [4], [5], [0], [0], [0]], np.float32)
    for module in MODULES:
        decoder = Decoder(module, rules, model_of(2), rows)
        _, known, _, lines = decoder.sentences(["a q a b"])
        columns = decoder.native.phrases(known, lines, np.array([0.0, 1.0]), 1)
        assert [column.tolist() for column in columns] == [
            [0, 2, 2, 3],
            [1, 3, 4, 4],
            [2, 2, 3, 5],
            [2.0, 2.0, 3.0, 5.0],
        ]
        # With the language model's estimate of the words alone.
        *_, scores = decoder.native.phrases(known, lines, np.array([1.0, 1.0]), 1)
        model = model_of(2)
        alone = [model.score_word(0, word)[0] * LN10 for word in ("y", "y", "c", "y")]
        assert scores.tolist() == pytest.approx(np.add([2.0, 2.0, 3.0, 5.0], alone).tolist())


def test_words_that_pass_under_any_label() -> None:
    rules = ["[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1]"]
    rows = np.array([[9], [0], [0], [0]], np.float32)
    for module in MODULES:
        decoder = Decoder(module, rules, model_of(2), rows)
        outputs = []
        for decoder.pass_any in (False, True):
            [[(text, _)]], features = decoder.decode(["the king of france"], [0.0, 1.0])
            outputs.append((text, features[0, 1]))
        assert outputs == [("the king of france", 0.0), ("france 's king", 9.0)]


@pytest.mark.parametrize("pops", [1, 2])
def test_words_that_pass_take_no_pops_from_rules(pops: int) -> None:
    """With many labels in the grammar, few pops still find the rules."""
    names = [f"L{i}" for i in range(30)]
    rules = [f"[S] ||| c [{name},1] ||| x [{name},1]" for name in names]
    rules += ["[L29] ||| a ||| y", "[X] ||| b ||| z"]
    rows = np.array([*([[0]] * 30), [5], [5], [0], [0], [0]], np.float32)
    for module in MODULES:
        decoder = Decoder(module, rules, model_of(2), rows)
        decoder.pass_any = True
        [[(text, _)]], _ = decoder.decode(["a b"], [0.0, 1.0], (0, pops, 0))
        assert text == "y z"


# Derivations enumerated one by one, without a chart of boundaries, queues or pruning.


def derivations(
    rules: list[Rule], words: list[str], span: int, pass_any: bool = False
) -> list[tuple[tuple[str, ...], tuple]]:
    """Texts with the numbers of the rules used, all derivations of a sentence."""
    known = {word for rule in rules for word in rule.source.split()}

    def below(first: int, last: int) -> list[tuple[str, tuple[str, ...], tuple]]:
        if last - first > (span or len(words)):
            return []
        subtrees = []
        if last - first == 1:
            number = len(rules) + (words[first] not in known)
            for label in ("X", "A") if pass_any else ("X",):
                subtrees.append((label, (words[first],), (number,)))
        for number, rule in enumerate(rules):
            symbols = rule.source.split()
            if len(symbols) == 1 and rule.labels:
                continue
            for parts in matches(symbols, first, last, rule.labels):
                text = [
                    parts[int(symbol[1:-1]) - 1][0] if symbol.startswith("[") else (symbol,)
                    for symbol in rule.target.split()
                ]
                used = itertools.chain((number,), *(part[1] for part in parts))
                subtrees.append((rule.lhs, tuple(itertools.chain(*text)), tuple(used)))
        return subtrees

    def matches(symbols: list[str], first: int, last: int, labels: tuple[str, ...]) -> Any:
        if not symbols:
            if first == last:
                yield ()
        elif not symbols[0].startswith("["):
            if first < last and words[first] == symbols[0]:
                yield from matches(symbols[1:], first + 1, last, labels)
        else:
            for middle in range(first + 1, last - len(symbols) + 2):
                rest = list(matches(symbols[1:], middle, last, labels[1:]))
                for label, text, used in cells[first, middle] if rest else ():
                    if label == labels[0]:
                        yield from (((text, used), *others) for others in rest)

    cells: dict[tuple[int, int], list] = {}
    for last in range(1, len(words) + 1):
        for first in reversed(range(last)):
            cells[first, last] = below(first, last)
    glued: list[list] = [[((), ())]]
    for last in range(1, len(words) + 1):
        glued.append(
            [
                (text + more, used + own + ((len(rules) + 2,) if first else ()))
                for first in range(last)
                for text, used in glued[first]
                for _, more, own in cells[first, last]
            ]
        )
    return glued[-1]


labels = st.sampled_from(["X", "A"])


@st.composite
def random_rules(draw: st.DrawFn) -> list[str]:
    rules = []
    for _ in range(draw(st.integers(0, 6))):
        count = draw(st.sampled_from([0, 0, 1, 2]))
        marks = [f"[{draw(labels)},{i + 1}]" for i in range(count)]
        least = 0 if count else 1
        words = st.lists(st.sampled_from(WORDS[:3]), min_size=least, max_size=2)
        others = st.lists(st.sampled_from(WORDS), min_size=least, max_size=2)
        source = draw(words)
        places = sorted((draw(st.integers(0, 2)) for _ in marks), reverse=True)
        for at, mark in zip(places, marks[::-1], strict=True):
            source.insert(at, mark)
        target = draw(st.permutations([*marks, *draw(others)]))
        if source:
            rules.append(f"[{draw(labels)}] ||| {' '.join(source)} ||| {' '.join(target)}")
    return list(dict.fromkeys(rules))


weights = st.sampled_from([-1.5, -0.5, 0.0, 0.3, 1.0])
sentences = st.lists(st.sampled_from([*WORDS[:3], "q"]), min_size=1, max_size=4).map(" ".join)


def random_features(choose: st.DataObject, rules: list[str]) -> np.ndarray:
    seed = choose.draw(st.integers(0, 1000))
    return np.random.default_rng(seed).normal(size=(len(rules) + 3, 2)).astype(np.float32)


@given(random_rules(), sentences, st.integers(1, 4), st.integers(0, 3), st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_all_derivations(
    rules: list[str], line: str, order: int, span: int, choose: st.DataObject
) -> None:
    model, rows = model_of(order), random_features(choose, rules)
    feature_weights = [choose.draw(weights) for _ in range(3)]
    size = choose.draw(st.sampled_from([1, 3, 10, 10_000]))
    decoder = Decoder(_native, rules, model, rows)
    decoder.pass_any = choose.draw(st.booleans())
    lists, features = decoder.decode([line], feature_weights, (span, 0, 0), size)
    scores: dict[str, float] = {}
    for text, used in derivations(decoder.rules, line.split(), span, decoder.pass_any):
        joined = " ".join(text)
        values = rows[list(used)].astype(np.float64).sum(axis=0)
        score = feature_weights[0] * model.score([joined]).log10[0] * LN10 + float(
            values @ feature_weights[1:]
        )
        scores[joined] = max(scores.get(joined, -math.inf), score)
    expected = sorted(scores.values(), reverse=True)[:size]
    assert [score for _, score in lists[0]] == pytest.approx(expected)
    assert len({text for text, _ in lists[0]}) == len(expected)
    for (text, score), values in zip(lists[0], features, strict=True):
        assert scores[text] == pytest.approx(score)
        assert score == pytest.approx(float(values @ feature_weights))


@given(random_rules(), st.lists(sentences, max_size=3), st.integers(1, 4), st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_twins(rules: list[str], lines: list[str], order: int, choose: st.DataObject) -> None:
    model, rows = model_of(order), random_features(choose, rules)
    feature_weights = [choose.draw(weights) for _ in range(3)]
    chosen = tuple(
        choose.draw(st.sampled_from(choices)) for choices in ((0, 2, 3), (1, 2, 5, 20), (0, 1, 2))
    )
    size = choose.draw(st.sampled_from([1, 2, 50]))
    threads = choose.draw(st.sampled_from([0, 1, 2, 7]))
    pass_any = choose.draw(st.booleans())
    results = []
    for module in MODULES:
        decoder = Decoder(module, rules, model, rows)
        decoder.pass_any = pass_any
        results.append(decoder.decode(lines, feature_weights, chosen, size, threads))
    ours, theirs = results
    assert ours[0] == theirs[0]
    np.testing.assert_array_equal(ours[1], theirs[1])
    for line in lines:
        decoders = [Decoder(module, rules, model, rows) for module in MODULES]
        phrases = []
        for decoder in decoders:
            _, known, _, ids = decoder.sentences([line])
            columns = decoder.native.phrases(known, ids, np.array(feature_weights), size)
            phrases.append([column.tolist() for column in columns])
        assert phrases[0] == phrases[1]


@pytest.mark.parametrize("module", MODULES)
def test_a_short_list_begins_a_long_one_where_scores_are_equal(module: Any) -> None:
    rules = ["a ||| z", "a ||| y", "a ||| x", "b ||| v", "b ||| u"]
    decoder = Decoder(module, rules, model_of(1), np.zeros((len(rules) + 3, 2), np.float32))
    lists = [decoder.decode(["a b"], [0.0, 1.0, 1.0], (0, 20, 0), size)[0][0] for size in (1, 3, 50)]
    texts = [text for text, _ in lists[2]]
    assert texts == sorted(texts)
    assert len(texts) == 12  # each word may pass as it is
    assert [lists[0], lists[1]] == [lists[2][:1], lists[2][:3]]


def test_threads_change_nothing() -> None:
    rules = ["[X,1] b [X,2] ||| [X,2] [X,1]", "a ||| x", "a ||| y", "b ||| c", "a [X,1] ||| [X,1]"]
    rows = np.random.default_rng(7).normal(size=(len(rules) + 3, 2)).astype(np.float32)
    lines = [" ".join(np.random.default_rng(i).choice(WORDS, i % 12)) for i in range(60)]
    decoder = Decoder(_native, rules, model_of(3), rows)
    one, *others = (
        decoder.decode(lines, [1.0, 0.4, -0.2], (6, 10, 2), 20, threads) for threads in (1, 0, 2, 7)
    )
    for other in others:
        assert other[0] == one[0]
        np.testing.assert_array_equal(other[1], one[1])
