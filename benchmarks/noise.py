"""How well noisy answers are found: precision, recall, F1 and AUC on crowd paraphrases with labels.

    python benchmarks/noise.py     the data is in ../shared/data, or where PARAGAUGE_DATA points

Cross-validation over workers, in ten parts: no worker is in training and in test. Trusted sentences
(the tier 2 of the paper) are the correct ones of training workers; nothing of the workers under test
is known but their answers. Thresholds are those with the best F1 on the training part. Rows:

- length rule: too short or too long, the two limits that are best in training;
- duplicate rule: the words of the source, of another worker's answer, of an answer to another item or
  of one of the same task, all of them and no others;
- length and duplicates, learned: the same regression as the filter's on these features alone;
- the filter, whole and without groups of features;
- qualified: trusted sentences are all those, right or wrong, of training workers with at least ten
  answers of which 80 % are correct: what a requester has who qualifies workers and reads no more;
- new items: the items under test are not in training either, but have trusted sentences;
- 5 trusted sentences an item: no more are known of the items under test;
- clusters only: trained on a third of the trusted sentences and made-up noise, without labels
  (`train_on_clusters`).

Intervals are bootstraps over workers (500 draws). The last table is the share found of each label, at
the same thresholds. Then: how often the language of a sentence is told, on Tatoeba.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.collect import cluster_evidence
from paragauge.collect.cluster_evidence import Clusters, fewer
from paragauge.collect.languages import guess_language, other_language
from paragauge.collect.noise_features import (
    DESCRIBED,
    NAMES,
    WORKER,
    Table,
    measure_alone,
    with_clusters,
)
from paragauge.collect.noise_train import SIZES, for_all_sizes, train_on_clusters, train_table
from paragauge.collect.written import Written
from paraquality import noisy, read_paraquality
from race import DATA

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
FOLDS, ITEM_FOLDS, DRAWS, SEED = 10, 5, 500, 7
RULES = ("log_words", "log_characters", "length_ratio", "pem_copy", "pinc", "task_overlap")
DUPLICATES = (*RULES, "other_item_overlap", "same_as_others")


def folds(groups: Sequence[str], parts: int) -> NDArray[np.int64]:
    """Which part each row is in; equal groups are together."""
    names = sorted(set(groups))
    order = np.random.default_rng(SEED).permutation(len(names))
    part = dict(zip(names, (np.argsort(order) % parts).tolist(), strict=True))
    return np.array([part[each] for each in groups])


def auc(chances: Floats, bad: Bools) -> float:
    """The chance that a noisy answer gets more than a good one; ties count half."""
    _, place, counts = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    positives, negatives = int(bad.sum()), int((~bad).sum())
    return float((ranks[bad].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def figures(chances: Floats, flagged: Bools, bad: Bools) -> list[float]:
    hits = int((flagged & bad).sum())
    precision, recall = hits / max(1, int(flagged.sum())), hits / max(1, int(bad.sum()))
    return [precision, recall, 2 * hits / max(1, int(flagged.sum() + bad.sum())), auc(chances, bad)]


def row(name: str, chances: Floats, flagged: Bools, bad: Bools, workers: Sequence[str]) -> str:
    names = sorted(set(workers))
    places = {each: np.flatnonzero(np.array(workers) == each) for each in names}
    random = np.random.default_rng(SEED)
    drawn = []
    for _ in range(DRAWS):
        chosen = np.concatenate(
            [places[names[i]] for i in random.integers(len(names), size=len(names))]
        )
        drawn.append(figures(chances[chosen], flagged[chosen], bad[chosen]))
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    cells = [
        f"{value:.3f} ({a:.3f} to {b:.3f})"
        for value, a, b in zip(figures(chances, flagged, bad), low, high, strict=True)
    ]
    return f"| {name} | {' | '.join(cells)} |"


def length_rule(train: Floats, bad: Bools) -> Callable[[Floats], Floats]:
    """How far a length is outside of the two best limits."""
    limits = np.unique(train)
    best = max(
        ((a, b) for a in limits[: len(limits) // 2] for b in limits[len(limits) // 2 :]),
        key=lambda each: f1((train < each[0]) | (train > each[1]), bad),
    )
    return lambda x: np.maximum(best[0] - x, x - best[1])


def f1(flagged: Bools, bad: Bools) -> float:
    return float(2 * (flagged & bad).sum() / max(1, int(flagged.sum() + bad.sum())))


def main() -> None:
    answers, labels = read_paraquality(DATA)
    bad = noisy(labels)
    workers = [each.worker for each in answers]
    part = folds(workers, FOLDS)
    item_part = folds([each.item for each in answers], ITEM_FOLDS)
    alone = measure_alone(answers)
    copies = alone.of(("pem_copy", "other_item_overlap", "same_as_others", "task_overlap"))
    copied = np.nan_to_num(
        np.stack([copies[:, 0], copies[:, 1], copies[:, 2] > 0, copies[:, 3]], 1)
    ).max(1)
    length = alone.of(("log_words",))[:, 0]
    without = {
        "filter": NAMES,
        "filter, no worker's behaviour": [name for name in NAMES if name not in WORKER],
        "filter, no cluster": [name for name in NAMES if "cluster" not in name],
        "filter, no source (as for descriptions)": DESCRIBED,
        "filter, source and text only": [
            name for name in NAMES if name not in (*WORKER, *cluster_evidence.NAMES)
        ],
        "length and duplicates, learned": DUPLICATES,
    }
    found: dict[str, tuple[Floats, Bools]] = {}

    def keep(name: str, rows: Bools, chances: Floats, threshold: float) -> None:
        blank = np.zeros(len(bad)), np.zeros(len(bad), np.bool_)
        store = found.setdefault(name, blank)
        store[0][rows], store[1][rows] = chances[rows], chances[rows] >= threshold

    for fold in range(FOLDS):
        train, test = part != fold, part == fold
        rule = length_rule(length[train], bad[train])
        keep("length rule", test, rule(length), np.nextafter(0, 1))
        keep("duplicate rule", test, copied, 1.0)
        correct = [each for each, good in zip(answers, train & ~bad, strict=True) if good]
        table = with_clusters(alone, answers, Clusters(correct))
        rows = np.flatnonzero(train)
        below = np.concatenate([rows + i * len(bad) for i in range(len(SIZES))])
        sizes = for_all_sizes(alone, answers, correct).values[below]
        labelled = np.tile(bad[train], len(SIZES))
        for name, features in without.items():
            made = train_table(Table(sizes), labelled, features)
            keep(name, test, made.model.probability(table.of(features)), made.threshold)
            if name == "filter":
                few = with_clusters(alone, answers, Clusters(fewer(correct, 5, seed=fold)))
                chances = made.model.probability(few.values)
                keep("filter, 5 trusted sentences an item", test, chances, made.threshold)
        qualified = with_clusters(alone, answers, Clusters(_qualified(answers, bad, train)))
        made = train_table(Table(qualified.values[train]), bad[train])
        keep(
            "filter, qualified workers", test, made.model.probability(qualified.values), made.threshold
        )
        for items in range(ITEM_FOLDS):
            seen = train & (item_part != items)
            made = train_table(Table(table.values[seen]), bad[seen])
            fresh = test & (item_part == items)
            keep("filter, new items", fresh, made.model.probability(table.values), made.threshold)
        taught = train_on_clusters(correct[::3])
        keep(
            "filter, clusters only",
            test,
            taught.model.probability(table.of(taught.names)),
            taught.threshold,
        )
    order = ("flag all", "length rule", "duplicate rule", "length and duplicates, learned", "filter")
    print(f"{len(bad):,} answers, {bad.mean():.1%} noisy, {len(set(workers))} workers; SEED={SEED}\n")
    keep("flag all", np.ones(len(bad), np.bool_), np.ones(len(bad)), 1.0)
    print("| | precision | recall | F1 | AUC |\n|---|---:|---:|---:|---:|")
    for name in dict.fromkeys([*order, *found]):
        print(row(name, *found[name], bad, workers))
    kinds = sorted({each for one in labels for each in one} - {"Correct"})
    print(f"\n| share flagged | {' | '.join(kinds)} | correct |\n|---|{'---:|' * (len(kinds) + 1)}")
    has = {kind: np.array([kind in one for one in labels]) & bad for kind in kinds}
    print(
        f"| answers | {' | '.join(str(int(has[kind].sum())) for kind in kinds)} | {int((~bad).sum())} |"
    )
    for name in order:
        flagged = found[name][1]
        cells = [f"{flagged[has[kind]].mean():.2f}" for kind in kinds]
        print(f"| {name} | {' | '.join(cells)} | {flagged[~bad].mean():.2f} |")
    print()
    languages()


def _qualified(answers: Sequence[Written], bad: Bools, train: Bools) -> list[Written]:
    """All answers of training workers who would be qualified."""
    good: dict[str, list[bool]] = {}
    for each, wrong, mine in zip(answers, bad, train, strict=True):
        if mine:
            good.setdefault(each.worker, []).append(not wrong)
    chosen = {name for name, right in good.items() if len(right) >= 10 and np.mean(right) >= 0.8}
    return [each for each in answers if each.worker in chosen]


def languages() -> None:
    print("| Tatoeba | sentences | told right | told wrong | untold | wrongly said not to be in it |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, code in (("fra", "en"), ("fra", "fr"), ("deu", "de"), ("cmn", "zh")):
        with gzip.open(DATA / "bitext" / f"eng-{name}.tsv.gz", "rt", encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t")[int(code != "en")] for line in file][::20]
        told = [guess_language(line) for line in lines]
        alarms = np.mean([other_language(line, code) is not None for line in lines])
        right, untold = (
            np.mean([each == code for each in told]),
            np.mean([each is None for each in told]),
        )
        shares = f"{right:.1%} | {abs(1 - right - untold):.1%} | {untold:.1%} | {alarms:.1%}"
        print(f"| {code} | {len(lines):,} | {shares} |")


if __name__ == "__main__":
    main()
