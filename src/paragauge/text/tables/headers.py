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


def split_headers(text: str, headers: Iterable[str]) -> list[str]:
    """Names separated by commas; a header may have commas of its own.

    >>> split_headers("fluency,note, overall", ["Fluency", "Note, overall"])
    ['fluency', 'note, overall']
    """
    known = list(headers)
    parts = text.split(",")
    most = 1 + max((header.count(",") for header in known), default=0)
    names: list[str] = []
    start = 0
    while start < len(parts):
        ends = range(min(len(parts), start + most), start + 1, -1)
        whole = (end for end in ends if find_header(",".join(parts[start:end]), known) is not None)
        end = next(whole, start + 1)
        names.append(",".join(parts[start:end]))
        start = end
    return [name for name in names if name]
