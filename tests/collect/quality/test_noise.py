"""The noise filter: evidence of clusters, regression, training, files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.data.noise_measures import auc, f1, folds
from benchmarks.data.paraquality import noisy, read_paraquality
from paragauge.collect.quality.cluster_evidence import NAMES as EVIDENCE
from paragauge.collect.quality.cluster_evidence import TrustedClusters
from paragauge.collect.quality.logistic_regression import fit_logistic
from paragauge.collect.quality.noise_features import (
    DESCRIBED,
    NAMES,
    FeatureTable,
    add_cluster_features,
    measure_features,
    measure_without_clusters,
)
from paragauge.collect.quality.noise_filter import REASONS, SHIPPED, NoiseFilter
from paragauge.collect.quality.noise_training import (
    find_best_threshold,
    train_on_clusters,
    train_table,
    train_with_labels,
)
from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.errors import FileFormatError, InputError, SettingError

DOINGS = {"1": "riding a brown horse", "2": "baking some fresh bread", "3": "singing a sad song"}
LENGTH_AND_DUPLICATES = (
    "log_words",
    "log_characters",
    "length_ratio",
    "pem_copy",
    "pinc",
    "task_overlap",
    "other_item_overlap",
    "same_as_others",
)
PEOPLE = ["a man", "the man", "a person", "someone", "a guy", "he", "the guy", "an old man"]


def make_trusted() -> list[WrittenAnswer]:
    return [
        WrittenAnswer(f"{who} is {doing}", item, f"w{number}")
        for number, who in enumerate(PEOPLE)
        for item, doing in DOINGS.items()
    ]


def test_evidence_by_hand() -> None:
    known = TrustedClusters(
        [WrittenAnswer("a dog runs", "1", "x"), WrittenAnswer("a cat runs", "1", "y")]
    )
    evidence = dict(zip(EVIDENCE, known.evidence(WrittenAnswer("a dog sits", "1", "z")), strict=True))
    assert evidence["cluster_mean"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert evidence["cluster_seen"] == pytest.approx(2 / 3)
    # Neighbors: "^ a" and "a dog" are there, "dog sits" and "sits $" are not.
    assert evidence["cluster_bigrams"] == pytest.approx(2 / 4)
    assert evidence["cluster_least"] == pytest.approx(np.log(0.005))


PRINT_EVIDENCE = """
from paragauge.collect.quality.cluster_evidence import TrustedClusters
from paragauge.collect.tasks.written_answer import WrittenAnswer
words = [first + rest for first in "bdfgk" for rest in ("an", "et", "il", "om")]
texts = [" ".join(words[n :: n % 4 + 1]) for n in range(12)]
answers = [WrittenAnswer(text, str(n % 2), f"w{n}") for n, text in enumerate(texts)]
print(TrustedClusters(answers).table(answers).tobytes().hex())
"""


def test_evidence_does_not_depend_on_the_seed_of_hashes() -> None:
    outputs = set()
    for seed in ("0", "1", "2", "3"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        words = [sys.executable, "-c", PRINT_EVIDENCE]
        outputs.add(subprocess.run(words, env=environment, capture_output=True, check=True).stdout)
    assert len(outputs) == 1


def test_nobody_supports_himself() -> None:
    known = TrustedClusters([WrittenAnswer("a dog runs", "1", "x")])
    assert np.isnan(known.evidence(WrittenAnswer("a dog runs", "1", "x"))).all()
    assert known.size("1", "x") == 0
    assert known.size("1", "y") == 1
    assert known.size("2", "y") == 0


def test_regression_is_that_of_scikit_learn() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(3)
    x = random.normal(size=(300, 4)) * [1, 10, 0.1, 3] + [0, 5, 1, -2]
    y = x[:, 0] + x[:, 1] / 10 + random.normal(size=300) > 0.5
    mine = fit_logistic(x, y, 0.3)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    theirs = linear_model.LogisticRegression(C=0.3, tol=1e-10, max_iter=1000).fit(z, y)
    assert mine.weights == pytest.approx(theirs.coef_[0], abs=1e-4)
    assert mine.probability(x) == pytest.approx(theirs.predict_proba(z)[:, 1], abs=1e-4)


def test_regression_takes_missing_constant_and_separable_columns() -> None:
    x = np.array([[0.0, 5, np.nan], [1, 5, np.nan], [10, 5, np.nan], [11, 5, np.nan]])
    y = np.array([False, False, True, True])
    model = fit_logistic(x, y, strength=1e6)
    assert np.isfinite(model.weights).all()
    assert (model.probability(x) > 0.5).tolist() == y.tolist()
    with pytest.raises(InputError, match="examples of both classes"):
        fit_logistic(x, np.ones(4, np.bool_))
    with pytest.raises(InputError, match="one label for each row"):
        fit_logistic(x, y[:2])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=20))
def test_the_threshold_is_the_best(rows: list[tuple[int, bool]]) -> None:
    chances = np.array([chance / 5 for chance, _ in rows])
    noisy = np.array([bad for _, bad in rows])

    def score(threshold: float) -> float:
        flagged = chances >= threshold
        return float(2 * (flagged & noisy).sum() / max(1, flagged.sum() + noisy.sum()))

    if noisy.any():
        best = max(score(threshold) for threshold in (*chances, 2.0))
        assert score(find_best_threshold(chances, noisy)) == pytest.approx(best)


def test_trained_on_clusters_alone() -> None:
    filter_ = train_on_clusters(make_trusted())
    assert not any(name.startswith(("worker", "pem")) for name in filter_.names)
    known = TrustedClusters(make_trusted())
    texts = ["some man is riding a horse", "some man is baking bread", "horse riding is man some"]
    good, elsewhere, broken = filter_.judge([WrittenAnswer(text, "1", "z") for text in texts], known)
    assert good.probability < min(elsewhere.probability, broken.probability)
    assert "its words are unlike those of trusted sentences of the item" in elsewhere.reasons
    again = train_on_clusters(make_trusted())
    assert again.model.weights.tolist() == filter_.model.weights.tolist()
    with pytest.raises(InputError, match="at least 20 trusted sentences of two items"):
        train_on_clusters(make_trusted()[:5])


def test_trained_on_labels() -> None:
    answers = [
        *make_trusted(),
        *(WrittenAnswer("nice video", item, f"bad{i}") for i in range(5) for item in DOINGS),
    ]
    noisy = [answer.text == "nice video" for answer in answers]
    filter_ = train_with_labels(answers, noisy)
    assert filter_.names == DESCRIBED
    verdicts = filter_.judge(answers, TrustedClusters(make_trusted()))
    assert [verdict.noisy for verdict in verdicts] == noisy
    with pytest.raises(InputError, match="expected 39 labels, found 1"):
        train_with_labels(answers, [True])


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_filters_and_files(name: str, tmp_path: Path) -> None:
    filter_ = NoiseFilter.shipped(name)
    assert 0 < filter_.threshold < 1
    path = tmp_path / "filter.json"
    filter_.save(path)
    read = NoiseFilter.load(path)
    answers = [WrittenAnswer("He rides.", "1", "z", source="He is riding." * (name == "english"))]
    known = TrustedClusters(make_trusted())
    assert read.judge(answers, known) == filter_.judge(answers, known)
    assert filter_.judge([], known) == ()


def test_unknown_filter() -> None:
    with pytest.raises(SettingError, match="unknown noise filter 'klingon'"):
        NoiseFilter.shipped("klingon")


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=40))
def test_broken_files_are_errors(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "broken.json"
    path.write_bytes(data)
    with pytest.raises(FileFormatError):
        NoiseFilter.load(path)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "x"},
        {"features": {"nothing": [0, 1, 2]}},
        {"features": {"question": [0, 0, 2]}},
        {"features": {"question": [0, 1]}},
        {"features": [1]},
        {"threshold": "x"},
        {"intercept": float("nan")},
    ],
)
def test_changed_files_are_errors(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "filter.json"
    NoiseFilter.shipped().save(path)
    content = json.loads(path.read_text()) | change
    path.write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match="expected a noise filter"):
        NoiseFilter.load(path)


def test_features_of_nothing_and_of_any_script() -> None:
    known = TrustedClusters(make_trusted())
    assert measure_features([], known).values.shape == (0, len(NAMES))
    odd = [
        WrittenAnswer("", "1", "z"),
        WrittenAnswer("👍", "1", "z", source="狗"),
        WrittenAnswer("狗在跑", "9", "z", source="狗 跑", language="Chinese", seconds=0),
        WrittenAnswer("a\u0301 " * 500, "1", "y", source="x", task="t"),
    ]
    values = measure_features(odd, known).values
    assert not np.isinf(values).any()
    chances = [verdict.probability for verdict in NoiseFilter.shipped().judge(odd, known)]
    assert all(0 <= chance <= 1 for chance in chances)


def test_every_feature_has_a_reason() -> None:
    assert set(REASONS) == set(NAMES)
    assert all(" " in reason for reason in REASONS.values())


def test_the_filter_is_better_than_length_and_duplicates(benchmark_data: Path) -> None:
    """Crowd paraphrases with labels, three parts of workers: no worker is in training and in test."""
    answers, labels = read_paraquality(benchmark_data)
    # Whole items, so that clusters are as large as in the benchmark.
    some = set(sorted({answer.item for answer in answers})[::4])
    rows = [i for i, answer in enumerate(answers) if answer.item in some]
    answers, bad = [answers[i] for i in rows], noisy([labels[i] for i in rows])
    alone = measure_without_clusters(answers)
    part = folds([answer.worker for answer in answers], 3)
    groups = {"filter": NAMES, "rules": LENGTH_AND_DUPLICATES}
    chances = {name: np.zeros(len(bad)) for name in groups}
    flagged = {name: np.zeros(len(bad), np.bool_) for name in groups}
    for fold in range(3):
        train, test = part != fold, part == fold
        good = [answer for answer, mine in zip(answers, train & ~bad, strict=True) if mine]
        table = add_cluster_features(alone, answers, TrustedClusters(good))
        for name, features in groups.items():
            filter_ = train_table(FeatureTable(table.values[train]), bad[train], features)
            predicted = filter_.model.probability(table.columns(features))
            chances[name][test] = predicted[test]
            flagged[name][test] = predicted[test] >= filter_.threshold
    scores = {name: (auc(chances[name], bad), f1(flagged[name], bad)) for name in groups}
    assert scores["filter"][0] > scores["rules"][0] + 0.05, scores
    assert scores["filter"][1] > scores["rules"][1], scores
