"""Pictures: a canvas of primitives, SVG and PNG, and what is drawn of alignments and derivations."""
