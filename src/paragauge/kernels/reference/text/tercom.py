"""Twin of tercom.cpp: tercom's normalization of lines for TER, as sacreBLEU applies it."""

from __future__ import annotations

import re

from paragauge.kernels.layout import Bytes, Ints, Texts, pack_texts, texts

_WESTERN = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\n-", ""),
        (r"\n", " "),
        ("&quot;", '"'),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        (r"\A|\Z", " "),
        (r"([{-~[-` -&(-+:-@/])", r" \1 "),
        ("'s ", " 's "),
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
]
_ASIAN_PUNCTUATION = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
    "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
)
# tercom's rules for kana never apply in sacreBLEU: they ask for the line's start, which is a space.
_ASIAN = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f"
    f"\u3200-\u3f22{_ASIAN_PUNCTUATION}])"
)


def tercom_words(line: str, normalized: bool, no_punct: bool, asian: bool) -> list[str]:
    """The words of one line.

    >>> tercom_words("It's 3.5 km, isn't it?", normalized=True, no_punct=False, asian=False)
    ['It', "'s", '3.5', 'km', ',', "isn't", 'it', '?']
    """
    line = line.rstrip()
    if normalized and line:
        for pattern, replacement in _WESTERN:
            line = pattern.sub(replacement, line)
        if asian:
            line = _ASIAN.sub(r" \1 ", line)
    if no_punct:
        line = re.sub(r'[.,?:;!"()]', "", line)
        if asian:
            line = re.sub(f"[{_ASIAN_PUNCTUATION}]", "", line)
    return line.split()


def normalize_tercom(
    buffer: Bytes, spans: Ints, normalized: bool, no_punct: bool, asian: bool, threads: int
) -> Texts:
    """The words of each line joined by a space."""
    del threads
    lines = texts(buffer, spans)
    return pack_texts([" ".join(tercom_words(line, normalized, no_punct, asian)) for line in lines])
