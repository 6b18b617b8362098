"""What a requester sets for a campaign: kind of task, texts, tiers and pay, budget, checks, controls.

Settings are frozen, checked on creation, and stored as JSON:

    >>> settings = CampaignSettings(kind="describe", title="Birds")
    >>> CampaignSettings.from_json(settings.to_json()) == settings
    True
    >>> CampaignSettings(kind="draw", title="Birds")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown kind of task 'draw'; known: describe, suggest, paraphrase,
    judge, survey
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from paragauge.collect.campaigns.panel_settings import check_panel
from paragauge.errors import SettingError, unknown_name

MOST_DIGITS = 18  # of a number that is a key
KINDS = ("describe", "suggest", "paraphrase", "judge", "survey")
WRITTEN = ("describe", "paraphrase")
# Cents: well below the largest integer of a database.
MOST_CENTS = 1_000_000_000


class JsonSettings:
    """Converts a frozen dataclass to JSON and back; unknown names are rejected."""

    def to_json(self) -> dict[str, Any]:
        """As plain dictionaries, lists and values."""
        return typing.cast(dict[str, Any], _plain(self))

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """From the output of `to_json`, or from what a requester wrote."""
        hints = _hints(typing.cast(Any, cls))
        if not isinstance(value, dict):
            raise SettingError(f"expected a table of settings, found {value!r}")
        for name in value:
            if name not in hints:
                raise unknown_name("setting", str(name), hints)
        typed = {name: _convert(hints[name], setting, name) for name, setting in value.items()}
        try:
            return cls(**typed)
        except TypeError:
            needed = [f.name for f in dataclasses.fields(cls) if _is_required(f)]  # type: ignore[arg-type]
            missing = ", ".join(name for name in needed if name not in value)
            raise SettingError(f"missing settings: {missing}") from None


@dataclass(frozen=True)
class TierSettings(JsonSettings):
    """Pay in cents, and how many answers each item gets in this tier."""

    pay_cents: int = 0
    per_item: int = 1

    def __post_init__(self) -> None:
        _check_between("pay_cents", self.pay_cents, 0, 1_000_000)
        _check_between("per_item", self.per_item, 0, 1_000_000)


@dataclass(frozen=True)
class BadExample(JsonSettings):
    """A bad answer, with the reason why it is bad."""

    text: str
    reason: str


@dataclass(frozen=True)
class Question(JsonSettings):
    """A question of the comprehension check: `right` is the index of the right option."""

    question: str
    options: tuple[str, ...]
    right: int
    feedback: str = ""

    def __post_init__(self) -> None:
        if not self.options:
            raise SettingError("options: expected at least one option, found none")
        _check_between("right", self.right, 0, len(self.options) - 1)


@dataclass(frozen=True)
class SurveyQuestion(JsonSettings):
    """A question of a survey: a choice where there are options, else free text."""

    name: str
    question: str
    options: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True)
class Criterion(JsonSettings):
    """A criterion with a scale of whole numbers; labels go from low to high, or are empty."""

    name: str
    question: str
    low: int = 1
    high: int = 5
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_between("low", self.low, -100, 100)
        _check_between("high", self.high, self.low + 1, self.low + 100)
        if self.labels and len(self.labels) != self.high - self.low + 1:
            raise SettingError(
                f"criterion {self.name}: expected {self.high - self.low + 1} labels, "
                f"found {len(self.labels)}"
            )


@dataclass(frozen=True)
class ControlRules(JsonSettings):
    """Controls: one in every `every` tasks; after how many failures to warn and to block."""

    every: int = 10
    warn_after: int = 2
    block_after: int = 4
    tolerance: int = 1

    def __post_init__(self) -> None:
        _check_between("every", self.every, 2, 1_000_000)
        _check_between("warn_after", self.warn_after, 1, 1_000_000)
        _check_between("block_after", self.block_after, self.warn_after, 1_000_000)
        _check_between("tolerance", self.tolerance, 0, 100)


@dataclass(frozen=True)
class PanelSettings(JsonSettings):
    """Recruiting from a panel: names of the parameters of its links, and the ways back."""

    # As Prolific names them; a study and a session may be missing.
    participant: str = "PROLIFIC_PID"
    study: str = "STUDY_ID"
    session: str = "SESSION_ID"
    # Answers until a participant is done.
    tasks: int = 10
    # Where to go then, with {participant}, {study} and {session} replaced; or a code to copy.
    complete_url: str = ""
    code: str = ""
    # Where who failed the questions before the first task goes.
    screen_out_url: str = ""

    def __post_init__(self) -> None:
        values = {name: value for name, value in self.to_json().items() if name != "tasks"}
        check_panel(values, self.tasks)

    @property
    def names(self) -> dict[str, str]:
        """The names of the parameters."""
        return {"participant": self.participant, "study": self.study, "session": self.session}


@dataclass(frozen=True)
class CampaignSettings(JsonSettings):
    """All settings of a campaign; only the kind and the title have no default."""

    kind: str
    title: str
    instructions: str = ""
    # What workers agree to before they begin; empty: the default text.
    consent: str = ""
    good_examples: tuple[str, ...] = ()
    bad_examples: tuple[BadExample, ...] = ()
    # Empty: any language the worker likes.
    languages: tuple[str, ...] = ()
    tiers: dict[int, TierSettings] = field(default_factory=lambda: {1: TierSettings()})
    budget_cents: int = 0
    fee_percent: int = 0
    seed: int = 7
    expires_minutes: int = 60
    # Whether a worker may do the same item in both tiers (footnote 4 of Chen and Dolan, 2011).
    both_tiers: bool = True
    # Who writes in another language than this is granted tier 2 (their footnote 3); empty: nobody is.
    main_language: str = ""
    open_registration: bool = True
    # Shown to workers: an e-mail address, or anything else by which the requester can be reached.
    contact: str = ""
    # How long a worker may correct an answer that was sent; 0: not at all.
    correct_minutes: int = 15
    auto_accept: bool = False
    # Days after which an answer that nobody reviewed is accepted; 0: never.
    accept_after_days: int = 0
    comprehension: tuple[Question, ...] = ()
    comprehension_tries: int = 2
    max_length: int = 500
    one_sentence: bool = True
    # Judging: criteria, or one ranking of all candidates.
    criteria: tuple[Criterion, ...] = ()
    ranking: bool = False
    ranking_ties: bool = True
    controls: ControlRules | None = None
    survey: tuple[SurveyQuestion, ...] = ()
    # Where workers come from, if a panel sends them.
    panel: PanelSettings | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind of task", self.kind, KINDS)
        if not self.title.strip():
            raise SettingError("a campaign needs a title")
        if not self.tiers or not set(self.tiers) <= {1, 2}:
            raise SettingError(f"expected tier 1, or tiers 1 and 2, found {sorted(self.tiers)}")
        _check_between("budget_cents", self.budget_cents, 0, MOST_CENTS)
        _check_between("seed", self.seed, -(2**63), 2**63 - 1)
        _check_between("fee_percent", self.fee_percent, 0, 100)
        _check_between("expires_minutes", self.expires_minutes, 1, 525_600)
        _check_between("correct_minutes", self.correct_minutes, 0, 525_600)
        _check_between("accept_after_days", self.accept_after_days, 0, 3650)
        _check_between("comprehension_tries", self.comprehension_tries, 1, 100)
        _check_between("max_length", self.max_length, 1, 100_000)
        if self.kind == "judge" and bool(self.criteria) == self.ranking:
            raise SettingError("judging needs either criteria or ranking = true, not both")
        if self.kind == "survey" and not self.survey:
            raise SettingError("a survey needs questions: survey = [...]")
        _check_names("criterion", [criterion.name for criterion in self.criteria])
        _check_names("survey question", [question.name for question in self.survey])

    def check_new(self) -> None:
        """Stricter checks for a new campaign; older campaigns in a store may fail them.

        >>> CampaignSettings(kind="describe", title="Birds", languages=("a", "a")).check_new()
        Traceback (most recent call last):
        paragauge.errors.SettingError: languages: expected distinct names, found 'a'; remove it
        """
        if 1 not in self.tiers:
            raise SettingError(f"tiers: expected tier 1, or tiers 1 and 2, found {sorted(self.tiers)}")
        _check_distinct("languages", self.languages)
        if self.main_language and 2 not in self.tiers:
            raise SettingError(
                "main_language: who writes in another language is granted tier 2, but there is none; "
                "add tier 2"
            )
        for group in (self.survey, self.comprehension):
            for question in group:
                _check_distinct("options", question.options)

    def fee(self, pay_cents: int) -> int:
        """The fee on a payment, rounded up to a whole cent as Mechanical Turk does.

        >>> CampaignSettings(kind="describe", title="Birds", fee_percent=20).fee(1)
        1
        """
        return -(-pay_cents * self.fee_percent // 100)


def check_slug(slug: str) -> None:
    """Reject what cannot be the name of a campaign in URLs.

    >>> check_slug("Birds")
    Traceback (most recent call last):
    paragauge.errors.SettingError: expected a name of at most 60 lowercase letters, digits and hyphens,
    found 'Birds'
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,59}", slug):
        raise SettingError(
            f"expected a name of at most 60 lowercase letters, digits and hyphens, found {slug!r}"
        )


def _check_between(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise SettingError(f"{name}: expected {low} to {high}, found {value}")


def _check_names(kind: str, names: list[str]) -> None:
    for name in names:
        if not name.strip() or names.count(name) > 1:
            raise SettingError(f"every {kind} needs a unique name, found {name!r}")


def _check_distinct(name: str, values: tuple[str, ...]) -> None:
    for value in values:
        if not value.strip() or values.count(value) > 1:
            raise SettingError(f"{name}: expected distinct names, found {value!r}; remove it")


def _is_required(field_: dataclasses.Field[Any]) -> bool:
    return field_.default is dataclasses.MISSING and field_.default_factory is dataclasses.MISSING


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {
            field_.name: _plain(getattr(value, field_.name)) for field_ in dataclasses.fields(value)
        }
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, tuple) else value


def _convert(hint: Any, value: Any, name: str) -> Any:
    """`value` as the type of a setting, or an error that names it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        return None if value is None else _convert(arguments[0], value, name)
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_convert(arguments[0], item, name) for item in value)
    if origin is dict and isinstance(value, dict):
        for key in value:
            if isinstance(key, str) and key.isdecimal() and len(key) > MOST_DIGITS:
                raise SettingError(f"{name}: expected a smaller number, found {key}")
            if isinstance(key, str) and key.isdecimal() and key != str(int(key)):
                raise SettingError(
                    f"{name}: expected {int(key)}, found {key!r}; drop the leading zeros"
                )
        try:
            return {int(key): _convert(arguments[1], item, name) for key, item in value.items()}
        except ValueError:
            raise SettingError(f"{name}: expected whole numbers as keys, found {list(value)}") from None
    if isinstance(hint, type) and issubclass(hint, JsonSettings):
        return hint.from_json(value)
    if origin is None and type(value) is hint:
        return value
    expected = {int: "a whole number", bool: "true or false", str: "text"}.get(hint, "a list or table")
    raise SettingError(f"{name}: expected {expected}, found {value!r}")
