"""`paragauge encoder`: describe and convert encoders."""

__all__: list[str] = []
