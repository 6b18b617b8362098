"""Twin of unmatched.cpp: words of a reference that the output lacks, with those that it has instead.

For a reference R and an output W of the same segment, the pairs

    { (r, w) : r in R but not in W, w in W but not in R }                (Kauchak and Barzilay 2006)

of word types, one row for each position of r, with the first position of w. Only ids that `words` marks
count as words. Time is linear in the tokens and in the pairs.
"""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Bytes, IdColumn, Ints, lines_of_segments, sentences


def unmatched(references: IdColumn, candidates: IdColumn, words: Bytes, threads: int) -> Ints:
    """Rows (line of the references, position, position in the output), int64 [pairs, 3], in order."""
    del threads
    theirs, ours = sentences(*references[:2]), sentences(*candidates[:2])
    members = lines_of_segments(len(theirs), references[2])
    if candidates[2] is not None:
        raise ValueError("candidates must have one line per segment")
    if len(members) != len(ours):
        raise ValueError("all columns must have the same number of segments")
    used = {id_ for line in (*theirs, *ours) for id_ in line}
    if any(not 0 <= id_ < len(words) for id_ in used):
        raise ValueError("every id must be an index of the words")
    rows = [
        (line, position, output.index(instead))
        for output, lines in zip(ours, members, strict=True)
        for line in lines
        for position, word in enumerate(theirs[line])
        if words[word] and word not in output
        for instead in dict.fromkeys(output)
        if words[instead] and instead not in theirs[line]
    ]
    return np.array(rows, np.int64).reshape(-1, 3)
