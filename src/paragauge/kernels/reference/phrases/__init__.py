"""Twins of the kernels in phrases/."""

__all__: list[str] = []
