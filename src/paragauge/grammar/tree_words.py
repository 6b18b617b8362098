"""Whether trees are of the sentences they are said to be of.

A tree of another sentence with as many words would give wrong labels without a word. So its words must
be those of the sentence, but for what parsers and text preparation change: case, brackets (-LRB-),
quotes, and the backslash before `/` and `*` in the Penn Treebank.
"""

from __future__ import annotations

from paragauge.errors import unknown_name
from paragauge.text.lines import LineGroups, Lines

TREE_WORDS = ("same", "any")
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_MARKS = str.maketrans({"`": "'", "‘": "'", "’": "'", "“": "''", "”": "''", '"': "''", "\\": None})


def check_tree_words(name: str) -> None:
    """Raise the error for an unknown setting.

    >>> check_tree_words("some")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown setting of tree_words 'some'; did you mean 'same'? known: ...
    """
    if name not in TREE_WORDS:
        raise unknown_name("setting of tree_words", name, TREE_WORDS)


def folded(word: str) -> str:
    r"""A word without what may differ between a sentence and its tree.

    >>> [folded(word) for word in ("-LRB-", ":--LRB-", "``", "“", "1\\/2", "The")]
    ['(', ':-(', "''", "''", '1/2', 'the']
    """
    plain = word.casefold()
    for name, bracket in _BRACKETS.items():
        plain = plain.replace(name, bracket)
    return plain.translate(_MARKS)


def first_difference(sentences: Lines, words: LineGroups) -> tuple[int, str, str] | None:
    """The first sentence whose words are not its tree's, with the words of both; None if all are.

    >>> first_difference(Lines.of(["a cat"]), LineGroups.of([["the", "house"]]))
    (0, 'a', 'the')
    """
    for number, (sentence, leaves) in enumerate(zip(sentences, words, strict=True)):
        if sentence == " ".join(leaves):
            continue
        for ours, theirs in zip(sentence.split(" "), leaves, strict=False):
            if ours != theirs and folded(ours) != folded(theirs):
                return number, ours, theirs
    return None
