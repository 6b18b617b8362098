"""Native kernels (`_native`) and their readable twins (`reference`)."""

__all__: list[str] = []
