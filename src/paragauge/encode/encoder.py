"""Contextual vectors: what an encoder is, and the arrays that it returns.

An encoder cuts a text into pieces (words or parts of words), puts a special piece before and after
them, and gives every piece one vector per layer: layer 0 does not know the context, each further layer
mixes in more of it. The sentence's vector is made from those of its pieces in the last layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Ints

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class EncodedTexts:
    """The vectors of some texts; those of all pieces stand one after the other.

    - `pieces`: int64 [n], the number of each piece in the encoder's vocabulary; a text has a special
      piece at both ends, so one without words has two;
    - `spans`: int64 [n, 2], where a piece begins and ends in its text, in characters; special: (0, 0);
    - `vectors`: float32 [layers, n, width], for the layers that were asked for, in that order;
    - `sentences`: float32 [texts, width], of length 1;
    - `offsets`: int64 [texts + 1], where the pieces of each text begin.
    """

    pieces: Ints
    spans: Ints
    vectors: Vectors
    sentences: Vectors
    offsets: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1


class Encoder(Protocol):
    """Texts to vectors. `OnnxEncoder` is one; any object with these members can stand in for it."""

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers that can be asked for, ascending; the last one is the encoder's own output."""

    @property
    def width(self) -> int:
        """The length of a vector."""

    @property
    def fingerprint(self) -> str:
        """A short name for the encoder's exact contents, for signatures and caches."""

    @property
    def language(self) -> str | None:
        """The language it was trained on, such as "en"; None: several, or unknown."""

    def pieces(self, texts: Sequence[str]) -> list[Ints]:
        """The pieces of each text with the special ones at both ends, int64 [n] each."""

    def encode(self, texts: Sequence[str], layers: Sequence[int], *, threads: int = 0) -> EncodedTexts:
        """The vectors of each text; a text's vectors do not depend on the other texts."""
