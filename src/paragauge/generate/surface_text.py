"""Text as people write it from the words of a paraphraser: spaces and case as in the source.

A paraphraser writes words separated by spaces, lowercased if it was trained so. The source tells how to
write them:

- Two words that stand side by side in the source are joined or separated as they are there. Others
  follow the usual rules of punctuation: none before `.`, `,` and closing brackets, none after opening
  brackets and currency signs, quotes in pairs, the Penn parts of contractions joined.
- A word that the source has in capitals, or capitalized inside the sentence, is written so.
- The first letter is a capital if that of the source is one; all letters are if all of the source are.

A name that only stands at the start of its sentence cannot be told from other words, and loses its
capital elsewhere. Words of the tokenizers `none` and `blanks` are the user's own and keep their spaces.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from paragauge.errors import LengthError
from paragauge.lm.text_form import TextForm
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import tokenize_lines

CLOSING = frozenset((*".,;:!?…%)]}’", "...", "''", "n't", "'s", "'re", "'ve", "'ll", "'d", "'m"))
OPENING = frozenset((*"([{$£€‘", "``"))
QUOTE = frozenset('"')
PENN_QUOTES = {"``": '"', "''": '"'}
KEEP_SPACES = ("none", "blanks")
IDEOGRAPHS = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def surface_texts(texts: Sequence[str], sources: Sequence[str], form: TextForm) -> list[str]:
    """Each paraphrase with the spaces and the case of its source; `form` is the paraphraser's.

    >>> form = TextForm("13a", "lower")
    >>> surface_texts(["in march , prices rose ( by 2 % ) ."], ["Prices rose (by 2%) in March."], form)
    ['In March, prices rose (by 2%).']
    """
    if len(texts) != len(sources):
        raise LengthError(
            f"paraphrases: expected one for each of {len(sources)} sources, found {len(texts)}"
        )
    tokens = tokenize_lines(Lines.of(sources), form.tokenize)
    return [
        surface_text(text, source, words.split(" ") if words else [], form)
        for text, source, words in zip(texts, sources, tokens, strict=True)
    ]


def surface_text(text: str, source: str, words: Sequence[str], form: TextForm) -> str:
    """One paraphrase as text; `words` are those of the source, in its own case.

    >>> surface_text("bob saw nasa", "NASA saw Bob", ["NASA", "saw", "Bob"], TextForm("none", "lower"))
    'Bob saw NASA'
    """
    if not text or not source.strip():
        return text
    tokens = text.split(" ")
    written = _restore_case(tokens, words) if form.case == "lower" else tokens
    if form.tokenize in KEEP_SPACES:
        joined = " ".join(written)
    elif form.tokenize == "char":
        return text
    else:
        joined = _join(written, _joints(source, words))
    return _restore_capitals(joined, source)


def _restore_case(tokens: Sequence[str], words: Sequence[str]) -> list[str]:
    """Words as the source writes them, unless only the start of the sentence is the reason."""
    cased: dict[str, str] = {}
    for place, word in enumerate(words):
        at_start = place == 0 or not any(map(str.isalnum, "".join(words[:place])))
        if word != word.lower() and not (at_start and word != "I" and _is_capitalized(word)):
            cased.setdefault(word.lower(), word)
    return [cased.get(token, token) for token in tokens]


def _is_capitalized(word: str) -> bool:
    return word[1:] == word[1:].lower()


def _joints(source: str, words: Sequence[str]) -> dict[tuple[str, str], str]:
    """What the source has between words that stand side by side in it: nothing or a space."""
    joints: dict[tuple[str, str], str] = {}
    at = 0
    ends: list[tuple[int, int]] = []
    for word in words:
        spelling = PENN_QUOTES.get(word, word)
        start = source.find(word, at)
        if start < 0:
            start = source.find(spelling, at)
        if start < 0 or source[at:start].strip():
            return {}  # the tokenizer changed characters
        at = start + len(word if source.startswith(word, start) else spelling)
        ends.append((start, at))
    pairs = zip(itertools.pairwise(words), itertools.pairwise(ends), strict=True)
    for (left, right), ((_, stop), (start, _)) in pairs:
        joints.setdefault((left.lower(), right.lower()), " " if start > stop else "")
    return joints


def _join(tokens: Sequence[str], joints: dict[tuple[str, str], str]) -> str:
    return "".join(itertools.chain.from_iterable(_parts(tokens, joints)))


def _parts(tokens: Sequence[str], joints: dict[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """The space before each token, and the token."""
    before, is_open = "", False
    for token in tokens:
        closes = is_open and token in QUOTE
        opened = is_open and before in QUOTE
        space = "" if not before or closes or opened else _space(before, token)
        yield joints.get((before.lower(), token.lower()), space), PENN_QUOTES.get(token, token)
        is_open = is_open != (token in QUOTE)
        before = token


def _space(left: str, right: str) -> str:
    """The space between two words by the rules of punctuation."""
    if right in CLOSING or left in OPENING:
        return ""
    return "" if IDEOGRAPHS.match(left[-1]) and IDEOGRAPHS.match(right[0]) else " "


def _restore_capitals(text: str, source: str) -> str:
    letters = [letter for letter in source if letter.isalpha()]
    if len(letters) > 1 and source == source.upper() and source != source.lower():
        return text.upper()
    if not letters or not letters[0].isupper():
        return text
    place = next((place for place, letter in enumerate(text) if letter.isalpha()), None)
    return text if place is None else text[:place] + text[place].upper() + text[place + 1 :]
