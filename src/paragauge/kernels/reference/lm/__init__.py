"""Twins of the kernels in lm/."""

__all__: list[str] = []
