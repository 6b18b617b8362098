"""`paragauge collect`: the commands of the collection application."""

__all__: list[str] = []
