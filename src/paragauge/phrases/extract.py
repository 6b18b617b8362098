"""Phrase tables from a bitext and its word alignment.

Batches of sentence pairs become rows of phrase pairs in the kernel
(`kernels/reference/phrases/phrases.py` says which), the rows go to a Parquet file, and an engine counts
them (`phrases/scores.py` says how). Memory does not grow with the text; disk holds every occurrence of
every pair until the table is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.align.links import Links
from paragauge.align.pharaoh import PharaohReader
from paragauge.engine.arrow_strings import Texts, strings
from paragauge.engine.base import Engine
from paragauge.engine.dataset import DatasetWriter
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import InputError, SettingError
from paragauge.kernels import _native
from paragauge.lexicon.stems import check_stemmer, stem
from paragauge.phrases.scores import scored_rows, scores_query
from paragauge.phrases.significance import SentencePairs, Significance, check_significance
from paragauge.phrases.table import PhraseTable, new_table
from paragauge.phrases.word_links import word_rows
from paragauge.text.bitext import Bitext, BitextFiles
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import TOKENIZED, check_threads
from paragauge.text.vocabulary import Vocabulary

LONGEST = 64
BATCH = 1 << 12  # sentence pairs
RowFilter = Callable[[Any], Any]  # from an Arrow table of rows to those that stay
HEURISTIC = "consistent pairs with at least one link, extended over unaligned words"


@dataclass(frozen=True)
class ExtractionSettings:
    """What to extract, and which rows to keep.

    `max_length` counts words, on both sides. `stem` names a stemmer for each side, or None. Of the
    scored rows those are kept that occurred `min_count` times, have p(target|source) of at least
    `min_probability`, and are among the `top` most frequent targets of their source (None: all). Then
    those are dropped whose significance is too low (`phrases/significance.py`).

    >>> ExtractionSettings(max_length=0)
    Traceback (most recent call last):
    paragauge.errors.SettingError: max_length: expected a whole number from 1 to 64, found 0
    """

    max_length: int = 7
    stem: tuple[str | None, str | None] = (None, None)
    min_count: int = 1
    min_probability: float = 0.0
    top: int | None = None
    significance: Significance = "off"
    threads: int = 0

    def __post_init__(self) -> None:
        _check_whole("max_length", self.max_length, 1, LONGEST)
        _check_whole("min_count", self.min_count, 1, 1 << 40)
        if self.top is not None:
            _check_whole("top", self.top, 1, 1 << 40)
        if not 0 <= self.min_probability <= 1:
            raise SettingError(
                f"min_probability: expected a number from 0 to 1, found {self.min_probability!r}"
            )
        for name in self.stem:
            if name is not None:
                check_stemmer(name)
        check_significance(self.significance)
        check_threads(self.threads)

    @property
    def query(self) -> str:
        """The SQL that scores and filters."""
        return scores_query(self.min_count, self.min_probability, self.top)


def extract_table(
    bitext: Bitext,
    links: Links,
    output: str | Path,
    settings: ExtractionSettings | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
    facts: Mapping[str, Any] | None = None,
    row_filter: RowFilter | None = None,
) -> PhraseTable:
    """The phrase table of a word-aligned bitext, in the folder `output`.

    `facts` are kept in the table's description, for example how the text was aligned. `progress` is
    called `steps(len(bitext))` times. `row_filter` gets the rows that the settings keep, in parts, and
    returns those to write.

    >>> import tempfile
    >>> bitext = Bitext.of(["the house", "the book"], ["la maison", "le livre"])
    >>> links = Links.from_lists([[(0, 0), (1, 1)], [(0, 0), (1, 1)]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = extract_table(bitext, links, f"{folder}/en-fr")
    ...     [(pair.target, pair.p_target) for pair in table.query("the")]
    [('la', 0.5), ('le', 0.5)]
    """
    if len(bitext) != len(links):
        raise InputError(
            f"{bitext.name} has {len(bitext)} sentence pairs but the alignment has {len(links)}; "
            "expected equally many"
        )
    starts = range(0, len(bitext), BATCH)
    batches = ((bitext[i : i + BATCH], links[i : i + BATCH]) for i in starts)
    return _extract_batches(
        batches, output, settings, engine, progress, facts, bitext.skipped, row_filter
    )


def steps(pairs: int) -> int:
    """How often `extract_table` reports progress on this many sentence pairs.

    >>> steps(10_000)
    5
    """
    return -(-pairs // BATCH) + 2


def extract_batches(
    batches: Iterable[tuple[Bitext, Links]],
    output: str | Path,
    settings: ExtractionSettings | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
    facts: Mapping[str, Any] | None = None,
) -> PhraseTable:
    """As `extract_table`, of a text that is read batch by batch.

    >>> import tempfile
    >>> batches = [(Bitext.of([s], [t]), Links.from_lists([[(0, 0)]])) for s, t in ("ax", "by")]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     extract_batches(batches, f"{folder}/table").query("b")[0].target
    'y'
    """
    return _extract_batches(batches, output, settings, engine, progress, facts, 0)


def _extract_batches(
    batches: Iterable[tuple[Bitext, Links]],
    output: str | Path,
    settings: ExtractionSettings | None,
    engine: Engine | None,
    progress: Progress,
    facts: Mapping[str, Any] | None,
    skipped: int,
    row_filter: RowFilter | None = None,
) -> PhraseTable:
    settings = settings or ExtractionSettings()
    engine = engine or DuckDBEngine(threads=settings.threads)
    with new_table(output) as writer:
        extraction = _Extraction(writer, settings, skipped)
        try:
            for bitext, links in batches:
                progress(f"extracting, {extraction.counts['sentence_pairs']:,} sentence pairs")
                extraction.add(bitext, links)
        finally:
            extraction.close()
        progress(f"counting {extraction.counts['extracted']:,} phrase pairs")
        rows = scored_rows(
            engine, extraction.pairs, extraction.words, writer.scratch, settings.query, settings.threads
        )
        if extraction.sentences is not None:
            rows = extraction.sentences.significant_rows(
                engine,
                extraction.pairs,
                rows,
                settings.significance,
                min_count=settings.min_count,
                threads=settings.threads,
            )
        for number, table in enumerate(rows):
            if number == 0:
                progress("scoring")
            writer.write(table if row_filter is None else row_filter(table))
        if extraction.sentences is not None:
            extraction.counts["insignificant"] = extraction.sentences.dropped
        writer.finish(
            {
                "settings": {**extraction.text, **_record_settings(settings)},
                "counts": extraction.counts,
                "heuristic": HEURISTIC,
                **(facts or {}),
            }
        )
    return PhraseTable.open(output)


def aligned_batches(
    where: BitextFiles, alignment: str | Path, threads: int = 0
) -> Iterator[tuple[Bitext, Links]]:
    """Sentence pairs with their links, read from files with flat memory.

    The alignment is a Pharaoh file with one line for each line of the text; the line of a dropped pair
    is skipped. Errors name file and line.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs, links = Path(folder, "pairs.tsv"), Path(folder, "links")
    ...     _ = pairs.write_text("yes sir\\toui monsieur\\n"), links.write_text("0-0 1-1\\n")
    ...     [links.to_lists() for _, links in aligned_batches(BitextFiles(pairs), links)]
    [[[(0, 0), (1, 1)]]]
    """
    with PharaohReader(alignment, threads) as reader:
        for bitext in where.batches():
            yield bitext, reader.read_for(bitext)
        reader.check_end()


class _Extraction:
    """Files of extracted pairs and of linked words, and how many there are."""

    def __init__(self, writer: DatasetWriter, settings: ExtractionSettings, skipped: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._settings = settings
        self.sentences = None if settings.significance == "off" else SentencePairs()
        self.pairs = writer.scratch / "extracted.parquet"
        self.words = writer.scratch / "words.parquet"
        self.counts = {"sentence_pairs": 0, "skipped": skipped, "links": 0, "extracted": 0}
        self.text: dict[str, Any] = {}
        names = ("source", "target", "alignment", "alignment_order")
        self._pair_schema = pa.schema([(name, pa.large_string()) for name in names])
        strings_ = [(name, pa.large_string()) for name in ("source", "target")]
        self._word_schema = pa.schema([*strings_, ("count", pa.int64())])
        self._pair_writer = pq.ParquetWriter(
            self.pairs, self._pair_schema, compression="lz4", use_dictionary=list(names[2:])
        )
        self._word_writer = pq.ParquetWriter(self.words, self._word_schema, compression="lz4")

    def add(self, bitext: Bitext, links: Links) -> None:
        """Extract from a batch."""
        outside = links.first_outside(bitext.source_lengths, bitext.target_lengths)
        if outside is not None:
            pair, message = outside
            raise InputError(
                f"{bitext.name}:{bitext.numbers[pair]}: {message}; expected links between its tokens, "
                "so give the text as it was aligned, with the same tokenizer"
            )
        self.counts["skipped"] += bitext.skipped
        self.text = {"tokenize": list(bitext.tokenize), "case": bitext.case}
        # With few links, the number of pairs in a sentence grows with the fourth power of max_length.
        size = max(16, BATCH * 16 // self._settings.max_length**2)
        for start in range(0, len(bitext), size):
            self._extract(bitext[start : start + size], links[start : start + size])

    def _extract(self, bitext: Bitext, links: Links) -> None:
        import pyarrow as pa

        sides = [
            encode_side(lines, algorithm, self._settings.threads)
            for lines, algorithm in zip(
                (bitext.source, bitext.target), self._settings.stem, strict=True
            )
        ]
        (left, source), (right, target) = sides
        if self.sentences is not None:
            self.sentences.add((left, source), (right, target))
        columns = _native.extract_phrases(
            (left, source.ids, source.offsets),
            (right, target.ids, target.offsets),
            (links.source, links.target, links.offsets),
            self._settings.max_length,
            self._settings.threads,
        )
        rows = pa.Table.from_arrays([strings(column) for column in columns], schema=self._pair_schema)
        self._pair_writer.write_table(rows)
        words = word_rows(left, right, source, target, links)
        self._word_writer.write_table(pa.Table.from_arrays(words, schema=self._word_schema))
        self.counts["sentence_pairs"] += len(bitext)
        self.counts["links"] += len(links.source)
        self.counts["extracted"] += len(rows)

    def close(self) -> None:
        """Finish both files."""
        self._pair_writer.close()
        self._word_writer.close()


def encode_side(lines: Lines, algorithm: str | None, threads: int) -> tuple[Texts, Ragged]:
    """The words of a batch, and its sentences as numbers of words; words with one stem share its text.

    >>> (words, offsets), sentences = encode_side(Lines.of(["a b a"]), None, 1)
    >>> words.tobytes(), sentences.to_lists()
    (b'ab', [[0, 1, 0]])
    """
    vocabulary = Vocabulary()
    ids = vocabulary.encode(lines, TOKENIZED, threads=threads)
    words = vocabulary.texts()
    if algorithm is not None:
        words = Lines.of(stem(words, algorithm))
    offsets = np.concatenate([[0], words.spans[:, 1]]).astype(np.int64)
    return (words.buffer, offsets), ids


def _record_settings(settings: ExtractionSettings) -> dict[str, Any]:
    """The settings that determine the rows."""
    record = asdict(settings)
    del record["threads"]
    if settings.significance == "off":
        del record["significance"]
    return record


def _check_whole(name: str, value: int, low: int, high: int) -> None:
    if not isinstance(value, int) or not low <= value <= high:
        raise SettingError(f"{name}: expected a whole number from {low} to {high:,}, found {value!r}")
