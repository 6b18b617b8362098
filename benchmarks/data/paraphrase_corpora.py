"""Word-aligned, parsed sentence pairs of English for experiments with paraphrase grammars.

| corpus | links | trees |
|---|---|---|
| `edinburgh` (Cohn, Callison-Burch and Lapata 2008): mtc, news, novels | by hand | given |
| `mtref`, references of machine translation | by hand | given |
| `msrp` (Dolan, Quirk and Brockett 2004), all pairs as in Weese et al. 2014 | eflomal | our parser |
| `bible`: five translations of every verse | eflomal | our parser |

Trees are of the source side. Words are in lowercase, as in PPDB; trees have the words in their
original case.
"""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.race import DATA
from paragauge.align.aligners import choose_aligner
from paragauge.align.links import Links
from paragauge.syntax.constituents import ChartParser
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import tokenize_lines

PARTS = ("mtc", "news", "novels")
TRANSLATIONS = {
    "KJV": "KING_JAMES",
    "ASV": "AMERICAN_STANDARD",
    "WEB": "WORLD_ENGLISH",
    "YLT": "YOUNGS",
    "BBE": "BIBLE_IN_BASIC_ENGLISH",
}


@dataclass(frozen=True)
class Corpus:
    """Sentence pairs in lowercase, their links, and the trees of the source side."""

    name: str
    bitext: Bitext
    links: Links
    trees: Trees

    def __len__(self) -> int:
        return len(self.bitext)

    def batches(
        self, *, trees: bool, size: int = 1 << 12
    ) -> Iterator[tuple[Bitext, Links, Trees | None]]:
        """Batches for rule extraction, with trees or without."""
        for first in range(0, len(self), size):
            part = slice(first, first + size)
            yield self.bitext[part], self.links[part], self.trees[part] if trees else None

    @property
    def words(self) -> int:
        """Words of both sides."""
        return int(self.bitext.source_lengths.sum() + self.bitext.target_lengths.sum())


def edinburgh(*files: str, part: str | None = None) -> Corpus:
    """The Edinburgh corpus: `train`, `test` or both files; one part, or all."""
    return read_hand_aligned("edinburgh", *(files or ("train", "test")), part=part)


def read_hand_aligned(name: str, *files: str, part: str | None = None) -> Corpus:
    """Pairs with sure and possible links made by hand, and trees."""
    rows = [
        row for row in hand_aligned_rows(name, *files) if part is None or row["id"].startswith(part)
    ]
    return Corpus(
        part or name,
        _lower([row["source"] for row in rows], [row["target"] for row in rows]),
        Links.from_lists([row["links"] for row in rows]),
        Trees.of([row["source_tree"] for row in rows]),
    )


def hand_aligned_rows(name: str, *files: str) -> list[dict[str, Any]]:
    """The pairs as in the files, with sure and possible links together in `links`."""
    rows = []
    for file in files:
        with gzip.open(DATA / name / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines]
    for row in rows:
        row["links"] = sorted({(s, t) for s, t in row["sure"] + row["poss"]})
    return rows


def msrp() -> Corpus:
    """The paraphrase corpus of newswire, both judgments, tokenized, aligned and parsed."""
    pairs = []
    for name in ("train", "test"):
        with gzip.open(DATA / "msrp" / f"{name}.tsv.gz", "rt", encoding="utf-8-sig") as lines:
            next(lines)
            pairs += [line.rstrip("\n").split("\t")[3:5] for line in lines]
    source, target = (penn(side) for side in zip(*pairs, strict=True))
    return align_corpus("msrp", source, target)


@functools.cache
def verses() -> tuple[list[str], ...]:
    """The verses that all five translations have, as Penn tokens; one list for each translation."""
    import pythonbible

    lists: list[list[str]] = [[] for _ in TRANSLATIONS]
    for verse in pythonbible.verses.VERSE_IDS:
        try:
            texts = [
                pythonbible.get_verse_text(verse, version=pythonbible.Version[name])
                for name in TRANSLATIONS.values()
            ]
        except pythonbible.VersionMissingVerseError:
            continue
        if all(texts):
            for own, text in zip(lists, texts, strict=True):
                own.append(" ".join(text.split()))
    return tuple(penn(own) for own in lists)


def bible(chosen: Sequence[int], pairings: Sequence[tuple[int, int]], per_verse: int) -> Corpus:
    """Verses in pairs of translations: each verse in a number of pairings, which take turns."""
    own = verses()
    pairs = [
        (verse, *pairings[(per_verse * at + turn) % len(pairings)])
        for at, verse in enumerate(chosen)
        for turn in range(per_verse)
    ]
    source = [own[a][verse] for verse, a, _ in pairs]
    target = [own[b][verse] for verse, _, b in pairs]
    return align_corpus("bible", source, target)


def align_corpus(name: str, source: Sequence[str], target: Sequence[str]) -> Corpus:
    """A corpus of tokenized pairs, aligned by the default aligner and parsed by our parser."""
    bitext = _lower(source, target)
    links = choose_aligner().align(bitext).symmetrize("grow-diag-final-and")
    different = list(dict.fromkeys(source))
    number = {text: i for i, text in enumerate(different)}
    trees = ChartParser.default().parse_lines(Lines.of(different))
    return Corpus(name, bitext, links, trees[[number[text] for text in source]])


def penn(lines: Sequence[str]) -> list[str]:
    """Lines as Penn tokens separated by spaces."""
    return list(tokenize_lines(Lines.of(lines), "penn"))


def _lower(source: Sequence[str], target: Sequence[str]) -> Bitext:
    return Bitext.of([line.lower() for line in source], [line.lower() for line in target])
