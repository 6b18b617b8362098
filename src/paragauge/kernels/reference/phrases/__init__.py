"""Twins of the kernels of phrases."""

__all__: list[str] = []
