"""`paragauge grammar`: paraphrase grammars."""
