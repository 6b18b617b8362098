"""`paragauge generate`: paraphrasers."""
