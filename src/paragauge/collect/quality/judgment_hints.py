"""Hints on judgments: given too fast to have read the candidates, or all alike.

They are for the requester and decide nothing, as those on written answers (`hint_rules`). A worker who
judges honestly may give one value to all candidates now and then, so a single such answer is a note;
most of a worker's answers alike is a warning.

>>> fast = JudgmentTimes({"0": {"fluency": 3}, "1": {"fluency": 3}, "2": {"fluency": 3}}, 1.5, 200)
>>> [hint.text for hint in find_judgment_hints(fast)]
['1.5 seconds for 3 values: too fast to read 200 characters', 'all 3 values are the same']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paragauge.collect.quality.hint_rules import NOTE, WARNING, Hint


@dataclass(frozen=True)
class JudgmentRules:
    """Limits: seconds for a value and for a character read, and shares of a worker's answers."""

    seconds_a_value: float = 0.5
    # 100 characters a second is about 1,000 words a minute: nobody reads as fast.
    seconds_a_character: float = 0.01
    least_seconds: float = 2
    # Fewer equal values happen by chance.
    alike_values: int = 3
    least_answers: int = 5
    fast_share: float = 0.2
    alike_share: float = 0.8


@dataclass(frozen=True)
class JudgmentTimes:
    """The values of an answer by candidate and criterion, its seconds, and what was to be read."""

    values: Mapping[str, Mapping[str, int]]
    seconds: float | None
    characters: int

    @classmethod
    def from_stored(
        cls, content: Mapping[str, Any], data: Mapping[str, Any], seconds: float | None
    ) -> JudgmentTimes:
        """From an item and an answer as they are stored.

        >>> content = {"source": "a dog", "candidates": [{"text": "a puppy"}]}
        >>> JudgmentTimes.from_stored(content, {"judgments": {"0": {"overall": 4}}}, 9.0).characters
        12
        """
        texts = [str(content.get("source", ""))]
        texts += [str(candidate.get("text", "")) for candidate in content.get("candidates", ())]
        # Places of a ranking differ by themselves: only their time says something.
        values = data.get("judgments", {})
        return cls(values, seconds, sum(map(len, texts)))

    def list_values(self) -> list[int]:
        """All values, in the order of the candidates."""
        return [value for values in self.values.values() for value in values.values()]

    def is_fast(self, rules: JudgmentRules) -> bool:
        """Whether nobody can have read and judged so fast."""
        needed = rules.seconds_a_value * len(self.list_values())
        needed += rules.seconds_a_character * self.characters
        return self.seconds is not None and self.seconds < max(rules.least_seconds, needed)

    def is_alike(self, rules: JudgmentRules) -> bool:
        """Whether all values are the same, and there are enough of them to say so."""
        values = self.list_values()
        return len(values) >= rules.alike_values and len(set(values)) == 1


def find_judgment_hints(judged: JudgmentTimes, rules: JudgmentRules | None = None) -> tuple[Hint, ...]:
    """Hints on one answer."""
    rules, hints, values = rules or JudgmentRules(), [], judged.list_values()
    if judged.is_fast(rules):
        for_values = f" for {len(values)} values" if values else ""
        text = (
            f"{judged.seconds:.1f} seconds{for_values}: too fast to read {judged.characters} characters"
        )
        hints.append(Hint("time", WARNING, text))
    if judged.is_alike(rules):
        hints.append(Hint("alike", NOTE, f"all {len(values)} values are the same"))
    return tuple(hints)


def find_judge_hints(
    answers: Sequence[JudgmentTimes], rules: JudgmentRules | None = None
) -> tuple[Hint, ...]:
    """Hints on a worker, from their answers.

    >>> quick = [JudgmentTimes({"0": {"overall": 5}}, 0.9, 80)] * 6
    >>> [hint.text for hint in find_judge_hints(quick)]
    ['6 of 6 answers too fast to have read the candidates', 'the same values in 6 of 6 answers']
    """
    rules = rules or JudgmentRules()
    return () if len(answers) < rules.least_answers else tuple(_find_on_worker(answers, rules))


def _find_on_worker(answers: Sequence[JudgmentTimes], rules: JudgmentRules) -> Iterator[Hint]:
    total = len(answers)
    fast = sum(answer.is_fast(rules) for answer in answers)
    if fast >= rules.fast_share * total:
        yield Hint("time", WARNING, f"{fast} of {total} answers too fast to have read the candidates")
    alike = sum(answer.is_alike(rules) for answer in answers)
    if alike >= rules.alike_share * total:
        yield Hint("alike", WARNING, f"all values the same in {alike} of {total} answers")
        return
    patterns = Counter(values for answer in answers if (values := tuple(answer.list_values())))
    most = max(patterns.values(), default=0)
    if most >= rules.alike_share * total:
        yield Hint("alike", WARNING, f"the same values in {most} of {total} answers")
