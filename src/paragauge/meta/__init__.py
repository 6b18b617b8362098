"""Evaluation of evaluations: comparison and significance."""
