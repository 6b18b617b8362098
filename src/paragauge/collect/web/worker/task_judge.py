"""Judge: a source and candidates, in the blind order that the assignment recorded.

Fields are named by the position of a candidate on the page, so that neither the page nor its form
reveals which system a candidate is from; the order of the assignment maps positions to candidates.
Scales as in Liu et al. (2010), adequacy, fluency, dissimilarity and overall from 1 to 5; as in Chen and
Dolan (2011), 1 to 4; or a five-way ranking: all are settings of the campaign.
"""

from __future__ import annotations

from typing import Any

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.tasks.answers import Answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.web.http.forms import Form

# A scale with more steps is a list to choose from.
MOST_STEPS = 11


def values(assignment: Assignment, settings: CampaignSettings) -> dict[str, Any]:
    """Source, candidates as shown, and scales."""
    content = assignment.item.content
    texts = [str(content["candidates"][index]["text"]) for index in assignment.order]
    scales = [
        {
            "name": f"c{number}",
            "criterion": criterion,
            "steps": list(range(criterion.low, criterion.high + 1)),
            "ends": () if criterion.labels else ("lowest", "highest"),
            "long": criterion.high - criterion.low >= MOST_STEPS,
        }
        for number, criterion in enumerate(settings.criteria)
    ]
    places = list(range(1, len(texts) + 1)) if settings.ranking else []
    return {"source": content["source"], "candidates": texts, "scales": scales, "places": places}


def read(
    form: Form, assignment: Assignment, settings: CampaignSettings
) -> tuple[Answer, dict[str, str]]:
    """A value for each candidate and criterion, or a place for each candidate."""
    comment = form.text("comment")
    if settings.ranking:
        data, problems = _ranking(form, assignment, settings)
    else:
        data, problems = _ratings(form, assignment, settings)
    return Answer(comment=comment, data=data), problems


def _ratings(
    form: Form, assignment: Assignment, settings: CampaignSettings
) -> tuple[dict[str, Any], dict[str, str]]:
    problems = {}
    ratings: dict[str, dict[str, int]] = {}
    for place, candidate in enumerate(assignment.order):
        for number, criterion in enumerate(settings.criteria):
            name = f"p{place}-c{number}"
            value = form.whole(name)
            if value is None or not criterion.low <= value <= criterion.high:
                problems[name] = "Please choose one."
            else:
                ratings.setdefault(str(candidate), {})[criterion.name] = value
    return {"judgments": ratings}, problems


def _ranking(
    form: Form, assignment: Assignment, settings: CampaignSettings
) -> tuple[dict[str, Any], dict[str, str]]:
    problems = {}
    ranking: dict[str, int] = {}
    first_places: dict[int, int] = {}
    for place, candidate in enumerate(assignment.order):
        name = f"p{place}-rank"
        value = form.whole(name)
        if value is None or not 1 <= value <= len(assignment.order):
            problems[name] = "Please choose a place."
            continue
        if value in first_places and not settings.ranking_ties:
            problems[name] = f"Sentence {first_places[value] + 1} already has this place."
        first_places.setdefault(value, place)
        ranking[str(candidate)] = value
    return {"ranking": ranking}, problems
