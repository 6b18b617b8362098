"""One file per metric, named as its paper names it."""
