"""Twins of the kernels of matching."""
