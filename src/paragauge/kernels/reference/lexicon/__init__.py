"""Twins of the kernels of lexicon."""
