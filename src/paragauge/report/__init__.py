"""Tables and one-file HTML reports."""

__all__: list[str] = []
