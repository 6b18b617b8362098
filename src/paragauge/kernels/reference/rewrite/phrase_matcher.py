"""Twin of phrase_matcher.cpp: phrases of a reference that rules relate to phrases of the output.

For a reference R and an output W of the same segment, every span r of R and phrase w of W with a rule
r -> w, where the substitution brings a match and loses none:

- r has a word that is not in W, and w has a word that is not in R;
- each word of r that W has is in w at least as often as in r.

So only words that the output lacks are dropped, as with single words (`unmatched.py`), and any number
of such substitutions in spans that do not overlap keeps every match. Each span of R is a row of its
own; w is reported at its first place in W. Time is linear in the tokens, times the longest phrase and
the rules of each span.
"""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import IdColumn, Ids, Ints, lines_of_segments, sentences

Phrases = tuple[Ids, Ints]


class PhraseMatcher:
    """Rules from phrases to phrases, as numbers of words."""

    def __init__(self, left: Phrases, right: Phrases) -> None:
        sides = [[tuple(phrase) for phrase in sentences(*side)] for side in (left, right)]
        for side in sides:
            for phrase in side:
                if not phrase:
                    raise ValueError("a phrase must have a word")
                if min(phrase) < 0:
                    raise ValueError("ids of phrases must not be negative")
        if len(sides[0]) != len(sides[1]):
            raise ValueError("there must be as many phrases on the left as on the right")
        self._right = sides[1]
        self._rules: dict[tuple[int, ...], list[int]] = {}
        for number, phrase in enumerate(sides[0]):
            self._rules.setdefault(phrase, []).append(number)
        self._longest = max((len(phrase) for side in sides for phrase in side), default=0)

    def __len__(self) -> int:
        return len(self._right)

    def match(self, references: IdColumn, candidates: IdColumn, known: Ids, threads: int) -> Ints:
        """Rows (line, first and last position, first position in the output, rule), in this order.

        int64 [substitutions, 5]; `known` has the rules' number of each word, -1 where they have none.
        """
        del threads
        theirs, ours = sentences(*references[:2]), sentences(*candidates[:2])
        members = lines_of_segments(len(theirs), references[2])
        if candidates[2] is not None:
            raise ValueError("candidates must have one line per segment")
        if len(members) != len(ours):
            raise ValueError("all columns must have the same number of segments")
        if any(not 0 <= id_ < len(known) for line in (*theirs, *ours) for id_ in line):
            raise ValueError("every id must be an index of the words")
        rows = [
            (number, *row)
            for output, lines in zip(ours, members, strict=True)
            for number in lines
            for row in self._line(theirs[number], output, known.tolist())
        ]
        return np.array(rows, np.int64).reshape(-1, 5)

    def _line(
        self, line: list[int], output: list[int], known: list[int]
    ) -> list[tuple[int, int, int, int]]:
        places: dict[tuple[int, ...], int] = {}
        for first, last in self._spans(output):
            places.setdefault(tuple(known[word] for word in output[first : last + 1]), first)
        rows = []
        for first, last in self._spans(line):
            old = line[first : last + 1]
            for rule in self._rules.get(tuple(known[word] for word in old), ()):
                place = places.get(self._right[rule])
                if place is None:
                    continue
                new = output[place : place + len(self._right[rule])]
                brings = any(word not in output for word in old) and any(
                    word not in line for word in new
                )
                loses = any(word in output and old.count(word) > new.count(word) for word in old)
                if brings and not loses:
                    rows.append((first, last, place, rule))
        return rows

    def _spans(self, line: list[int]) -> list[tuple[int, int]]:
        return [
            (first, last)
            for first in range(len(line))
            for last in range(first, min(len(line), first + self._longest))
        ]
