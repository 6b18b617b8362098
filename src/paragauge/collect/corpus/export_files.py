"""Writers for exports: a table, its format by its name, or a folder of plain files with parallel lines.

The folder has one file for each column: `source.txt`, `target.txt`, `item.txt`, one text a line; a
column of lists is a `.tsv` whose texts are separated by tabs, as `paragauge score -r` reads references.
A new folder appears complete at the end; in an existing one, files of the same names are replaced at
the end, and others stay (`file_set`).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from paragauge.errors import FileFormatError
from paragauge.text.atomic_folders import file_set
from paragauge.text.files import atomic
from paragauge.text.table_writers import Columns, RowWriter, row_writer

_BREAKS = re.compile("[\t\n\r]")


@contextlib.contextmanager
def export_rows(
    path: str | Path, kinds: Mapping[str, type], widths: Mapping[str, int], *, plain: bool = False
) -> Iterator[RowWriter]:
    """A writer for a table, or for a folder of plain files.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with export_rows(folder, {"source": str, "reference": list}, {}, plain=True) as rows:
    ...         rows.write({"source": ["a b"], "reference": [["c", "d"]]})
    ...     Path(folder, "source.txt").read_text(), Path(folder, "reference.tsv").read_text()
    ('a b\\n', 'c\\td\\n')
    """
    if not plain:
        with row_writer(path, kinds, widths=widths) as rows:
            yield rows
        return
    with file_set(path) as folder, contextlib.ExitStack() as stack:
        files = {
            name: stack.enter_context(atomic(folder / f"{name}.{'tsv' if kind is list else 'txt'}"))
            for name, kind in kinds.items()
        }
        yield _PlainRows(Path(path), files)


class _PlainRows:
    def __init__(self, folder: Path, files: Mapping[str, IO[str]]) -> None:
        self._folder = folder
        self._files = files

    def write(self, columns: Columns) -> None:
        for name, values in columns.items():
            for value in values:
                texts = value if isinstance(value, list) else [value]
                wrong = next((text for text in texts if _BREAKS.search(text)), None)
                if wrong is not None:
                    raise FileFormatError(
                        self._folder,
                        None,
                        f"a text has a tab or a line end, which plain files cannot hold: "
                        f"{wrong[:60]!r}; write CSV, JSON Lines or Parquet",
                    )
                self._files[name].write("\t".join(texts) + "\n")
