"""`paragauge pem`: models of PEM."""
