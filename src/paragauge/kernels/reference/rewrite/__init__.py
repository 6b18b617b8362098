"""Twins of the kernels in rewrite/."""

__all__: list[str] = []
