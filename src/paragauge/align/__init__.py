"""Word alignment, symmetrisation, alignment error rate."""
