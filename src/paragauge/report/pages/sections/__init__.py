"""The sections of a report, one a file."""

__all__: list[str] = []
