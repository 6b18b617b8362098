"""Twins of the kernels of lm."""
