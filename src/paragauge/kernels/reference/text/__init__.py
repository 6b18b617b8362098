"""Twins of the kernels on text."""

__all__: list[str] = []
