"""The pages of the collection application: they parse, call the store and show."""
