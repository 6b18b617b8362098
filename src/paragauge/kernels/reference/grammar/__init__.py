"""Twins of the kernels in grammar/."""

__all__: list[str] = []
