"""`paragauge phrases`: phrase tables."""

__all__: list[str] = []
