"""Lists of words that users give, one per line."""

from __future__ import annotations

from paragauge.errors import FileFormatError
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.wording import pluralize


def read_words(path: str) -> list[str]:
    r"""The words of a file, one per line; empty lines do not count.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "words")
    ...     _ = path.write_text("the\n\n of \n")
    ...     read_words(str(path))
    ['the', 'of']
    """
    words: list[str] = []
    with LineReader(path) as reader:
        while lines := reader.read(1 << 13, 1 << 24):
            for number, line in enumerate(lines, reader.line - len(lines) + 1):
                parts = line.split()
                if len(parts) > 1:
                    raise FileFormatError(
                        display_name(path),
                        number,
                        f"expected one word per line, found {pluralize(len(parts), 'word')}; "
                        "put each on a line of its own",
                    )
                words += parts
    return words
