"""Do people agree? Agreement of judges, and what their ratings say together."""
