"""Twins of the kernels in decode/."""

__all__: list[str] = []
