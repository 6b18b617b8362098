"""Paraphrasers: phrase-based, grammar-based, tuned to a metric, and driven by one."""
