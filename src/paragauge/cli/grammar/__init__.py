"""`paragauge grammar`: paraphrase grammars."""

__all__: list[str] = []
