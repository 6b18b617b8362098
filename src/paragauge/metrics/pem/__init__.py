"""PEM (Liu, Dahlmeier and Ng 2010): the metric, its features, models, training and explanations."""
