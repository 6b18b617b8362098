"""Options that the commands of `paragauge lm` share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option, share_option
from paragauge.errors import InputError, SettingError
from paragauge.lm import TextForm
from paragauge.lm.estimate import LEAST_MEMORY
from paragauge.text.tables.table_format import written_format
from paragauge.text.tokenizers import CASES, TOKENIZERS, Case, Tokenizer

MODEL = "Model"
TEXT = "Text"
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

folder = option(
    "--folder", metavar="DIR", heading=shared_options.OUTPUT, help="Folder for temporary files."
)
tokenizer = choice_option(
    "--tokenize", "-t", choices=TOKENIZERS, heading=TEXT, help="Tokenizer. Default: none."
)
case = choice_option(
    "--case", choices=CASES, heading=TEXT, help="Keep the case, or lowercase the text. Default: mixed."
)
stemmer = option("--stem", metavar="NAME", heading=TEXT, help="Stemmer, such as porter. Default: none.")
entropy_prune = share_option(
    "--entropy-prune",
    default=0.0,
    heading=MODEL,
    help="Remove n-grams whose removal raises the perplexity by a smaller share, such as 1e-7.",
)
bits = option(
    "--bits",
    type=int,
    metavar="N",
    heading=MODEL,
    help="Quantize a binary model to 4 to 8 bits per value. Default: exact values.",
)


@dataclass(frozen=True)
class TextFormOptions:
    """The tokenizer, the case and the stemmer; None where no option is given."""

    tokenize: Tokenizer | None
    case: Case | None
    stem: str | None

    def form(self) -> TextForm | None:
        """The form of text that the options describe; None if none of them is given.

        >>> TextFormOptions(None, "lower", None).form()
        TextForm(tokenize='none', case='lower', stem=None)
        """
        if self.tokenize is None and self.case is None and self.stem is None:
            return None
        return TextForm(self.tokenize or "none", self.case or "mixed", self.stem)


with_text_form = gather_options("text", TextFormOptions, tokenizer, case, stemmer)


def check_segments(path: str | None, inputs: tuple[str, ...]) -> None:
    """Refuse an output for --segments that is not a TSV file, or that is an input."""
    if path is None:
        return
    if written_format(path) != "tsv":
        raise SettingError(f"--segments {path}: expected a name that ends in .tsv, .tsv.gz or .tsv.zst")
    shared_options.check_no_input("--segments", path, inputs)


def parse_counts(text: str) -> tuple[int, ...]:
    """The counts of --prune.

    >>> parse_counts("0,0,1")
    (0, 0, 1)
    """
    parts = re.split(r"[ ,]+", text.strip())
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise SettingError(f"--prune: expected counts such as 0,0,1, found '{text}'")
    return tuple(map(int, parts))


def parse_bytes(text: str) -> int:
    """The bytes of --memory.

    >>> parse_bytes("2M")
    2097152
    """
    size = re.fullmatch(r"([0-9]{1,12})([KMG]?)B?", text.strip().upper(), re.ASCII)
    if size is None or int(size[1]) * UNITS[size[2]] < LEAST_MEMORY:
        raise SettingError(f"--memory: expected at least 1M, such as 500M or 2G, found '{text}'")
    return int(size[1]) * UNITS[size[2]]


def folder_of(path: str | None) -> str | None:
    """The folder of --folder, which must exist."""
    if path is not None and not Path(path).is_dir():
        raise InputError(f"--folder {path}: no such folder; make it first")
    return path


def check_share(value: float) -> float:
    """The share of --entropy-prune, if it is one.

    >>> check_share(1e-7)
    1e-07
    """
    if not 0 <= value < 1:
        raise SettingError(
            f"--entropy-prune: expected a share from 0 to 1, such as 1e-7, found {value!r}"
        )
    return value
