"""Relational work on Parquet and Arrow: one SQL text, by DuckDB on one machine or Spark on many."""
