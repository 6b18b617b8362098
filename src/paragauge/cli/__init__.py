"""The command line: one file per command; parses, calls, prints."""

__all__: list[str] = []
