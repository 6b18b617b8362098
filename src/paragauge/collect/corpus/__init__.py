"""Parallel sentences: clusters, and their import and export."""
