"""The form with all settings of a campaign: its fields as text, and the settings in what was typed.

One form creates, edits and clones campaigns. Lists are fields with one entry per line; tables (bad
examples, questions, scales) are rows of fields `bad-0-text`, `bad-0-reason` and so on, of which empty
ones are left out. What has no field (the seed) keeps its value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from paragauge.collect.campaigns.amounts import parse_cents
from paragauge.collect.campaigns.campaign_settings import (
    WRITTEN,
    CampaignSettings,
    ControlRules,
    PanelSettings,
)
from paragauge.collect.web.http.forms import Form, clean
from paragauge.errors import SettingError

KINDS = (
    ("describe", "Watch and describe", "Workers watch a clip or look at a picture and describe it."),
    ("paraphrase", "Say it in other words", "Workers read a sentence and write another one for it."),
    ("judge", "Judge candidates", "Workers rate or rank sentences that were made from a source."),
    ("suggest", "Suggest a video", "Workers send a link with start and end, for other campaigns."),
    ("survey", "Answer a survey", "Workers answer questions of yours."),
)
# The tasks of Chen and Dolan (2011): 1 and 5 cents.
USUAL = {"pay1": "1", "wanted1": "5", "pay2": "5", "wanted2": "5", "budget": "100", "fee": "0"}
# Judging on the scales of Liu, Dahlmeier and Ng (2010).
SCALES = [
    {"name": "adequacy", "question": "Does the candidate mean the same as the source?"},
    {"name": "fluency", "question": "Is the candidate fluent?"},
    {"name": "dissimilarity", "question": "How much does its wording differ from the source?"},
    {"name": "overall", "question": "How good a paraphrase is it, all in all?"},
]
SURVEY = [{"name": "comments", "question": "What should we know about these tasks?", "required": True}]
# Tables of the form: the setting, and its columns as fields.
TABLES = {
    "bad": ("bad_examples", ("text", "reason")),
    "scale": ("criteria", ("name", "question", "low", "high", "labels")),
    "ask": ("comprehension", ("question", "options", "right", "feedback")),
    "question": ("survey", ("name", "question", "options", "required")),
}
LISTED = frozenset({"options", "labels"})
MOST_ROWS = 200
TEXTS = ("title", "instructions", "consent", "contact", "main_language")
LISTS = ("good_examples", "languages")
NUMBERS = (
    "expires_minutes",
    "correct_minutes",
    "accept_after_days",
    "max_length",
    "comprehension_tries",
)
TICKS = (
    "both_tiers",
    "open_registration",
    "auto_accept",
    "one_sentence",
    "ranking",
    "ranking_ties",
)
# Fields of a panel: those that are text, and the number of tasks.
PANEL = ("participant", "study", "session", "complete_url", "code", "screen_out_url")
CONTROLS = ("every", "warn_after", "block_after", "tolerance")
# What judgments and survey answers refer to: fixed once there are answers.
FIXED = ("criteria", "ranking", "ranking_ties", "survey")
NAMES = {
    "pay1": "pay in cents",
    "pay2": "pay in cents",
    "wanted1": "answers per item",
    "wanted2": "answers per item",
    "fee": "the fee in percent",
    "expires_minutes": "minutes for a task",
    "correct_minutes": "minutes to correct an answer",
    "accept_after_days": "days until an answer is accepted",
    "max_length": "the longest answer",
    "comprehension_tries": "tries",
    "every": "one control in so many tasks",
    "warn_after": "failures until a warning",
    "block_after": "failures until a block",
    "tolerance": "the tolerance",
    "panel_tasks": "tasks until a participant is done",
}


def new_values(kind: str) -> dict[str, str]:
    """The fields of a new campaign."""
    settings: dict[str, Any] = {"kind": kind, "title": "?"}
    if kind == "judge":
        settings["criteria"] = SCALES
    if kind == "survey":
        settings["survey"] = SURVEY
    # Whoever pays invites: in an open campaign, a blocked worker can simply register again.
    values = settings_as_fields(CampaignSettings.from_json(settings | {"open_registration": False}))
    return values | USUAL | {"title": ""}


def settings_as_fields(settings: CampaignSettings) -> dict[str, str]:
    """All fields of the form, as they are typed.

    >>> fields = settings_as_fields(CampaignSettings(kind="describe", title="Birds"))
    >>> fields["title"], fields["wanted1"], fields["expires_minutes"], "auto_accept" in fields
    ('Birds', '1', '60', False)
    """
    plain = settings.to_json()
    fields = {name: plain[name] for name in TEXTS}
    fields |= {name: "\n".join(plain[name]) for name in LISTS}
    fields |= {name: str(plain[name]) for name in NUMBERS}
    fields |= {name: "yes" for name in TICKS if plain[name]}
    fields |= {"budget": f"{settings.budget_cents / 100:.2f}", "fee": str(settings.fee_percent)}
    for tier in (1, 2):
        each = settings.tiers.get(tier)
        fields[f"pay{tier}"] = str(each.pay_cents if each else 0)
        fields[f"wanted{tier}"] = str(each.per_item if each else 0)
    rules = settings.controls or ControlRules()
    fields |= {name: str(getattr(rules, name)) for name in CONTROLS}
    if settings.controls is not None:
        fields["controls"] = "yes"
    panel = settings.panel or PanelSettings()
    fields |= {f"panel_{name}": getattr(panel, name) for name in PANEL}
    fields["panel_tasks"] = str(panel.tasks)
    if settings.panel is not None:
        fields["panel"] = "yes"
    for table, (setting, columns) in TABLES.items():
        for number, row in enumerate(plain[setting]):
            for column in columns:
                value = row[column]
                if column in LISTED:
                    value = "\n".join(value)
                if column == "right":
                    value += 1
                if value is not False:
                    fields[f"{table}-{number}-{column}"] = "yes" if value is True else str(value)
    return fields


def settings_version(settings: CampaignSettings) -> str:
    """A digest of settings, by which a form knows whether they changed since it was opened."""
    text = json.dumps(settings.to_json(), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_fixed(name: str) -> bool:
    """Whether stored answers refer to what this field holds.

    >>> is_fixed("ranking"), is_fixed("scale-0-name"), is_fixed("title")
    (True, True, False)
    """
    return TABLES.get(name.split("-")[0], (name,))[0] in FIXED


def count_rows(values: Mapping[str, str], more: bool = False) -> dict[str, int]:
    """How many rows each table of the form shows: those with something in them, and empty ones.

    >>> count_rows({"bad-1-text": "Dog", "bad-2-text": ""})["bad"]
    3
    """
    rows = {}
    for table, (_, columns) in TABLES.items():
        used = [
            number
            for number in range(MOST_ROWS)
            if any(values.get(f"{table}-{number}-{column}", "").strip() for column in columns[:2])
        ]
        rows[table] = min(MOST_ROWS, max(used, default=-1) + 1 + (4 if more else 1))
    return rows


def read_settings(
    form: Form, base: CampaignSettings | None = None, *, fixed: bool = False
) -> CampaignSettings:
    """The settings in a form; what it has no field for is as in `base`.

    With `fixed`, there are answers, and what they refer to stays as in `base`.

    >>> fields = {"kind": ["describe"], "title": ["Birds"], "pay1": ["1"], "wanted1": ["5"]}
    >>> fields |= {"pay2": ["5"], "wanted2": ["0"], "budget": ["10"], "fee": ["0"]}
    >>> read_settings(Form(fields)).tiers
    {1: TierSettings(pay_cents=1, per_item=5)}
    """
    budget = parse_cents(form.text("budget"))
    if budget is None:
        raise SettingError("the budget is not an amount such as 250 or 250.50")
    settings: dict[str, Any] = {} if base is None else base.to_json()
    settings["kind"] = form.text("kind") if base is None else base.kind
    settings |= {name: form.text(name) for name in TEXTS}
    settings |= {name: _read_lines(form.text(name)) for name in LISTS}
    absent: tuple[str, ...] = ("ranking", "ranking_ties") if settings["kind"] != "judge" else ()
    absent += ("one_sentence",) if settings["kind"] not in WRITTEN else ()
    settings |= {name: form.text(name) == "yes" for name in TICKS if name not in absent}
    for name in NUMBERS:
        if form.text(name):
            settings[name] = _read_whole(form, name)
    settings |= {
        "tiers": _read_tiers(form, base),
        "budget_cents": budget,
        "fee_percent": _read_whole(form, "fee"),
        "controls": None,
        "panel": None,
    }
    if form.text("panel") == "yes":
        settings["panel"] = {name: form.text(f"panel_{name}") for name in PANEL}
        settings["panel"]["tasks"] = _read_whole(form, "panel_tasks")
    if form.text("controls") == "yes":
        settings["controls"] = {name: _read_whole(form, name) for name in CONTROLS}
    settings |= {setting: _read_rows(form, table) for table, (setting, _) in TABLES.items()}
    if settings["kind"] != "judge" or settings["ranking"]:
        settings["criteria"] = []
    if settings["kind"] != "survey":
        settings["survey"] = []
    if settings["kind"] not in WRITTEN:
        settings["languages"], settings["main_language"] = [], ""
    if fixed and base is not None:
        plain = base.to_json()
        settings |= {name: plain[name] for name in FIXED}
    return CampaignSettings.from_json(settings)


def _read_tiers(form: Form, base: CampaignSettings | None) -> dict[str, dict[str, int]]:
    """Both tiers, or the first alone; a tier that was there stays, so that its answers have one."""
    tiers = {}
    for tier in (1, 2):
        each = {
            "pay_cents": _read_whole(form, f"pay{tier}"),
            "per_item": _read_whole(form, f"wanted{tier}"),
        }
        if tier == 1 or each["per_item"] or (base is not None and tier in base.tiers):
            tiers[str(tier)] = each
    return tiers


def _read_rows(form: Form, table: str) -> list[dict[str, Any]]:
    rows = []
    for number in range(MOST_ROWS):
        columns = TABLES[table][1]
        cells = {column: form.text(f"{table}-{number}-{column}") for column in columns}
        if not any(cells[column] for column in columns[:2]):
            continue
        row: dict[str, Any] = {}
        for column, text in cells.items():
            if column in LISTED:
                row[column] = _read_lines(text)
            elif column == "required":
                row[column] = text == "yes"
            elif column in ("low", "high", "right"):
                if text or column == "right":
                    row[column] = _read_whole(form, f"{table}-{number}-{column}")
            else:
                row[column] = text
        if "right" in row:
            row["right"] -= 1
            if not 0 <= row["right"] < len(row["options"]):
                raise SettingError(
                    f"question {number + 1}: expected the number of the right option, 1 to "
                    f"{len(row['options'])}, found {row['right'] + 1}"
                )
        rows.append(row)
    return rows


def _read_lines(text: str) -> list[str]:
    return [line for line in map(clean, text.split("\n")) if line]


def _read_whole(form: Form, name: str) -> int:
    value = form.whole(name)
    if value is None:
        *place, column = name.split("-")
        label = NAMES.get(name) or {
            "low": "the lowest value",
            "high": "the highest value",
            "right": "the number of the right option",
        }.get(column, column)
        where = f" (row {int(place[1]) + 1})" if len(place) == 2 else ""
        raise SettingError(f"{label} is not a whole number{where}: {form.text(name)[:20]!r}")
    return value
