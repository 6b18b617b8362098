"""The form of the text that a language model is trained on and applied to.

Text becomes words by a tokenizer, in its own case or lowercased, and, if a stemmer is named, stems.
`Encoder` does that and numbers the words; the first three numbers are taken by ``<unk>``, ``<s>`` and
``</s>``, which no word of a text may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragauge.kernels.layout import Ids
from paragauge.lexicon.stems import check_stemmer, stem
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Case, Tokenizer, check_case, check_tokenizer
from paragauge.text.vocabulary import Vocabulary

MARKS = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True)
class TextForm:
    """How text becomes words.

    >>> TextForm("13a", "lower").label
    'tok:13a|case:lower|stem:none'
    """

    tokenize: Tokenizer = "none"
    case: Case = "mixed"
    stem: str | None = None

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenize)
        check_case(self.case)
        if self.stem is not None:
            check_stemmer(self.stem)

    @property
    def label(self) -> str:
        """The form as signatures state it."""
        return f"tok:{self.tokenize}|case:{self.case}|stem:{self.stem or 'none'}"

    def record(self) -> dict[str, str | None]:
        """The form as JSON.

        >>> TextForm().record()
        {'tokenize': 'none', 'case': 'mixed', 'stem': None}
        """
        return {"tokenize": self.tokenize, "case": self.case, "stem": self.stem}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> TextForm:
        """The form of a `record`; a ValueError if it is invalid.

        >>> TextForm.from_record({"tokenize": "13a", "case": "lower", "stem": None}).tokenize
        '13a'
        """
        if not isinstance(record, Mapping) or set(record) != {"tokenize", "case", "stem"}:
            raise ValueError("expected tokenize, case and stem")
        if not all(isinstance(value, str) for value in record.values() if value is not None):
            raise ValueError("expected names")
        return cls(record["tokenize"], record["case"], record["stem"])


def new_vocabulary() -> Vocabulary:
    """A vocabulary with the marks only.

    >>> list(new_vocabulary())
    ['<unk>', '<s>', '</s>']
    """
    return Vocabulary(MARKS)


class Encoder:
    """Turns lines into word numbers; an unknown word is -1, unless the vocabulary may grow.

    >>> vocabulary = new_vocabulary()
    >>> encoder = Encoder(TextForm("13a", "lower", "porter"), vocabulary, grow=True)
    >>> encoder.encode(["Dogs, dog"]).to_lists()
    [[3, 4, 3]]
    >>> Encoder(TextForm(), vocabulary).encode(["dog cat"]).to_lists()
    [[3, -1]]
    """

    def __init__(self, form: TextForm, vocabulary: Vocabulary, *, grow: bool = False) -> None:
        self.form = form
        self._vocabulary = vocabulary
        self._grow = grow
        self._surfaces = Vocabulary()  # words before stemming; each is stemmed once
        self._stems: Ids = np.zeros(0, np.int32)

    def encode(self, lines: Lines | list[str], threads: int = 0) -> Ragged:
        """The numbers of the words of each line."""
        tokenizer, case = self.form.tokenize, self.form.case
        if self.form.stem is None:
            return self._vocabulary.encode(
                lines, tokenizer, case=case, grow=self._grow, threads=threads
            )
        words = self._surfaces.encode(lines, tokenizer, case=case, threads=threads)
        fresh = stem(self._surfaces.texts(len(self._stems)), self.form.stem)
        native = self._vocabulary.native
        number = native.add if self._grow else native.find
        more = np.array([number(word) for word in fresh], np.int32)
        self._stems = np.concatenate([self._stems, more])
        return Ragged(self._stems[words.ids], words.offsets)
