"""Substitutes that WordNet proposes for the targets of Swords (Lee et al. 2021), with human judgments.

Each target is a word in a text of some sentences; people said of many substitutes, which are
lemmas, whether they are acceptable there. The sentence with the target is cut out and tagged by our
tagger, and the substitutes are inflected to match the target's tag: of several words the first one for
a verb, and the last one otherwise. A substitute is acceptable if at least half of its labels are TRUE
(10 labels where one of the first three was TRUE, else 3). `read_swords` has the substitutes of one word
that our WordNet thesaurus also proposes, `read_substitutes` all.
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

from paragauge.rewrite.thesauri.inflection import Inflection
from paragauge.rewrite.thesauri.wordnet_thesaurus import WordNetThesaurus
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
    tags: list[str]  # of each target
    skipped: int  # targets that are not a token

    def select(self, rows: NDArray[np.int64]) -> Proposals:
        """Some of the proposals."""
        columns = (self.segment[rows], self.position[rows], self.words, self.old[rows], self.new[rows])
        labels = [self.labels[row] for row in rows.tolist()]
        return Proposals(self.tokens, *columns, labels, self.tags, self.skipped)

    @property
    def good(self) -> NDArray[np.bool_]:
        """Whether people find the substitute acceptable."""
        return np.array([labels.count("TRUE") / len(labels) >= 0.5 for labels in self.labels])

    @property
    def wanted(self) -> set[str]:
        """All words that a filter may be asked about."""
        return {self.words[row] for row in {*self.old.tolist(), *self.new.tolist()}}


def read_swords(path: Path) -> Proposals:
    """WordNet's proposals for all targets of a file of Swords."""
    everything = read_substitutes(path)
    words, old, new = everything.words, everything.old, everything.new
    single = np.array([" " not in word for word in words])[new] & (old != new)
    rows = np.flatnonzero(single)
    known = Lines.of(["_" if " " in word else word for word in words])
    tags = [everything.tags[line] for line in everything.segment[rows].tolist()]
    chosen = rows[WordNetThesaurus().substitutable(known, old[rows], new[rows], tags)]
    return everything.select(chosen)


def read_substitutes(path: Path) -> Proposals:
    """All substitutes for all targets of a file of Swords."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        data = json.load(file)
    substitutes = defaultdict(list)
    for key, entry in data["substitutes"].items():
        labels = data["substitute_labels"][key]
        substitutes[entry["target_id"]].append((entry["substitute"].lower(), labels))
    tagger = PerceptronTagger.default()
    lines: list[str] = []
    tags: list[str] = []
    rows: list[tuple[int, int, str, str, list[str]]] = []
    skipped = 0
    for key, target in data["targets"].items():
        words, at = _sentence(data["contexts"][target["context_id"]]["context"], target)
        if at is None:
            skipped += 1
            continue
        tag = tagger.tag([words])[0][at]
        for lemma, labels in substitutes[key]:
            rows.append((len(lines), at, words[at].lower(), _inflect(lemma, tag), labels))
        lines.append(" ".join(words).lower())
        tags.append(tag)
    spelled = sorted({row[2] for row in rows} | {row[3] for row in rows})
    number = {word: i for i, word in enumerate(spelled)}
    return Proposals(
        Lines.of(lines),
        np.array([row[0] for row in rows]),
        np.array([row[1] for row in rows]),
        Lines.of(spelled),
        np.array([number[row[2]] for row in rows]),
        np.array([number[row[3]] for row in rows]),
        [row[4] for row in rows],
        tags,
        skipped,
    )


def _inflect(lemma: str, tag: str) -> str:
    """The form of a lemma of one or more words for a tag."""
    words = lemma.split(" ")
    place = 0 if tag.startswith("VB") else -1
    words[place] = Inflection.of().inflect(words[place], tag)
    return " ".join(words)


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
