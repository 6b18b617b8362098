"""The comprehension check before the first task: questions, feedback, and a second try.

A worker answers all questions at once. Wrong answers get feedback, never the right option. Whoever has
not answered everything right after `tries` tries (two by default) has failed the check for good. Other
tools give one try and no feedback, which loses people who misread one sentence of the instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paragauge.collect.campaigns.campaign_settings import Question
from paragauge.errors import SettingError


@dataclass(frozen=True)
class CheckResult:
    """The result of one try: passed or not, tries left, and feedback on wrong questions, by number."""

    passed: bool
    tries_left: int
    feedback: Mapping[int, str]

    @property
    def failed(self) -> bool:
        """Whether the check is failed for good."""
        return not self.passed and self.tries_left == 0


GENERIC = "That is not right. Please read the instructions again."
MISSING = "Please choose an answer."


def check_answers(
    questions: Sequence[Question], chosen: Mapping[int, int | None], tried: int = 0, tries: int = 2
) -> CheckResult:
    """Mark the chosen options, by number of the question; `tried` is the number of earlier tries.

    >>> asked = [Question("How many sentences?", ("one", "many"), 0, "Look for ONE SENTENCE.")]
    >>> first = check_answers(asked, {0: 1})
    >>> first.passed, first.tries_left, first.feedback
    (False, 1, {0: 'Look for ONE SENTENCE.'})
    >>> check_answers(asked, {0: 0}, tried=1).passed
    True
    """
    if tries < 1 or tried < 0:
        raise SettingError(f"expected tries from 1 and tried from 0, found {tries} and {tried}")
    if tried >= tries:
        return CheckResult(passed=False, tries_left=0, feedback={})
    wrong = {
        number: (asked.feedback or GENERIC) if chosen.get(number) is not None else MISSING
        for number, asked in enumerate(questions)
        if chosen.get(number) != asked.right
    }
    return CheckResult(not wrong, 0 if not wrong else tries - tried - 1, wrong)
