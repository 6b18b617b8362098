"""Twins of the kernels of rewrite."""

__all__: list[str] = []
