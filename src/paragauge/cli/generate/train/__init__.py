"""`paragauge generate train`: train paraphrasers."""

__all__: list[str] = []
