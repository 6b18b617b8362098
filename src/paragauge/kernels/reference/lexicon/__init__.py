"""Twins of the kernels in lexicon/."""

__all__: list[str] = []
