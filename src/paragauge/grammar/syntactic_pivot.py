"""A paraphrase grammar with labels from bitexts that are parsed on one side, as PPDB was made.

Bannard and Callison-Burch (2005) pivot phrases; Ganitkevitch et al. (2011) and PPDB (Ganitkevitch, Van
Durme and Callison-Burch 2013) pivot the rules of translation grammars, whose labels are from parses of
the side e. Two rules with the same left side and the same other side f, labels included,

    NP -> < the NN_1 of NP_2 ; le NN_1 de NP_2 >      NP -> < NP_2 's NN_1 ; le NN_1 de NP_2 >

make a paraphrase rule: non-terminals that share one of f correspond,

    NP -> < the NN_1 of NP_2 ; NP_2 's NN_1 >

Features are sums over the pivots f that both have under this left side:

    p_target      p(e2 | e1)      = sum of p(f | e1) p(e2 | f)
    p_source      p(e1 | e2)      = sum of p(f | e2) p(e1 | f)
    p_target_lhs  p(e2 | e1, LHS) = sum of p(f | e1, LHS) p(e2 | f, LHS)
    p_source_lhs  p(e1 | e2, LHS)

The factors are relative frequencies from the counts of the translation rules. Sides have their labels,
and pairs of sides the links of their non-terminals: p(f | e) = count(e, f) / count(e), whatever the
left side, and p(f | e, LHS) is the same among rules with that left side. That p_target has factors
without the left side, though the sum is over pivots of one, follows Thrax, PPDB's extractor; the papers
do not say. Deviation: Thrax, like `grammar/features.py`, numbers the non-terminals of a rule by one
side, so that a side counts as two where the other side has another order; here, each side is numbered
by itself. With several grammars the mean is taken; a pair that is not in one counts as 0 there, as for
phrases.

A rule that repeats its source side is left out. Translations extracted fewer than `min_count` times are
left out too, since p(f | e) of a side seen once is 1 for any f; they count in the probabilities of the
others, unless the translation grammar was extracted without them.

The engine first maps rules to rows in which f has its non-terminals numbered from left to right, so
that equal pivots are equal strings, and then counts and joins these rows in one query. Sums do not
depend on the order of their terms, as in `grammar/pivot_grammar.py`. Time and disk space grow with the
number of pairs of rules that share a pivot, before they are summed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from paragauge.engine.base import Engine, number_literal
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, unknown_name
from paragauge.grammar.grammar_folder import Grammar, new_grammar
from paragauge.grammar.pivot_grammar import MIN_COUNT, MIN_PROBABILITY, UNITS, as_units, check_pivoting

PivotedSide = Literal["source", "target"]
SIDES: tuple[PivotedSide, ...] = get_args(PivotedSide)
FEATURES = ("p_target", "p_source", "p_target_lhs", "p_source_lhs")
READ = ("lhs", "labels", "source", "target", "source_words", "target_words", "count")
MARK = "|||"  # no word contains it
# Each sum of counts is over the rows that share these columns.
TOTALS = {
    "pair": "shared, english",
    "own": "labels, source",
    "other": "shared",
    "own_lhs": "lhs, labels, source",
    "other_lhs": "lhs, shared",
}
PROBABILITIES = {
    "p_target": ("pair_count", "own_count"),
    "p_source": ("pair_count", "other_count"),
    "p_target_lhs": ("count", "own_lhs_count"),
    "p_source_lhs": ("count", "other_lhs_count"),
}
NONTERMINALS = (
    "SELECT MAX(CASE WHEN labels = '' THEN 0 ELSE "
    "LENGTH(labels) - LENGTH(REPLACE(labels, ' ', '')) + 1 END) AS most, "
    "COUNT(*) - COUNT(count) AS uncounted FROM rules"
)


def pivot_rules(
    grammars: Sequence[Grammar],
    output: str | Path,
    *,
    side: PivotedSide = "source",
    min_count: int = MIN_COUNT,
    min_probability: float = MIN_PROBABILITY,
    engine: Engine | None = None,
) -> Grammar:
    """Build the paraphrase grammar of translation grammars, with counts, in the folder `output`.

    `side` is the one whose language gets paraphrases; it has the trees if `paragauge grammar extract`
    was given trees of it. The other side is the pivot.

    >>> import tempfile
    >>> import pyarrow as pa
    >>> from paragauge.grammar.rule import Rule
    >>> sides = ["[NP,2] 's [NN,1]", "the [NN,1] of [NP,2]"]
    >>> rules = [Rule.parse(f"[NP] ||| {side} ||| le [NN,1] de [NP,2]") for side in sides]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_grammar(f"{folder}/en-fr") as writer:
    ...         writer.write(pa.Table.from_pylist([rule.row() | {"count": 3} for rule in rules]))
    ...         writer.finish({})
    ...     grammar = pivot_rules([Grammar.open(f"{folder}/en-fr")], f"{folder}/paraphrases")
    ...     [(str(row.rule), row.features["p_target"]) for row in grammar.query("[1] 's [2]")]
    [("[NP] ||| [NP,1] 's [NN,2] ||| the [NN,2] of [NP,1]", 0.5)]
    """
    check_pivoting("grammar", grammars, min_count, min_probability)
    if side not in SIDES:
        raise unknown_name("side", side, SIDES)
    engine = engine or DuckDBEngine()
    most = max(_count_nonterminals(grammar, engine) for grammar in grammars)
    with new_grammar(output, FEATURES) as writer:
        mapper = PivotMapper(side, most)
        tables = {
            f"rules_{i}": engine.map(
                mapper, grammar.path, pivot_schema(most), writer.scratch / f"rules-{i}", columns=READ
            )
            for i, grammar in enumerate(grammars)
        }
        for batch in engine.batches(_query(len(grammars), most, min_count, min_probability), tables):
            writer.write(batch)
        origin = {
            "pivoted": [
                {"grammar": one.folder.name, "fingerprint": one.fingerprint, "rules": len(one)}
                for one in grammars
            ],
            "settings": {"side": side, "min_count": min_count, "min_probability": min_probability},
        }
        writer.finish({"origin": origin})
    return Grammar.open(output)


def pivot_schema(nonterminals: int) -> Any:
    """The Arrow schema of rows to join.

    `shared`: labels and symbols of f, numbered by f. `english`: the side e, in which `|||2|||`
    stands for the second non-terminal of f. `source` and `labels`: the same side, numbered from left to
    right. `n2`: the number there of the second non-terminal of f, or empty.
    """
    import pyarrow as pa

    texts = ("shared", "english", "lhs", "labels", "source", *_numbers(nonterminals))
    return pa.schema(
        [
            *((name, pa.string()) for name in texts),
            ("words", pa.int32()),
            ("count", pa.int64()),
        ]
    )


@dataclass(frozen=True)
class PivotMapper:
    """Maps rules of a translation grammar to rows of `pivot_schema`.

    >>> import pyarrow as pa
    >>> rule = {"lhs": "NP", "labels": "NP NN", "source": "[1] 's [2]", "target": "le [2] de [1]"}
    >>> rule |= {"source_words": 1, "target_words": 2, "count": 3}
    >>> [batch] = PivotMapper("source", 2)(iter(pa.Table.from_pylist([rule]).to_batches()))
    >>> row = batch.to_pylist()[0]
    >>> row["shared"], row["english"], row["source"], row["labels"], row["n1"], row["n2"]
    ('NN NP\\tle [1] de [2]', "|||2||| 's |||1|||", "[1] 's [2]", 'NP NN', '2', '1')
    """

    side: PivotedSide
    nonterminals: int

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """A batch of rows for each batch of rules."""
        import pyarrow as pa

        schema = pivot_schema(self.nonterminals)
        other = "source" if self.side == "target" else "target"
        for batch in batches:
            rows = batch.to_pydict()
            columns: dict[str, list[Any]] = {name: [] for name in schema.names}
            for labels, english, foreign in zip(
                rows["labels"], rows[self.side], rows[other], strict=True
            ):
                self._add(columns, labels, english, foreign)
            columns |= {"lhs": rows["lhs"], "words": rows[f"{self.side}_words"], "count": rows["count"]}
            yield pa.RecordBatch.from_pydict(columns, schema)

    def _add(self, columns: dict[str, list[Any]], labels: str, english: str, foreign: str) -> None:
        names = _numbers(self.nonterminals)
        if not labels:
            columns["shared"].append(f"\t{foreign}")
            columns["english"].append(english)
            columns["source"].append(english)
            columns["labels"].append("")
            for name in names:
                columns[name].append("")
        else:
            label_of = {f"[{k}]": label for k, label in enumerate(labels.split(" "), 1)}
            own, other = english.split(" "), foreign.split(" ")
            by_own = [word for word in own if word in label_of]
            by_other = [word for word in other if word in label_of]
            place = {word: k for k, word in enumerate(by_own, 1)}
            pivot = {word: k for k, word in enumerate(by_other, 1)}
            canonical = " ".join(f"[{pivot[word]}]" if word in pivot else word for word in other)
            other_labels = " ".join(label_of[word] for word in by_other)
            columns["shared"].append(f"{other_labels}\t{canonical}")
            columns["english"].append(
                " ".join(f"{MARK}{pivot[word]}{MARK}" if word in pivot else word for word in own)
            )
            columns["source"].append(
                " ".join(f"[{place[word]}]" if word in place else word for word in own)
            )
            columns["labels"].append(" ".join(label_of[word] for word in by_own))
            for k, name in enumerate(names):
                columns[name].append(str(place[by_other[k]]) if k < len(by_other) else "")


def _numbers(nonterminals: int) -> list[str]:
    """The columns with the numbers of non-terminals."""
    return [f"n{k}" for k in range(1, nonterminals + 1)]


def _query(grammars: int, nonterminals: int, min_count: int, min_probability: float) -> str:
    """The query over rules_0, rules_1 ... for the rows of a grammar, in order."""
    columns = ", ".join(["shared", "english", "lhs", "labels", "source", "words", "count"])
    numbers = "".join(f", {name}" for name in _numbers(nonterminals))
    totals = ", ".join(
        f"SUM(count) OVER (PARTITION BY {names}) AS {total}_count" for total, names in TOTALS.items()
    )
    shares = ", ".join(
        f"CAST({part} AS DOUBLE) / CAST({whole} AS DOUBLE) AS {name}"
        for name, (part, whole) in PROBABILITIES.items()
    )
    scored = ", ".join(
        f"totals_{i} AS (SELECT {columns}{numbers}, {totals} FROM rules_{i}), "  # noqa: S608
        f"scored_{i} AS (SELECT {columns}{numbers}, {shares} FROM totals_{i} "
        f"WHERE count >= {min_count})"
        for i in range(grammars)
    )
    target = "b.english"
    for k, name in enumerate(_numbers(nonterminals), 1):
        target = f"REPLACE({target}, '{MARK}{k}{MARK}', '[' || a.{name} || ']')"
    products = {
        "p_target": "a.p_target * b.p_source",
        "p_source": "b.p_target * a.p_source",
        "p_target_lhs": "a.p_target_lhs * b.p_source_lhs",
        "p_source_lhs": "b.p_target_lhs * a.p_source_lhs",
    }
    units = ", ".join(f"{as_units(product)} AS {name}" for name, product in products.items())
    joined = " UNION ALL ".join(
        f"SELECT a.lhs AS lhs, a.labels AS labels, a.source AS source, {target} AS target, "  # noqa: S608
        f"a.words AS source_words, b.words AS target_words, {units} "
        f"FROM scored_{i} a JOIN scored_{i} b ON a.lhs = b.lhs AND a.shared = b.shared "
        "WHERE a.english <> b.english"
        for i in range(grammars)
    )
    means = ", ".join(
        f"CAST(SUM({name}) AS DOUBLE) / ({UNITS} * {grammars}) AS {name}" for name in FEATURES
    )
    key = "lhs, labels, source, target, source_words, target_words"
    return (
        f"WITH {scored}, joined AS ({joined}), "  # noqa: S608
        f"summed AS (SELECT {key}, {means} FROM joined GROUP BY {key}) "
        f"SELECT {key}, {', '.join(FEATURES)} FROM summed "
        f"WHERE p_target >= {number_literal(min_probability)} ORDER BY source, target, lhs, labels"
    )


def _count_nonterminals(grammar: Grammar, engine: Engine) -> int:
    """The most non-terminals of a rule; rules without a count are an error."""
    most = 0
    for batch in engine.batches(NONTERMINALS, {"rules": grammar.path}):
        [row] = batch.to_pylist()
        most = int(row["most"] or 0)
        if row["uncounted"]:
            raise FileFormatError(
                grammar.folder,
                None,
                "expected a count for every rule, which probabilities are computed from, found rules "
                "without; extract the grammar with paragauge grammar extract",
            )
    return most
