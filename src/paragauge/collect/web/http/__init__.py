"""What every page shares: requests, sessions, forms, security, templates."""

__all__: list[str] = []
