"""Twin of phrases.cpp: phrase pairs that are consistent with a word alignment.

Koehn, Och and Marcu (2003), section 4.3, in the form of Moses' `extract`. A source phrase and a target
phrase, both of at most `max_length` words in a row, are a pair if at least one link joins them and no
link joins a word of one with a word outside of the other. So unaligned words at the edges of a phrase
may belong to it or not, and each choice is a pair of its own.

Pairs of a sentence come as Moses writes them: by the first and the last word of the target phrase, then
the source phrase beginning later first, then the one ending earlier first.
"""

from __future__ import annotations

import itertools

from paragauge.kernels.layout import Ids, Ints, Texts, pack_texts, sentences, unpack_texts

BitextSide = tuple[Texts, Ids, Ints]
Links = tuple[Ids, Ids, Ints]
Pair = tuple[int, int, int, int]
LONGEST = 64


def consistent(links: list[tuple[int, int]], pair: Pair) -> bool:
    """Whether a link lies inside a pair (source from, to, target from, to) and none leaves it."""
    first, last, begin, end = pair
    inside = [(first <= s <= last, begin <= t <= end) for s, t in links]
    return (True, True) in inside and not {(True, False), (False, True)} & set(inside)


def pairs_of(source: int, target: int, links: list[tuple[int, int]], max_length: int) -> list[Pair]:
    """All consistent pairs of two sentences of `source` and `target` words.

    >>> pairs_of(2, 1, [(0, 0)], 2)
    [(0, 0, 0, 0), (0, 1, 0, 0)]
    """
    sides = [
        [(i, j) for i in range(size) for j in range(i, min(size, i + max_length))]
        for size in (source, target)
    ]
    pairs = [
        (first, last, begin, end)
        for (first, last), (begin, end) in itertools.product(*sides)
        if consistent(links, (first, last, begin, end))
    ]
    return sorted(pairs, key=lambda pair: (pair[2], pair[3], -pair[0], pair[1]))


def order_of(inner: list[tuple[int, int]], words: int) -> str:
    """Text that sorts as Moses compares the links of one pair of phrases, which breaks ties there.

    Moses keeps, for each target word, the set of its source words, and compares these lists of sets.
    Each set is written as one character per source word ("0" for the first) and an end mark.

    >>> order_of([(0, 0), (2, 0), (1, 1)], 2)
    '02!1!'
    """
    return "".join(
        "".join(chr(ord("0") + s) for s, t in sorted(inner) if t == word) + "!" for word in range(words)
    )


def extract_phrases(
    source: BitextSide, target: BitextSide, links: Links, max_length: int, threads: int
) -> tuple[Texts, Texts, Texts, Texts]:
    """Columns of all pairs of all sentences: source, target, links inside, and `order_of` these.

    A side is (texts of words, numbers of words, offsets of sentences). `links` are (source positions,
    target positions, offsets), sorted by source and then by target in each sentence. The links inside
    a pair are written as Moses does, `0-0 2-1`, by target word and then by source word.
    """
    del threads
    if not 1 <= max_length <= LONGEST:
        raise ValueError(f"max_length must be from 1 to {LONGEST}")
    words = [unpack_texts(side[0]) for side in (source, target)]
    rows: tuple[list[str], ...] = ([], [], [], [])
    bounds = links[2].tolist()
    for number, (left, right) in enumerate(
        zip(sentences(source[1], source[2]), sentences(target[1], target[2]), strict=True)
    ):
        here = slice(bounds[number], bounds[number + 1])
        between = list(zip(links[0][here].tolist(), links[1][here].tolist(), strict=True))
        for first, last, begin, end in pairs_of(len(left), len(right), between, max_length):
            inner = [(s - first, t - begin) for s, t in between if begin <= t <= end]
            inner.sort(key=lambda link: (link[1], link[0]))
            rows[0].append(" ".join(words[0][i] for i in left[first : last + 1]))
            rows[1].append(" ".join(words[1][i] for i in right[begin : end + 1]))
            rows[2].append(" ".join(f"{s}-{t}" for s, t in inner))
            rows[3].append(order_of(inner, end - begin + 1))
    return pack_texts(rows[0]), pack_texts(rows[1]), pack_texts(rows[2]), pack_texts(rows[3])
