"""Which words are part of a compound noun: "ice cream" does not become "frosting cream".

A noun or adjective that stands beside another one is not replaced if WordNet has both as one noun:
*police officer*, *Great Britain*, *stock market*. The second word counts in its base form too (*police
officers*). Kauchak and Barzilay (2006) have no such rule.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Ints
from paragauge.lexicon.wordnet import SHIPPED, load
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged

NOMINAL = ("NN", "JJ")


def find_compounds(
    tokens: Lines, tags: Ragged, tag_names: Sequence[str], line: Ints, position: Ints
) -> NDArray[np.bool_]:
    """Whether the token at each place belongs to a compound noun of WordNet, bool [places].

    `tokens` are lowercase and separated by one space; `tags` has a row of indices into `tag_names` for
    each line.

    >>> tokens, tags = Lines.of(["two police officers left"]), Ragged.from_lists([[0, 1, 1, 2]])
    >>> places = np.zeros(4, np.int64), np.arange(4)
    >>> find_compounds(tokens, tags, ("CD", "NN", "VBD"), *places).tolist()
    [False, True, True, False]
    """
    net = load(SHIPPED)
    nominal = np.array([name.startswith(NOMINAL) for name in tag_names], np.bool_)
    rows, row = np.unique(line, return_inverse=True)
    words = [tokens[i].split(" ") for i in rows.tolist()]
    is_nominal = [nominal[tags[int(i)]] for i in rows.tolist()]
    result = np.zeros(len(line), np.bool_)
    known: dict[tuple[str, str], bool] = {}
    for number, (own, at) in enumerate(zip(row.tolist(), position.tolist(), strict=True)):
        for first in (at - 1, at):
            both = is_nominal[own][max(first, 0) : first + 2]
            if len(both) < 2 or not both.all():
                continue
            pair = words[own][first], words[own][first + 1]
            if pair not in known:
                known[pair] = any(
                    f"{pair[0]} {last}" in net for last in (pair[1], net.morphy(pair[1], "n")) if last
                )
            result[number] |= known[pair]
    return result
