"""Native kernels (`_native`) and their readable twins (`reference`)."""
