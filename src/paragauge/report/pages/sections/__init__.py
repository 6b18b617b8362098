"""The sections of a report, one a file, and the evaluation that they show."""

__all__: list[str] = []
