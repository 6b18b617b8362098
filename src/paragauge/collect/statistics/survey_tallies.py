"""How often each answer to a survey's questions was chosen.

Chen and Dolan (2011, section 5.3): of workers who had done both tasks, 92 % found descriptions of
videos more enjoyable than direct paraphrases, 75 % easier, and half preferred them (16 % the
paraphrases). The demo's survey asks these three questions. Rejected answers do not count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.statistics.tier_table import select_answers
from paragauge.collect.store.schema_answers import submissions


@dataclass(frozen=True)
class Choice:
    """One answer to choose from, how often it was chosen, and its share of those who answered."""

    option: str
    chosen: int
    share: float | None


@dataclass(frozen=True)
class SurveyTally:
    """A question with answers to choose from, and how many answered it."""

    name: str
    question: str
    answered: int
    choices: tuple[Choice, ...]


def tally_survey(connection: sa.Connection, campaign: Campaign) -> tuple[SurveyTally, ...]:
    """The questions of a survey that have options, in order; none in other campaigns."""
    questions = [question for question in campaign.settings.survey if question.options]
    if not questions:
        return ()
    counts: dict[str, Counter[str]] = {question.name: Counter() for question in questions}
    source = select_answers(campaign)
    query = (
        sa.select(submissions.c.data)
        .join(source, source.c.id == submissions.c.id)
        .where(source.c.decision != "reject")
    )
    for data in connection.scalars(query):
        for name, value in data.get("answers", {}).items():
            if name in counts:
                counts[name][value] += 1
    return tuple(
        _tally(question.name, question.question, question.options, counts[question.name])
        for question in questions
    )


def _tally(name: str, question: str, options: tuple[str, ...], counts: Counter[str]) -> SurveyTally:
    answered = sum(counts[option] for option in options)
    choices = (
        Choice(option, counts[option], counts[option] / answered if answered else None)
        for option in options
    )
    return SurveyTally(name, question, answered, tuple(choices))
