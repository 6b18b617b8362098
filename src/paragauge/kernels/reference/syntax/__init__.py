"""Twins of the kernels of syntax."""

__all__: list[str] = []
