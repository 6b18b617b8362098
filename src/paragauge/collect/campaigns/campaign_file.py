"""A campaign in a TOML file, with comments: its name, its settings and its items.

`slug` is the campaign's name in URLs; the other keys are those of `CampaignSettings`. Items are in a
table beside the file, `items = "clips.tsv"`, or in the file as `[[items]]`, with the columns that
`paragauge.collect.campaigns.item_tables` reads. Errors name the line of the key that is wrong.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from paragauge.collect.campaigns.campaign_settings import (
    BadExample,
    CampaignSettings,
    ControlRules,
    Criterion,
    JsonSettings,
    PanelSettings,
    Question,
    SurveyQuestion,
    TierSettings,
    check_slug,
)
from paragauge.collect.campaigns.item_tables import locate_items, read_items
from paragauge.collect.campaigns.toml_lines import find_key_lines, find_line
from paragauge.collect.store.columns import check_storable
from paragauge.errors import FileFormatError, InputError, SettingError, unknown_name
from paragauge.text.files import RawFile, display_name

MOST = 1 << 24  # bytes of a file
# Tables inside the settings; each is checked on its own first, so that an error can name its line.
INNER: dict[str, type[JsonSettings]] = {
    "tiers": TierSettings,
    "bad_examples": BadExample,
    "comprehension": Question,
    "criteria": Criterion,
    "survey": SurveyQuestion,
    "controls": ControlRules,
    "panel": PanelSettings,
}
OWN = ("slug", "items")
S = TypeVar("S", bound=JsonSettings)


@dataclass(frozen=True)
class CampaignFile:
    """What a file describes."""

    slug: str
    settings: CampaignSettings
    items: list[dict[str, Any]]
    path: str = ""
    slug_line: int | None = None


def read_campaign(path: str | Path) -> CampaignFile:
    """Read a campaign.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "birds.toml")
    ...     _ = file.write_text('slug = "birds"\\nkind = "describe"\\ntitle = "Birds"  # for all\\n')
    ...     read_campaign(file).settings.title
    'Birds'
    """
    text = _read_text(path)
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits too
        place = re.search(r"\(at (?:line (\d+), column \d+|end of document)\)", str(error))
        line = int(place[1]) if place and place[1] else None
        reason = str(error).split(" (at ")[0] or "nested too deeply"
        if "integer string" in reason:
            reason = "a number has thousands of digits"
        raise FileFormatError(display_name(path), line, f"expected TOML: {reason}") from None
    reader = _Reader(path, find_key_lines(text))
    slug = content.get("slug")
    if not isinstance(slug, str):
        message = 'expected slug, the campaign\'s name in URLs, such as slug = "videos"'
        raise reader.error(("slug",), message)
    try:
        check_slug(slug)
    except SettingError as error:
        raise reader.error(("slug",), f"slug: {error}") from None
    settings = reader.settings({name: value for name, value in content.items() if name not in OWN})
    item_rows = reader.items(content.get("items", []), settings.kind)
    return CampaignFile(
        slug, settings, item_rows, display_name(path), find_line(reader.lines, ("slug",))
    )


@dataclass(frozen=True)
class _Reader:
    path: str | Path
    lines: dict[tuple[str | int, ...], int]

    def error(self, place: tuple[str | int, ...], message: str) -> FileFormatError:
        return FileFormatError(display_name(self.path), find_line(self.lines, place), message)

    def settings(self, table: dict[str, Any]) -> CampaignSettings:
        known = [field.name for field in dataclasses.fields(CampaignSettings)]
        for name in table:
            if name not in known:
                raise self.error((name,), str(unknown_name("setting", name, [*OWN, *known])))
            self._check_storable(table[name], (name,))
        for name, kind in INNER.items():
            value = table.get(name)
            if isinstance(value, list):
                for number, entry in enumerate(value):
                    self._convert(kind, entry, (name, number))
            elif isinstance(value, dict) and name == "tiers":
                for key, entry in value.items():
                    self._convert(kind, entry, (name, key))
            elif isinstance(value, dict):
                self._convert(kind, value, (name,))
        settings = self._convert(CampaignSettings, table, ())
        try:
            settings.check_new()
        except SettingError as error:
            place = (key,) if (key := _find_key(str(error), table)) else self._find_options(table)
            raise self.error(place, str(error)) from None
        return settings

    def _find_options(self, table: dict[str, Any]) -> tuple[str | int, ...]:
        """The path of options that are not all different."""
        for name in ("survey", "comprehension"):
            for number, question in enumerate(table.get(name, ())):
                options = [str(option).strip() for option in question.get("options", ())]
                if "" in options or len(set(question.get("options", ()))) < len(options):
                    return (name, number, "options")
        return ()

    def _check_storable(self, value: Any, place: tuple[str | int, ...]) -> None:
        """Reject text that cannot be stored, naming the innermost key that has it."""
        if isinstance(value, dict | list):
            for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
                self._check_storable(inner, (*place, key))
        elif isinstance(value, str):
            try:
                check_storable(value)
            except InputError as error:
                raise self.error(place, f"{place[0]}: {error}") from None

    def _convert(self, kind: type[S], table: Any, place: tuple[str | int, ...]) -> S:
        try:
            return kind.from_json(table)
        except SettingError as error:
            key = _find_key(str(error), table)
            raise self.error((*place, key) if key else place, str(error)) from None

    def items(self, rows: Any, task: str) -> list[dict[str, Any]]:
        if isinstance(rows, str):
            return read_items(Path(self.path).parent / rows, task)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            message = "items: expected the name of a table, or [[items]] with their fields"
            raise self.error(("items",), message)
        return locate_items(rows, task, lambda row, message: self.error(("items", row), message))


def _find_key(message: str, table: Any) -> str | None:
    """The key of `table` that an error is about: the message begins with it or quotes it."""
    if not isinstance(table, dict):
        return None
    first = message.split(":")[0]
    quoted = re.findall(r"'([^']*)'", message)
    words = [first, *quoted, *re.findall(r"\w+", message)]
    by_value = {str(value): name for name, value in table.items() if isinstance(value, str)}
    for word in words:
        if word in table:
            return str(word)
    return next((by_value[word] for word in quoted if word in by_value), None)


def _read_text(path: str | Path) -> str:
    with RawFile(path) as file:
        content = b""
        while more := file.read(1 << 20):
            content += more
            if len(content) > MOST:
                message = (
                    f"expected a campaign in TOML of at most {MOST >> 20} MiB; put items in a table"
                )
                raise FileFormatError(display_name(path), None, message)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        message = f"expected UTF-8 text, found byte 0x{content[error.start]:02x}"
        raise FileFormatError(display_name(path), line, message) from None
