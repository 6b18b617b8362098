"""Tables with a column for each system, where a row for each segment and system is expected."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from paragauge.text.tables.headers import header_key


def wide_remedy(columns: Iterable[str], systems: Collection[str], value: str = "METRIC") -> str:
    """How to write a wide table as rows, as the end of a message; empty if it is not wide.

    >>> print(wide_remedy(["segment", "mine", "base"], ["base", "mine", "new"]))
    ; mine, base are systems: write a row for each segment and system, with the columns segment, system
    and METRIC (in pandas frame.melt("segment", var_name="system", value_name="METRIC"))
    """
    names = list(columns)
    keys = {header_key(system) for system in systems}
    wide = [name for name in names if header_key(name) in keys]
    if not wide:
        return ""
    rest = [name for name in names if name not in wide]
    key = rest[0] if rest else "segment"
    make = "" if rest else 'frame.rename_axis("segment").reset_index()'
    verb = "is a system" if len(wide) == 1 else "are systems"
    return (
        f"; {', '.join(wide)} {verb}: write a row for each "
        f"segment and system, with the columns segment, system and {value} (in pandas "
        f'{make or "frame"}.melt("{key}", var_name="system", value_name="{value}"))'
    )
