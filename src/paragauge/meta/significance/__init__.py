"""Is a difference real? Tests, corrected p-values, and comparisons of systems."""
