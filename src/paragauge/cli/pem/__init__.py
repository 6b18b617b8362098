"""`paragauge pem`: models of PEM."""

__all__: list[str] = []
