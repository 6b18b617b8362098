"""Names of columns, matched without regard to case, spaces and underscores."""

from __future__ import annotations

from collections.abc import Iterable

from paragauge.errors import SettingError, unknown_name


def header_key(name: str) -> str:
    """What two names of a column must share to be the same.

    >>> header_key(" Segment ID"), header_key("segment_id")
    ('segmentid', 'segmentid')
    """
    return "".join(name.casefold().replace("_", " ").split())


def find_header(name: str, headers: Iterable[str]) -> str | None:
    """The header that is `name`, or the only one that is like it; None if there is none.

    >>> find_header("overall", ["Segment", "Overall "])
    'Overall '
    """
    known = list(headers)
    if name in known:
        return name
    alike = [header for header in known if header_key(header) == header_key(name)]
    if len(set(alike)) > 1:
        listed = " and ".join(f"'{header}'" for header in alike)
        raise SettingError(f"columns {listed} could both be '{name}'; write the name as in the table")
    return alike[0] if alike else None


def require_header(name: str, headers: Iterable[str], kind: str = "column") -> str:
    """The header that `find_header` finds; an error that suggests one if there is none.

    >>> require_header("overal", ["Overall"])
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown column 'overal'; did you mean 'Overall'? known: Overall
    """
    known = list(headers)
    found = find_header(name, known)
    if found is None:
        raise unknown_name(kind, name, known)
    return found
