"""Results as text, Markdown, LaTeX, TSV and JSON."""
