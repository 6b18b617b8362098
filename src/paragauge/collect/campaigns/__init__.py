"""Campaigns: settings, items, who takes part, and the money they may spend."""
