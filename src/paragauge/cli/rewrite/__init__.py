"""`paragauge rewrite`: references in other words."""

__all__: list[str] = []
