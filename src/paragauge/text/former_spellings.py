"""Former spellings of options, commands and settings, which scripts and saved files may still have.

They work like today's, but no help and no page shows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FORMER_SPELLINGS = {
    "analysed": "analyzed",
    "normalise": "normalize",
    "penalise": "penalize",
    "randomisation": "randomization",
    "renormalise": "renormalize",
    "symmetrise": "symmetrize",
    "tokenised": "tokenized",
}
_CURRENT_SPELLINGS = {current: former for former, current in FORMER_SPELLINGS.items()}


def current_spelling(name: str) -> str:
    """Today's spelling of a command, a setting or a value; any other name stays as it is.

    >>> current_spelling("symmetrise"), current_spelling("order")
    ('symmetrize', 'order')
    """
    return FORMER_SPELLINGS.get(name, name)


def current_settings(record: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a saved file by their names of today.

    >>> current_settings({"analysed": None, "order": 3})
    {'analyzed': None, 'order': 3}
    """
    return {current_spelling(name): value for name, value in dict(record).items()}


def former_option(option: str) -> str | None:
    """The former spelling of an option, or None if it never had another one.

    >>> former_option("--z-normalize"), former_option("--order")
    ('--z-normalise', None)
    """
    former = "-".join(_CURRENT_SPELLINGS.get(word, word) for word in option.split("-"))
    return None if former == option else former
