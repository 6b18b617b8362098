"""Forms as they arrive: text fields as typed, so that a page can show them again.

`refuse_forged` runs before every page of this application. For a request that changes something it
reads the form and refuses it unless we showed it to the same browser; an endpoint takes it as
`PostedForm`. What was typed into a refused form can be shown again (`form_recovery`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from paragauge.collect.web.http.security import FORM_FIELD, SAFE_METHODS, is_cross_site, is_genuine

FIELDS = 2000
# Every form carries a random key of its own, so that what is sent twice is done once.
ONCE_FIELD = "once"
_ONCE = re.compile(r"[\w-]{24,64}", re.ASCII)
FORGED = (
    "This form was not sent from our page, or the page was open for too long. "
    "Please go back, reload the page, and send it again."
)


@dataclass(frozen=True)
class Form:
    """The fields of a form.

    >>> form = Form({"text": ["  A dog.\\r\\n"], "n": ["7"]})
    >>> form.text("text"), form.raw("text"), form.text("comment"), form.whole("n"), form.number("text")
    ('A dog.', '  A dog.\\r\\n', '', 7, None)
    """

    fields: Mapping[str, list[str]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    path: str = ""

    @property
    def key(self) -> str:
        """Identifies this form as it was shown and filled in; empty if it carries no key of ours.

        The same form sent again has the same key. Filled in differently, it has another one: who goes
        back and changes a number means something else.
        """
        shown = self.raw(ONCE_FIELD)
        if not _ONCE.fullmatch(shown):
            return ""
        sent = [(name, values) for name, values in self.fields.items() if name != FORM_FIELD]
        digest = hashlib.sha256(repr((self.path, sorted(sent))).encode("utf-8", "backslashreplace"))
        for name in sorted(self.files):
            digest.update(f"{name}\0".encode("utf-8", "backslashreplace") + self.files[name])
        return digest.hexdigest()

    def raw(self, name: str) -> str:
        """A field as it was typed; empty if it is not there."""
        values = self.fields.get(name)
        return values[0] if values else ""

    def text(self, name: str) -> str:
        """A field, stripped, without characters that cannot be stored."""
        return clean(self.raw(name))

    def all(self, name: str) -> list[str]:
        """All values of a field that may be ticked more than once."""
        return [clean(value) for value in self.fields.get(name, [])]

    def whole(self, name: str) -> int | None:
        """A whole number, or None."""
        text = self.text(name)
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
            return None
        return int(text)

    def number(self, name: str) -> float | None:
        """A number, or None."""
        return parse_number(self.text(name))

    def typed_values(self) -> dict[str, str]:
        """The fields as typed, for the page to show again when something is wrong."""
        own = (FORM_FIELD, ONCE_FIELD)
        return {name: values[0] for name, values in self.fields.items() if values and name not in own}


def clean(text: str) -> str:
    """Strip the text, and remove NULs and lone surrogates, which cannot be stored.

    >>> clean(" a\\x00b\\ud800 ")
    'ab'
    """
    text = text.replace("\x00", "").replace("\r\n", "\n")
    return text.encode("utf-8", "ignore").decode("utf-8").strip()


def parse_number(text: str) -> float | None:
    """A plain decimal number, also with a comma, or a time as 1:05.

    >>> [parse_number(text) for text in ("7.5", "7,5", "1:05", "nan", "1e9", "-1")]
    [7.5, 7.5, 65.0, None, None, None]
    """
    total = 0.0
    pieces = text.replace(",", ".").split(":")
    if len(pieces) > 3:
        return None
    for piece in pieces:
        whole, _, part = piece.partition(".")
        if not (whole.isascii() and whole.isdigit() and len(whole) <= 7):
            return None
        if "." in piece and not (part.isascii() and part.isdigit() and len(part) <= 6):
            return None
        total = total * 60 + float(piece)
    return total


async def refuse_forged(request: Request) -> None:
    """Refuse a request that changes something unless it was sent from one of our forms."""
    if request.method in SAFE_METHODS:
        return
    if is_cross_site(request):
        raise HTTPException(403, FORGED)
    form = request.state.sent = await read_form(request)
    if not is_genuine(request, form.raw(FORM_FIELD)):
        raise HTTPException(403, FORGED)
    request.state.form = form


async def read_form(request: Request) -> Form:
    """The form in a request, whoever sent it."""
    fields: dict[str, list[str]] = {}
    files: dict[str, bytes] = {}
    most: int = request.app.state.most_bytes
    async with request.form(max_fields=FIELDS, max_files=4, max_part_size=most) as sent:
        for name, value in sent.multi_items():
            if isinstance(value, UploadFile):
                files[name] = await value.read()
            else:
                fields.setdefault(name, []).append(value)
    return Form(fields, files, request.url.path)


async def _get_form(request: Request) -> Form:
    form: Form = request.state.form
    return form


PostedForm = Annotated[Form, Depends(_get_form)]
