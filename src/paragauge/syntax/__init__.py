"""Penn tags and dependencies: protocols, the shipped tagger, adapters and files."""
