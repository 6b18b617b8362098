"""Read sentence pairs with their links and trees from parallel files, in flat memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paragauge.align.links import Links
from paragauge.errors import LengthError
from paragauge.phrases.extract import aligned_batches
from paragauge.syntax.tree_files import TreeForm, tree_batches
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext, BitextFiles
from paragauge.text.files import display_name
from paragauge.text.wording import pluralize


@dataclass(frozen=True)
class TreeFile:
    """The file with the trees of one side, one for each sentence pair, and how to read it.

    `form` is a format of `syntax/tree_files.py`; `strip` turns labels like NP-SBJ=1 into NP.
    """

    path: str | Path
    form: TreeForm = "auto"
    strip: bool = False


def read_pair_batches(
    where: BitextFiles, alignment: str | Path, trees: TreeFile | None = None, threads: int = 0
) -> Iterator[tuple[Bitext, Links, Trees | None]]:
    r"""Read sentence pairs, their links from a Pharaoh file, and their trees.

    >>> import tempfile
    >>> texts = {"pairs": "I see\tI look\n", "links": "0-0 1-1\n", "trees": "(S (NP I) (VP see))\n"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = {name: Path(folder, name) for name in texts}
    ...     for name, text in texts.items():
    ...         _ = paths[name].write_text(text)
    ...     files = BitextFiles(paths["pairs"]), paths["links"], TreeFile(paths["trees"])
    ...     [(len(bitext), len(trees)) for bitext, _, trees in read_pair_batches(*files)]
    [(1, 1)]
    """
    yield from attach_trees(aligned_batches(where, alignment, threads), trees)


def attach_trees(
    batches: Iterator[tuple[Bitext, Links]], trees: TreeFile | None
) -> Iterator[tuple[Bitext, Links, Trees | None]]:
    """Add the trees of their pairs to batches.

    The file has one tree for every line of the text, and an empty line where a sentence has no words,
    also for pairs that are dropped. A file with more or fewer trees is an error.
    """
    if trees is None:
        for bitext, links in batches:
            yield bitext, links, None
        return
    tree_parts = tree_batches(trees.path, form=trees.form, strip=trees.strip, keep_empty=True)
    waiting = Trees.concatenate([])
    read = used = 0
    for bitext, links in batches:
        parts = [waiting]
        while sum(map(len, parts)) < bitext.lines:
            part = next(tree_parts, None)
            if part is None:
                raise LengthError(
                    f"{display_name(trees.path)} has {pluralize(read, 'tree')}, but there are at least "
                    f"{used + bitext.lines} sentence pairs; expected one tree for each, and an empty "
                    "line for a sentence without words"
                )
            read += len(part)
            parts.append(part)
        whole = Trees.concatenate(parts)
        yield bitext, links, whole[bitext.places]
        waiting = whole[bitext.lines :]
        used += bitext.lines
    unused = len(waiting) + sum(map(len, tree_parts))
    if unused:
        raise LengthError(
            f"{display_name(trees.path)} has {pluralize(used + unused, 'tree')}, but there are "
            f"{pluralize(used, 'sentence pair')}; expected one tree for each, and an empty line for "
            "a sentence without words"
        )
