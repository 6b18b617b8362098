"""HTML pages that ask for nothing from outside."""
