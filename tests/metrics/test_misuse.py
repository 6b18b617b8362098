"""What people pass by mistake is refused with an error of the package that says what to do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from paragauge import BLEU, PINC, TER, ChrF, ParagaugeError, compare, score, tokenize
from paragauge.metrics.weighted_bags import WeightedBags
from paragauge.text.vocabulary import Vocabulary

S = ["a b c d"]
MISUSE: dict[str, tuple[Callable[[], object], str]] = {
    "order 4.0": (
        lambda: PINC(order=4.0),
        "PINC order: expected a whole number from 1 to 64, found 4.0",
    ),
    "order True": (
        lambda: PINC(order=True),
        "PINC order: expected a whole number from 1 to 64, found True",
    ),
    "flag as text": (
        lambda: ChrF(whitespace="no"),
        "chrF whitespace: expected True or False, found 'no'",
    ),
    "flag as number": (lambda: TER(normalized=1), "TER normalized: expected True or False, found 1"),
    "misspelled input": (
        lambda: BLEU().score(S, reference=S),
        (
            "BLEU: score has no argument 'reference'; did you mean 'references'? write "
            "score(candidates, references=references)"
        ),
    ),
    "input of another tool": (
        lambda: BLEU().score(hypotheses=S, references=S),
        "BLEU: score has no argument 'hypotheses'; write score(candidates, references=references)",
    ),
    "plural of one source": (
        lambda: PINC().sentence_score("a", sources="b"),
        (
            "PINC: sentence_score has no argument 'sources'; did you mean 'source'? write "
            "sentence_score(candidate, source=source)"
        ),
    ),
    "no candidates": (
        lambda: PINC().segments(sources=S),
        (
            "PINC: segments expected the candidates first, found no argument; write "
            "segments(candidates, sources=sources)"
        ),
    ),
    "candidates twice": (
        lambda: BLEU().stats(S, candidates=S, references=S),
        "BLEU: stats expected the candidates first, found 'candidates' twice; write stats(",
    ),
    "threads 1.5": (
        lambda: PINC().score(S, sources=S, threads=1.5),
        "threads: expected a whole number",
    ),
    "threads -1": (lambda: tokenize(S, threads=-1), "threads: expected a whole number from 0 to 1,024"),
    "seed 1.0": (lambda: PINC().score(S, sources=S, seed=1.0), "seed: expected a whole number from 0"),
    "bootstrap True": (
        lambda: score({"a": S}, [PINC()], sources=S, bootstrap=True),
        "resamples: expected a whole number from 0 to 1,000,000, found True",
    ),
    "trials too many": (
        lambda: compare({"a": S, "b": S}, [PINC()], sources=S, randomization=10**9),
        "resamples: expected a whole number from 0 to 1,000,000",
    ),
    "level 95": (
        lambda: PINC().score(S, sources=S, level=95),
        "expected a level between 0 and 1, found 95",
    ),
    "metric by name": (
        lambda: score({"a": S}, "bleu", sources=S),
        "metrics: expected a list of metrics, found 'bleu'; put it in a list",
    ),
    "metric as class": (
        lambda: score({"a": S}, [BLEU], references=S),
        "metrics: expected metrics such as PINC(), found the class BLEU; write BLEU()",
    ),
    "misspelled metric": (
        lambda: score({"a": S}, ["blue"], references=S),
        "unknown metric 'blue'; did you mean 'bleu'?",
    ),
    "function as metric": (
        lambda: score({"a": S}, [len], references=S),
        "metrics: expected metrics such as PINC(), found 'len'",
    ),
    "one metric": (lambda: score({"a": S}, PINC(), sources=S), "metrics: expected a list of metrics"),
    "no metric": (lambda: score({"a": S}, [], sources=S), "metrics: expected at least one metric"),
    "same metric twice": (
        lambda: score({"a": S}, [PINC(), PINC()], sources=S),
        "metrics: the same metric",
    ),
    "systems as list": (lambda: score([S], [PINC()], sources=S), "systems: expected a dict of name"),
    "candidates 5": (
        lambda: PINC().score(5, sources=S),
        "candidates: expected a list of sentences, found int",
    ),
    "candidates dict": (
        lambda: PINC().score({"a": "b"}, sources=S),
        "candidates: expected a list of sentences, found dict",
    ),
    "token 1": (lambda: Vocabulary([1]), "token: segment 1: expected a string, found int"),
    "token surrogate": (
        lambda: Vocabulary(["\ud800"]),
        "token: segment 1: character 0 is a lone surrogate",
    ),
    "bags of unequal length": (
        lambda: WeightedBags(np.ones(2, np.int32), np.ones(3), np.array([0, 2])),
        "expected as many keys as weights",
    ),
}


@pytest.mark.parametrize(("call", "message"), MISUSE.values(), ids=list(MISUSE))
def test_misuse(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ParagaugeError) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_numbers_of_numpy_are_numbers() -> None:
    assert PINC(order=np.int64(3)) == PINC(order=3)
    assert type(PINC(order=np.int64(3)).order) is int


def test_no_segments_are_no_statistics() -> None:
    assert len(ChrF().stats([], references=[])) == 0
    assert len(PINC().stats([], sources=[])) == 0


def test_bags_take_any_integer_and_float_type() -> None:
    keys, offsets = np.array([5, 6, 7]), np.array([0, 1, 3], np.int32)
    bags = WeightedBags(keys, np.array([0.1, 0.2, 0.3], np.float32), offsets)
    np.testing.assert_allclose(bags.totals(), [0.1, 0.5], rtol=1e-6)
    np.testing.assert_allclose(bags.overlaps(bags), bags.totals())


TRANSPOSED = {
    "english": (
        ["the cat", "a dog barks"],
        [["the cat", "the dog barks"], ["that cat", "a dog barked"]],
    ),
    "chinese": (
        ["今天天气很好", "他喜欢吃苹果"],
        [["今天天气真好", "他很爱吃苹果"], ["今天天气不错", "他喜欢苹果"]],
    ),
}


@pytest.mark.parametrize(("candidates", "references"), TRANSPOSED.values(), ids=list(TRANSPOSED))
def test_transposed_squares_are_refused(candidates: list[str], references: list[list[str]]) -> None:
    metric = BLEU(order=2, tokenize="zh")
    with pytest.raises(ParagaugeError, match="they look transposed"):
        metric.score(candidates, references=references)
    straight = list(map(list, zip(*references, strict=True)))
    assert metric.score(candidates, references=straight).value > 0


def test_scores_do_not_depend_on_batches() -> None:
    from paragauge.metrics.scoring import score_batches
    from paragauge.text.batch import Batch

    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(20)]
    a, b = ([" ".join(rng.choice(words, 7)) for _ in range(3000)] for _ in range(2))
    alone = PINC().score(a, sources=b).value
    for size in (1, 7, 1000):
        batches = []
        for first in range(0, 3000, size):
            batch = Batch.of({"a": a[first : first + size]}, sources=b[first : first + size])
            batch.first = first
            batches.append(batch)
        sheet = score_batches(batches, {"pinc": PINC()}, bootstrap=0)
        assert sheet.scores[0].value == alone
