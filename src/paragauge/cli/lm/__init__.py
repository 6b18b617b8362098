"""`paragauge lm`: language models."""
