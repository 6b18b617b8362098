"""The JSON API."""

__all__: list[str] = []
