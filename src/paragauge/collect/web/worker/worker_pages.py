"""Pages for workers before they work: campaigns, joining, invitations, signing in by key.

A worker needs no name and no password. Joining creates a key, shown once, that opens the same account
in another browser; the store has only its hash.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import access, campaigns, invitations
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.consent import has_agreed, record_consent
from paragauge.collect.people import workers
from paragauge.collect.people.workers import Person, Worker
from paragauge.collect.statistics.worker_record import find_first_item_kind
from paragauge.collect.store.idempotency import derive_secret
from paragauge.collect.store.store import Store
from paragauge.collect.web.http.forms import Form, PostedForm
from paragauge.collect.web.http.identity import (
    SignedInWorker,
    TheStore,
    Visitor,
    count_attempt,
    count_joining,
    get_store,
    sign_in,
    sign_out,
)
from paragauge.collect.web.http.page_templates import redirect_to, render_page
from paragauge.collect.web.http.security import get_cookie, set_cookie
from paragauge.collect.web.worker import (
    account_pages,
    check_pages,
    panel_pages,
    task_pages,
    typing_pages,
)
from paragauge.collect.web.worker.consent_view import find_missing_consent, read_version
from paragauge.collect.web.worker.task_guides import choose_guide
from paragauge.collect.web.worker.task_kinds import as_sentence
from paragauge.errors import AnswerError, RefusedError

router = APIRouter()
NOT_OPEN = "This campaign is by invitation. Please use the link you were sent."
NO_INVITATION = "This invitation is used up, expired or withdrawn. Please ask for another."
KEY_SECONDS = 24 * 3600
NO_KEY = "There is no such key. Please check it, or join again."


@router.get("/")
def landing(request: Request, store: TheStore, worker: Visitor) -> Response:
    """The campaigns one can take part in."""
    mine = access.find_joined_campaigns(store, worker) if worker else frozenset()
    open_campaigns = [
        campaign
        for campaign in campaigns.all_campaigns(store)
        if campaign.state == "active" and (campaign.settings.open_registration or campaign.id in mine)
    ]
    return render_page(request, "worker/landing.html", worker=worker, campaigns=open_campaigns)


@router.get("/c/{slug}")
def campaign_page(request: Request, slug: str, store: TheStore, worker: Visitor) -> Response:
    """What the campaign asks for, and the way in."""
    campaign = find_campaign(store, slug)
    if not access.may_enter(store, campaign, worker):
        raise HTTPException(403, NOT_OPEN)
    return render_campaign(request, campaign, worker, f"/c/{slug}/join")


@router.post("/c/{slug}/join")
def join(request: Request, slug: str, store: TheStore, worker: Visitor, form: PostedForm) -> Response:
    """Join an open campaign."""
    campaign = find_campaign(store, slug)
    if not access.may_enter(store, campaign, worker):
        raise HTTPException(403, NOT_OPEN)
    action = f"/c/{slug}/join"
    try:
        version = read_version(form, campaign)
        if worker is not None:
            record_consent(store, campaign, worker, version)
            return task_pages.go_to_next(store, campaign, worker)
        person = _read_person(form)
        count_joining(request)
        new_worker, key = workers.register(store, "link", person, key=form.key)
    except AnswerError as error:
        problems = {error.field: as_sentence(error)}
        return render_campaign(request, campaign, worker, action, form, problems)
    access.admit(store, [campaign], new_worker)
    record_consent(store, campaign, new_worker, version)
    return _show_key(request, new_worker, key, campaign)


@router.get("/join/{token}")
def invitation_page(request: Request, token: str, store: TheStore, worker: Visitor) -> Response:
    """The page an invitation's link opens."""
    invitation = invitations.find(store, token)
    invited_to = access.find_invited_campaigns(store, invitation) if invitation else []
    if not invited_to:
        raise HTTPException(404, NO_INVITATION)
    return render_campaign(request, invited_to[0], worker, f"/join/{token}", invited=True)


@router.post("/join/{token}")
def accept(
    request: Request, token: str, store: TheStore, worker: Visitor, form: PostedForm
) -> Response:
    """Accept an invitation, as a new worker or as one who is signed in."""
    invitation = invitations.find(store, token)
    invited_to = access.find_invited_campaigns(store, invitation) if invitation else []
    if not invited_to:
        # The last place may have been taken by this very form, sent twice.
        if worker is None and (repeated := _find_repeated(store, form)) is not None:
            return _show_key(request, *repeated)
        raise HTTPException(404, NO_INVITATION)
    campaign = invited_to[0]
    try:
        if worker is not None:
            if not has_agreed(store, campaign, worker):
                record_consent(store, campaign, worker, read_version(form, campaign))
            invitations.accept_as(store, token, worker)
            access.admit(store, invited_to, worker)
            return redirect_to(f"/c/{campaign.slug}")
        version = read_version(form, campaign)
        person = _read_person(form)
        count_joining(request)
        new_worker, key = invitations.accept(store, token, person, key=form.key)
    except AnswerError as error:
        problems = {error.field: as_sentence(error)}
        return render_campaign(
            request, campaign, worker, f"/join/{token}", form, problems, invited=True
        )
    except RefusedError:
        raise HTTPException(404, NO_INVITATION) from None
    access.admit(store, invited_to, new_worker)
    record_consent(store, campaign, new_worker, version)
    return _show_key(request, new_worker, key, campaign)


@router.get("/c/{slug}/key")
def key_page(request: Request, slug: str, store: TheStore, worker: SignedInWorker) -> Response:
    """The key of somebody new, for as long as this browser remembers it."""
    campaign, key = find_campaign(store, slug), get_cookie(request, task_pages.KEY_COOKIE)
    owner = workers.find_by_key(store, key) if key else None
    if owner is None or owner.id != worker.id:
        return redirect_to(f"/c/{slug}")
    return render_page(request, "worker/key.html", worker=worker, key=key, campaign=campaign)


@router.get("/sign-in")
def sign_in_page(request: Request, worker: Visitor) -> Response:
    """The page where a returning worker enters their key."""
    return render_page(request, "worker/sign_in.html", worker=worker, problem="")


@router.post("/sign-in")
def sign_in_by_key(request: Request, store: TheStore, form: PostedForm) -> Response:
    """Sign in by key."""
    count_attempt(request)
    worker = workers.find_by_key(store, form.text("key"))
    if worker is None:
        return render_page(request, "worker/sign_in.html", 400, worker=None, problem=NO_KEY)
    response = redirect_to("/")
    sign_in(request, response, worker)
    return response


@router.post("/sign-out")
def sign_out_worker(request: Request) -> Response:
    """Sign out."""
    response = redirect_to("/")
    sign_out(request, response, "worker")
    return response


def find_campaign(store: Store, slug: str) -> Campaign:
    """The campaign of that name, or a 404 page."""
    campaign = campaigns.get(store, slug) if slug.isascii() and slug.isprintable() else None
    if campaign is None:
        raise HTTPException(404)
    return campaign


def _read_person(form: Form) -> Person:
    email = form.text("email")
    if email and ("@" not in email.strip("@") or any(letter.isspace() for letter in email)):
        raise AnswerError("email", "this is not an e-mail address; you may also leave it empty")
    return Person(email=email or None)


def render_campaign(
    request: Request,
    campaign: Campaign,
    worker: Worker | None,
    action: str,
    form: Form | None = None,
    problems: dict[str, str] | None = None,
    *,
    invited: bool = False,
    preview: str = "",
) -> Response:
    """The campaign's page, with the form to join or agree, or the button to start.

    `preview` is the requester's page that a preview leads back to.
    """
    store = get_store(request)
    return render_page(
        request,
        "worker/campaign.html",
        400 if problems else 200,
        worker=worker,
        campaign=campaign,
        guide=choose_guide(campaign.settings, find_first_item_kind(store, campaign)),
        consent=find_missing_consent(store, campaign, worker),
        action=action,
        invited=invited,
        preview=preview,
        values=form.typed_values() if form else {},
        problems=problems or {},
    )


def _show_key(request: Request, worker: Worker, key: str, campaign: Campaign) -> Response:
    """Sign in and redirect to the page with the key, which can be loaded again."""
    response = redirect_to(f"/c/{campaign.slug}/key")
    sign_in(request, response, worker)
    set_cookie(request, response, task_pages.KEY_COOKIE, key, KEY_SECONDS)
    return response


def _find_repeated(store: Store, form: Form) -> tuple[Worker, str, Campaign] | None:
    """Who this very form has registered before, their key, and a campaign of theirs."""
    secret = derive_secret("worker", form.key)
    worker = workers.find_by_key(store, secret) if form.key else None
    if worker is None:
        return None
    joined = access.find_joined_campaigns(store, worker)
    for campaign in campaigns.all_campaigns(store):
        if campaign.id in joined:
            return worker, secret, campaign
    return None


for pages in (task_pages, panel_pages, check_pages, account_pages, typing_pages):
    router.include_router(pages.router)
