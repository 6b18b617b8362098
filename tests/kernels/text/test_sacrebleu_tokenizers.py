"""Tokenizers against sacreBLEU's own, on random text in many scripts and on every code point.

Oracle: the classes of sacrebleu.tokenizers (sacreBLEU 2.x), called as sacreBLEU's BLEU does: on the
line without trailing white space, the result split at white space.
"""

from __future__ import annotations

import functools
import importlib
import random
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge import tokenize

CLASSES = {
    "13a": ("tokenizer_13a", "Tokenizer13a"),
    "intl": ("tokenizer_intl", "TokenizerV14International"),
    "zh": ("tokenizer_zh", "TokenizerZh"),
    "char": ("tokenizer_char", "TokenizerChar"),
    "none": ("tokenizer_none", "NoneTokenizer"),
}

# First and last code point of blocks that differ in words, digits, marks or direction.
SCRIPTS = [
    (0x0020, 0x007E),
    (0x0020, 0x007E),
    (0x00A0, 0x024F),
    (0x0370, 0x03FF),
    (0x0400, 0x04FF),
    (0x0590, 0x05FF),
    (0x0600, 0x06FF),
    (0x0900, 0x097F),
    (0x0E00, 0x0E7F),
    (0x1100, 0x11FF),
    (0x1E00, 0x1FFF),
    (0x2000, 0x206F),
    (0x20A0, 0x2BFF),
    (0x3000, 0x30FF),
    (0x4E00, 0x4FFF),
    (0xAC00, 0xACFF),
    (0xFF00, 0xFFEF),
    (0x1F300, 0x1F6FF),
    (0x20000, 0x200FF),
    (0x2F800, 0x2F8FF),
]


def oracle(name: str) -> Callable[[str], list[str]]:
    module, kind = CLASSES[name]
    tokenizer = getattr(importlib.import_module(f"sacrebleu.tokenizers.{module}"), kind)()
    return lambda line: tokenizer(line.rstrip()).split()


def random_sentences(count: int, seed: int) -> list[str]:
    """Words of one or two scripts with numbers, marks, blanks and escapes between them."""
    rng = random.Random(seed)
    between = [
        " ",
        " ",
        " ",
        ", ",
        ". ",
        ".",
        ",",
        "-",
        " - ",
        "...",
        "&quot;",
        "&amp;",
        "<skipped>",
        "\t",
    ]
    between += [
        "3.14",
        "1,000",
        "12-",
        "5.",
        "'s ",
        "/",
        "\u3000",
        "\u200b",
        "\u00a0",
        "٣٫٥",
        "½",
        "。",
        "—",
    ]
    sentences = []
    for _ in range(count):
        scripts = rng.sample(SCRIPTS, 2)
        parts = []
        for _ in range(rng.randint(0, 12)):
            first, last = rng.choice(scripts)
            parts.append("".join(chr(rng.randint(first, last)) for _ in range(rng.randint(1, 7))))
            parts.append(rng.choice(between))
        sentences.append("".join(parts))
    return sentences


@pytest.mark.parametrize("name", CLASSES)
def test_ten_thousand_random_segments(name: str) -> None:
    sentences = random_sentences(10_000, seed=13)
    expected = oracle(name)
    for sentence, tokens in zip(sentences, tokenize(sentences, name), strict=True):
        assert tokens == expected(sentence), sentence


@functools.cache
def every_code_point() -> list[str]:
    """Each code point after, between and before the characters that rules look at, in sentences.

    Six of seven code points are not assigned or for private use, and stand in one place only.
    """
    points = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    words = [
        f"a{c}." if unicodedata.category(c) in ("Cn", "Co") else f"a{c}1{c}.{c}-{c}" for c in points
    ]
    return [" ".join(words[i : i + 40]) for i in range(0, len(words), 40)]


@pytest.mark.parametrize("name", CLASSES)
def test_every_code_point(name: str) -> None:
    sentences, expected = every_code_point(), oracle(name)
    for sentence, tokens in zip(sentences, tokenize(sentences, name), strict=True):
        assert tokens == expected(sentence), sentence


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", CLASSES)
def test_any_string(property_settings: Callable[..., settings], name: str) -> None:
    expected = oracle(name)

    @property_settings(max_examples=500)
    @given(st.text() | st.text("a1.,-&;quotlgpm<>\n \u3000中"))
    def check(sentence: str) -> None:
        assert tokenize([sentence], name) == [expected(sentence)]

    check()


@pytest.mark.parametrize("name", CLASSES)
def test_lower_case_comes_first(name: str) -> None:
    sentences = random_sentences(500, seed=5) + ["ΟΔΟΣ", "İstanbul", "ǅ"]
    expected = oracle(name)
    tokens = tokenize(sentences, name, case="lower")
    assert tokens == [expected(sentence.lower()) for sentence in sentences]
