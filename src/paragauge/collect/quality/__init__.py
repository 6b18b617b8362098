"""Quality of answers: controls, agreement, hints and the noise filter."""
