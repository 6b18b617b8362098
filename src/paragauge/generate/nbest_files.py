r"""N-best lists as text: Moses' format, or JSON Lines.

Moses tools and rerankers read Moses' format, with one line for each hypothesis:

    number of the sentence (from 0) ||| text ||| name= value name= value ... ||| score

JSON Lines has one object for each hypothesis: `sentence` (from 1), `rank` (from 1), `text`, `score` and
`features`, an object from names to values. Numbers have 8 digits in Moses' format, and all in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal, get_args

from paragauge.errors import InputError, unknown_name
from paragauge.generate.nbest import NBest

NBestFormat = Literal["moses", "jsonl"]
FORMATS: tuple[NBestFormat, ...] = get_args(NBestFormat)
SEPARATOR = "|||"


def nbest_format(path: str) -> NBestFormat:
    """The format for a file name: JSON Lines for .jsonl, otherwise Moses'.

    >>> nbest_format("a.jsonl.gz"), nbest_format("a.nbest")
    ('jsonl', 'moses')
    """
    plain = path.removesuffix(".gz").removesuffix(".zst")
    return "jsonl" if plain.endswith(".jsonl") else "moses"


def nbest_lines(lists: NBest, form: NBestFormat = "moses", first: int = 0) -> Iterator[str]:
    r"""The lines of a file; `first` is the number of sentences before these.

    >>> import numpy as np
    >>> from paragauge.text.lines import Lines
    >>> texts, one = Lines.of(["a b"]), np.array([0, 1])
    >>> lists = NBest(("LM0",), texts, one, np.array([[-2.5]]), np.array([-1.25]))
    >>> next(nbest_lines(lists))
    '0 ||| a b ||| LM0= -2.5 ||| -1.25\n'
    >>> next(nbest_lines(lists, "jsonl"))
    '{"sentence": 1, "rank": 1, "text": "a b", "score": -1.25, "features": {"LM0": -2.5}}\n'
    """
    if form not in FORMATS:
        raise unknown_name("format of n-best lists", form, FORMATS)
    for number, hypotheses in enumerate(lists, first):
        for rank, hypothesis in enumerate(hypotheses, 1):
            if form == "jsonl":
                record = {
                    "sentence": number + 1,
                    "rank": rank,
                    "text": hypothesis.text,
                    "score": hypothesis.score,
                    "features": hypothesis.features,
                }
                yield json.dumps(record, ensure_ascii=False) + "\n"
                continue
            if SEPARATOR in hypothesis.text:
                raise InputError(
                    f"sentence {number + 1}: a paraphrase contains {SEPARATOR}, which separates the "
                    "fields of Moses' n-best format; use a name that ends in .jsonl"
                )
            values = " ".join(f"{name}= {value:.8g}" for name, value in hypothesis.features.items())
            yield f"{number} ||| {hypothesis.text} ||| {values} ||| {hypothesis.score:.8g}\n"
