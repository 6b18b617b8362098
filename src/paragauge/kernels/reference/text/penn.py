"""Twin of penn.cpp: Penn Treebank tokenization, as in Robert MacIntyre's tokenizer.sed (1995).

The rules are the script's, in its order: directional double quotes become `` and '', final full
stops and all other punctuation are split off, and so are contractions (do n't, we 'll, can not).
Input is one sentence; a full stop inside it stays with its word. Two lines that are commented out in
the script (brackets as -LRB-, whaddya) are left out here too. The script's full-stop rule takes
spaces and tabs after the last quote only, and so does this one. Punctuation is that of ASCII: curly
quotes and emoji stay in the tokens that they touch.
"""

from __future__ import annotations

import re

_RULES = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r'^"', r"`` "),
        (r'([ (\[{<])"', r"\1 `` "),
        (r"\.\.\.", r" ... "),
        (r"[,;:@#$%&]", r" \g<0> "),
        (r"([^.])([.])([\])}>\"']*)[ \t]*\Z", r"\1 \2\3 "),
        (r"[?!]", r" \g<0> "),
        (r"[\]\[(){}<>]", r" \g<0> "),
        (r"--", r" -- "),
        (r"\Z", r" "),
        (r"^", r" "),
        (r'"', r" '' "),
        (r"([^'])' ", r"\1 ' "),
        (r"'([sSmMdD]) ", r" '\1 "),
        # One after the other, as in the script: shouldn't've needs 've split off before n't.
        *(
            (f"({ending}) ", r" \1 ")
            for ending in ("'ll", "'re", "'ve", "n't", "'LL", "'RE", "'VE", "N'T")
        ),
        (r" ([Cc])annot ", r" \1an not "),
        (r" ([Dd])'ye ", r" \1' ye "),
        (r" ([Gg])imme ", r" \1im me "),
        (r" ([Gg])onna ", r" \1on na "),
        (r" ([Gg])otta ", r" \1ot ta "),
        (r" ([Ll])emme ", r" \1em me "),
        (r" ([Mm])ore'n ", r" \1ore 'n "),
        (r" '([Tt])is ", r" '\1 is "),
        (r" '([Tt])was ", r" '\1 was "),
        (r" ([Ww])anna ", r" \1an na "),
    )
]


def penn_tokens(line: str) -> list[str]:
    """Tokens of one sentence.

    >>> penn_tokens('"I can\\'t," he said.')
    ['``', 'I', 'ca', "n't", ',', "''", 'he', 'said', '.']
    >>> penn_tokens("“Fine” 🙂🙂! It’s 🙂.")
    ['“Fine”', '🙂🙂', '!', 'It’s', '🙂', '.']
    """
    for pattern, replacement in _RULES:
        line = pattern.sub(replacement, line)
    return line.split()
