"""Options that several commands share, and what they mean."""

__all__: list[str] = []
