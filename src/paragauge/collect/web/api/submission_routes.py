"""Submissions and reviews in the JSON API."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.exceptions import HTTPException

from paragauge.collect.campaigns import campaigns
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.paging import PageRange
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import reviews, submissions
from paragauge.collect.web.api import models
from paragauge.collect.web.api.auth import ApiCampaign, ApiPage, Caller, Id, api_errors
from paragauge.collect.web.http.identity import TheStore

router = APIRouter()
DecisionFilter = Literal["accept", "reject", "pending"]


@router.get("/campaigns/{slug}/submissions", tags=["submissions"])
def list_submissions(
    store: TheStore,
    campaign: ApiCampaign,
    part: ApiPage,
    tier: Annotated[int | None, Query(ge=1, le=2)] = None,
    decision: Annotated[DecisionFilter | None, Query()] = None,
    worker: Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,64}$")] = "",
) -> models.Submissions:
    """Answers, the latest first; controls are among them and say so."""
    rows, total = paged_lists.list_answers(
        store, campaign, part, worker=worker, tier=tier, decision=decision or ""
    )
    return models.Submissions(total=total, rows=[_as_model(row) for row in rows])


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
    submission = submissions.get(store, public_id)
    if submission is None:
        raise HTTPException(404, "There is no such submission.")
    if new.decision == "reject" and not new.reason.strip():
        raise HTTPException(422, "A rejection needs a reason: the worker sees it.")
    with api_errors():
        reviews.decide(store, submission, new.decision, caller.name, new.reason)
    return _one(store, public_id)


def _one(store: Store, public_id: str) -> models.Submission:
    submission = submissions.get(store, public_id)
    if submission is None:
        raise HTTPException(404, "There is no such submission.")
    campaign = campaigns.get_by_id(store, submission.campaign_id)
    [row], _ = paged_lists.list_answers(store, campaign, PageRange(0, 1), chosen=[public_id])
    return _as_model(row)


def _as_model(row: paged_lists.ListedAnswer) -> models.Submission:
    return models.Submission.model_validate(row)
