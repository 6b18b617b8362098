"""Options of `paragauge lm`, and what they mean."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from paragauge.cli.command import option, together
from paragauge.cli.options import shared_options
from paragauge.errors import InputError, SettingError
from paragauge.lm import TextForm
from paragauge.lm.estimate import LEAST_MEMORY
from paragauge.text.tables import table_format
from paragauge.text.tokenisers import CASES, TOKENISERS

MODEL = "Model"
TEXT = "Text"
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

tokenizer = option(
    "--tokenize", "-t", metavar="|".join(TOKENISERS), heading=TEXT, help="Tokeniser. Default: none."
)
case = option(
    "--case", metavar="|".join(CASES), heading=TEXT, help="Keep the case, or lower it. Default: mixed."
)
stemmer = option("--stem", metavar="NAME", heading=TEXT, help="Stemmer, such as porter. Default: none.")
text_form = together(tokenizer, case, stemmer)
entropy_prune = option(
    "--entropy-prune",
    type=float,
    default=0.0,
    metavar="SHARE",
    heading=MODEL,
    help="Take out n-grams that raise the perplexity by less, such as 1e-7.",
)
bits = option(
    "--bits",
    type=int,
    metavar="N",
    heading=MODEL,
    help="Quantise a binary model to 4 to 8 bits a value. Default: exact values.",
)


def check_segments(path: str | None, inputs: tuple[str, ...]) -> None:
    """Refuse a name that is not that of a TSV file, or that of an input."""
    if path is None:
        return
    if table_format(path) != "tsv":
        raise SettingError(
            f"--segments {path}: expected a name that ends in .tsv, .gz or .zst may follow"
        )
    shared_options.check_no_input("--segments", path, inputs)


def form_of(given: dict[str, Any]) -> TextForm | None:
    """The form that the options name, None if they name none."""
    if given["tokenize"] is None and given["case"] is None and given["stem"] is None:
        return None
    return TextForm(given["tokenize"] or "none", given["case"] or "mixed", given["stem"])


def counts_of(text: str) -> tuple[int, ...]:
    """The counts of --prune.

    >>> counts_of("0,0,1")
    (0, 0, 1)
    """
    parts = re.split(r"[ ,]+", text.strip())
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise SettingError(f"--prune: expected counts such as 0,0,1, got '{text}'")
    return tuple(map(int, parts))


def bytes_of(text: str) -> int:
    """The bytes of --memory.

    >>> bytes_of("2M")
    2097152
    """
    found = re.fullmatch(r"([0-9]{1,12})([KMG]?)B?", text.strip().upper(), re.ASCII)
    if found is None or int(found[1]) * UNITS[found[2]] < LEAST_MEMORY:
        raise SettingError(f"--memory: expected at least 1M, such as 500M or 2G, got '{text}'")
    return int(found[1]) * UNITS[found[2]]


def folder_of(path: str | None) -> str | None:
    """The folder of --folder, which must be there."""
    if path is not None and not Path(path).is_dir():
        raise InputError(f"--folder {path}: no such folder; make it first")
    return path


def share_of(value: float) -> float:
    """The share of --entropy-prune.

    >>> share_of(1e-7)
    1e-07
    """
    if not 0 <= value < 1:
        raise SettingError(
            f"--entropy-prune: expected a share from 0 to 1, such as 1e-7, got {value!r}"
        )
    return value
