"""Recruiting from a panel such as Prolific, CloudResearch Connect or Sona.

The panel opens our link with the participant's id (and often those of study and session) in its query,
under names that the panel has. Who has done enough gets a completion code, or a link back that has it;
who fails the questions before the first task gets another link, for screened-out participants.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from paragauge.errors import SettingError

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FIELD = re.compile(r"\{(\w*)\}")
FIELDS = ("participant", "study", "session")


@dataclass(frozen=True)
class PanelVisit:
    """What a panel's link says: ids of the participant, the study and the session."""

    participant: str
    study: str = ""
    session: str = ""


def check_panel(values: dict[str, str], tasks: int) -> None:
    """Refuse settings of a panel that cannot work.

    >>> check_panel({"participant": "PROLIFIC_PID", "complete_url": "app.prolific.com"}, 5)
    Traceback (most recent call last):
    paragauge.errors.SettingError: panel: complete_url: expected a link that starts with https://, found
    'app.prolific.com'
    """
    names = [values[name] for name in FIELDS if values.get(name)]
    if not values.get("participant"):
        raise SettingError("panel: participant: expected the name of a URL parameter, found nothing")
    for name in names:
        if not _NAME.fullmatch(name) or names.count(name) > 1:
            raise SettingError(f"panel: expected distinct names of URL parameters, found {name[:40]!r}")
    for name in ("complete_url", "screen_out_url"):
        url = values.get(name, "")
        if url:
            _check_url(name, url)
    if not 1 <= tasks <= 100_000:
        raise SettingError(f"panel: tasks: expected 1 to 100000, found {tasks}")


def read_visit(names: dict[str, str], query: dict[str, str]) -> PanelVisit | None:
    """The ids in the query of a link; None if there is no participant, or if an id is malformed.

    >>> names = {"participant": "PROLIFIC_PID", "study": "STUDY_ID", "session": "SESSION_ID"}
    >>> read_visit(names, {"PROLIFIC_PID": "5f3", "STUDY_ID": "61a", "SESSION_ID": "9"})
    PanelVisit(participant='5f3', study='61a', session='9')
    >>> read_visit(names, {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}) is None
    True
    """
    ids = {name: query.get(names[name], "") if names.get(name) else "" for name in FIELDS}
    if not ids["participant"] or any(each and not _ID.fullmatch(each) for each in ids.values()):
        return None
    return PanelVisit(**ids)


def fill_url(url: str, visit: PanelVisit) -> str:
    """A link back, with the ids in it where it has places for them.

    >>> fill_url("https://x.example/c?code=1&survey_code={participant}", PanelVisit("12"))
    'https://x.example/c?code=1&survey_code=12'
    """
    return _FIELD.sub(lambda match: quote(getattr(visit, match[1]), safe=""), url)


def _check_url(name: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        good = False
    if not good or any(c.isspace() or not c.isprintable() for c in url) or len(url) > 2000:
        raise SettingError(
            f"panel: {name}: expected a link that starts with https://, found {url[:60]!r}"
        )
    for field in _FIELD.findall(url):
        if field not in FIELDS:
            known = ", ".join(f"{{{each}}}" for each in FIELDS)
            raise SettingError(f"panel: {name}: expected {known} as places, found {{{field}}}")
