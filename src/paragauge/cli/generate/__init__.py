"""`paragauge generate`: paraphrasers."""

__all__: list[str] = []
