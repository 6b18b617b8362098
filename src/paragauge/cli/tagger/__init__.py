"""`paragauge tagger`: part-of-speech taggers."""

__all__: list[str] = []
