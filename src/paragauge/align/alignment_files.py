"""Existing alignments as an aligner: one Pharaoh file, or one for each direction."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paragauge.align.aligner import Alignment
from paragauge.align.links import Links
from paragauge.align.pharaoh import PharaohReader
from paragauge.text.bitext import Bitext
from paragauge.text.files import display_name


@dataclass(frozen=True)
class AlignedFiles:
    r"""Links read from files with a line for every line of the bitext; checked against it.

    Without `reverse`, `forward` holds symmetric links.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "links.txt")
    ...     _ = path.write_text("0-0 1-1\n")
    ...     AlignedFiles(path).align(Bitext.of(["the house"], ["la maison"])).forward.to_lists()
    [[(0, 0), (1, 1)]]
    """

    forward: str | Path
    reverse: str | Path | None = None

    @property
    def name(self) -> str:
        """The name of the file or files."""
        paths = [self.forward] if self.reverse is None else [self.forward, self.reverse]
        return " and ".join(map(display_name, paths))

    @property
    def symmetric(self) -> bool:
        """Whether there is one file only."""
        return self.reverse is None

    def align(self, bitext: Bitext) -> Alignment:
        """The links of the files."""
        reverse = None if self.reverse is None else _links(self.reverse, bitext)
        return Alignment(self.name, _links(self.forward, bitext), reverse)


def _links(path: str | Path, bitext: Bitext) -> Links:
    with PharaohReader(path) as reader:
        links = reader.read_for(bitext)
        reader.check_end()
    return links
