"""The collection application: parallel descriptions, paraphrases and judgments from a crowd."""
