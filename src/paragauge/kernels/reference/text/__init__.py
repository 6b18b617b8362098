"""Twins of the kernels on text."""
