"""Twins of the kernels of grammar."""
