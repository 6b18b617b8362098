"""`paragauge rewrite`: references in other words."""
