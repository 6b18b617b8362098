"""The explanation of a translation edit rate, and its text form.

The edits turn the candidate into the reference: first *shifts*, each of which moves a run of words to
another place, then a row of *steps* from left to right that keep, replace, insert or delete a word.
Every shift and every step but `keep` counts as one edit; TER is their number per reference word.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from typing import Any

from paragauge.metrics.ter_edits import Edit, Shift, Step
from paragauge.metrics.wording.marked_words import MarkedText, MarkedWord, MarkKind
from paragauge.metrics.wording.plain_sentences import TwoSentences
from paragauge.text.terminal_columns import align_columns

NAMES: dict[Edit, str] = {
    "match": "keep",
    "substitute": "replace",
    "insert": "insert",
    "delete": "delete",
}


@dataclass(frozen=True)
class EditExplanation:
    """What makes up a translation edit rate; `print` shows it as text in columns."""

    metric: str
    value: float
    signature: str
    summary: TwoSentences
    candidate_text: str
    reference_text: str
    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    shifts: tuple[Shift, ...]
    steps: tuple[Step, ...]

    @property
    def edits(self) -> int:
        """The number of edits."""
        return len(self.shifts) + sum(step.edit != "match" for step in self.steps)

    @property
    def counts(self) -> dict[str, int]:
        """The number of each kind of edit."""
        kinds = Counter[str](step.edit for step in self.steps)
        return {
            "shifts": len(self.shifts),
            "replacements": kinds["substitute"],
            "insertions": kinds["insert"],
            "deletions": kinds["delete"],
        }

    def step_words(self, step: Step) -> tuple[str, str]:
        """The words of a step: the candidate's and the reference's, empty where there is none."""
        return (
            "" if step.candidate is None else self.candidate[step.candidate],
            "" if step.reference is None else self.reference[step.reference],
        )

    @property
    def words(self) -> tuple[MarkedText, MarkedText]:
        """The words of both texts with what becomes of them."""
        moved = self.moved
        kinds: dict[Edit, MarkKind] = {"match": "kept", "substitute": "similar", "delete": "new"}
        mine: dict[int, MarkedWord] = {}
        theirs: dict[int, MarkedWord] = {}
        for number, step in enumerate(self.steps):
            ours, other = self.step_words(step)
            if step.candidate is not None:
                kind = kinds[step.edit]
                kind = "moved" if kind == "kept" and step.candidate in moved else kind
                groups = (number,) if step.reference is not None else ()
                mine[step.candidate] = MarkedWord(ours, kind, groups, _note(step, ours, other))
            if step.reference is not None:
                kind = "missing" if step.edit == "insert" else kinds[step.edit]
                kind = "moved" if kind == "kept" and step.candidate in moved else kind
                groups = (number,) if step.candidate is not None else ()
                theirs[step.reference] = MarkedWord(other, kind, groups, _note(step, ours, other))
        return (
            MarkedText("candidate", tuple(mine[place] for place in sorted(mine))),
            MarkedText("reference", tuple(theirs[place] for place in sorted(theirs))),
        )

    @property
    def moved(self) -> set[int]:
        """Positions of the candidate's words that a shift moves."""
        return {place for shift in self.shifts for place in shift.positions}

    def __str__(self) -> str:
        blocks = [
            [f"{self.metric} {self.value:.2f}"],
            self.summary.lines(),
            align_columns(
                "ll",
                [
                    ["candidate", " ".join(self.candidate) or "(no words)"],
                    ["reference", " ".join(self.reference) or "(no words)"],
                ],
            ),
            *([self._shift_lines()] if self.shifts else []),
            *([self._step_lines()] if self.steps else []),
            [self.signature],
        ]
        return "\n\n".join("\n".join(block) for block in blocks)

    def record(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        values = {"kind": "edits"} | dataclasses.asdict(self)
        values |= {"edits": self.edits, "counts": self.counts}
        values["words"] = [dataclasses.asdict(text) for text in self.words]
        return values

    def _shift_lines(self) -> list[str]:
        rows = [
            ["shift", " ".join(shift.words), f"from word {shift.start + 1} to word {shift.target + 1}"]
            for shift in self.shifts
        ]
        return ["shifts, one after the other", *(f"  {line}" for line in align_columns("lll", rows))]

    def _step_lines(self) -> list[str]:
        rows = [["", "candidate", "reference"]]
        rows += [[NAMES[step.edit], *self.step_words(step)] for step in self.steps]
        after = " after the shifts" if self.shifts else ""
        return [f"steps{after}", *(f"  {line}" for line in align_columns("lll", rows))]


def _note(step: Step, mine: str, other: str) -> str:
    return {
        "match": "",
        "substitute": f"{mine} becomes {other}",
        "insert": f"{other} is inserted",
        "delete": f"{mine} is deleted",
    }[step.edit]
