"""Relational work on Parquet and Arrow: one SQL text, by DuckDB on one machine or Spark on many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.engine.arrow_strings import strings, texts_of
    from paragauge.engine.base import Engine, number_literal
    from paragauge.engine.dataset import Dataset, DatasetWriter, Kind, new_dataset
    from paragauge.engine.duckdb_engine import DuckDBEngine, duckdb_module
    from paragauge.engine.fingerprint import Fingerprint
    from paragauge.engine.parquet_parts import row_batches
    from paragauge.engine.spark_engine import SparkEngine
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Dataset",
    "DatasetWriter",
    "DuckDBEngine",
    "Engine",
    "Fingerprint",
    "Kind",
    "SparkEngine",
    "duckdb_module",
    "new_dataset",
    "number_literal",
    "row_batches",
    "strings",
    "texts_of",
]
