"""Reference rewriting: references reworded toward a system's words where context allows."""
