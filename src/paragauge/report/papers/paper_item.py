"""A table, figure or formula of a paper, the command that makes it, and a demonstration."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

EXAMPLES, WORK = "{examples}", "{work}"


@dataclass(frozen=True)
class PaperItem:
    """What a paper shows, and how to make the same of one's own data.

    `name` is the number that the paper gives it, such as ``table-4``; what has no number is named by
    what it defines, such as ``formula-pinc``, or by its section. `command` is the command of paragauge
    with the options that make this item, `takes` what to add to it, and `function` does the same in
    Python. `demo` has the arguments of a demonstration, an option with its values in each: in them,
    ``{examples}`` is the folder of the bundled examples, and ``{work}`` one that the commands of
    `prepare` have filled. Without `demo` there is none, and `why_no_demo` says why.
    """

    paper: str
    name: str
    title: str
    command: str
    takes: str
    function: str
    demo: tuple[str, ...] = ()
    prepare: tuple[str, ...] = ()
    why_no_demo: str = ""

    @property
    def words(self) -> list[str]:
        """The words of the command.

        >>> PaperItem("a-2000", "table-1", "Ratings", "meta --layout pinc-3", "RATINGS", "f").words
        ['meta', '--layout', 'pinc-3']
        """
        return shlex.split(self.command)
