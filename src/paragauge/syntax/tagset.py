"""The tag set of the Wall Street Journal part of the Penn Treebank.

Later treebanks, on which today's taggers are trained, changed the tag set: *to* is IN as a preposition
and TO before a verb only, and web addresses (ADD), other punctuation (NFP), affixes (AFX), parts of
split words (GW) and hyphens (HYPH) have tags of their own. In the Journal *to* is always TO, and the
other five become the tags that a tagger trained on it gives such words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from paragauge.kernels.layout import Ids

JOURNAL = {"ADD": "NN", "NFP": ":", "AFX": "JJ", "GW": "FW", "HYPH": ":"}
TO = "to"
TO_TAG = "TO"
TagsetName = Literal["wsj", "tagger"]
CHOICES: tuple[TagsetName, ...] = get_args(TagsetName)


def journal_tag(word: str, tag: str) -> str:
    """The tag that a word has in the Journal's tag set.

    >>> journal_tag("To", "IN"), journal_tag("www.acm.org", "ADD"), journal_tag("dog", "NN")
    ('TO', 'NN', 'NN')
    """
    return TO_TAG if word.lower() == TO else JOURNAL.get(tag, tag)


def journal_numbers(names: Sequence[str]) -> Ids:
    """For each tag of a tagger, the number of the tag that it has in the Journal's tag set.

    *To* is left out; it depends on the word.

    >>> journal_numbers((":", "HYPH", "NN")).tolist()
    [0, 0, 2]
    """
    return np.array([names.index(JOURNAL.get(name, name)) for name in names], np.int32)
