"""The tokenizers by name, and the step from text to integers.

| name | what it does |
|------|--------------|
| `13a`  | mteval-v13a, sacreBLEU's default: Western punctuation split off, numbers kept whole |
| `intl` | mteval-v14 international: all Unicode punctuation and symbols split off |
| `zh`   | Chinese characters one by one, the rest as `13a` (without its padding) |
| `char` | every character |
| `none` | tokenized text: split at Unicode white space |
| `blanks` | tokenized text: split at ASCII white space only |
| `penn` | Penn Treebank, for tools that expect its conventions |

The first five give the same tokens as sacreBLEU, for every string. `blanks` is how Moses, fast_align,
eflomal, Thrax and Joshua split a line: a no-break space (U+00A0) or an ideographic one (U+3000) is part
of a word, so positions in alignments and words of grammars agree with theirs. Both split at the space
and at the characters from U+0009 to U+000D. A line's trailing white space never counts.
`normalize="typography"` replaces curly quotes and apostrophes, dashes, no-break spaces and other
typographic characters by those of a typewriter before a text is tokenized; the table is in
`kernels/reference/text/typography.py`. ASCII text never changes.
`case="lower"` lowercases the text first, as Python's `str.lower` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.ragged import Ragged

Tokenizer = Literal["13a", "intl", "zh", "char", "none", "blanks", "penn"]
TOKENIZERS: tuple[Tokenizer, ...] = get_args(Tokenizer)
TOKENIZED: Tokenizer = "blanks"  # for text that other tools have tokenized
MOST_THREADS = 1024
Case = Literal["mixed", "lower"]
CASES: tuple[Case, ...] = get_args(Case)
Normalize = Literal["none", "typography"]
NORMALIZATIONS: tuple[Normalize, ...] = get_args(Normalize)


def check_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of this name; an error if there is none.

    >>> check_tokenizer("13b")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown tokenizer '13b'; did you mean '13a'? known: 13a, ...
    """
    for known in TOKENIZERS:
        if known == name:
            return known
    raise unknown_name("tokenizer", name, TOKENIZERS)


def check_threads(threads: int) -> None:
    """Raise the error for a number of threads that makes no sense.

    >>> check_threads(-1)
    Traceback (most recent call last):
    paragauge.errors.SettingError: threads: expected a whole number from 0 to 1,024, found -1
    """
    if not isinstance(threads, int) or not 0 <= threads <= MOST_THREADS:
        raise SettingError(
            f"threads: expected a whole number from 0 to {MOST_THREADS:,}, found {threads!r}"
        )


def check_case(case: str) -> Case:
    """The case of this name; an error if there is none.

    >>> check_case("lowr")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown case 'lowr'; did you mean 'lower'? known: mixed, lower
    """
    for known in CASES:
        if known == case:
            return known
    raise unknown_name("case", case, CASES)


def check_normalize(name: str) -> Normalize:
    """The normalization of this name; an error if there is none.

    >>> check_normalize("nfc")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown normalization 'nfc'; known: none, typography
    """
    for known in NORMALIZATIONS:
        if known == name:
            return known
    raise unknown_name("normalization", name, NORMALIZATIONS)


def normalize_text(text: str, normalize: Normalize = "typography") -> str:
    """A text with its typographic characters replaced, if `normalize` is "typography".

    >>> normalize_text("They’re here…"), normalize_text("They’re here…", "none")
    ("They're here...", 'They’re here…')
    """
    if check_normalize(normalize) == "none" or text.isascii():
        return text
    return Lines.of([text]).normalize_typography()[0]


def tokenize_lines(lines: Lines, tokenizer: Tokenizer = "13a", *, threads: int = 0) -> Lines:
    """Each line's tokens joined by one space.

    >>> list(tokenize_lines(Lines.of(["Hello, world!"])))
    ['Hello , world !']
    """
    check_tokenizer(tokenizer)
    check_threads(threads)
    buffer, offsets = _native.tokenize_lines(lines.buffer, lines.spans, tokenizer, threads)
    return Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1))


def tokenize(
    sentences: Iterable[str],
    tokenizer: Tokenizer = "13a",
    *,
    case: Case = "mixed",
    normalize: Normalize = "none",
    threads: int = 0,
) -> list[list[str]]:
    """The tokens of each sentence.

    >>> tokenize(["It's 3.5-4 km.", "你好。"], "zh")
    [["It's", '3.5', '-', '4', 'km', '.'], ['你', '好', '。']]
    """
    lines = Lines.of(sentences, "sentences")
    if check_normalize(normalize) == "typography":
        lines = lines.normalize_typography()
    lines = apply_case(lines, case)
    return [
        line.split(" ") if line else [] for line in tokenize_lines(lines, tokenizer, threads=threads)
    ]


def apply_case(lines: Lines, case: Case) -> Lines:
    """The lines, lowercased if `case` is "lower".

    >>> list(apply_case(Lines.of(["Ab"]), "lower"))
    ['ab']
    """
    check_case(case)
    return lines.lower() if case == "lower" else lines


def encode_segments(
    columns: Sequence[LineGroups], tokenizer: Tokenizer, case: Case, threads: int
) -> list[Ragged]:
    """Ids of every line of every column, numbered anew in each segment (equal token, equal id).

    >>> pair = [LineGroups.of(["a b a"]), LineGroups.of([["b c", "a"]])]
    >>> [ids.to_lists() for ids in encode_segments(pair, "13a", "mixed", 1)]
    [[[0, 1, 0]], [[1, 2], [0]]]
    """
    check_tokenizer(tokenizer)
    ready = []
    for column in columns:
        lines = apply_case(column.lines, case)
        ready.append((lines.buffer, lines.spans, column.groups))
    encoded = _native.encode_segments(ready, tokenizer, threads)
    return [Ragged(ids, offsets) for ids, offsets in encoded]
