"""A numbering of tokens for a whole corpus.

Tokens are numbered from 0 in reading order; the numbering does not depend on the number of threads
or on how the corpus is cut into batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels import _native
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Case, Tokenizer, apply_case, check_threads, check_tokenizer

UNKNOWN = -1


class Vocabulary:
    """A numbering of tokens.

    >>> vocabulary = Vocabulary()
    >>> vocabulary.encode(["a b a", "c"]).to_lists()
    [[0, 1, 0], [2]]
    >>> vocabulary["c"], vocabulary.token(1), "d" in vocabulary
    (2, 'b', False)
    """

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._native = _native.Vocabulary()
        for token in tokens:
            self.add(token)

    def __reduce__(self) -> tuple[Callable[[list[str]], Vocabulary], tuple[list[str]]]:
        return _vocabulary_of, (list(self.texts()),)

    @property
    def native(self) -> _native.Vocabulary:
        """The numbering as kernels take it."""
        return self._native

    def __len__(self) -> int:
        return len(self._native)

    def __contains__(self, token: str) -> bool:
        return self._native.find(token) != UNKNOWN

    def __getitem__(self, token: str) -> int:
        number = self._native.find(token)
        if number == UNKNOWN:
            raise KeyError(token)
        return number

    def __iter__(self) -> Iterator[str]:
        yield from map(self._native.token, range(len(self)))

    def add(self, token: str) -> int:
        """The number of `token`, the next free one if it is new.

        >>> Vocabulary(["a"]).add("b")
        1
        """
        return self._native.add(Lines.of([token], "token")[0])

    def extend(self, tokens: Iterable[str]) -> None:
        """Add tokens, all of them new, at once.

        >>> vocabulary = Vocabulary(["a"])
        >>> vocabulary.extend(["b", "c"])
        >>> vocabulary["c"]
        2
        """
        lines = Lines.of(tokens, "tokens")
        try:
            self._native.extend(lines.buffer, lines.spans)
        except ValueError as error:
            raise InputError(f"tokens: {error}") from None

    def token(self, number: int) -> str:
        """The token with this number.

        >>> Vocabulary(["a"]).token(0)
        'a'
        """
        if not 0 <= number < len(self):
            raise IndexError(f"token {number} of a vocabulary of {len(self)}")
        return self._native.token(number)

    def texts(self, first: int = 0) -> Lines:
        """The tokens from number `first` on, one per line.

        >>> list(Vocabulary(["a", "b", "c"]).texts(1))
        ['b', 'c']
        """
        buffer, offsets = self._native.texts(first)
        return Lines(buffer, np.stack([offsets[:-1], offsets[1:]], axis=1))

    def encode(
        self,
        lines: Iterable[str],
        tokenizer: Tokenizer = "13a",
        *,
        case: Case = "mixed",
        grow: bool = True,
        threads: int = 0,
    ) -> Ragged:
        """Ids of all tokens; a new token is added, or is -1 when `grow` is false.

        >>> Vocabulary(["a"]).encode(["a b"], grow=False).to_lists()
        [[0, -1]]
        """
        check_tokenizer(tokenizer)
        check_threads(threads)
        ready = apply_case(Lines.of(lines), case)
        ids, offsets = self._native.encode(ready.buffer, ready.spans, tokenizer, grow, threads)
        return Ragged(ids, offsets)

    def decode(self, sentences: Ragged) -> list[list[str]]:
        """The tokens behind the ids.

        >>> vocabulary = Vocabulary()
        >>> vocabulary.decode(vocabulary.encode(["b a"]))
        [['b', 'a']]
        """
        return [[self.token(number) for number in row.tolist()] for row in sentences]


def _vocabulary_of(tokens: list[str]) -> Vocabulary:
    vocabulary = Vocabulary()
    vocabulary.extend(tokens)
    return vocabulary
