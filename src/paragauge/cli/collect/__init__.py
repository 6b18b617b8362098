"""`paragauge collect`: the collection application, from the shell."""

__all__: list[str] = []
