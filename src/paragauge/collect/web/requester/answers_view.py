"""Answers as a reviewer reads them: one line of text for every kind of task, with hints beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.quality.hint_rules import Hint
from paragauge.collect.statistics.paged_lists import ListedAnswer
from paragauge.collect.store.store import Store
from paragauge.collect.web.requester.hints_view import read_answer_hints


@dataclass(frozen=True)
class AnswerRow:
    """An answer in a list."""

    answer: ListedAnswer
    line: str
    hints: tuple[Hint, ...]


def answer_rows(store: Store, campaign: Campaign, answers: list[ListedAnswer]) -> list[AnswerRow]:
    """Answers with what to show of them."""
    hints = read_answer_hints(store, campaign, answers)
    return [AnswerRow(answer, answer_line(answer), hints.get(answer.id, ())) for answer in answers]


def answer_line(answer: ListedAnswer) -> str:
    """What a worker answered, as one line."""
    return answer.text or data_line(answer.data)


def data_line(data: dict[str, Any]) -> str:
    """Judgments, rankings, survey answers and suggestions as text; candidates count from 1.

    >>> data_line({"judgments": {"0": {"fluency": 4}, "1": {"fluency": 2}}})
    '1: fluency 4; 2: fluency 2'
    >>> data_line({"ranking": {"0": 2, "1": 1}}), data_line({"answers": {"age": "30"}})
    ('ranks 2, 1', 'age: 30')
    >>> data_line({"url": "https://a.example/v", "start": 1, "end": 5.5})
    'https://a.example/v (1 to 5.5 s)'
    """
    if "judgments" in data:
        parts = [
            f"{int(candidate) + 1}: " + ", ".join(f"{name} {value}" for name, value in values.items())
            for candidate, values in data["judgments"].items()
        ]
        return "; ".join(parts)
    if "ranking" in data:
        return "ranks " + ", ".join(str(place) for place in data["ranking"].values())
    if "answers" in data:
        return "; ".join(f"{name}: {value}" for name, value in data["answers"].items())
    if "url" in data:
        return f"{data['url']} ({data['start']:g} to {data['end']:g} s)"
    return ""
