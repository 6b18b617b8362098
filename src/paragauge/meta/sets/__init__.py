"""Evaluation sets: systems, segments, judgments and judges; their files, and choices of items."""
