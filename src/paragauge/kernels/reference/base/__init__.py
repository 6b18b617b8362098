"""What the twins of several subjects share."""

__all__: list[str] = []
