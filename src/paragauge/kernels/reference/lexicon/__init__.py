"""Twins of the kernels of lexicon."""

__all__: list[str] = []
