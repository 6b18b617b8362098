"""How tables are written: formats, separators, headers, numbers, sheets."""

__all__: list[str] = []
