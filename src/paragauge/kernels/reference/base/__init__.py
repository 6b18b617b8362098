"""Code shared by twins of several subjects."""

__all__: list[str] = []
