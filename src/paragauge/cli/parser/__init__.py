"""`paragauge parser`: constituency parsers."""

__all__: list[str] = []
