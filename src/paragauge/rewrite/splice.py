"""Words and phrases put into the places of tokens, with the rest of the text as it was.

A substitute takes on the case of the word that it replaces, unless its own capitals are part of its
spelling:

| word replaced | substitute |
|---------------|------------|
| has no capitals | in small letters |
| starts with a capital | starts with a capital |
| is all capitals, two or more, as is the whole text | all capitals |
| is all capitals alone: an acronym, or emphasis | as the output has it (television for TV) |

A substitute with a capital after its first letter (McDonald, U.S.) stays as the output has it, and so
does a first letter whose capital is another letter's (the ﬁ of ﬁne, which is not FIne). Of a
phrase, this holds for the first word, in the case of the first word replaced; the others stay as the
output has them, but for a text in capitals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.text.lines import Lines


def restore_case(word: str, old: str, *, capitals: bool = False) -> str:
    """A word of an output in the case of the word `old`, of a text that is in `capitals` or not.

    >>> pairs = [("difficult", "Hard"), ("Difficult", "hard"), ("U.S.", "America")]
    >>> tuple(restore_case(*pair) for pair in pairs)
    ('Difficult', 'difficult', 'U.S.')
    >>> restore_case("television", "TV"), restore_case("television", "TV", capitals=True)
    ('television', 'TELEVISION')
    >>> restore_case("ﬁne", "Good")
    'ﬁne'
    """
    if any(map(str.isupper, word[1:])):
        return word
    if old.isupper() and sum(map(str.isalpha, old)) > 1:
        return word.upper() if capitals else word
    small, capital = word[:1].lower(), word[:1].upper()
    first = capital if old[:1].isupper() and capital.lower() == small else small
    return first + word[1:]


def restore_phrase_case(phrase: str, old: str, *, capitals: bool = False) -> str:
    """Words of an output in the case of the words `old`.

    >>> restore_phrase_case("The United States", "Washington 's government")
    'The United States'
    >>> pairs = [("The United States", "its government"), ("take place", "Occur")]
    >>> tuple(restore_phrase_case(*pair) for pair in pairs)
    ('the United States', 'Take place')
    """
    first, blank, others = phrase.partition(" ")
    head = restore_case(first, old.partition(" ")[0], capitals=capitals)
    return head + blank + (others.upper() if capitals else others)


def output_texts(
    lines: Lines, tokens: Lines, line: Ints, span: tuple[Ints, Ints], threads: int = 0
) -> list[str]:
    """The text of each span of tokens (first and last, of `line`), with one space for white space.

    >>> lines, tokens = Lines.of(["They  don't\\tgo."]), Lines.of(["They do n't go ."])
    >>> output_texts(lines, tokens, np.array([0]), (np.array([1]), np.array([3])))
    ["don't go"]
    """
    starts, stops = _places(lines, tokens, line, span, threads)
    buffer = lines.buffer.tobytes()
    texts = (buffer[start:stop].decode() for start, stop in zip(starts, stops, strict=True))
    return [" ".join(text.split()) for text in texts]


def _places(
    lines: Lines, tokens: Lines, line: Ints, span: tuple[Ints, Ints], threads: int
) -> tuple[list[int], list[int]]:
    """The first byte of each span's first token, and the byte after its last token."""
    if not len(line):
        return [], []
    different, row = np.unique(line, return_inverse=True)
    texts = Lines(lines.buffer, np.ascontiguousarray(lines.spans[different]))
    cut = Lines(tokens.buffer, np.ascontiguousarray(tokens.spans[different]))
    places = _native.token_spans(texts.buffer, texts.spans, cut.buffer, cut.spans, threads)
    before = np.cumsum([0, *(text.count(" ") + 1 for text in cut)])[row]
    return places[before + span[0], 0].tolist(), places[before + span[1], 1].tolist()


def splice_words(
    lines: Lines,
    tokens: Lines,
    line: Ints,
    span: tuple[Ints, Ints],
    words: Sequence[str],
    threads: int = 0,
) -> Lines:
    """The lines with the tokens of each span (first and last) replaced by one of the `words`.

    `line` is that of each span, `tokens` are the Penn tokens of the lines. The spans are sorted by line
    and position, and do not overlap. Lines in which nothing is replaced share the buffer.

    >>> lines, tokens = Lines.of(['A "hard" day.']), Lines.of(["A `` hard '' day ."])
    >>> list(splice_words(lines, tokens, np.array([0]), (np.array([2]), np.array([2])), ["difficult"]))
    ['A "difficult" day.']
    """
    starts, stops = _places(lines, tokens, line, span, threads)
    changed, row = np.unique(line, return_inverse=True)
    buffer = lines.buffer.tobytes()
    pieces: list[bytes] = []
    sizes = []
    number = 0
    for here, (start, end) in enumerate(lines.spans[changed].tolist()):
        size, at = 0, start
        while number < len(row) and row[number] == here:
            word = words[number].encode()
            pieces += [buffer[at : starts[number]], word]
            size += starts[number] - at + len(word)
            at = stops[number]
            number += 1
        pieces.append(buffer[at:end])
        sizes.append(size + end - at)
    ends = len(buffer) + np.cumsum([0, *sizes], dtype=np.int64)
    spans = lines.spans.copy()
    spans[changed] = np.stack([ends[:-1], ends[1:]], axis=1)
    tail = np.frombuffer(b"".join(pieces), np.uint8)
    return Lines(np.concatenate([lines.buffer, tail]), spans)
