"""Crowd paraphrases with labels (Yaghoub-Zadeh-Fard et al. 2019) as written answers.

An answer is noisy if none of its labels is "Correct" (91 of 6,000 are both correct and cheating, and
count as correct); the nine without a label are left out.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.collect.tasks.written_answer import WrittenAnswer

GOOD = "Correct"


def read_paraquality(data: Path) -> tuple[list[WrittenAnswer], list[frozenset[str]]]:
    """The answers, and the labels of each."""
    answers, labels = [], []
    with gzip.open(data / "paraquality" / "hits.jsonl.gz", "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            hit = json.loads(line)
            for paraphrase in hit["paraphrases"]:
                if paraphrase["category"]:
                    source, worker = hit["expression"], str(hit["worker_id"])
                    answers.append(
                        WrittenAnswer(
                            paraphrase["paraphrase"],
                            item=source,
                            worker=worker,
                            source=source,
                            task=str(number),
                            seconds=float(hit["duration"]),
                        )
                    )
                    labels.append(frozenset(paraphrase["category"]))
    return answers, labels


def noisy(labels: list[frozenset[str]]) -> NDArray[np.bool_]:
    """Which answers are noisy, bool [n]."""
    return np.array([GOOD not in kinds for kinds in labels])
