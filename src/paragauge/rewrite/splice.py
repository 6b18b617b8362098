"""Replace tokens of a text by words and phrases, and leave the rest of the text as it is.

A substitute takes on the case of the word that it replaces, unless capitals are part of its spelling:

| word replaced | substitute |
|---------------|------------|
| has no capitals | lowercase |
| starts with a capital | starts with a capital |
| is two or more capitals, and so is the whole text | all capitals |
| is all capitals in other text: an acronym, or emphasis | as in the output (television for TV) |

A substitute with a capital after its first letter (McDonald, U.S.) stays as it is in the output, and so
does a first letter that is not the lowercase of its own capital (the ﬁ of ﬁne, which does not become
FIne). In a phrase, only the first word takes on the case of the first replaced word; the others stay as
they are in the output, except in a text in capitals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.text.lines import Lines


def restore_case(word: str, old: str, *, capitals: bool = False) -> str:
    """Put a word of an output in the case of the word `old`, whose text is in `capitals` or not.

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
    """Put words of an output in the case of the words `old`.

    >>> restore_phrase_case("The United States", "Washington 's government")
    'The United States'
    >>> pairs = [("The United States", "its government"), ("take place", "Occur")]
    >>> tuple(restore_phrase_case(*pair) for pair in pairs)
    ('the United States', 'Take place')
    """
    first, space, others = phrase.partition(" ")
    head = restore_case(first, old.partition(" ")[0], capitals=capitals)
    return head + space + (others.upper() if capitals else others)


def output_texts(
    lines: Lines, tokens: Lines, line: Ints, span: tuple[Ints, Ints], threads: int = 0
) -> list[str]:
    """The text of each span of tokens (first and last, of `line`), with white space as one space.

    >>> lines, tokens = Lines.of(["They  don't\\tgo."]), Lines.of(["They do n't go ."])
    >>> output_texts(lines, tokens, np.array([0]), (np.array([1]), np.array([3])))
    ["don't go"]
    """
    starts, stops = _byte_spans(lines, tokens, line, span, threads)
    buffer = lines.buffer.tobytes()
    texts = (buffer[start:stop].decode() for start, stop in zip(starts, stops, strict=True))
    return [" ".join(text.split()) for text in texts]


def _byte_spans(
    lines: Lines, tokens: Lines, line: Ints, span: tuple[Ints, Ints], threads: int
) -> tuple[list[int], list[int]]:
    """The first byte of each span's first token, and the byte after its last token."""
    if not len(line):
        return [], []
    distinct, row = np.unique(line, return_inverse=True)
    texts = Lines(lines.buffer, np.ascontiguousarray(lines.spans[distinct]))
    tokenized = Lines(tokens.buffer, np.ascontiguousarray(tokens.spans[distinct]))
    places = _native.token_spans(texts.buffer, texts.spans, tokenized.buffer, tokenized.spans, threads)
    before = np.cumsum([0, *(text.count(" ") + 1 for text in tokenized)])[row]
    return places[before + span[0], 0].tolist(), places[before + span[1], 1].tolist()


def splice_words(
    lines: Lines,
    tokens: Lines,
    line: Ints,
    span: tuple[Ints, Ints],
    words: Sequence[str],
    threads: int = 0,
) -> Lines:
    """Replace the tokens of each span (first and last) by the span's entry in `words`.

    `line` is the line of each span, `tokens` are the Penn tokens of the lines. The spans are sorted by
    line and position, and do not overlap. Unchanged lines share the buffer.

    >>> lines, tokens = Lines.of(['A "hard" day.']), Lines.of(["A `` hard '' day ."])
    >>> list(splice_words(lines, tokens, np.array([0]), (np.array([2]), np.array([2])), ["difficult"]))
    ['A "difficult" day.']
    """
    starts, stops = _byte_spans(lines, tokens, line, span, threads)
    changed, row = np.unique(line, return_inverse=True)
    buffer = lines.buffer.tobytes()
    pieces: list[bytes] = []
    sizes = []
    number = 0
    for changed_row, (start, end) in enumerate(lines.spans[changed].tolist()):
        size, at = 0, start
        while number < len(row) and row[number] == changed_row:
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
