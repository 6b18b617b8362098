r"""Train on nine tenths of the data, parse the other tenth: Weese et al. (2014, section 5.2).

"After splitting the LDC data into 10 equal pieces, we trained paraphrase models on nine-tenths of the
data and parsed the other tenth." The data are translations of the same sentences, one file each with
parallel lines. A sentence goes to one piece with all of its translations, so that nothing of the
held-out piece is seen in training. Which sentence is in which piece is drawn with a seed; pieces
differ in size by at most one sentence.

Training text is all unordered pairs of translations ("4 independent translations of each foreign
sentence, giving 6 possible (unordered) paraphrase pairs"), as two files with parallel lines for
aligners and extraction; the held-out piece keeps one file for each translation, as `paragauge grammar
coverage -T` reads them. Where a translation is missing (an empty line), its pairs are left out of the
training text; in the held-out piece the line stays empty.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.text.atomic_folders import file_set
from paragauge.text.files import atomic

PIECES = 10
SEED = 7
TRAIN = ("train.1.txt", "train.2.txt")


@dataclass(frozen=True)
class HeldOutSplit:
    """Training pairs, and the translations of the held-out sentences by name.

    `held_out` has the numbers of the held-out sentences, from 0; `sentences` is the number of all.
    """

    pairs: tuple[tuple[str, str], ...]
    test: Mapping[str, tuple[str, ...]]
    held_out: tuple[int, ...]
    sentences: int


def split_translations(
    translations: Mapping[str, Sequence[str]],
    *,
    pieces: int = PIECES,
    piece: int | None = None,
    seed: int = SEED,
) -> HeldOutSplit:
    """Hold out one of several equal pieces, numbered from 1; by default the last.

    >>> texts = {name: [f"{name}{n}" for n in range(4)] for name in "ab"}
    >>> split = split_translations(texts, pieces=2, piece=2)
    >>> len(split.pairs), len(split.test["a"]), split.pairs[0] == ("a0", "b0")
    (2, 2, True)
    """
    if len(translations) < 2:
        raise InputError(f"expected at least two translations, found {len(translations)}; give another")
    sizes = {name: len(lines) for name, lines in translations.items()}
    if len(set(sizes.values())) > 1:
        found = ", ".join(f"{name}: {size:,}" for name, size in sizes.items())
        raise LengthError(f"expected as many sentences in each translation, found {found}")
    sentences = next(iter(sizes.values()))
    if not 2 <= pieces <= sentences:
        raise SettingError(
            f"pieces: expected 2 to {sentences:,}, the number of sentences, found {pieces:,}"
        )
    piece = pieces if piece is None else piece
    if not 1 <= piece <= pieces:
        raise SettingError(f"piece: expected the number of a piece, 1 to {pieces:,}, found {piece:,}")
    order = np.random.default_rng(seed).permutation(sentences)
    held_out = np.sort(np.array_split(order, pieces)[piece - 1]).tolist()
    inside = set(held_out)
    columns = list(translations.values())
    pairs = [
        (left[row], right[row])
        for row in range(sentences)
        if row not in inside
        for left, right in itertools.combinations(columns, 2)
        if left[row].strip() and right[row].strip()
    ]
    test = {name: tuple(lines[row] for row in held_out) for name, lines in translations.items()}
    return HeldOutSplit(tuple(pairs), test, tuple(held_out), sentences)


def write_split(folder: str | Path, split: HeldOutSplit, *, force: bool = False) -> list[Path]:
    """Write `train.1.txt` and `train.2.txt`, and `test.NAME.txt` of each translation, into a folder.

    All files are written, or none; one that exists is an error unless `force`.

    >>> import tempfile
    >>> split = split_translations({"a": ["x", "y"], "b": ["u", "v"]}, pieces=2, piece=1)
    >>> with tempfile.TemporaryDirectory() as name:
    ...     [path.name for path in write_split(name, split)]
    ['train.1.txt', 'train.2.txt', 'test.a.txt', 'test.b.txt']
    """
    files: dict[str, Sequence[str]] = {
        name: [pair[side] for pair in split.pairs] for side, name in enumerate(TRAIN)
    }
    for name, translation in split.test.items():
        if Path(name).name != name:
            raise SettingError(f"expected the name of a translation without slashes, found {name!r}")
        files[f"test.{name}.txt"] = translation
    target = Path(folder)
    for name in files:
        if (target / name).exists() and not force:
            raise FileFormatError(
                target / name, None, "the file exists; choose another folder, or force it"
            )
    with file_set(target) as hidden:
        for name, lines in files.items():
            with atomic(hidden / name) as out:
                out.writelines(f"{line}\n" for line in lines)
    return [target / name for name in files]
