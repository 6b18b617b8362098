"""Synchronous grammars: rules, tables, files, overlap, pruning."""
