"""Twins of the kernels of statistics."""

__all__: list[str] = []
