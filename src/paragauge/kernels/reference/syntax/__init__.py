"""Twins of the kernels of syntax."""
