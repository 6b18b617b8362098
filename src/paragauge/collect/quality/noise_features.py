"""Features of an answer for the noise filter: its text, its source, its cluster, its worker.

    text      length, repeated words, unknown words (`spelling`), question mark, another language,
              fluency: mean log probability of PEM's language model (English only)
    source    PINC, METEOR, and PEM's bags of pivot and plain n-grams against the source; length ratio,
              names and numbers kept, new numbers, question where the source is not one
              (paraphrases only; PEM and METEOR for English only)
    cluster   how much of it trusted workers wrote on the same item too (`cluster_evidence`)
    worker    seconds per character, likeness to the answers of the same task and to those on other
              items, the same words as another worker's, and the means of some features over the
              worker's other tasks

What does not apply is NaN, which the filter treats as the average. A worker's features need no labels:
they come from all answers that are passed together, so pass a worker's whole history.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.collect.quality import cluster_evidence
from paragauge.collect.quality.cluster_evidence import TrustedClusters
from paragauge.collect.quality.language_guess import find_other_language
from paragauge.collect.quality.spelling import find_speller
from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.kernels.layout import Floats
from paragauge.lexicon.language_names import find_language_tag
from paragauge.metrics.meteor import METEOR
from paragauge.metrics.pem.features import EXTENDED, Bags, Reader, features
from paragauge.metrics.pem.model import open_model
from paragauge.metrics.pinc import PINC
from paragauge.text.lines import Lines
from paragauge.text.unicode_words import nearest_overlap, overlap, same_words, words

TEXT = (
    "log_words",
    "log_characters",
    "repeated_words",
    "unknown_words",
    "unknown_share",
    "question",
    "other_language",
    "fluency",
)
_PEM = tuple(name for name in EXTENDED if name not in ("fluency", "length", "length_ratio"))
SOURCE = (
    "pinc",
    "meteor",
    *(f"pem_{name}" for name in _PEM),
    "length_ratio",
    "names_kept",
    "new_numbers",
    "question_changed",
)
BEHAVIOR = ("seconds_per_character", "task_overlap", "other_item_overlap", "same_as_others")
# Features whose mean over the worker's other tasks is a feature too.
_AVERAGED = (
    "fluency",
    "unknown_share",
    "pinc",
    "meteor",
    "pem_pivot_f1",
    "names_kept",
    "seconds_per_character",
    "task_overlap",
    "cluster_log_big",
    "cluster_recall",
)
WORKER = (*BEHAVIOR, *(f"worker_{name}" for name in _AVERAGED))
NAMES = (*TEXT, *SOURCE, *cluster_evidence.NAMES, *WORKER)
DESCRIBED = tuple(
    name for name in NAMES if name not in SOURCE and name.removeprefix("worker_") not in SOURCE
)
_MARKED = re.compile(r"\d+|(?<=\s)[A-Z][\w-]+")


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Features of answers: `values` [n, len(NAMES)]."""

    values: Floats

    def columns(self, names: Sequence[str]) -> Floats:
        """Some features, in that order."""
        return self.values[:, [NAMES.index(name) for name in names]]


def measure_features(
    answers: Sequence[WrittenAnswer], known: TrustedClusters, threads: int = 0
) -> FeatureTable:
    """The features of answers that are looked at together; `known` holds the trusted sentences."""
    return add_cluster_features(measure_without_clusters(answers, threads), answers, known)


def measure_without_clusters(answers: Sequence[WrittenAnswer], threads: int = 0) -> FeatureTable:
    """All features except those of clusters, which are NaN."""
    columns = {name: np.full(len(answers), np.nan) for name in NAMES}
    if answers:
        tokens = [words(answer.text) for answer in answers]
        _measure_texts(columns, answers, tokens)
        _compare_sources(columns, answers, tokens, threads)
        _measure_behavior(columns, answers, tokens)
    return FeatureTable(np.stack([columns[name] for name in NAMES], axis=1))


def add_cluster_features(
    table: FeatureTable, answers: Sequence[WrittenAnswer], known: TrustedClusters
) -> FeatureTable:
    """The same features with those of clusters, and the means over each worker's other tasks."""
    values = table.values.copy()
    first = NAMES.index(cluster_evidence.NAMES[0])
    values[:, first : first + len(cluster_evidence.NAMES)] = known.table(answers)
    averaged = [NAMES.index(name) for name in _AVERAGED]
    values[:, -len(_AVERAGED) :] = _average_other_tasks(answers, values[:, averaged])
    return FeatureTable(values)


def _measure_texts(
    columns: dict[str, Floats], answers: Sequence[WrittenAnswer], tokens: list[list[str]]
) -> None:
    for i, (answer, mine) in enumerate(zip(answers, tokens, strict=True)):
        columns["log_words"][i] = np.log1p(len(mine))
        columns["log_characters"][i] = np.log1p(len(answer.text))
        columns["repeated_words"][i] = 1 - len(set(mine)) / max(1, len(mine))
        columns["question"][i] = answer.text.rstrip().endswith(("?", "？", "؟"))
        columns["other_language"][i] = find_other_language(answer.text, answer.language) is not None
        checker = find_speller(answer.language)
        if checker is not None:
            wrong = len(checker.find_misspelled(answer.text, set(words(answer.source))))
            columns["unknown_words"][i] = min(wrong, 5)
            columns["unknown_share"][i] = wrong / max(1, len(mine))


def _compare_sources(
    columns: dict[str, Floats], answers: Sequence[WrittenAnswer], tokens: list[list[str]], threads: int
) -> None:
    english = [i for i, answer in enumerate(answers) if find_language_tag(answer.language) == "en"]
    model = open_model("english").resources
    if english:
        fluency = model.model.score(Lines.of([answers[i].text for i in english]), threads=threads)
        columns["fluency"][english] = fluency.normalize()
    sourced = [i for i, answer in enumerate(answers) if answer.source]
    if not sourced:
        return
    texts, sources = ([getattr(answers[i], side) for i in sourced] for side in ("text", "source"))
    columns["pinc"][sourced] = PINC().segments(texts, sources=sources) / 100
    for i in sourced:
        text, source = answers[i].text, answers[i].source
        marked = set(_MARKED.findall(source))
        is_kept = [name.casefold() in text.casefold() for name in marked]
        columns["names_kept"][i] = np.mean(is_kept) if is_kept else np.nan
        numbers = set(re.findall(r"\d+", text)) - set(re.findall(r"\d+", source))
        columns["new_numbers"][i] = min(len(numbers), 3)
        asks = source.rstrip().endswith("?")
        columns["question_changed"][i] = columns["question"][i] - float(asks)
        columns["length_ratio"][i] = np.log((len(tokens[i]) + 1) / (len(words(source)) + 1))
    both = [i for i in english if answers[i].source]
    if not both:
        return
    texts, sources = ([getattr(answers[i], side) for i in both] for side in ("text", "source"))
    columns["meteor"][both] = METEOR().segments(texts, references=sources) / 100
    reader = Reader(model, EXTENDED)
    bags = [Bags(reader, Lines.of(side), threads) for side in (texts, sources)]
    values = features(reader, bags[0], bags[1], columns["fluency"][both], None, threads)
    for name in _PEM:
        columns[f"pem_{name}"][both] = values[:, EXTENDED.index(name)]


def _measure_behavior(
    columns: dict[str, Floats], answers: Sequence[WrittenAnswer], tokens: list[list[str]]
) -> None:
    tasks: dict[object, list[int]] = defaultdict(list)
    history: dict[str, list[int]] = defaultdict(list)
    writers_of: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for i, answer in enumerate(answers):
        tasks[_task(answer, i)].append(i)
        history[answer.worker].append(i)
        writers_of[answer.item, same_words(answer.text)][answer.worker] += 1
    for mine in tasks.values():
        characters = sum(len(answers[i].text) for i in mine)
        for i in mine:
            seconds = answers[i].seconds
            if seconds is not None:
                columns["seconds_per_character"][i] = np.log((seconds + 1) / (characters + 1))
            others = [overlap(tokens[i], tokens[j]) for j in mine if j != i]
            columns["task_overlap"][i] = max(others, default=np.nan)
    for mine in history.values():
        alike = nearest_overlap([tokens[i] for i in mine], [answers[i].item for i in mine])
        columns["other_item_overlap"][mine] = alike
    for i, answer in enumerate(answers):
        writers = writers_of[answer.item, same_words(answer.text)]
        columns["same_as_others"][i] = min(len(writers) - 1, 3)


def _average_other_tasks(answers: Sequence[WrittenAnswer], values: Floats) -> Floats:
    """Means over the other tasks of the same worker; NaN if there is none."""
    sums: dict[str, Floats] = defaultdict(lambda: np.zeros((2, values.shape[1])))
    own: dict[object, Floats] = defaultdict(lambda: np.zeros((2, values.shape[1])))
    rows = np.stack([np.nan_to_num(values), ~np.isnan(values)], axis=1)
    for i, answer in enumerate(answers):
        sums[answer.worker] += rows[i]
        own[_task(answer, i)] += rows[i]
    left = np.array([sums[answer.worker] - own[_task(answer, i)] for i, answer in enumerate(answers)])
    left = left.reshape(len(answers), 2, values.shape[1])
    counts = left[:, 1]
    missing = np.full(counts.shape, np.nan)
    return np.asarray(np.divide(left[:, 0], counts, out=missing, where=counts > 0.5))


def _task(answer: WrittenAnswer, number: int) -> object:
    return (answer.worker, answer.task) if answer.task else number
