r"""GIZA++'s alignment files (Och and Ney 2003), whose names end in ``A3.final``.

Three lines per pair: a comment, a sentence, and the other sentence with the positions (from 1) of the
first one's words that each word is linked to, after the empty word NULL:

    # Sentence pair (1) source length 2 target length 2 alignment score : 0.1
    la maison
    NULL ({ }) the ({ 1 }) house ({ 2 })

The sentence of the second line is the one that was generated: here *la maison*, from *the house*. As
a forward alignment, of p(target | source), the third line is the source and the second the target.
MGIZA writes parts, which must be merged first: the numbers in the comments must ascend from 1.
"""

from __future__ import annotations

import re
from pathlib import Path

from paragauge.align.links import Links, Pair
from paragauge.errors import FileFormatError
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines

BATCH = 3 << 12
COMMENT = re.compile(r"# Sentence pair \(([0-9]{1,12})\) ")
LINKED = re.compile(r"([^ \t]+) \(\{((?: \d{1,9})*) \}\)(?: |$)")
EXCERPT = 60


def read_giza(path: str | Path) -> Links:
    r"""The links of each pair: from words of the third line (source) to those of the second (target).

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "A3.final")
    ...     _ = path.write_text(
    ...         "# Sentence pair (1) source length 2 target length 2 alignment score : 0.1\n"
    ...         "la maison\nNULL ({ }) the ({ 1 }) house ({ 2 })\n"
    ...     )
    ...     read_giza(path).to_lists()
    [[(0, 0), (1, 1)]]
    """
    pairs: list[list[Pair]] = []
    with LineReader(path) as reader:
        while len(lines := reader.read(BATCH)):
            before = reader.line - len(lines)
            if len(lines) % 3:
                raise FileFormatError(
                    display_name(path),
                    reader.line,
                    "expected three lines a pair, found the end of the file; it was cut, or is no "
                    "alignment of GIZA++",
                )
            pairs += _pairs(path, lines, before)
    if not pairs:
        raise FileFormatError(
            display_name(path), None, "the file is empty; expected three lines a pair"
        )
    return Links.from_lists(pairs)


def _pairs(path: str | Path, lines: Lines, before: int) -> list[list[Pair]]:
    texts = list(lines)
    links_by_pair = []
    for start in range(0, len(texts), 3):
        number = (before + start) // 3 + 1
        comment, generated, linked = texts[start : start + 3]
        head = COMMENT.match(comment)
        if head is None or int(head[1]) != number:
            raise _error(path, before + start + 1, f"'# Sentence pair ({number}) ...'", comment)
        links_by_pair.append(
            _links(path, before + start + 3, linked, len(re.findall(r"[^ \t]+", generated)))
        )
    return links_by_pair


def _links(path: str | Path, line: int, text: str, words: int) -> list[Pair]:
    links: list[Pair] = []
    at, position = 0, -1  # the empty word stands before the first one
    while (match := LINKED.match(text, at)) is not None:
        at = match.end()
        for target in map(int, match[2].split()) if position >= 0 else ():
            if not 1 <= target <= words:
                raise FileFormatError(
                    display_name(path), line, f"link to word {target}, but the line before has {words}"
                )
            links.append((position, target - 1))
        position += 1
    if at != len(text) or not text.startswith("NULL ({"):
        raise _error(path, line, "words such as 'NULL ({ }) the ({ 1 })'", text[at:])
    return links


def _error(path: str | Path, line: int, expected: str, text: str) -> FileFormatError:
    excerpt = text if len(text) <= EXCERPT else text[:EXCERPT] + "..."
    return FileFormatError(
        display_name(path),
        line,
        f"expected {expected}, found {excerpt!r}; give a file that GIZA++ wrote (A3.final)",
    )
