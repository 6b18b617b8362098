"""Judgments of a campaign as an evaluation set: the table that `paragauge meta` and `agree` read.

A row is one judge's view of one candidate: segment (the item's key), system, judge, a column for each
criterion (`rank`, 1 is best, if candidates were ranked), source, candidate and references; of a
ranking also `task`, which says what was ranked together. Control items, control candidates and
rejected answers are left out; `blocked` workers' judgments can be left out, as Weese, Ganitkevitch
and Callison-Burch (2014), section 6, leave out workers who fail controls.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paragauge.collect.campaigns import memberships
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.controls import is_control
from paragauge.collect.campaigns.items import Item, all_items
from paragauge.collect.corpus.campaign_answers import CampaignAnswers
from paragauge.collect.people import workers
from paragauge.collect.tasks.submissions import Submission
from paragauge.errors import SettingError
from paragauge.text.table_writers import write_rows


def write_judgments(collected: CampaignAnswers, path: str | Path, *, blocked: bool = True) -> int:
    """Write the evaluation set; returns the number of its rows.

    Without `blocked`, judgments of workers who are blocked now are left out.
    """
    campaign = collected.campaign
    names = list_criterion_names(campaign)
    campaign_items = all_items(collected.store, campaign, controls=False)
    kinds: dict[str, type] = {"segment": str, "system": str, "judge": str}
    kinds |= {"task": str} if campaign.settings.ranking else {}
    kinds |= dict.fromkeys(names, int) | {"source": str, "candidate": str}
    most = max((len(item.content.get("references", [])) for item in campaign_items), default=0)
    kinds |= {"reference": list} if most else {}
    table = (
        {name: row.get(name) for name in kinds}
        for row in read_judgment_rows(collected, blocked=blocked)
    )
    return write_rows(table, path, kinds, {"reference": most})


def list_criterion_names(campaign: Campaign) -> list[str]:
    """What candidates are judged by: the names of criteria, or `rank`."""
    settings = campaign.settings
    if settings.kind != "judge":
        raise SettingError(
            f"campaign {campaign.slug} is a task of kind '{settings.kind}'; expected judge"
        )
    names = ["rank"] if settings.ranking else [criterion.name for criterion in settings.criteria]
    _check_names(names)
    return names


def read_judgment_rows(collected: CampaignAnswers, *, blocked: bool) -> Iterator[dict[str, Any]]:
    """A row for each judge and candidate (`split_by_candidate`), of all answers that count."""
    campaign_items = all_items(collected.store, collected.campaign, controls=False)
    items_by_id = {item.id: item for item in campaign_items}
    for answer in collected.submissions():
        if blocked or not _is_blocked(collected, answer):
            yield from split_by_candidate(answer, items_by_id[answer.item_id])


def split_by_candidate(answer: Submission, item: Item) -> Iterator[dict[str, Any]]:
    """A row for each candidate that was judged, controls left out."""
    values = answer.data.get("judgments")
    if values is None:
        values = {name: {"rank": place} for name, place in answer.data.get("ranking", {}).items()}
    content = item.content
    for index, candidate in enumerate(content["candidates"]):
        if is_control(candidate) or str(index) not in values:
            continue
        yield {
            "segment": item.key,
            "system": candidate.get("system") or f"candidate {index + 1}",
            "judge": answer.worker_public_id,
            "task": answer.public_id,
            **values[str(index)],
            "source": content["source"],
            "candidate": candidate["text"],
            "reference": content.get("references", []),
        }


def _check_names(criteria: list[str]) -> None:
    columns = {"segment", "system", "judge", "task", "source", "candidate", "reference"}
    for name in criteria:
        if name in columns:
            raise SettingError(
                f"criterion '{name}' has the name of a column of evaluation sets; rename it"
            )


def _is_blocked(collected: CampaignAnswers, answer: Submission) -> bool:
    worker = workers.get_by_id(collected.store, answer.worker_id)
    return (
        worker is not None
        and memberships.get_standing(collected.store, collected.campaign, worker).state == "blocked"
    )
