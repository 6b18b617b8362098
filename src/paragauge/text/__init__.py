"""Tokenisers, vocabulary, ragged corpora, line-numbered readers and writers."""
