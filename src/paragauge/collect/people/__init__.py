"""Workers and requesters: accounts, sessions, and the erasure of what is known of a person."""
