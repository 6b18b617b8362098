"""Participants whom a panel sends: the way in by the panel's link, and the way back.

The panel's link names the participant and is not signed, so it proves nothing: whoever knows an id can
do tasks under it, and sees no earnings. A link alone changes nothing either: the participant agrees to
the text first, by a form of ours. Only who has done enough sees the completion code.
"""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import access, campaigns, memberships
from paragauge.collect.campaigns.campaign_settings import PanelSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.consent import has_agreed, record_consent
from paragauge.collect.campaigns.panel_settings import PanelVisit, fill_url, read_visit
from paragauge.collect.people import workers
from paragauge.collect.people.workers import Person, Worker
from paragauge.collect.statistics.worker_record import find_first_item_kind
from paragauge.collect.store.store import Store
from paragauge.collect.tasks.tasks_left import count_answers, has_more
from paragauge.collect.web.http.forms import Form, PostedForm
from paragauge.collect.web.http.identity import (
    SignedInWorker,
    TheStore,
    count_joining,
    get_store,
    sign_in,
)
from paragauge.collect.web.http.page_templates import redirect_to, render_page
from paragauge.collect.web.worker import task_pages
from paragauge.collect.web.worker.consent_view import read_version, view_consent
from paragauge.collect.web.worker.task_guides import choose_guide
from paragauge.collect.web.worker.task_kinds import as_sentence
from paragauge.errors import AnswerError, RefusedError

router = APIRouter()
NO_PARTICIPANT = (
    "This link does not say who you are. Please open the study from the panel again; if that does not "
    "help, tell the researcher."
)


@router.get("/c/{slug}/panel")
def arrive(request: Request, slug: str, store: TheStore) -> Response:
    """What the campaign asks for, and the text to agree to, for a participant of the panel."""
    campaign, panel = _find_campaign(store, slug)
    visit = _read_visit(request, panel)
    return _render(request, campaign, panel, visit)


@router.post("/c/{slug}/panel")
def take_part(request: Request, slug: str, store: TheStore, form: PostedForm) -> Response:
    """Agree, and begin or go on."""
    campaign, panel = _find_campaign(store, slug)
    visit = _read_visit(request, panel)
    try:
        version = read_version(form, campaign)
    except AnswerError as error:
        problems = {error.field: as_sentence(error)}
        return _render(request, campaign, panel, visit, form, problems)
    known = {"panel": {campaign.slug: {"study": visit.study, "session": visit.session}}}
    worker = workers.find_by_external_id(store, _external_id(panel, visit))
    if worker is None:
        count_joining(request)
        worker = _register(store, panel, visit, form)
    person = workers.get_person(store, worker)
    before = (person.details if person else {}).get("panel", {})
    workers.record_details(store, worker, {"panel": before | known["panel"]})
    access.admit(store, [campaign], worker)
    record_consent(store, campaign, worker, version)
    response = task_pages.go_to_next(store, campaign, worker)
    sign_in(request, response, worker)
    return response


@router.get("/c/{slug}/panel/end")
def end(request: Request, slug: str, store: TheStore, worker: SignedInWorker) -> Response:
    """The completion code or the link back, the link for the screened out, or what to do instead."""
    campaign, panel = _find_campaign(store, slug)
    if worker.source != task_pages.PANEL or not has_agreed(store, campaign, worker):
        raise HTTPException(404)
    standing = memberships.get_standing(store, campaign, worker)
    answered = count_answers(store, standing)
    tries = campaign.settings.comprehension_tries
    state = "return"
    if not standing.passed_check:
        if standing.check_tries < tries:
            return redirect_to(f"/c/{slug}/check")
        state = "screened-out"
    elif answered >= panel.tasks:
        state = "done"
    elif has_more(store, standing):
        state = "more"
    elif answered:
        state = "done"
    visit = _find_visit(store, campaign, panel, worker)
    url = {"done": panel.complete_url, "screened-out": panel.screen_out_url}.get(state, "")
    return render_page(
        request,
        "worker/panel_end.html",
        worker=worker,
        campaign=campaign,
        state=state,
        url=fill_url(url, visit) if url else "",
        code=panel.code if state == "done" else "",
        answered=answered,
        left=panel.tasks - answered,
    )


def _find_campaign(store: Store, slug: str) -> tuple[Campaign, PanelSettings]:
    campaign = campaigns.get(store, slug) if slug.isascii() and slug.isprintable() else None
    if campaign is None or campaign.settings.panel is None:
        raise HTTPException(404)
    return campaign, campaign.settings.panel


def _read_visit(request: Request, panel: PanelSettings) -> PanelVisit:
    visit = read_visit(panel.names, dict(request.query_params))
    if visit is None:
        raise HTTPException(400, NO_PARTICIPANT)
    return visit


def _external_id(panel: PanelSettings, visit: PanelVisit) -> str:
    """The participant's id, with the name of its parameter, so that two panels do not collide."""
    return f"{panel.participant}:{visit.participant}"


def _register(store: Store, panel: PanelSettings, visit: PanelVisit, form: Form) -> Worker:
    external_id = _external_id(panel, visit)
    try:
        person = Person(external_id=external_id)
        return workers.register(store, task_pages.PANEL, person, key=form.key)[0]
    except RefusedError:
        # The same participant in another tab, at the same moment.
        worker = workers.find_by_external_id(store, external_id)
        if worker is None:
            raise
        return worker


def _find_visit(store: Store, campaign: Campaign, panel: PanelSettings, worker: Worker) -> PanelVisit:
    """The ids of the participant's latest visit to the campaign."""
    person = workers.get_person(store, worker) or Person()
    visited = person.details.get("panel", {}).get(campaign.slug, {})
    participant = (person.external_id or "").removeprefix(f"{panel.participant}:")
    return PanelVisit(participant, visited.get("study", ""), visited.get("session", ""))


def _render(
    request: Request,
    campaign: Campaign,
    panel: PanelSettings,
    visit: PanelVisit,
    form: Form | None = None,
    problems: dict[str, str] | None = None,
) -> Response:
    store = get_store(request)
    ids = {panel.names[name]: value for name, value in vars(visit).items() if value}
    return render_page(
        request,
        "worker/campaign.html",
        400 if problems else 200,
        worker=None,
        campaign=campaign,
        guide=choose_guide(campaign.settings, find_first_item_kind(store, campaign)),
        consent=view_consent(store, campaign),
        action=f"/c/{campaign.slug}/panel?{urlencode(ids)}",
        invited=False,
        preview="",
        values=form.typed_values() if form else {},
        problems=problems or {},
        from_panel=True,
    )
