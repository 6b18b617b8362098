"""`paragauge phrases`: phrase tables."""
