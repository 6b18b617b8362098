"""The description of a model's folder, `model.json`: read and checked; what is wrong is one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from paragauge.errors import FileFormatError
from paragauge.text.files import os_error
from paragauge.text.saving.sealed_json import unseal_json

T = TypeVar("T")


def read_description(
    path: Path, kind: tuple[str, int], what: str, parse: Callable[[Any], T], remedy: str
) -> T:
    """What `parse` makes of the description of `what`; its errors are errors of the file.

    `kind` is the format and version that the description names.

    >>> read_description(Path("no/such/model.json"), ("tree", 1), "a tree", dict, "make it again")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: no/such/model.json: no such file; check the path
    """
    try:
        content = unseal_json(path.read_text(encoding="utf-8"))
        if (content["format"], content["version"]) != kind:
            raise ValueError("another format or version")  # noqa: TRY301  # one message
        return parse(content)
    except OSError as error:
        raise os_error(path, error) from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise FileFormatError(
            path, None, f"expected the description of {what} ({error}); {remedy}"
        ) from None
