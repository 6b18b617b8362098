"""Relational work on Parquet and Arrow: one SQL text, run by DuckDB on one machine."""
