"""How well noisy answers are found: precision, recall, F1 and AUC on labeled crowd paraphrases.

    python -m benchmarks.papers.noise

Ten-fold cross-validation over workers: no worker is in both training and test. Trusted sentences
(tier 2 of the paper) are the correct ones of training workers; only the answers of the workers under
test are known. Thresholds are those with the best F1 on the training part. Rows:

- length rule: too short or too long, the two limits that are best in training;
- duplicate rule: the words of the source, of another worker's answer, of an answer to another item or
  of one of the same task, all of them and no others;
- length and duplicates, learned: the same regression as the filter's on these features alone;
- the filter: penalty and groups of features are chosen for each part, by cross-validation over the
  other workers (`noise_choice.py`); this is the result to trust;
- as shipped: all features and C = 0.3, which were chosen with all workers in view; and the same without
  groups of features;
- qualified: trusted sentences are all those, right or wrong, of training workers with at least ten
  answers of which 80 % are correct, as for a requester who qualifies workers and reads no more;
- new items: the items under test are not in training either, but have trusted sentences;
- 5 trusted sentences an item: only these are known of the items under test;
- clusters only: trained on a third of the trusted sentences and made-up noise, without labels
  (`train_on_clusters`).

The rows below "as shipped" have its penalty. Intervals are bootstraps over workers (500 draws). The
next table is the share found of each label, at the same thresholds. Then: descriptions of videos
(`noise_descriptions.py`), and how often the language of a sentence is recognized, on Tatoeba. The
tables are kept in build/bench/noise.json, where `tools/docs/readme_numbers.py` reads them.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.data.noise_choice import choose
from benchmarks.data.noise_descriptions import descriptions
from benchmarks.data.noise_measures import Bools, Floats, f1, folds, row
from benchmarks.data.paraquality import noisy, read_paraquality
from benchmarks.race import DATA, RESULTS
from paragauge.collect.quality import cluster_evidence
from paragauge.collect.quality.cluster_evidence import TrustedClusters, sample_per_item
from paragauge.collect.quality.language_guess import find_other_language, guess_language
from paragauge.collect.quality.noise_features import (
    DESCRIBED,
    NAMES,
    WORKER,
    FeatureTable,
    add_cluster_features,
    measure_without_clusters,
)
from paragauge.collect.quality.noise_training import (
    SIZES,
    stack_cluster_sizes,
    train_on_clusters,
    train_table,
)
from paragauge.collect.tasks.written_answer import WrittenAnswer

FOLDS, ITEM_FOLDS = 10, 5
SHIPPED = "filter, as shipped"
RULES = ("log_words", "log_characters", "length_ratio", "pem_copy", "pinc", "task_overlap")
DUPLICATES = (*RULES, "other_item_overlap", "same_as_others")


def length_rule(train: Floats, bad: Bools) -> Callable[[Floats], Floats]:
    """How far a length is outside of the two best limits."""
    limits = np.unique(train)
    best = max(
        ((a, b) for a in limits[: len(limits) // 2] for b in limits[len(limits) // 2 :]),
        key=lambda limit: f1((train < limit[0]) | (train > limit[1]), bad),
    )
    return lambda x: np.maximum(best[0] - x, x - best[1])


def main() -> None:
    answers, labels = read_paraquality(DATA)
    bad = noisy(labels)
    workers = [answer.worker for answer in answers]
    part = folds(workers, FOLDS)
    item_part = folds([answer.item for answer in answers], ITEM_FOLDS)
    alone = measure_without_clusters(answers)
    copies = alone.columns(("pem_copy", "other_item_overlap", "same_as_others", "task_overlap"))
    copied = np.nan_to_num(
        np.stack([copies[:, 0], copies[:, 1], copies[:, 2] > 0, copies[:, 3]], 1)
    ).max(1)
    length = alone.columns(("log_words",))[:, 0]
    without = {
        SHIPPED: NAMES,
        "filter, no worker's behavior": [name for name in NAMES if name not in WORKER],
        "filter, no cluster": [name for name in NAMES if "cluster" not in name],
        "filter, no source (as for descriptions)": DESCRIBED,
        "filter, source and text only": [
            name for name in NAMES if name not in (*WORKER, *cluster_evidence.NAMES)
        ],
        "length and duplicates, learned": DUPLICATES,
    }
    chosen_among = {
        name: without[name]
        for name in (
            SHIPPED,
            "filter, no worker's behavior",
            "filter, no source (as for descriptions)",
        )
    }

    def measure_features(train: Bools) -> tuple[Floats, Floats]:
        """Features to train with, and those of all answers with trusted sentences of training alone."""
        good = [answer for answer, mine in zip(answers, train & ~bad, strict=True) if mine]
        every = stack_cluster_sizes(alone, answers, good).values.reshape(len(SIZES), len(bad), -1)
        return every[:, train].reshape(-1, every.shape[2]), every[SIZES.index(None)]

    chosen = choose(measure_features, bad, part, chosen_among)
    predictions: dict[str, tuple[Floats, Bools]] = {}

    def keep(name: str, rows: Bools, chances: Floats, threshold: float) -> None:
        blank = np.zeros(len(bad)), np.zeros(len(bad), np.bool_)
        store = predictions.setdefault(name, blank)
        store[0][rows], store[1][rows] = chances[rows], chances[rows] >= threshold

    for fold in range(FOLDS):
        train, test = part != fold, part == fold
        rule = length_rule(length[train], bad[train])
        keep("length rule", test, rule(length), np.nextafter(0, 1))
        keep("duplicate rule", test, copied, 1.0)
        correct = [answer for answer, good in zip(answers, train & ~bad, strict=True) if good]
        sizes, values = measure_features(train)
        table = FeatureTable(values)
        labeled = np.tile(bad[train], len(SIZES))
        group, strength = chosen[fold]
        best = train_table(FeatureTable(sizes), labeled, without[group], strength=strength)
        keep("filter", test, best.model.probability(table.columns(best.names)), best.threshold)
        for name, features in without.items():
            filter_ = train_table(FeatureTable(sizes), labeled, features)
            keep(name, test, filter_.model.probability(table.columns(features)), filter_.threshold)
            if name == SHIPPED:
                few = add_cluster_features(
                    alone, answers, TrustedClusters(sample_per_item(correct, 5, seed=fold))
                )
                chances = filter_.model.probability(few.values)
                keep("filter, 5 trusted sentences an item", test, chances, filter_.threshold)
        qualified = add_cluster_features(
            alone, answers, TrustedClusters(_qualified_answers(answers, bad, train))
        )
        filter_ = train_table(FeatureTable(qualified.values[train]), bad[train])
        keep(
            "filter, qualified workers",
            test,
            filter_.model.probability(qualified.values),
            filter_.threshold,
        )
        for items in range(ITEM_FOLDS):
            seen = train & (item_part != items)
            filter_ = train_table(FeatureTable(table.values[seen]), bad[seen])
            fresh = test & (item_part == items)
            keep("filter, new items", fresh, filter_.model.probability(table.values), filter_.threshold)
        taught = train_on_clusters(correct[::3])
        keep(
            "filter, clusters only",
            test,
            taught.model.probability(table.columns(taught.names)),
            taught.threshold,
        )
    keep("flag all", np.ones(len(bad), np.bool_), np.ones(len(bad)), 1.0)
    order = ("flag all", "length rule", "duplicate rule", "length and duplicates, learned", "filter")
    scores = ["| | precision | recall | F1 | AUC |", "|---|---:|---:|---:|---:|"]
    for name in dict.fromkeys([*order, SHIPPED, *predictions]):
        scores.append(row(name, *predictions[name], bad, workers))
    times = Counter(
        f"C = {c:g}{group.removeprefix(SHIPPED).removeprefix('filter')}" for group, c in chosen
    )
    told = "; ".join(f"{name} ({many} of {FOLDS})" for name, many in times.most_common())
    data = f"{len(bad):,} answers, {bad.mean():.1%} noisy, {len(set(workers))} workers."
    scores += ["", f"{data} Chosen in training: {told}."]
    tables = {
        "scores": scores,
        "labels": by_label({name: predictions[name][1] for name in order[1:]}, labels, bad),
        "descriptions": descriptions(),
    }
    for lines in (*tables.values(), languages()):
        print("\n".join(lines), "\n")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "noise.json").write_text(json.dumps(tables, indent=2) + "\n")


def by_label(flagged: dict[str, Bools], labels: Sequence[frozenset[str]], bad: Bools) -> list[str]:
    kinds = sorted({kind for one in labels for kind in one} - {"Correct"})
    has = {kind: np.array([kind in one for one in labels]) & bad for kind in kinds}
    counts = " | ".join(str(int(has[kind].sum())) for kind in kinds)
    lines = [
        f"| share flagged | {' | '.join(kinds)} | correct |",
        f"|---|{'---:|' * (len(kinds) + 1)}",
        f"| answers | {counts} | {int((~bad).sum())} |",
    ]
    for name, mine in flagged.items():
        cells = [f"{mine[has[kind]].mean():.2f}" for kind in kinds]
        lines.append(f"| {name} | {' | '.join(cells)} | {mine[~bad].mean():.2f} |")
    return lines


def _qualified_answers(
    answers: Sequence[WrittenAnswer], bad: Bools, train: Bools
) -> list[WrittenAnswer]:
    """All answers of training workers who would be qualified."""
    good: dict[str, list[bool]] = {}
    for answer, wrong, mine in zip(answers, bad, train, strict=True):
        if mine:
            good.setdefault(answer.worker, []).append(not wrong)
    chosen = {name for name, right in good.items() if len(right) >= 10 and np.mean(right) >= 0.8}
    return [answer for answer in answers if answer.worker in chosen]


def languages() -> list[str]:
    recognized = [
        "| Tatoeba | sentences | told right | told wrong | untold | wrongly said not to be in it |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, code in (("fra", "en"), ("fra", "fr"), ("deu", "de"), ("cmn", "zh")):
        with gzip.open(DATA / "bitext" / f"eng-{name}.tsv.gz", "rt", encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t")[int(code != "en")] for line in file][::20]
        told = [guess_language(line) for line in lines]
        alarms = np.mean([find_other_language(line, code) is not None for line in lines])
        right, untold = (
            np.mean([guess == code for guess in told]),
            np.mean([guess is None for guess in told]),
        )
        shares = f"{right:.1%} | {abs(1 - right - untold):.1%} | {untold:.1%} | {alarms:.1%}"
        recognized.append(f"| {code} | {len(lines):,} | {shares} |")
    return recognized


if __name__ == "__main__":
    main()
