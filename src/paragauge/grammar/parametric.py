"""ParaMetric (Callison-Burch, Cohn and Lapata 2008): phrasal paraphrases against hand alignments.

Gold paraphrases are the phrase pairs consistent with hand-made word alignments of sentential
paraphrases, extracted as phrase tables are (`kernels/reference/phrases/phrases.py`). Three measures, as
Weese, Ganitkevitch and Callison-Burch (2014, sections 2 and 4.3) summarize them:

- *Alignment* precision, recall and F1 of a technique that aligns the sentence pairs itself, over word
  links (`align/error_rate.py`) and over phrase pairs: all pairs consistent with its alignment against
  all pairs consistent with the hand alignment, where pairs are compared by their positions;
- *precision lower bound* and *relative recall* of a resource that lists paraphrases of phrases: a
  phrase table, or the words-only part of a grammar. With G(s) the gold paraphrases of a phrase s and
  R(s) those of the resource,

      precision = sum |R(s) & G(s)| / sum |R(s)|        recall = sum |R(s) & G(s)| / sum |G(s)|

  over the phrases s that have gold paraphrases.

The papers leave open which phrases precision covers and how phrases are averaged, so all readings are
given: `precision` is over phrases with gold paraphrases, since nothing is known about others;
`precision_all` is over the whole resource, as in grammar overlap; `mean_precision` and `mean_recall`
are the means over phrases of |R(s) & G(s)| / |R(s)|, for the phrases in the resource, and of
|R(s) & G(s)| / |G(s)|, so that phrases with many paraphrases do not outweigh others.

Choices of this implementation, all settings: phrases have at most `max_length` words, and longer ones
of a resource are not counted; a phrase is not a paraphrase of itself (`identity`); pairs hold in the
direction in which they are given, or in both (`directions`). The caller decides whether only the sure
links of a hand alignment count.
"""

from __future__ import annotations

import contextlib
import math
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from paragauge.align.links import Links
from paragauge.engine.arrow_strings import strings
from paragauge.engine.base import Engine, Rows
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import LengthError, SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.phrases.extract import LONGEST, encode_side
from paragauge.text.bitext import Bitext
from paragauge.text.lines import Lines

Identity = Literal["drop", "keep"]
IDENTITY: tuple[Identity, ...] = get_args(Identity)
Directions = Literal["given", "both"]
DIRECTIONS: tuple[Directions, ...] = get_args(Directions)
BATCH = 256


@dataclass(frozen=True)
class ParametricSettings:
    """What counts as a paraphrase.

    >>> ParametricSettings(identity="maybe")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown value of identity 'maybe'; known: drop, keep
    """

    max_length: int = 7
    identity: Identity = "drop"
    directions: Directions = "given"
    threads: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.max_length <= LONGEST:
            raise SettingError(
                f"max_length: expected a whole number from 1 to {LONGEST}, found {self.max_length!r}"
            )
        if self.identity not in IDENTITY:
            raise unknown_name("value of identity", self.identity, IDENTITY)
        if self.directions not in DIRECTIONS:
            raise unknown_name("value of directions", self.directions, DIRECTIONS)

    def pairs(self, table: str, where: str = "") -> str:
        """The query for the different pairs of a table with columns source and target."""
        tests = [where] if where else []
        if self.identity == "drop":
            tests.append("source <> target")
        for side in ("source", "target"):
            # Words are separated by one space.
            words = f"LENGTH({side}) - LENGTH(REPLACE({side}, ' ', '')) + 1"
            tests.append(f"{words} <= {self.max_length}")
        one = f"SELECT source, target FROM {table} WHERE {' AND '.join(tests)}"  # noqa: S608
        if self.directions == "both":
            one += " UNION ALL " + one.replace(
                "SELECT source, target", "SELECT target AS source, source AS target"
            )
        return f"SELECT source, target FROM ({one}) AS {table}_rows GROUP BY source, target"  # noqa: S608


@dataclass(frozen=True)
class PhraseAlignment:
    """The number of phrase pairs in an alignment, in the hand alignment, and in both.

    >>> PhraseAlignment(found=4, gold=6, both=3).f1
    0.6
    """

    found: int
    gold: int
    both: int

    @property
    def precision(self) -> float | None:
        """Share of the phrase pairs that are also in the hand alignment."""
        return self.both / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """Share of the hand alignment's phrase pairs that were found."""
        return self.both / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall."""
        whole = self.found + self.gold
        return 2 * self.both / whole if whole else None


@dataclass(frozen=True)
class ResourceScore:
    """Pairs of a resource against gold pairs; the module docstring defines the shares.

    >>> score = ResourceScore(gold=8, resource=100, known=10, both=4, sources=5, found=4,
    ...     mean_precision=0.5, mean_recall=0.4)
    >>> score.precision, score.precision_all, score.recall
    (0.4, 0.04, 0.5)
    """

    gold: int  # gold pairs
    resource: int  # pairs of the resource
    known: int  # those whose source has gold paraphrases
    both: int
    sources: int  # phrases with gold paraphrases
    found: int  # those of them that the resource has
    mean_precision: float | None
    mean_recall: float | None

    @property
    def precision(self) -> float | None:
        """Lower bound on precision over phrases with gold paraphrases."""
        return self.both / self.known if self.known else None

    @property
    def precision_all(self) -> float | None:
        """Lower bound on precision over the whole resource."""
        return self.both / self.resource if self.resource else None

    @property
    def recall(self) -> float | None:
        """Relative recall."""
        return self.both / self.gold if self.gold else None


def phrase_alignment(
    bitext: Bitext,
    links: Links,
    gold: Links,
    settings: ParametricSettings | None = None,
    engine: Engine | None = None,
) -> PhraseAlignment:
    """Compare the phrase pairs of an alignment with those of the hand alignment, by position.

    >>> bitext = Bitext.of(["a b"], ["c d"])
    >>> gold, crossed = (Links.from_lists([pairs]) for pairs in ([(0, 0), (1, 1)], [(0, 1), (1, 0)]))
    >>> phrase_alignment(bitext, crossed, gold)
    PhraseAlignment(found=3, gold=3, both=1)
    """
    settings = settings or ParametricSettings()
    engine = engine or DuckDBEngine(threads=settings.threads)
    by_position = _words_as_positions(bitext)
    with tempfile.TemporaryDirectory(prefix="paragauge-") as folder:
        tables = {"found": Path(folder, "found.parquet"), "gold": Path(folder, "gold.parquet")}
        for alignment, path in zip((links, gold), tables.values(), strict=True):
            write_phrase_pairs(by_position, alignment, path, settings)
        sizes = {
            table: _rows(engine, f"SELECT COUNT(*) AS n FROM {table}", tables)[0]["n"]  # noqa: S608
            for table in tables
        }
        joined = (
            "SELECT COUNT(*) AS n FROM found JOIN gold "
            "ON found.source = gold.source AND found.target = gold.target"
        )
        return PhraseAlignment(**sizes, both=_rows(engine, joined, tables)[0]["n"])


def write_phrase_pairs(bitext: Bitext, links: Links, output: Path, settings: ParametricSettings) -> int:
    """Write the phrase pairs of an aligned bitext as Parquet, each as often as it occurs."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if len(bitext) != len(links):
        raise LengthError(
            f"{bitext.name} has {len(bitext)} sentence pairs but the alignment has {len(links)}; "
            "expected equally many"
        )
    schema = pa.schema([("source", pa.large_string()), ("target", pa.large_string())])
    rows = 0
    with pq.ParquetWriter(output, schema, compression="lz4") as out:
        for start in range(0, len(bitext), BATCH):
            part, between = bitext[start : start + BATCH], links[start : start + BATCH]
            sides = [encode_side(side, None, settings.threads) for side in (part.source, part.target)]
            columns = _native.extract_phrases(
                (sides[0][0], sides[0][1].ids, sides[0][1].offsets),
                (sides[1][0], sides[1][1].ids, sides[1][1].offsets),
                (between.source, between.target, between.offsets),
                settings.max_length,
                settings.threads,
            )
            table = pa.Table.from_arrays([strings(column) for column in columns[:2]], schema=schema)
            out.write_table(table)
            rows += len(table)
    return rows


def score_resource(
    gold: Rows,
    resource: Rows,
    settings: ParametricSettings | None = None,
    engine: Engine | None = None,
    *,
    where: str = "",
) -> ResourceScore:
    """Precision and recall of the pairs of a resource; both have the columns source and target.

    `where` is a condition on the rows of the resource, `labels = ''` for a grammar.

    >>> import pyarrow as pa
    >>> gold = pa.table({"source": ["a", "a", "b"], "target": ["x", "y", "z"]})
    >>> resource = pa.table({"source": ["a", "a", "c"], "target": ["x", "w", "v"]})
    >>> score = score_resource(gold, resource)
    >>> score.precision, score.precision_all, score.recall, score.mean_recall
    (0.5, 0.3333333333333333, 0.3333333333333333, 0.25)
    """
    settings = settings or ParametricSettings()
    engine = engine or DuckDBEngine(threads=settings.threads)
    tables = {"gold": gold, "resource": resource}
    pairs = {"gold": settings.pairs("gold"), "resource": settings.pairs("resource", where)}
    total = f"SELECT COUNT(*) AS n FROM ({pairs['resource']}) AS pairs"  # noqa: S608
    # A sum of fractions depends on their order, so SQL counts equal fractions and Python sums them.
    by_phrase = (
        f"WITH gold_pairs AS ({pairs['gold']}), resource_pairs AS ({pairs['resource']}), "  # noqa: S608
        "golds AS (SELECT source, COUNT(*) AS gold FROM gold_pairs GROUP BY source), "
        "others AS (SELECT source, COUNT(*) AS known FROM resource_pairs GROUP BY source), "
        "hits AS (SELECT gold_pairs.source AS source, COUNT(*) AS both_have FROM gold_pairs "
        "JOIN resource_pairs ON gold_pairs.source = resource_pairs.source "
        "AND gold_pairs.target = resource_pairs.target GROUP BY gold_pairs.source), "
        "phrases AS (SELECT golds.gold AS gold, "
        "CASE WHEN others.known IS NULL THEN 0 ELSE others.known END AS known, "
        "CASE WHEN hits.both_have IS NULL THEN 0 ELSE hits.both_have END AS both_have FROM golds "
        "LEFT JOIN others ON golds.source = others.source "
        "LEFT JOIN hits ON golds.source = hits.source) "
        "SELECT gold, known, both_have, COUNT(*) AS sources FROM phrases "
        "GROUP BY gold, known, both_have ORDER BY gold, known, both_have"
    )
    rows = _rows(engine, by_phrase, tables)

    def total_of(value: Callable[[dict[str, int]], float]) -> float:
        return math.fsum(row["sources"] * value(row) for row in rows)

    sources = sum(row["sources"] for row in rows)
    known_sources = int(total_of(lambda row: row["known"] > 0))
    precise = total_of(lambda row: row["both_have"] / row["known"] if row["known"] else 0.0)
    recalled = total_of(lambda row: row["both_have"] / row["gold"])
    return ResourceScore(
        gold=int(total_of(lambda row: row["gold"])),
        resource=_rows(engine, total, {"resource": resource})[0]["n"],
        known=int(total_of(lambda row: row["known"])),
        both=int(total_of(lambda row: row["both_have"])),
        sources=sources,
        found=known_sources,
        mean_precision=precise / known_sources if known_sources else None,
        mean_recall=recalled / sources if sources else None,
    )


@contextlib.contextmanager
def gold_pairs(bitext: Bitext, links: Links, settings: ParametricSettings) -> Iterator[Path]:
    """A Parquet file with the gold pairs that exists while the context is open."""
    with tempfile.TemporaryDirectory(prefix="paragauge-") as folder:
        path = Path(folder, "gold.parquet")
        write_phrase_pairs(bitext, links, path, settings)
        yield path


def _words_as_positions(bitext: Bitext) -> Bitext:
    """The bitext with each word replaced by its position, so that equal phrases are in one place."""
    sides = [
        Lines.of(
            [" ".join(f"{number}.{i}" for i in range(length)) for number, length in enumerate(lengths)]
        )
        for lengths in (bitext.source_lengths.tolist(), bitext.target_lengths.tolist())
    ]
    return Bitext.of(*sides, empty="keep")


def _rows(engine: Engine, sql: str, tables: dict[str, Any]) -> list[dict[str, int]]:
    return [row for batch in engine.batches(sql, tables) for row in batch.to_pylist()]
