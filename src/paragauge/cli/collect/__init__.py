"""`paragauge collect`: the collection application, from the shell."""
