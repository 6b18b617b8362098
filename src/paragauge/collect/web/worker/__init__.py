"""The pages of workers."""
