"""Phrase extraction, and phrase tables."""
