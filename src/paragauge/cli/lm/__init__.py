"""`paragauge lm`: language models."""

__all__: list[str] = []
