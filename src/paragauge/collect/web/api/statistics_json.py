"""The figures of a campaign as the JSON API gives them."""

from __future__ import annotations

from datetime import date, datetime

from paragauge.collect.web.api.models import Costs, Model, Progress


class TierRow(Model):
    """A column of table 1 of Chen and Dolan (2011)."""

    tier: int
    pay_cents: int
    workers_in_language: int
    workers: int
    submitted_in_language: int
    submitted: int
    accepted_in_language: int
    accepted: int


class Spread(Model):
    """Answers over items; `least` is reached by over 95 % of them."""

    items: int
    answers: int
    mean: float | None
    least: int | None
    covered: int


class Activity(Model):
    """Answers over workers."""

    workers: int
    with_100: int
    with_500: int
    largest: int


class Corpus(Model):
    """The figures of section 3.3 for a language, or for all (null)."""

    language: str | None
    answers: int
    tier_2: int
    tier_2_share: float | None
    activity: Activity
    spread: Spread
    tier_2_spread: Spread


class Day(Model):
    """Answers of a day (UTC)."""

    date: date
    submitted: int
    tiers: dict[int, int]


class Standings(Model):
    """Members of a campaign."""

    members: int
    qualified: int
    warned: int
    blocked: int


class Times(Model):
    """The time that tasks take, of all answers and of those of experienced workers."""

    answers: int
    mean: float | None
    median: float | None
    experienced_answers: int
    experienced_mean: float | None
    experienced_median: float | None


class Choice(Model):
    """One answer to choose from in a survey."""

    option: str
    chosen: int
    share: float | None


class Tally(Model):
    """A question of a survey that has options."""

    name: str
    question: str
    answered: int
    choices: list[Choice]


class Statistics(Model):
    """The state of a campaign."""

    slug: str
    at: datetime
    language: str
    progress: Progress
    costs: Costs
    standings: Standings
    tiers: list[TierRow]
    corpus: Corpus
    everything: Corpus
    days: list[Day]
    coverage: dict[int, int]
    times: Times
    survey: list[Tally]
    rate: float
    days_left: int | None
