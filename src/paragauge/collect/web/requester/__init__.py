"""The pages of requesters."""

__all__: list[str] = []
