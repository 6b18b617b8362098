"""The readable twin of every native kernel: the specification.

Each function here has the name, the arguments and the result of the native one, and one test suite
runs both on the same inputs. `threads` is accepted and ignored: results never depend on it.

Text is a buffer of UTF-8 bytes with spans, an int64 array [lines, 2] of (first byte, byte after the
last). A *column* is a triple (values, positions, groups): `groups`, an int64 array [segments + 1] or
None, says that lines groups[i] to groups[i + 1] belong to segment i; None means line i is segment i.
An *id column* holds int32 ids with offsets [lines + 1]; *bags* hold int32 keys, float64 weights and
offsets [bags + 1].
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels import _native

Bytes = NDArray[np.uint8]
Ids = NDArray[np.int32]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
TextColumn = tuple[Bytes, Ints, Ints | None]
IdColumn = tuple[Ids, Ints, Ints | None]
Bags = tuple[Ids, Floats, Ints]

# --- lines -----------------------------------------------------------------------------------


def first_invalid_utf8(buffer: Bytes) -> int | None:
    """Offset of the first byte that is not part of well-formed UTF-8, or None."""
    try:
        buffer.tobytes().decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def split_lines(buffer: Bytes, start: int, limit: int, last: bool) -> tuple[Ints, int]:
    r"""Spans of at most `limit` lines from byte `start` on, and the byte after them.

    A line ends at ``\n`` or ``\r\n``. What follows the last line end is a line only if `last`.
    """
    text = buffer.tobytes()
    spans: list[tuple[int, int]] = []
    while len(spans) < limit and start < len(text):
        stop = text.find(b"\n", start)
        if stop < 0 and not last:
            break
        following = stop + 1 if stop >= 0 else len(text)
        if stop < 0:
            stop = len(text)
        elif text[start:stop].endswith(b"\r"):
            stop -= 1
        spans.append((start, stop))
        start = following
    return np.array(spans, np.int64).reshape(-1, 2), start


def split_fields(buffer: Bytes, spans: Ints) -> tuple[Ints, Ints]:
    """Cut every line at each tab: spans of all fields, and the groups that give each line's."""
    text = buffer.tobytes()
    fields, groups = [], [0]
    for start, stop in spans.tolist():
        at = start
        for field in text[start:stop].split(b"\t"):
            fields.append((at, at + len(field)))
            at += len(field) + 1
        groups.append(len(fields))
    return np.array(fields, np.int64).reshape(-1, 2), np.array(groups, np.int64)


def count_blank(buffer: Bytes, spans: Ints) -> int:
    """How many lines hold nothing but white space."""
    return sum(not line.strip() for line in _texts(buffer, spans))


def count_tabbed(buffer: Bytes, spans: Ints) -> int:
    """How many lines hold a tab."""
    return sum("\t" in line for line in _texts(buffer, spans))


def lower_ascii(buffer: Bytes, spans: Ints) -> tuple[Bytes, Ints]:
    """The buffer with ASCII letters lowered, and the numbers of lines that hold other letters."""
    text = buffer.tobytes()
    foreign = [i for i, (start, stop) in enumerate(spans.tolist()) if not text[start:stop].isascii()]
    return np.frombuffer(text.lower(), np.uint8), np.array(foreign, np.int64)


# --- tokenisers ------------------------------------------------------------------------------


def _chain(*rules: tuple[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), replacement) for pattern, replacement in rules]


_MTEVAL = _chain(
    (r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 "),
    (r"([^0-9])([\.,])", r"\1 \2 "),
    (r"([\.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)


def _category(name: str) -> str:
    """The inside of a character class; the ranges are data shared with the native kernel."""
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in unicode_ranges(name).tolist())


def unicode_ranges(category: str) -> Ints:
    """Ranges [m, 2] of the code points of general category N, P or S (a table, not a kernel)."""
    return _native.unicode_ranges(category)


_INTL = _chain(
    (rf"([^{_category('N')}])([{_category('P')}])", r"\1 \2 "),
    (rf"([{_category('P')}])([^{_category('N')}])", r" \1 \2"),
    (rf"([{_category('S')}])", r" \1 "),
)

# Two ranges end oddly because sacreBLEU's table does; see tokenise.cpp.
_CHINESE = re.compile(
    "([\u2001-\u2a6d\u2e80-\u2eff\u2f00-\u2fdf\u2ff0-\u2fff\u3000-\u303f\u3100-\u312f\u31a0-\u31bf"
    "\u31c0-\u31ef\u3200-\u32ff\u3300-\u33ff\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a"
    "\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef])"
)


def _apply(chain: list[tuple[re.Pattern[str], str]], line: str) -> list[str]:
    for pattern, replacement in chain:
        line = pattern.sub(replacement, line)
    return line.split()


def tokens(line: str, scheme: str) -> list[str]:
    """Tokens of one line as sacreBLEU's tokeniser `scheme` makes them.

    >>> tokens("It cost $3.50, didn't it?", "13a")
    ['It', 'cost', '$', '3.50', ',', "didn't", 'it', '?']
    """
    line = line.rstrip()
    if scheme == "13a":
        line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        for escaped, plain in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            line = line.replace(escaped, plain)
        return _apply(_MTEVAL, f" {line} ")
    if scheme == "zh":
        return _apply(_MTEVAL, _CHINESE.sub(r" \1 ", line.strip()))
    if scheme == "intl":
        return _apply(_INTL, line)
    if scheme == "char":
        return [char for char in line if not char.isspace()]
    if scheme == "none":
        return line.split()
    raise ValueError(f"no native tokeniser named '{scheme}'")


def _texts(buffer: Bytes, spans: Ints) -> Iterator[str]:
    text = buffer.tobytes()
    for start, stop in spans.tolist():
        yield text[start:stop].decode("utf-8")


def tokenise_lines(buffer: Bytes, spans: Ints, scheme: str, threads: int) -> tuple[Bytes, Ints]:
    """The tokens of each line joined by a blank, as one buffer, and offsets [lines + 1] into it."""
    del threads
    joined = [" ".join(tokens(line, scheme)).encode() for line in _texts(buffer, spans)]
    offsets = np.cumsum([0, *map(len, joined)], dtype=np.int64)
    return np.frombuffer(b"".join(joined), np.uint8), offsets


# --- numbering -------------------------------------------------------------------------------


def _group(lines: int, groups: Ints | None) -> list[range]:
    """The line numbers of each segment."""
    if groups is None:
        return [range(i, i + 1) for i in range(lines)]
    bounds = groups.tolist()
    return [range(first, last) for first, last in itertools.pairwise(bounds)]


def encode_segments(columns: Sequence[TextColumn], scheme: str, threads: int) -> list[tuple[Ids, Ints]]:
    """Ids and offsets of every column's lines.

    Tokens of one segment are numbered from 0 in order of first appearance, columns in the given
    order; equal numbers mean equal tokens inside one segment only.
    """
    del threads
    texts = [list(_texts(buffer, spans)) for buffer, spans, _ in columns]
    members = [_group(len(spans), groups) for _, spans, groups in columns]
    ids: list[list[int]] = [[] for _ in columns]
    offsets = [[0] for _ in columns]
    for segment in range(len(members[0]) if columns else 0):
        numbers: dict[str, int] = {}
        for c in range(len(columns)):
            for line in members[c][segment]:
                found = tokens(texts[c][line], scheme)
                ids[c] += [numbers.setdefault(token, len(numbers)) for token in found]
                offsets[c].append(len(ids[c]))
    return [(np.array(i, np.int32), np.array(o, np.int64)) for i, o in zip(ids, offsets, strict=True)]


class Vocabulary:
    """A numbering of tokens that holds for a whole corpus; -1 stands for an unknown token."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, token: str) -> int:
        """Number of `token`, the next free one if it is new."""
        return self._numbers.setdefault(token, len(self._numbers))

    def find(self, token: str) -> int:
        """Number of `token`, or -1."""
        return self._numbers.get(token, -1)

    def token(self, number: int) -> str:
        """The token with this number."""
        if not 0 <= number < len(self._numbers):
            raise IndexError(number)
        return list(self._numbers)[number]

    def encode(
        self, buffer: Bytes, spans: Ints, scheme: str, grow: bool, threads: int
    ) -> tuple[Ids, Ints]:
        """Ids and offsets of all lines; a new token is added in reading order if `grow`."""
        del threads
        number = self.add if grow else self.find
        ids: list[int] = []
        offsets = [0]
        for line in _texts(buffer, spans):
            ids += [number(token) for token in tokens(line, scheme)]
            offsets.append(len(ids))
        return np.array(ids, np.int32), np.array(offsets, np.int64)


# --- n-grams ---------------------------------------------------------------------------------


def _sentences(ids: Ids, offsets: Ints) -> list[list[int]]:
    flat, bounds = ids.tolist(), offsets.tolist()
    return [flat[first:last] for first, last in itertools.pairwise(bounds)]


def _ngrams(sentence: list[int], n: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sentence[i : i + n]) for i in range(len(sentence) - n + 1))


def match_ngrams(
    candidates: IdColumn,
    others: IdColumn,
    order: int,
    distinct: bool,
    joint: bool,
    threads: int,
) -> Ints:
    """How many n-grams of each candidate are found in the other line or lines of its segment.

    Rows of 2 * order numbers: matched n-grams for n = 1 ... order, then all n-grams of the
    candidate. An occurrence matches if the other line has as many occurrences; with `joint` the
    best count over the segment's lines decides and there is one row per segment, otherwise one row
    per other line. With `distinct` each different n-gram counts once.
    """
    del threads
    sentences = _sentences(*candidates[:2])
    other_sentences = _sentences(*others[:2])
    rows = []
    for candidate, lines in zip(sentences, _group(len(others[1]) - 1, others[2]), strict=True):
        each = [other_sentences[line] for line in lines]
        for rivals in [each] if joint else [[rival] for rival in each]:
            matched, total = [], []
            for n in range(1, order + 1):
                own = _ngrams(candidate, n)
                best: Counter[tuple[int, ...]] = Counter()
                for rival in rivals:
                    best |= _ngrams(rival, n)
                if distinct:
                    own, best = Counter(set(own)), Counter(set(best))
                matched.append((own & best).total())
                total.append(own.total())
            rows.append(matched + total)
    return np.array(rows, np.int64).reshape(-1, 2 * order)


def ngram_bags(columns: Sequence[IdColumn], order: int, threads: int) -> list[Bags]:
    """For each column the bag of all 1- to `order`-grams of each line, with counts as weights.

    Keys number the different n-grams of a segment from 0 in order of first appearance (columns in
    order, in a line all unigrams before all bigrams), so they agree between the columns there.
    """
    del threads
    sentences = [_sentences(ids, offsets) for ids, offsets, _ in columns]
    members = [_group(len(offsets) - 1, groups) for _, offsets, groups in columns]
    keys: list[list[int]] = [[] for _ in columns]
    weights: list[list[float]] = [[] for _ in columns]
    offsets_of = [[0] for _ in columns]
    for segment in range(len(members[0]) if columns else 0):
        numbers: dict[tuple[int, ...], int] = {}
        for c in range(len(columns)):
            for line in members[c][segment]:
                for n in range(1, order + 1):
                    for ngram, count in _ngrams(sentences[c][line], n).items():
                        keys[c].append(numbers.setdefault(ngram, len(numbers)))
                        weights[c].append(float(count))
                offsets_of[c].append(len(keys[c]))
    return [
        (np.array(k, np.int32), np.array(w, np.float64), np.array(o, np.int64))
        for k, w, o in zip(keys, weights, offsets_of, strict=True)
    ]


def bag_overlaps(left: Bags, right: Bags, threads: int) -> Floats:
    """The weight that bag i of `left` shares with bag i of `right`.

    The sum over keys of the smaller weight; a key that occurs several times has the sum of its
    weights.
    """
    del threads
    overlaps = []
    for i in range(len(left[2]) - 1):
        mine: dict[int, float] = {}
        theirs: dict[int, float] = {}
        for bag, (keys, weights, offsets) in ((mine, left), (theirs, right)):
            for at in range(int(offsets[i]), int(offsets[i + 1])):
                bag[int(keys[at])] = bag.get(int(keys[at]), 0.0) + float(weights[at])
        overlap = 0.0
        for key, weight in mine.items():
            overlap += min(weight, theirs.get(key, 0.0))
        overlaps.append(overlap)
    return np.array(overlaps, np.float64)


# --- resampling ------------------------------------------------------------------------------

_WORD = (1 << 64) - 1
# round(65536 * P(X <= k)) of Poisson(1) for k = 0 ... 7
_POISSON = (24109, 48219, 60273, 64292, 65296, 65497, 65531, 65535)


def _splitmix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & _WORD
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _WORD
    return x ^ (x >> 31)


def resample_weight(weights: str, seed: int, replicate: int, segment: int) -> int:
    """Weight of a segment in a replicate: Poisson(1) (``poisson``) or 0 and 1 alike (``coin``)."""
    stream = _splitmix(seed ^ _splitmix(replicate))
    if weights == "coin":
        return _splitmix((stream + segment // 64) & _WORD) >> (segment % 64) & 1
    if weights != "poisson":
        raise ValueError("weights must be 'poisson' or 'coin'")
    uniform = _splitmix((stream + segment // 4) & _WORD) >> (16 * (segment % 4)) & 0xFFFF
    return sum(uniform >= threshold for threshold in _POISSON)


def resample_sums(
    stats: Floats, weights: str, seed: int, first: int, sums: Floats, threads: int
) -> None:
    """Add weight(replicate, first + i) * stats[i] to sums[replicate], for all rows i."""
    del threads
    for replicate in range(len(sums)):
        for i, row in enumerate(stats):
            sums[replicate] += resample_weight(weights, seed, replicate, first + i) * row


# --- correlation -----------------------------------------------------------------------------


def _mean_ranks(values: list[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    return [
        1 + sum(other < value for other in values) + (sum(other == value for other in values) - 1) / 2
        for value in values
    ]


def _pearson(x: list[float], y: list[float]) -> float:
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    products = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    squares_x = math.fsum((a - mean_x) ** 2 for a in x)
    squares_y = math.fsum((b - mean_y) ** 2 for b in y)
    return products / math.sqrt(squares_x) / math.sqrt(squares_y)


def _kendall(x: list[float], y: list[float]) -> float:
    """Tau-b: concordant minus discordant pairs, by the pairs untied in x and those untied in y."""
    balance, untied_x, untied_y = 0, 0, 0
    for i in range(len(x)):
        for j in range(i):
            across, up = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
            balance += across * up
            untied_x += across != 0
            untied_y += up != 0
    return balance / math.sqrt(untied_x) / math.sqrt(untied_y)


def _correlation(x: list[float], y: list[float], coefficient: str) -> float:
    if coefficient == "spearman":
        return _pearson(_mean_ranks(x), _mean_ranks(y))
    if coefficient not in ("pearson", "kendall"):
        raise ValueError("coefficient must be 'pearson', 'spearman' or 'kendall'")
    return {"pearson": _pearson, "kendall": _kendall}[coefficient](x, y)


def group_correlations(x: Floats, y: Floats, offsets: Ints, coefficient: str, threads: int) -> Floats:
    """The coefficient of the pairs of each group; NaN where a side is constant or has one value."""
    del threads
    result = []
    for first, last in itertools.pairwise(offsets.tolist()):
        a, b = x[first:last].tolist(), y[first:last].tolist()
        constant = len(set(a)) < 2 or len(set(b)) < 2
        result.append(math.nan if constant else _correlation(a, b, coefficient))
    return np.array(result)


def resampled_correlations(
    x: Floats,
    y: Floats,
    offsets: Ints,
    units: Ints,
    complement: NDArray[np.uint8],
    coefficient: str,
    weights: str,
    zero_constant: bool,
    seed: int,
    replicates: int,
    threads: int,
) -> Floats:
    """For each replicate the mean over groups of the coefficient of the resampled pairs.

    A pair counts as often as the weight of its unit says, or as 1 minus that where `complement` (of
    all pairs, or empty) is 1. A group whose y is constant is left out; one whose x is constant
    counts as 0 or is left out too. NaN if no group is left.
    """
    del threads
    result = []
    for replicate in range(replicates):
        found = []
        for first, last in itertools.pairwise(offsets.tolist()):
            a: list[float] = []
            b: list[float] = []
            for i in range(first, last):
                weight = resample_weight(weights, seed, replicate, int(units[i]))
                if len(complement) and complement[i]:
                    weight = 1 - weight
                a += [float(x[i])] * weight
                b += [float(y[i])] * weight
            if len(set(b)) < 2 or (len(set(a)) < 2 and not zero_constant):
                continue
            found.append(0.0 if len(set(a)) < 2 else _correlation(a, b, coefficient))
        result.append(sum(found) / len(found) if found else math.nan)
    return np.array(result)


def resampled_maxima(
    gain: Floats,
    last: NDArray[np.uint8],
    units: Ints,
    complement: NDArray[np.uint8],
    weights: str,
    seed: int,
    replicates: int,
    threads: int,
) -> Floats:
    """For each replicate the largest prefix sum of weight * gain, or 0 if none is larger.

    Prefixes end only where `last` is 1; weights as in `resampled_correlations`.
    """
    del threads
    result = []
    for replicate in range(replicates):
        total = best = 0.0
        for i, value in enumerate(gain.tolist()):
            weight = resample_weight(weights, seed, replicate, int(units[i]))
            total += (1 - weight if len(complement) and complement[i] else weight) * value
            best = max(best, total) if last[i] else best
        result.append(best)
    return np.array(result)
