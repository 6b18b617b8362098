"""The pages of requesters."""
