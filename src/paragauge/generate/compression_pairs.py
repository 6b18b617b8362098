"""Pairs for sentence compression from several translations of the same sentences.

Weese, Ganitkevitch and Callison-Burch (2014, section 6), after Ganitkevitch et al. (2011): where two
translations of a sentence differ in length by a ratio of 0.67 to 0.75, the longer one is a sentence to
compress and the shorter one a compression made by a person.

    ratio = words of the shorter one / words of the longer one,  low <= ratio <= high

At most one pair of each sentence is taken, drawn from all of its pairs, so that sets chosen together
have no sentence in common. The same seed gives the same sets. The paper does not say whether a
sentence may give several pairs, nor how words are counted: `tokenize` of `write_pairs` is a setting.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragauge.errors import InputError, LengthError, SettingError
from paragauge.text.atomic_folders import check_file_set, file_set
from paragauge.text.files import atomic

LOW, HIGH = 0.67, 0.75
SEED = 7


@dataclass(frozen=True)
class CompressionSet:
    """Sentences to compress and their compressions; row i is from sentence `sentences[i]`.

    `translations[i]` names the translations of the long and the short one.
    """

    long: tuple[str, ...]
    short: tuple[str, ...]
    sentences: tuple[int, ...]
    translations: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.long)

    @property
    def ratio(self) -> float:
        """Words of all compressions divided by words of all sentences."""
        words = [sum(len(line.split()) for line in side) for side in (self.short, self.long)]
        return words[0] / words[1] if words[1] else 0.0


def compression_pairs(
    translations: Sequence[Sequence[str]],
    low: float = LOW,
    high: float = HIGH,
    *,
    longest: int | None = None,
) -> dict[int, list[tuple[int, int]]]:
    """For each sentence that has any: the (longer, shorter) translations with a ratio in the bounds.

    Translations are tokenized text, one sentence per line; an empty line is a missing
    translation. Sentences of more than `longest` words are not taken as the longer one.

    >>> compression_pairs([["a b c d", "a"], ["a b c", "b"], ["a", ""]])
    {0: [(0, 1)]}
    """
    if not 0 < low <= high <= 1:
        raise SettingError(f"ratio: expected 0 < low <= high <= 1, found {low} and {high}")
    sizes = {len(lines) for lines in translations}
    if len(sizes) > 1:
        raise LengthError(
            "expected as many sentences in each translation, found "
            + ", ".join(map(str, sorted(sizes)))
        )
    words = np.array([[len(line.split()) for line in lines] for lines in translations], np.int64)
    pairs_of: dict[int, list[tuple[int, int]]] = {}
    for long, short in itertools.permutations(range(len(translations)), 2):
        above = words[long].astype(np.float64)
        ratio = np.divide(words[short], above, out=np.zeros_like(above), where=above > 0)
        good = (ratio >= low) & (ratio <= high)
        if longest is not None:
            good &= words[long] <= longest
        for sentence in np.flatnonzero(good).tolist():
            pairs_of.setdefault(sentence, []).append((long, short))
    return dict(sorted(pairs_of.items()))


def choose_compressions(
    translations: Sequence[Sequence[str]],
    sizes: Mapping[str, int],
    *,
    low: float = LOW,
    high: float = HIGH,
    longest: int | None = None,
    seed: int = SEED,
) -> dict[str, CompressionSet]:
    """Sets of pairs, such as `dev` and `test`, of these sizes, each from sentences of its own.

    >>> texts = [["a b c d"] * 3, ["a b c"] * 3]
    >>> sets = choose_compressions(texts, {"dev": 1, "test": 2})
    >>> sets["test"].short, sorted(sets["dev"].sentences + sets["test"].sentences)
    (('a b c', 'a b c'), [0, 1, 2])
    """
    pairs = compression_pairs(translations, low, high, longest=longest)
    total = sum(sizes.values())
    if any(size < 0 for size in sizes.values()) or total > len(pairs):
        raise InputError(
            f"expected sets of at most {len(pairs):,} pairs in all, one of each sentence with two "
            f"translations whose lengths have a ratio of {low:g} to {high:g}; found {total:,}"
        )
    draw = np.random.default_rng(seed)
    order = iter(draw.permutation(np.array(list(pairs), np.int64)).tolist())
    chosen = {}
    for name, size in sizes.items():
        rows = []
        for sentence in sorted(itertools.islice(order, size)):
            long, short = pairs[sentence][int(draw.integers(len(pairs[sentence])))]
            rows.append(
                (translations[long][sentence], translations[short][sentence], sentence, long, short)
            )
        chosen[name] = CompressionSet(
            tuple(row[0] for row in rows),
            tuple(row[1] for row in rows),
            tuple(row[2] for row in rows),
            tuple((row[3], row[4]) for row in rows),
        )
    return chosen


def parse_ratio(text: str) -> tuple[float, float]:
    """The bounds of a ratio.

    >>> parse_ratio("0.67:0.75")
    (0.67, 0.75)
    >>> parse_ratio("0.75:0.67")
    Traceback (most recent call last):
    paragauge.errors.SettingError: ratio: expected LOW:HIGH with 0 < LOW <= HIGH <= 1, such as ...
    """
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        low, high = 0.0, 0.0
    if not 0 < low <= high <= 1:
        raise SettingError(
            "ratio: expected LOW:HIGH with 0 < LOW <= HIGH <= 1, such as 0.67:0.75, found "
            f"{text[:40]!r}"
        )
    return low, high


def parse_sizes(texts: Sequence[str]) -> dict[str, int]:
    """The sizes of sets by name.

    >>> parse_sizes(["dev=1000", "test=500"])
    {'dev': 1000, 'test': 500}
    >>> parse_sizes(["dev"])
    Traceback (most recent call last):
    paragauge.errors.SettingError: set: expected NAME=SIZE, such as dev=1000, found 'dev'
    """
    sizes: dict[str, int] = {}
    for text in texts:
        name, _, size = text.partition("=")
        if not re.fullmatch("[A-Za-z0-9_-]+", name) or not re.fullmatch("[1-9][0-9]{0,8}", size):
            raise SettingError(f"set: expected NAME=SIZE, such as dev=1000, found {text[:40]!r}")
        if name in sizes:
            raise SettingError(f"set: {name} is given twice; leave one out")
        sizes[name] = int(size)
    return sizes


def write_pairs(
    folder: str | Path,
    sets: Mapping[str, CompressionSet],
    translations: Mapping[str, Sequence[str]],
    *,
    force: bool = False,
) -> list[Path]:
    r"""Write sets into a folder: `NAME.long.txt`, `NAME.short.txt`, and `pairs.tsv` with origins.

    `translations` are the lines to write, by name, in the order in which the sets were chosen; they may
    differ from the tokenized ones. All files are written, or none; one that exists, and a folder
    with other files, is an error unless `force`.

    >>> import tempfile
    >>> sets = choose_compressions([["a b c d"], ["a b c"]], {"dev": 1})
    >>> with tempfile.TemporaryDirectory() as name:
    ...     paths = write_pairs(name, sets, {"one": ["A b c d!"], "two": ["A b c!"]})
    ...     [path.name for path in paths], paths[1].read_text()
    (['dev.long.txt', 'dev.short.txt', 'pairs.tsv'], 'A b c!\n')
    """
    names, texts = list(translations), list(translations.values())
    lines: dict[str, list[str]] = {}
    origins = ["set\tsegment\tsentence\tlong\tshort"]
    for name, chosen in sets.items():
        sides: tuple[list[str], list[str]] = ([], [])
        rows = zip(chosen.sentences, chosen.translations, strict=True)
        for segment, (sentence, pair) in enumerate(rows, 1):
            for side, number in zip(sides, pair, strict=True):
                side.append(texts[number][sentence])
            origins.append(f"{name}\t{segment}\t{sentence + 1}\t{names[pair[0]]}\t{names[pair[1]]}")
        lines[f"{name}.long.txt"], lines[f"{name}.short.txt"] = sides
    lines["pairs.tsv"] = origins
    target = Path(folder)
    if not force:
        check_file_set(target, lines)
    with file_set(target) as hidden:
        for name, content in lines.items():
            with atomic(hidden / name) as out:
                out.writelines(line + "\n" for line in content)
    return [target / name for name in lines]
