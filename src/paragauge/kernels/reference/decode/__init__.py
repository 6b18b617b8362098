"""Twins of the kernels of decode."""

__all__: list[str] = []
