"""WordNet synonyms and base forms, and stems."""
