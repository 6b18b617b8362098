"""JSON files with a checksum: one that was damaged is refused, not used.

The last key, `checksum`, has the first 16 digits of the SHA-256 of all else, written with sorted keys
and no spaces. A file without the key, such as one written by hand, is taken as it is; one in which the
key itself is damaged is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from paragauge.text.numbers import parse_json

KEY = "checksum"


def seal_json(content: Mapping[str, Any], indent: int = 2) -> str:
    r"""The text of a file that `unseal_json` reads.

    >>> seal_json({"a": 1}, indent=0)
    '{\n"a": 1,\n"checksum": "015abd7f5cc57a2d"\n}\n'
    """
    sealed = {name: value for name, value in content.items() if name != KEY}
    sealed[KEY] = _checksum(sealed)
    return json.dumps(sealed, indent=indent, ensure_ascii=False) + "\n"


def unseal_json(text: str | bytes) -> Any:
    """The value in JSON text, without the checksum; a ValueError if that is wrong.

    >>> unseal_json('{"a": 2, "checksum": "015abd7f5cc57a2d"}')
    Traceback (most recent call last):
    ValueError: its checksum is wrong: it was damaged or changed
    """
    content = parse_json(text)
    if isinstance(content, dict):
        is_sealed, checksum = KEY in content, content.pop(KEY, None)
        if any(map(_is_damaged_key, content)) or (is_sealed and checksum != _checksum(content)):
            raise ValueError("its checksum is wrong: it was damaged or changed")
    return content


def _is_damaged_key(name: str) -> bool:
    """Whether a name is the key with half of its letters changed at most.

    >>> _is_damaged_key("chgcksum"), _is_damaged_key("settings")
    (True, False)
    """
    same = sum(one == other for one, other in zip(name, KEY, strict=False))
    return len(name) == len(KEY) and same >= len(KEY) // 2


def _checksum(content: Any) -> str:
    text = json.dumps(json.loads(json.dumps(content)), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
