"""Twins of the kernels in matching/."""

__all__: list[str] = []
