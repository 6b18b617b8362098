"""Twins of the kernels in syntax/."""

__all__: list[str] = []
