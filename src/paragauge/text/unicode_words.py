"""Words of an answer in any script, for hints and for the noise filter, and the similarity of answers.

A word is a run of letters, marks and digits, with apostrophes and hyphens inside, in NFC and one
case. Scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) give one word
a character, with its marks. Linear in the length of the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
JOINERS = "'’-"


def words(text: str) -> list[str]:
    """The words of a text, in one case.

    >>> words("The dog's FRISBEE – well-known; 3 times!")
    ['the', "dog's", 'frisbee', 'well-known', '3', 'times']
    >>> words("狗在跑。"), words("कुत्ता दौड़ता है")
    (['狗', '在', '跑'], ['कुत्ता', 'दौड़ता', 'है'])
    """
    word_list: list[str] = []
    run = ""
    for character in unicodedata.normalize("NFC", text).casefold().replace("’", "'"):
        kind = _kind(character)
        if kind == "mark" and (run or word_list):
            if run:
                run += character
            else:
                word_list[-1] += character
        elif kind == "letter" or (kind == "joiner" and run and run[-1] not in JOINERS):
            run += character
        else:
            if run.rstrip(JOINERS):
                word_list.append(run.rstrip(JOINERS))
            run = ""
            if kind == "single":
                word_list.append(character)
    if run.rstrip(JOINERS):
        word_list.append(run.rstrip(JOINERS))
    return word_list


def same_words(text: str) -> str:
    """A text that is equal for answers that differ only in case, punctuation and spaces.

    >>> same_words("A dog  runs.") == same_words("a dog runs")
    True
    """
    return " ".join(words(text))


def overlap(a: Iterable[str], b: Iterable[str]) -> float:
    """Jaccard's coefficient of two sets of words; 0 if both are empty.

    >>> overlap(["a", "dog"], ["a", "cat"])
    0.3333333333333333
    """
    left, right = set(a), set(b)
    return len(left & right) / len(left | right) if left or right else 0.0


def nearest_overlap(texts: Sequence[Sequence[str]], groups: Sequence[object]) -> NDArray[np.float64]:
    """For each list of words, the largest `overlap` with one of another group, float [n].

    With items as groups it shows whether a worker gives different items the same answer. Time O(n^2)
    plus the number of words that pairs share, memory O(n).

    >>> nearest_overlap([["a", "dog"], ["a", "dog"], ["x"]], ["1", "2", "2"]).tolist()
    [1.0, 1.0, 0.0]
    """
    numbers: dict[str, int] = {}
    sets = [sorted({numbers.setdefault(word, len(numbers)) for word in text}) for text in texts]
    names: dict[object, int] = {}
    group = np.array([names.setdefault(text, len(names)) for text in groups], np.int64)
    sizes = np.array([len(text) for text in sets], np.int64)
    ids = np.array([i for text in sets for i in text], np.int64)
    # The lists that have each word: those of word w are holders[starts[w] : starts[w + 1]].
    holders = np.repeat(np.arange(len(sets)), sizes)[np.argsort(ids, kind="stable")]
    starts = np.concatenate([[0], np.cumsum(np.bincount(ids, minlength=len(numbers)))])
    best = np.zeros(len(sets))
    for row, own in enumerate(sets):
        if not own:
            continue
        having = np.concatenate([holders[starts[i] : starts[i + 1]] for i in own])
        both = np.bincount(having, minlength=len(sets))
        both[group == group[row]] = 0
        best[row] = (both / (sizes[row] + sizes - both)).max()
    return best


@lru_cache(maxsize=1 << 16)
def _kind(character: str) -> str:
    category = unicodedata.category(character)[0]
    if category == "M":
        return "mark"
    if category in "LN":
        name = unicodedata.name(character, "")
        return "single" if name.startswith(UNSPACED) else "letter"
    return "joiner" if character in JOINERS else "other"
