"""Submissions and reviews in the JSON API."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.exceptions import HTTPException

from paragauge.collect.campaigns import campaigns
from paragauge.collect.statistics import listings
from paragauge.collect.store.paging import Slice
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import reviews, submissions
from paragauge.collect.web.api import models
from paragauge.collect.web.api.auth import Caller, Id, Named, Part, said
from paragauge.collect.web.http.identity import TheStore

router = APIRouter()
Decided = Literal["accept", "reject", "pending"]


@router.get("/campaigns/{slug}/submissions", tags=["submissions"])
def list_submissions(
    store: TheStore,
    campaign: Named,
    part: Part,
    tier: Annotated[int | None, Query(ge=1, le=2)] = None,
    decision: Annotated[Decided | None, Query()] = None,
    worker: Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,64}$")] = "",
) -> models.Submissions:
    """Answers, the latest first; controls are among them and say so."""
    rows, total = listings.answers(
        store, campaign, part, worker=worker, tier=tier, decision=decision or ""
    )
    return models.Submissions(total=total, rows=[_shown(row) for row in rows])


@router.get("/submissions/{public_id}", tags=["submissions"])
def read_submission(store: TheStore, caller: Caller, public_id: Id) -> models.Submission:
    """One answer."""
    del caller
    return _one(store, public_id)


@router.post("/submissions/{public_id}/reviews", status_code=201, tags=["reviews"])
def review_submission(
    store: TheStore, caller: Caller, public_id: Id, new: models.NewReview
) -> models.Submission:
    """Accept or reject an answer; the latest decision counts, all are kept."""
    found = submissions.get(store, public_id)
    if found is None:
        raise HTTPException(404, "There is no such submission.")
    if new.decision == "reject" and not new.reason.strip():
        raise HTTPException(422, "A rejection needs a reason: the worker sees it.")
    with said():
        reviews.decide(store, found, new.decision, caller.name, new.reason)
    return _one(store, public_id)


def _one(store: Store, public_id: str) -> models.Submission:
    found = submissions.get(store, public_id)
    if found is None:
        raise HTTPException(404, "There is no such submission.")
    campaign = campaigns.by_id(store, found.campaign_id)
    [row], _ = listings.answers(store, campaign, Slice(0, 1), chosen=[public_id])
    return _shown(row)


def _shown(row: listings.Listed) -> models.Submission:
    return models.Submission.model_validate(row)
