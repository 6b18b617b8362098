"""Twins of the kernels of rewrite."""
