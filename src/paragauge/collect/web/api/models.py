"""Requests and responses of the JSON API as pydantic models, from which OpenAPI is generated."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

State = Literal["active", "paused", "closed"]
Decision = Literal["accept", "reject"]


def _storable(value: Any) -> Any:
    """Reject what cannot be stored: NUL characters, lone surrogates, NaN and infinity."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except (ValueError, RecursionError):
        raise ValueError(
            "expected text and finite numbers, found something that cannot be stored"
        ) from None
    if "\\u0000" in text:
        raise ValueError("expected text without NUL characters")
    return value


Line = Annotated[str, AfterValidator(_storable), Field(max_length=1000)]
Table = Annotated[dict[str, Any], AfterValidator(_storable)]


class Model(BaseModel):
    """What all models share: attributes of our dataclasses fill them, unknown fields are refused."""

    model_config = ConfigDict(from_attributes=True, extra="forbid")


class Problem(Model):
    """What went wrong."""

    detail: str | list[dict[str, Any]]


class Status(Model):
    """The server and who is asking."""

    version: str
    account: str
    at: datetime
    campaigns: int


class Progress(Model):
    """Answers wanted and given."""

    items: int
    retired: int
    wanted: int
    submitted: int
    accepted: int
    rejected: int
    undecided: int
    open: int
    skipped: int
    expired: int
    share: float | None


class Costs(Model):
    """Money in cents, fees included in spent, reserved and at_completion."""

    spent: int
    reserved: int
    at_completion: int
    budget: int
    earned: int
    fees: int
    paid: int


class Campaign(Model):
    """A campaign and its settings."""

    slug: str
    state: State
    created_at: datetime
    settings: dict[str, Any]


class CampaignDetail(Campaign):
    """A campaign with its progress and costs."""

    progress: Progress
    costs: Costs


class NewCampaign(Model):
    """A campaign to make; `settings` are those of a campaign file."""

    slug: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
    settings: Table


class CampaignChange(Model):
    """What may change in a campaign; what is left out stays."""

    state: State | None = None
    budget_cents: Annotated[int, Field(ge=0, le=1_000_000_000)] | None = None


class Item(Model):
    """An item."""

    public_id: str
    key: str
    kind: str
    content: dict[str, Any]
    control: str | None
    state: str


class NewItem(Model):
    """An item to add."""

    key: Annotated[Line, Field(min_length=1, max_length=200)]
    kind: Line | None = None
    content: Table = Field(default_factory=dict)
    control: Literal["gold", "degraded", "repeated"] | None = None
    expected: Table | None = None
    wanted: dict[Literal["1", "2"], Annotated[int, Field(ge=0, le=1_000_000)]] | None = None


class Items(Model):
    """Items of one page, and how many there are in all."""

    total: int
    rows: list[Item]


class Submission(Model):
    """An answer; `worker` and `item` are public ids."""

    public_id: str
    worker: str
    item: str
    item_key: str
    control: str | None
    tier: int
    text: str
    language: str
    comment: str
    data: dict[str, Any]
    seconds: float | None
    submitted_at: datetime
    decision: Literal["accept", "reject", "pending"]
    reason: str


class Submissions(Model):
    """Answers of one page, the latest first, and how many there are in all."""

    total: int
    rows: list[Submission]


class NewReview(Model):
    """A decision on an answer; a rejection needs a reason."""

    decision: Decision
    reason: Line = ""


class WorkerRow(Model):
    """A worker in a campaign."""

    worker: str
    source: str
    answers: int
    tier: int
    state: str
    refused: bool


class Workers(Model):
    """Workers of one page, the most active first, and how many there are in all."""

    total: int
    rows: list[WorkerRow]


class NewDecision(Model):
    """A decision about a worker, here or in all campaigns; `grant` is for tier 2."""

    decision: Literal["grant", "refuse", "warn", "block", "unblock"]
    reason: Annotated[Line, Field(min_length=1)]
    everywhere: bool = False


class Standing(Model):
    """Where a worker stands."""

    worker: str
    tier: int
    state: str
    refused: bool
