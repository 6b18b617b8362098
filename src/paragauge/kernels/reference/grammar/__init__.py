"""Twins of the kernels of grammar."""

__all__: list[str] = []
