"""Twins of the kernels of lm."""

__all__: list[str] = []
