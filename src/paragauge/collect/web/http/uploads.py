"""Uploads of a requester: a campaign in TOML, or items as a table.

The same code reads files at the command line. An uploaded campaign cannot name another file, which
would be a file on the server.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from paragauge.collect.campaigns.campaign_file import CampaignFile, read_campaign
from paragauge.collect.campaigns.item_location import ErrorAtRow, LocatedItem
from paragauge.collect.campaigns.item_tables import read_items
from paragauge.errors import FileFormatError, InputError

T = TypeVar("T")
# How files of Excel and LibreOffice begin: as ZIP archives, and before 2007 as OLE documents.
SHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
HINTS = {
    "describe": "key, url, start, end (in seconds); for pictures: key, url, alt",
    "suggest": "key, prompt",
    "paraphrase": "key, text",
    "judge": "key, source, system, candidate (one line for each candidate)",
    "survey": "key",
}


def read_campaign_upload(content: bytes) -> CampaignFile:
    """A campaign in TOML, items and all.

    >>> read_campaign_upload(b'slug = "birds"\\nkind = "describe"\\ntitle = "Birds"').settings.title
    'Birds'
    >>> read_campaign_upload(b'items = "/etc/passwd"')
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: campaign.toml: items: an uploaded file cannot name another one;
    write [[items]] into it, or add them on the campaign's page
    """
    try:
        names_file = isinstance(tomllib.loads(content.decode("utf-8-sig")).get("items"), str)
    except (ValueError, RecursionError):
        names_file = False  # The reader says what is wrong, and where.
    if names_file:
        advice = "write [[items]] into it, or add them on the campaign's page"
        message = f"items: an uploaded file cannot name another one; {advice}"
        raise FileFormatError("campaign.toml", None, message)
    return _as_file(content, "campaign.toml", read_campaign)


def read_item_upload(content: bytes, task: str) -> list[dict[str, Any]]:
    r"""Items for a task, as an Excel or LibreOffice sheet, as TSV or CSV with a header line, or as JSON
    Lines.

    >>> read_item_upload(b"key\ttext\ns1\tA dog runs.", "paraphrase")
    [{'key': 's1', 'content': {'text': 'A dog runs.'}}]
    """
    if not content.strip():
        raise InputError("expected a table with at least one item, found nothing")
    header = content.partition(b"\n")[0]
    if content.startswith(SHEETS):
        return _as_file(content, "items.xlsx", lambda path: read_items(path, task, "excel"))
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        kind = "jsonl"
    else:  # No column's name has a comma or semicolon; CSV's reader finds out which separates.
        kind = "csv" if b"\t" not in header and (b"," in header or b";" in header) else "tsv"
    return _as_file(content, f"items.{kind}", lambda path: read_items(path, task, kind))


def _as_file(content: bytes, name: str, read: Callable[[Path], T]) -> T:
    """Read the content as a file; errors name the upload, not the temporary file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            parsed = read(path)
        except FileFormatError as error:
            raise _rename_error(error, name) from None
    for row in parsed if isinstance(parsed, list) else getattr(parsed, "items", ()):
        if isinstance(row, LocatedItem) and row.where is not None:
            row.where = _rename_error_at(row.where, name)
    return parsed


def _rename_error_at(where: ErrorAtRow, name: str) -> ErrorAtRow:
    return lambda row, message: _rename_error(where(row, message), name)


def _rename_error(error: InputError, name: str) -> InputError:
    """The error with the name of the upload."""
    if not isinstance(error, FileFormatError):
        return error
    place = error.path if error.line is None else f"{error.path}:{error.line}"
    return FileFormatError(name, error.line, str(error).removeprefix(f"{place}: "))
