"""`paragauge collect mturk`: recruit workers on Mechanical Turk."""

__all__: list[str] = []
