"""`paragauge align`: word alignment."""

__all__: list[str] = []
