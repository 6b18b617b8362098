"""Twins of the kernels of statistics."""
