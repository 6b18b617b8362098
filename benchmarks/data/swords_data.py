"""Substitutes that WordNet proposes for the targets of Swords (Lee et al. 2021), with human judgments.

Each target is a word in a text of some sentences; people said of many substitutes, which are
lemmas, whether they are acceptable there. The sentence with the target is cut out and tagged by our
tagger, and the substitutes are inflected to match the target's tag; the proposals are those that
our WordNet thesaurus also makes. A substitute is acceptable if at least half of its labels are TRUE
(10 labels where one of the first three was TRUE, else 3). Substitutes of several words are left
out.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.rewrite.inflection import Inflection
from paragauge.rewrite.wordnet_thesaurus import WordNetThesaurus
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import tokenize

END = re.compile(r"[.!?…]['\"”’)]*\s+")


@dataclass(frozen=True)
class Proposals:
    """One row for each proposal; `segment` is its target's row in `tokens`."""

    tokens: Lines
    segment: NDArray[np.int64]
    position: NDArray[np.int64]
    words: Lines
    old: NDArray[np.int64]
    new: NDArray[np.int64]
    labels: list[list[str]]
    skipped: int  # targets that are not a token

    @property
    def good(self) -> NDArray[np.bool_]:
        """Whether people find the substitute acceptable."""
        return np.array([labels.count("TRUE") / len(labels) >= 0.5 for labels in self.labels])

    @property
    def wanted(self) -> set[str]:
        """All words that a filter may be asked about."""
        return {self.words[row] for row in {*self.old.tolist(), *self.new.tolist()}}


def read_swords(path: Path) -> Proposals:
    """The proposals for all targets of a file of Swords."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        data = json.load(file)
    substitutes = defaultdict(list)
    for key, entry in data["substitutes"].items():
        if " " not in entry["substitute"]:
            labels = data["substitute_labels"][key]
            substitutes[entry["target_id"]].append((entry["substitute"].lower(), labels))
    forms, tagger = Inflection.of(), PerceptronTagger.default()
    lines: list[str] = []
    rows: list[tuple[int, int, str, str, str, list[str]]] = []
    skipped = 0
    for key, target in data["targets"].items():
        words, at = _sentence(data["contexts"][target["context_id"]]["context"], target)
        if at is None:
            skipped += 1
            continue
        tag = tagger.tag([words])[0][at]
        for lemma, labels in substitutes[key]:
            new = forms.inflect(lemma, tag)
            rows.append((len(lines), at, words[at].lower(), tag, new, labels))
        lines.append(" ".join(words).lower())
    return _propose(Lines.of(lines), rows, skipped)


def _sentence(text: str, target: dict[str, Any]) -> tuple[list[str], int | None]:
    """The tokens of the target's sentence, and the target's position among them."""
    offset, word = target["offset"], target["target"]
    ends = [match.end() for match in END.finditer(text)]
    first = max([0, *(end for end in ends if end <= offset)])
    last = min([len(text), *(end for end in ends if end > offset)])
    before, after = text[first:offset], text[offset + len(word) : last]
    left, whole = tokenize(
        [" ".join(before.split()), " ".join((before + word + after).split())], "penn"
    )
    places = [i for i, token in enumerate(whole) if token == word]
    return whole, min(places, key=lambda i: abs(i - len(left)), default=None)


def _propose(
    tokens: Lines, rows: list[tuple[int, int, str, str, str, list[str]]], skipped: int
) -> Proposals:
    words = sorted({row[2] for row in rows} | {row[4] for row in rows})
    number = {word: i for i, word in enumerate(words)}
    old = np.array([number[row[2]] for row in rows])
    new = np.array([number[row[4]] for row in rows])
    tags = [row[3] for row in rows]
    is_substitutable = WordNetThesaurus().substitutable(Lines.of(words), old, new, tags) & (old != new)
    chosen = [row for row, keep in zip(rows, is_substitutable, strict=True) if keep]
    return Proposals(
        tokens,
        np.array([row[0] for row in chosen]),
        np.array([row[1] for row in chosen]),
        Lines.of(words),
        old[is_substitutable],
        new[is_substitutable],
        [row[5] for row in chosen],
        skipped,
    )
