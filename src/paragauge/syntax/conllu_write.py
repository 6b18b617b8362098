"""CoNLL-U, written: words, lemmas, Penn tags as XPOS, heads and relations; `_` for all else.

Where the text has no white space after a word, its MISC says `SpaceAfter=No`, so that a reader gets
the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from paragauge.errors import InputError
from paragauge.syntax.conllu import NONE
from paragauge.syntax.sentence import Sentence
from paragauge.text.files import atomic

PENN_QUOTES = ("``", "''")


def conllu_block(sentence: Sentence, text: str | None = None, identifier: str | None = None) -> str:
    r"""A sentence as CoNLL-U, with the empty line that ends it; `identifier` is its `sent_id`.

    >>> print(conllu_block(Sentence(("Dogs", "bark"), ("NNS", "VBP"))), end="")
    # text = Dogs bark
    1	Dogs	_	_	NNS	_	_	_	_	_
    2	bark	_	_	VBP	_	_	_	_	_
    <BLANKLINE>
    """
    if not sentence.words:
        raise InputError("expected words, got none; CoNLL-U has no empty sentences")
    shown = " ".join(sentence.words) if text is None else text
    if "".join(shown.split()) != "".join("".join(sentence.words).split()):
        raise InputError(f"expected a text with the characters of its words, got '{shown:.60}'")
    spaces = _spaces(sentence.words, shown)
    lines = [] if identifier is None else [f"# sent_id = {identifier}"]
    lines.append("# text = " + " ".join(shown.split()))
    for i, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True)):
        fields = (
            str(i + 1),
            word,
            sentence.lemmas[i] if sentence.lemmas is not None else NONE,
            NONE,
            tag,
            NONE,
            str(sentence.heads[i]) if sentence.heads is not None else NONE,
            sentence.relations[i] if sentence.relations is not None else NONE,
            NONE,
            NONE if spaces[i] else "SpaceAfter=No",
        )
        for value in fields:
            if not value.strip() or any(c in value for c in "\t\n\r"):
                raise InputError(
                    f"word {i + 1}: expected values without tabs and line ends, got {value!r:.60}"
                )
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n\n"


def surface_forms(words: Sequence[str], text: str) -> tuple[str, ...] | None:
    """The words as the text spells them: Penn's quotes are straight there. None if they differ more.

    >>> surface_forms(("``", "Go", "''", "!"), '"Go" !')
    ('"', 'Go', '"', '!')
    """
    rest = "".join(text.split())
    forms = []
    for word in words:
        form = '"' if word in PENN_QUOTES and rest.startswith('"') else word
        if not rest.startswith(form):
            return None
        forms.append(form)
        rest = rest[len(form) :]
    return None if rest else tuple(forms)


def _spaces(words: tuple[str, ...], text: str) -> list[bool]:
    """Whether white space follows each word in the text; the last one counts as followed."""
    after = []
    at, end = 0, len(text.rstrip())
    for word in words:
        for _ in "".join(word.split()):
            while text[at].isspace():
                at += 1
            at += 1
        after.append(at >= end or text[at].isspace())
    return after


def write_conllu(path: str | Path, sentences: Iterable[Sentence]) -> None:
    """Write sentences to a file, which appears whole or not at all; `.gz` and `.zst` compress.

    >>> import tempfile, pathlib
    >>> from paragauge.syntax.conllu import read_conllu
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.conllu")
    ...     write_conllu(path, [Sentence(("Dogs", "bark"), ("NNS", "VBP"))])
    ...     next(read_conllu(path)).sentence().tags
    ('NNS', 'VBP')
    """
    with atomic(path) as out:
        for sentence in sentences:
            out.write(conllu_block(sentence))
