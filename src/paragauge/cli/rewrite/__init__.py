"""`paragauge rewrite`: reword references."""

__all__: list[str] = []
