"""How far a campaign is, and the figures of the paper."""
