"""Tables and one-file HTML reports."""
