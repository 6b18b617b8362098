"""Twins of the kernels of matching."""

__all__: list[str] = []
