"""What the twins of several subjects share."""
