"""What every page shares: requests, sessions, forms, security, templates."""
