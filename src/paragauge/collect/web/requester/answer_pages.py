"""All answers of a campaign: search, accepting and rejecting many at once, and undoing it."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.accounts import Account
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.paging import PageRange
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import reviews, submissions
from paragauge.collect.tasks.submissions import Submission
from paragauge.collect.web.http.forms import Form, PostedForm, clean
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester.answers_view import AnswerRow, answer_rows
from paragauge.collect.web.requester.desk_frame import (
    DeskCampaign,
    ListPage,
    Requester,
    redirect_with_notice,
    render_desk,
    safe_path,
)
from paragauge.errors import ParagaugeError

router = APIRouter()
DECISIONS = (("", "all"), ("pending", "to review"), ("accept", "accepted"), ("reject", "rejected"))
TIERS = (("", "both"), ("1", "1"), ("2", "2"))
HINTS = (("", "with or without"), ("any", "with a hint"), ("warning", "with a warning"))
BY = (("", "anybody"), ("me", "me, the latest first"))
STEPS = ("accept", "reject", "accept-page", "reject-page", "undo")
# Hints are computed, not stored: with a filter for them, this many of the latest answers are looked at.
HINTED = 1000
LONGEST = 200


@dataclass(frozen=True)
class AnswerSearch:
    """What a list of answers shows: filters as they stand in its URL."""

    decision: str = ""
    tier: str = ""
    hint: str = ""
    by: str = ""
    worker: str = ""
    item: str = ""
    words: str = ""

    @classmethod
    def from_query(cls, query: dict[str, str]) -> AnswerSearch:
        """The search in a URL; unknown values count as none.

        >>> AnswerSearch.from_query({"tier": "3", "item": " clip1 "}).item
        'clip1'
        """
        known = {"decision": DECISIONS, "tier": TIERS, "hint": HINTS, "by": BY}
        chosen = {
            name: value if (value := query.get(name, "")) in dict(options) else ""
            for name, options in known.items()
        }
        typed = {name: clean(query.get(name, ""))[:LONGEST] for name in ("worker", "item", "words")}
        return cls(**chosen, **typed)


@dataclass
class BulkState:
    """What was chosen and typed when a form could not be done, so that the page keeps it."""

    ticked: frozenset[str] = frozenset()
    reason: str = ""
    problems: list[str] = field(default_factory=list)


@router.get("/desk/c/{slug}/answers")
def answer_list(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """The answers."""
    query = dict(request.query_params)
    mark = query.get("mark", "")
    count = int(mark) if mark.isascii() and mark.isdigit() and len(mark) < 5 else 0
    return _show_list(request, me, campaign, query, mark=count)


@router.post("/desk/c/{slug}/answers")
def decide(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Accept or reject those that are chosen or that the page showed, or undo the latest decision.

    Each answer is decided on its own: what cannot be done is named and stays chosen.
    """
    step = form.text("do")
    if step not in STEPS:
        raise HTTPException(400)
    back = safe_path(form.text("back"), f"/desk/c/{campaign.slug}/answers")
    chosen = list(dict.fromkeys(form.all("shown" if step.endswith("-page") else "submission")))
    state = BulkState(frozenset(chosen), form.text("reason")[:1000])
    store, decision = get_store(request), step.removesuffix("-page")
    selected = _find_all(store, campaign, chosen)
    if not chosen:
        state.problems.append("Choose at least one answer first.")
    elif decision == "reject" and not state.reason:
        state.problems.append("Give a reason: the worker sees it.")
    if state.problems:
        return _show_list(request, me, campaign, _read_query(form), state)
    changed, paid, failed = 0, 0, {}
    for submission in selected:
        try:
            if reviews.was_decided(store, submission, form.key):
                changed += 1  # The same form, sent twice.
            elif decision == "undo":
                last = reviews.read_last_review(store, submission)
                changed += last is not None and reviews.undo(
                    store, submission, me.name, last, key=form.key
                )
            elif submission.decision != decision:
                paid += reviews.decide(store, submission, decision, me.name, state.reason, key=form.key)
                changed += 1
        except ParagaugeError as error:
            failed[submission.public_id] = f"{submission.item_key}: {error}"
    if failed:
        state.ticked = frozenset(failed)
        state.problems = [f"{changed} of {len(chosen)} done. Not done, and still chosen:"]
        state.problems += list(dict.fromkeys(failed.values()))[:10]
        return _show_list(request, me, campaign, _read_query(form), state)
    if decision == "undo":
        return redirect_with_notice(back, "undone", changed)
    return redirect_with_notice(back, "rejected-paid" if paid else f"{decision}ed", changed)


def _find_all(store: Store, campaign: Campaign, chosen: list[str]) -> list[Submission]:
    selected = []
    for public_id in chosen:
        submission = submissions.get(store, public_id)
        if submission is None or submission.campaign_id != campaign.id:
            raise HTTPException(404)
        selected.append(submission)
    return selected


def _read_query(form: Form) -> dict[str, str]:
    """The filters of the page that a form was on; on a worker's or an item's page, of that one."""
    parts = urlsplit(safe_path(form.text("back"), ""))
    query = dict(parse_qsl(parts.query))
    pieces = parts.path.split("/")
    if len(pieces) == 6 and pieces[4] == "workers":
        query["worker"] = pieces[5]
    if form.text("item"):
        query["item"] = form.text("item")
    return query


def _show_list(
    request: Request,
    me: Account,
    campaign: Campaign,
    query: dict[str, str],
    state: BulkState | None = None,
    mark: int = 0,
) -> Response:
    store, search = get_store(request), AnswerSearch.from_query(query)
    base = f"/desk/c/{campaign.slug}/answers"
    page = ListPage.from_query(base, query)
    rows, total = _search(store, campaign, search, page, me)
    state = state or BulkState(frozenset(row.answer.public_id for row in rows[:mark]))
    page = page.with_total(total)
    return render_desk(
        request,
        me,
        "submissions.html",
        400 if state.problems else 200,
        campaign=campaign,
        tab="answers",
        problem="\n".join(state.problems),
        submissions=rows,
        page=page,
        worker=None,
        filters=(
            ("decision", "Decision", DECISIONS),
            ("tier", "Tier", TIERS),
            ("hint", "Hints", HINTS),
            ("by", "Decided by", BY),
        ),
        searches=(("worker", "Worker"), ("item", "Item"), ("words", "Words")),
        chosen=search.__dict__,
        hinted=HINTED if search.hint else 0,
        ticked=state.ticked,
        reason=state.reason,
        back=page.link(page.number),
    )


def _search(
    store: Store, campaign: Campaign, search: AnswerSearch, page: ListPage, me: Account
) -> tuple[list[AnswerRow], int]:
    """One page of answers, and how many there are."""
    part = PageRange(0, HINTED) if search.hint else page.part
    answers, total = paged_lists.list_answers(
        store,
        campaign,
        part,
        worker=search.worker,
        tier=int(search.tier) if search.tier else None,
        decision=search.decision,
        item=search.item,
        words=search.words,
        decided_by=me.name if search.by == "me" else "",
    )
    rows = answer_rows(store, campaign, answers)
    if not search.hint:
        return rows, total
    levels = {"warning"} if search.hint == "warning" else {"warning", "note"}
    rows = [row for row in rows if any(hint.level in levels for hint in row.hints)]
    return rows[page.part.offset : page.part.offset + page.part.limit], len(rows)
