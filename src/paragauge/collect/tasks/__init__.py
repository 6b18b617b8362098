"""Tasks: which worker gets which item, the answers, and their reviews."""
