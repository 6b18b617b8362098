"""Texts in the columns of other libraries score as lists do; anything else names the line to write."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paragauge import BLEU, PINC, TER, score
from paragauge.errors import InputError, ShapeError

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

TEXTS = ["the cat sat down", "", "a dog — barks"]
OTHERS = ["a cat sat down", "no", "the dog barks loudly"]
COLUMNS = {
    "tuple": tuple,
    "generator": iter,
    "numpy": np.array,
    "numpy of objects": lambda texts: np.array(texts, object),
    "pandas": pd.Series,
    "pandas with an index": lambda texts: pd.Series(texts, index=["x", "y", "z"][: len(texts)]),
    "pandas of Arrow": lambda texts: pd.Series(texts, dtype="string[pyarrow]"),
    "pandas of categories": lambda texts: pd.Series(texts, dtype="category"),
    "pandas index": pd.Index,
    "polars": pl.Series,
    "arrow": pa.array,
    "arrow in chunks": lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
    "dict values": lambda texts: dict(enumerate(texts)).values(),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=list(COLUMNS))
def test_columns_score_as_lists(column: Any) -> None:
    expected = BLEU().segments(TEXTS, references=OTHERS)
    np.testing.assert_array_equal(BLEU().segments(column(TEXTS), references=column(OTHERS)), expected)


GROUPS = {
    "lists": [["a b", "c d"], ["e f", "g h"]],
    "tuples": (("a b", "c d"), ("e f", "g h")),
    "array": np.array([["a b", "c d"], ["e f", "g h"]]),
    "list of arrays": [np.array(["a b", "c d"]), np.array(["e f", "g h"])],
    "pandas of lists": pd.Series([["a b", "c d"], ["e f", "g h"]]),
    "pandas columns": pd.DataFrame({"r1": ["a b", "e f"], "r2": ["c d", "g h"]}).to_numpy(),
    "polars of lists": pl.Series([["a b", "c d"], ["e f", "g h"]]),
    "polars rows": pl.DataFrame({"r1": ["a b", "e f"], "r2": ["c d", "g h"]}).rows(),
    "arrow of lists": pa.array([["a b", "c d"], ["e f", "g h"]]),
}


@pytest.mark.parametrize("groups", GROUPS.values(), ids=list(GROUPS))
def test_several_references_per_segment(groups: Any) -> None:
    values = BLEU(order=2).segments(["a b", "g h"], references=groups)
    np.testing.assert_allclose(values, [100.0, 100.0])


def test_references_may_stand_second() -> None:
    assert BLEU().score(TEXTS, OTHERS) == BLEU().score(TEXTS, references=OTHERS)
    np.testing.assert_array_equal(
        TER().segments(TEXTS, OTHERS), TER().segments(TEXTS, references=OTHERS)
    )


CALLS = {
    # PINC(s, c) in the paper, (candidate, source) elsewhere: guessing would swap them in silence.
    "PINC": (
        lambda: PINC().score(TEXTS, OTHERS),
        (
            "PINC: expected the candidates and then names for the rest, found 2 inputs without names; "
            "write score(candidates, sources=sources)"
        ),
    ),
    "BLEU, twice": (
        lambda: BLEU().segments(TEXTS, OTHERS, references=OTHERS),
        (
            "BLEU: expected the candidates and then names for the rest, found 2 inputs without names; "
            "write segments(candidates, references=references)"
        ),
    ),
    "both needed": (
        lambda: BLEU(source="include").score(TEXTS, OTHERS, OTHERS),
        (
            "BLEU: expected the candidates and then names for the rest, found 3 inputs without names; "
            "write score(candidates, sources=sources, references=references)"
        ),
    ),
    "data frame": (
        lambda: BLEU().score(pd.DataFrame({"id": [1], "Output": ["a"]}), references=["a"]),
        (
            'candidates: expected one column of texts, found a whole DataFrame; write frame["Output"] '
            "(its columns: id, Output)"
        ),
    ),
    "data frame of references": (
        lambda: BLEU().score(["a"], pl.DataFrame({"src": ["a"], "ref1": ["a"]})),
        (
            'references: expected one column of texts, found a whole DataFrame; write frame["ref1"] '
            "(its columns: src, ref1)"
        ),
    ),
    "data frame of several references": (
        lambda: BLEU().score(["a"], pd.DataFrame({"id": ["1"], "ref1": ["a"], "ref 2": ["b"]})),
        (
            "references: expected one column of texts, found a whole DataFrame; write "
            'frame[["ref1", "ref 2"]].to_numpy() (its columns: id, ref1, ref 2)'
        ),
    ),
    "lazy frame": (
        lambda: BLEU().score(pl.LazyFrame({"x": ["a"]}), ["a"]),
        (
            "candidates: expected one column of texts, found a whole LazyFrame; write "
            'frame.collect()["x"] (its columns: x)'
        ),
    ),
    "arrow table": (
        lambda: PINC().score(["a"], sources=pa.table({"id": ["1"], "source": ["a"]})),
        (
            'sources: expected one column of texts, found a whole Table; write frame["source"] '
            "(its columns: id, source)"
        ),
    ),
    "data frame of systems": (
        lambda: score(pd.DataFrame({"mt": ["a"], "src": ["b"]}), [PINC()], sources=["b"]),
        'systems: expected a dict of name and candidates, found DataFrame; write {"mine": frame["mt"]}',
    ),
    "set": (
        lambda: BLEU().score({"a"}, ["a"]),
        (
            "candidates: expected a list of sentences, found a set, which has no order and holds equal "
            "sentences once; keep the sentences in a list"
        ),
    ),
    "dict": (
        lambda: BLEU().score(["a"], {"a": "b"}),
        (
            "references: expected a list of sentences, found dict; write list(texts.values()), or "
            "score several systems with paragauge.score(systems, metrics, ...)"
        ),
    ),
    "string": (
        lambda: BLEU().score("a b", ["a b"]),
        "candidates: expected a list of sentences, found a single str; put it in a list: [text]",
    ),
    "None": (
        lambda: BLEU().score(["a", None, "b", None], ["a"] * 4),
        (
            "candidates: missing text (None) at index 1, 3; leave out these segments in every input, "
            'or put "" where an empty text is meant'
        ),
    ),
    "NaN": (
        lambda: PINC().score(["a"] * 9, sources=pd.Series([np.nan] * 8 + ["a"], dtype=object)),
        "sources: missing text (nan) at index 0, 1, 2, 3, 4 and 3 more; leave out",
    ),
    "pd.NA": (
        lambda: BLEU().score(pd.Series(["a", pd.NA], index=["x", "y"], dtype="string"), ["a", "b"]),
        "candidates: missing text (<NA>) at index y; leave out",
    ),
    "null of Arrow": (
        lambda: BLEU().score(["a", "b"], pa.array(["a", None])),
        "references: missing text (None) at index 1; leave out",
    ),
    "missing among references": (
        lambda: BLEU().score(["a", "b"], [["a", None], ["b"]]),
        "references: segment 1: expected a string, found a missing text (None)",
    ),
    "array of two dimensions": (
        lambda: BLEU().score(np.array([["a", "b"]]), ["a"]),
        "candidates: expected a list of sentences, found an array of 2 dimensions; give one column",
    ),
    "array without dimensions": (
        lambda: BLEU().score(np.array("a"), ["a"]),
        "candidates: expected a list of sentences, found ndarray",
    ),
    "bytes of NumPy": (
        lambda: BLEU().score(np.array([b"a"]), ["a"]),
        "candidates: segment 1: expected a string, found bytes",
    ),
}


@pytest.mark.parametrize(("call", "message"), CALLS.values(), ids=list(CALLS))
def test_refusals(call: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_shape_errors_are_value_errors() -> None:
    with pytest.raises(ValueError, match="found a set"):
        BLEU().score({"a"}, ["a"])
    assert issubclass(ShapeError, InputError)


def test_columns_with_one_index_in_different_orders():
    frame = pd.DataFrame({"source": ["a b", "c d", "e f"], "output": ["a x", "c y", "e z"]})
    shuffled = frame["output"].iloc[[2, 0, 1]]
    message = (
        "candidates and sources have one index in different orders; write "
        "sources.loc[candidates.index], or sources.tolist() if they go by position"
    )
    with pytest.raises(ShapeError) as caught:
        PINC().score(shuffled, sources=frame["source"])
    assert str(caught.value) == message
    expected = PINC().score(frame["output"], sources=frame["source"])
    assert PINC().score(shuffled, sources=frame["source"].loc[shuffled.index]) == expected
    # Columns with other indices go by position.
    assert PINC().score(frame["output"].set_axis([7, 8, 9]), sources=frame["source"]) == expected
    assert PINC().score(shuffled.sort_index().tolist(), sources=frame["source"]) == expected
    mixed = frame["source"].set_axis(["x", 1, None])
    assert PINC().score(frame["output"], sources=mixed) == expected
