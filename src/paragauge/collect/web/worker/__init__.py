"""The pages of workers."""

__all__: list[str] = []
