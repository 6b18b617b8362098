"""Paired bootstrap, approximate randomization and Holm's correction."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from paragauge import BLEU, PINC, compare
from paragauge.errors import InputError, SettingError
from paragauge.meta.significance.comparison import compare_batches, p_value, shifted_p_value
from paragauge.text.batch import Batch

WORDS = [f"w{i}" for i in range(40)]


def noisy(sentences: list[str], share: float, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [
        " ".join(rng.choice(WORDS) if rng.random() < share else word for word in sentence.split())
        for sentence in sentences
    ]


def sentences(count: int, seed: int = 0) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, 12)) for _ in range(count)]


def test_equal_systems_have_p_1() -> None:
    references = sentences(50)
    texts = noisy(references, 0.3, 1)
    result = compare({"a": texts, "b": list(texts)}, [BLEU()], references=references)
    row = result.differences[0]
    assert (row.difference, row.p_bootstrap, row.p_randomization) == (0, 1, 1)
    assert not row.significant
    assert row.better is None


def test_a_clear_difference_is_found_and_a_tiny_one_is_not() -> None:
    references = sentences(200)
    systems = {
        "base": noisy(references, 0.4, 1),
        "good": noisy(references, 0.2, 2),
        "same": noisy(references, 0.4, 3),
    }
    result = compare(systems, [BLEU()], references=references, randomization=2000)
    good, same = result.differences
    assert good.significant
    assert good.better
    assert good.low > 0
    assert not same.significant
    assert same.low < 0 < same.high


def test_randomization_of_a_mean_agrees_with_the_exact_test() -> None:
    """For a metric that is a mean, the exact paired permutation test is scipy's."""
    sources = sentences(14)
    a, b = noisy(sources, 0.35, 5), noisy(sources, 0.6, 6)
    result = compare({"a": a, "b": b}, [PINC()], sources=sources, randomization=20000)
    first, second = (PINC().segments(texts, sources=sources) for texts in (a, b))
    exact = scipy_stats.permutation_test(
        (second, first),
        lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    ).pvalue
    assert result.differences[0].p_randomization == pytest.approx(exact, abs=0.01)


def test_false_alarms_are_as_rare_as_alpha_says() -> None:
    """Two systems that differ by chance only: p below 0.1 in about a tenth of 200 trials."""
    alarms = {"p_bootstrap": 0, "p_randomization": 0}
    for trial in range(200):
        sources = sentences(60, seed=trial)
        systems = {"a": noisy(sources, 0.4, 2 * trial + 1), "b": noisy(sources, 0.4, 2 * trial + 2)}
        row = compare(
            systems, [PINC()], sources=sources, bootstrap=200, randomization=200, threads=1
        ).differences[0]
        for name in alarms:
            alarms[name] += getattr(row, name) < 0.1
    # 20 expected, standard deviation 4.2.
    assert 8 <= alarms["p_randomization"] <= 33
    assert 8 <= alarms["p_bootstrap"] <= 36


def test_a_metric_where_lower_is_better() -> None:
    from paragauge import TargetF1

    sources = sentences(40)
    result = compare({"copy": sources, "new": noisy(sources, 0.5, 1)}, [TargetF1()], sources=sources)
    assert result.differences[0].difference < 0
    assert result.differences[0].better


def test_batches_and_threads_do_not_change_p_values() -> None:
    sources = sentences(300)
    a, b = noisy(sources, 0.4, 1), noisy(sources, 0.38, 2)
    whole = compare({"a": a, "b": b}, [PINC(), BLEU()], sources=sources, references=sources, threads=1)
    parts = []
    for first in range(0, 300, 13):
        cut = slice(first, first + 13)
        batch = Batch.of({"a": a[cut], "b": b[cut]}, sources=sources[cut], references=sources[cut])
        batch.first = first
        parts.append(batch)
    pieces = compare_batches(parts, {"pinc": PINC(), "bleu": BLEU()}, baseline="a", threads=2)
    for left, right in zip(whole.differences, pieces.differences, strict=True):
        assert (left.metric, left.p_bootstrap, left.p_randomization) == (
            right.metric,
            right.p_bootstrap,
            right.p_randomization,
        )


def test_correction_is_per_metric() -> None:
    sources = sentences(30)
    systems = {"a": sources, "b": noisy(sources, 0.1, 1), "c": noisy(sources, 0.1, 2)}
    texts = {"sources": sources, "references": sources}
    with_holm = compare(systems, [PINC(), BLEU()], **texts).differences
    without = compare(systems, [PINC(), BLEU()], **texts, correction="none").differences
    for left, right in zip(with_holm, without, strict=True):
        assert right.p_corrected == right.p_randomization
        assert left.p_corrected == pytest.approx(2 * right.p_randomization)


def test_p_values_by_hand() -> None:
    assert p_value(5.0, np.array([1.0, -6.0, 5.0, 0.0])) == 3 / 5
    # moved to mean 0: -1, 0, 1
    assert shifted_p_value(1.0, np.array([1.0, 2.0, 3.0])) == 3 / 4
    assert shifted_p_value(1.0, np.array([np.nan])) == 1.0


def test_one_test_is_enough() -> None:
    systems, sources = {"a": ["x y"], "b": ["x z"]}, ["x y"]
    only_bootstrap = compare(systems, [PINC()], sources=sources, randomization=0).differences[0]
    assert only_bootstrap.p_randomization is None
    assert only_bootstrap.p_corrected == only_bootstrap.p_bootstrap
    only_exchange = compare(systems, [PINC()], sources=sources, bootstrap=0).differences[0]
    assert only_exchange.low is None
    assert only_exchange.p_corrected == only_exchange.p_randomization


def test_errors() -> None:
    systems, sources = {"a": ["x"], "b": ["y"]}, ["x"]
    with pytest.raises(SettingError, match="unknown system 'c'; known: a, b"):
        compare(systems, [PINC()], sources=sources, baseline="c")
    with pytest.raises(InputError, match="at least two systems to compare, found one"):
        compare({"a": ["x"]}, [PINC()], sources=sources)
    with pytest.raises(SettingError, match="alpha between 0 and 1, found 5"):
        compare(systems, [PINC()], sources=sources, alpha=5)
    with pytest.raises(SettingError, match="expected at least one test, found none"):
        compare(systems, [PINC()], sources=sources, bootstrap=0, randomization=0)
    with pytest.raises(SettingError, match="unknown correction 'bonferoni'"):
        compare(systems, [PINC()], sources=sources, correction="bonferoni")
