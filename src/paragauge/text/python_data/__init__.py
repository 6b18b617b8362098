"""Python data that people already have: texts in their columns, and results for their notebooks."""
