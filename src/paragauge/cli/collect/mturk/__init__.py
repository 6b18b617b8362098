"""`paragauge collect mturk`: recruit workers on Mechanical Turk."""
