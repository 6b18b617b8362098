"""Twins of the kernels of phrases."""
