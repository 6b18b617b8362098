"""The store of a collection: its tables, transactions, migrations and log."""
