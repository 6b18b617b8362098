"""Output that appears whole or not at all, and what is left of runs that were killed."""
