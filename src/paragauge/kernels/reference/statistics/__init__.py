"""Twins of the kernels in statistics/."""

__all__: list[str] = []
