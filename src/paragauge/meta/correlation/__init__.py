"""Which metric agrees with people? Correlations at every level, with tests."""
