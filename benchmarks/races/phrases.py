"""Phrase extraction from hand-aligned sentence pairs, against the same loops in plain Python.

Ours is timed on one thread, from ids and links to Arrow columns; plain Python makes tuples of strings.
Both must give the same pairs. The speed of Moses' `extract` that is printed is from another machine and
decides nothing.

    python -m benchmarks.races.phrases

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from benchmarks.race import DATA, race, report
from paragauge.align.links import Links
from paragauge.align.pharaoh import read_pharaoh
from paragauge.engine.arrow_strings import strings
from paragauge.kernels import _native
from paragauge.text.bitext import Bitext, read_bitext
from paragauge.text.lines import Lines
from paragauge.text.vocabulary import Vocabulary

WANTED_RATIO = 30
MOSES = 193_000  # phrase pairs a second, on another machine
Row = tuple[str, str, str]


def plain(bitext: Bitext, links: Links, longest: int) -> list[Row]:
    rows = []
    for (left, right), pairs in zip(bitext_pairs(bitext), links.to_lists(), strict=True):
        source, target = left.split(), right.split()
        of_target: list[list[int]] = [[] for _ in target]
        of_source = [0] * len(source)
        for s, t in pairs:
            of_target[t].append(s)
            of_source[s] += 1
        for begin in range(len(target)):
            for end in range(begin, min(len(target), begin + longest)):
                inside = [s for t in range(begin, end + 1) for s in of_target[t]]
                if not inside or max(inside) - min(inside) >= longest:
                    continue
                first, last = min(inside), max(inside)
                used = Counter(inside)
                if any(of_source[s] > used[s] for s in range(first, last + 1)):
                    continue
                start = first
                while (
                    start >= 0 and last - start < longest and (start == first or not of_source[start])
                ):
                    stop = last
                    while (
                        stop < len(source)
                        and stop - start < longest
                        and (stop == last or not of_source[stop])
                    ):
                        inner = [
                            f"{s - start}-{t - begin}"
                            for t in range(begin, end + 1)
                            for s in of_target[t]
                        ]
                        rows.append(
                            (
                                " ".join(source[start : stop + 1]),
                                " ".join(target[begin : end + 1]),
                                " ".join(inner),
                            )
                        )
                        stop += 1
                    start -= 1
    return rows


def bitext_pairs(bitext: Bitext) -> list[tuple[str, str]]:
    return list(zip(bitext.source, bitext.target, strict=True))


def encode_lines(lines: Lines) -> tuple:
    vocabulary = Vocabulary()
    ids = vocabulary.encode(lines, "none")
    words = vocabulary.texts()
    offsets = [0, *words.spans[:, 1].tolist()]
    return (words.buffer, pa.array(offsets, pa.int64()).to_numpy()), ids.ids, ids.offsets


def main() -> None:
    folder = DATA / "oracles" / "moses"
    if not folder.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    bitext = read_bitext(folder / "source.gz", folder / "target.gz")
    links = read_pharaoh(folder / "alignment.gz")
    sides = encode_lines(bitext.source), encode_lines(bitext.target)
    arrays = links.source, links.target, links.offsets
    results = []
    for longest in (4, 7):

        def ours(longest: int = longest) -> pa.Table:
            columns = _native.extract_phrases(*sides, arrays, longest, 1)
            names = ["source", "target", "alignment", "order"]
            return pa.Table.from_arrays([strings(column) for column in columns], names)

        table = ours()
        rows = list(zip(*(table.column(i).to_pylist() for i in range(3)), strict=True))
        if rows != plain(bitext, links, longest):
            raise SystemExit(f"not the same phrase pairs at length {longest}")
        outcome = race(
            f"phrase pairs of at most {longest} words",
            "plain Python",
            len(rows),
            theirs=lambda longest=longest: plain(bitext, links, longest),
            ours=ours,
            repeats=5,
            wanted=WANTED_RATIO,
        )
        results.append(outcome)
    report("phrases", results)
    print(f"Moses' extract, on another machine: {MOSES:,} phrase pairs a second.")


if __name__ == "__main__":
    main()
