"""Twins of the kernels of decode."""
