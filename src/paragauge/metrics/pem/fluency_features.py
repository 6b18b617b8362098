"""Features of the learned fluency: how well words follow each other, and misspellings.

Two language models read the sentence, each in its own form:

    surface    the words in lower case; names, numbers and words that the model does not have are
               replaced by their Penn tags
    mixed      function words and punctuation as they are, all other words replaced by their tags

The lift of a token says how much its context helps to predict it,

    lift = ln P(token | context) - ln P(token)

where P(token) is the model's unigram probability. A rare word that fits has a high lift, a frequent
word in a wrong place one below 0. Of each model there are two features, and the end of the sentence
counts as a token:

    lift         the mean of the lifts
    shortfall    the sum of the lifts below 0, so that a good place cannot make up for a bad one

and of the sentence two:

    unknown      ln(1 + unknown words): words that neither the surface model nor WordNet has, also not
                 as a form of another word, names excepted
    length       ln(1 + words)

Typographic apostrophes and quotes are read as plain ones. Time is linear in the number of words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.kernels.layout import Floats, Ids, Ints
from paragauge.lexicon.wordnet import WordNet
from paragauge.lm.model import LanguageModel
from paragauge.lm.scores import BASES
from paragauge.lm.text_form import MARKS
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import tokenize_lines
from paragauge.text.vocabulary import Vocabulary

NAME_TAGS = ("NNP", "NNPS")
END = MARKS[2]
CLASS_TAGS = (*NAME_TAGS, "CD")
FUNCTION_TAGS = (
    *(".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "CC", "DT", "EX", "IN", "MD", "PDT", "POS"),
    *("PRP", "PRP$", "RP", "TO", "WDT", "WP", "WP$", "WRB"),
)
FUNCTION_WORDS = frozenset(
    (
        *("be", "is", "are", "was", "were", "am", "been", "being", "have", "has", "had", "having"),
        *("do", "does", "did", "not", "n't", "'s", "'re", "'ve", "'m", "'ll", "'d"),
        *("more", "most", "than", "there", "very", "so", "too", "also", "much", "many", "such"),
        *("other", "same", "own", "few", "little", "lot"),
    )
)
PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
OTHER_SPACE = re.compile(r"[^\S ]")  # contractions are split before a space only
MEASURES = ("lift", "shortfall")
FORMS = ("surface", "mixed")
FEATURES = (*(f"{form}_{measure}" for form in FORMS for measure in MEASURES), "unknown", "length")


@dataclass(frozen=True, eq=False)
class TaggedWords:
    """Sentences as numbers of words in lower case and of tags; `texts` and `tag_names` are their names.

    >>> tagged = TaggedWords.read(Lines.of(["It rains."]))
    >>> tagged.texts, [tagged.tag_names[i] for i in tagged.tags]
    (['it', 'rains', '.'], ['PRP', 'VBZ', '.'])
    """

    words: Ragged
    tags: Ids
    texts: list[str]
    tag_names: Sequence[str]

    @classmethod
    def read(cls, lines: Lines, threads: int = 0) -> TaggedWords:
        """Tokenize and tag lines with the package's English models."""
        tokens = tokenize_lines(plain_lines(lines), "penn", threads=threads)
        tagger = PerceptronTagger.default()
        tags = tagger.tag_lines(tokens, threads)
        vocabulary = Vocabulary()
        words = vocabulary.encode(tokens, "blanks", case="lower", threads=threads)
        return cls(words, tags.ids, list(vocabulary), tagger.names)

    def symbols(self, form: str) -> tuple[list[str], Ids]:
        """The names of all symbols, words first and tags after them, and the symbol of each token.

        >>> names, symbols = TaggedWords.read(Lines.of(["Ann likes 2 dogs."])).symbols("mixed")
        >>> [names[i] for i in symbols]
        ['NNP', 'VBZ', 'CD', 'NNS', '.']
        """
        as_tags = len(self.texts) + self.tags
        if form == "surface":
            replaced = np.isin(self.tag_names, CLASS_TAGS)[self.tags]
        else:
            function = np.array([text in FUNCTION_WORDS for text in self.texts], bool)
            replaced = ~np.isin(self.tag_names, FUNCTION_TAGS)[self.tags]
            replaced &= ~function[self.words.ids]
        return [*self.texts, *self.tag_names], np.where(replaced, as_tags, self.words.ids)

    def encode(self, form: str, vocabulary: Vocabulary) -> Ragged:
        """Each token's number in the vocabulary of a model of this form.

        A word that the vocabulary does not have gets the number of its tag.
        """
        names, symbols = self.symbols(form)
        find = vocabulary.native.find
        numbers = np.array([find(name) for name in names], np.int32)
        numbers[numbers < len(MARKS)] = -1
        chosen = numbers[symbols]
        backup = numbers[len(self.texts) + self.tags]
        return Ragged(np.where(chosen < 0, backup, chosen), self.words.offsets)

    def unknown(self, vocabulary: Vocabulary) -> Floats:
        """1 for each token that is a word which neither the vocabulary nor WordNet has, else 0."""
        strange = [text.isalpha() and text not in vocabulary for text in self.texts]
        places = np.flatnonzero(strange)
        spellings = Lines.of([_without_accents(self.texts[place]) for place in places.tolist()])
        sets = WordNet.default().synonym_sets(spellings, "forms", threads=1)
        flags = np.zeros(len(self.texts))
        flags[places[sets.lengths == 0]] = 1.0
        names = np.isin(self.tag_names, NAME_TAGS)[self.tags]
        return np.where(names, 0.0, flags[self.words.ids])


def plain_lines(lines: Lines) -> Lines:
    """Lines with plain apostrophes, quotes and spaces, and composed accents.

    >>> list(plain_lines(Lines.of(["don’t", "“so”"])))
    ["don't", '"so"']
    """
    if not bool(((lines.buffer >= 0x80) | (lines.buffer == ord("\t"))).any()):
        return lines
    return Lines.of(
        [
            line.replace("\t", " ")
            if line.isascii()
            else OTHER_SPACE.sub(" ", unicodedata.normalize("NFC", line.translate(PLAIN)))
            for line in lines
        ]
    )


def measure_sentences(
    lines: Lines, surface: LanguageModel, mixed: LanguageModel, threads: int = 0
) -> Floats:
    """The features [sentences, FEATURES] of each line."""
    tagged = TaggedWords.read(lines, threads)
    columns: list[Floats] = []
    for form, model in zip(FORMS, (surface, mixed), strict=True):
        columns += measure_tokens(model, tagged.encode(form, model.vocabulary), threads)
    unknown = sum_rows(tagged.unknown(surface.vocabulary), tagged.words.offsets)
    return np.column_stack([*columns, np.log1p(unknown), np.log1p(tagged.words.lengths)])


def measure_tokens(model: LanguageModel, words: Ragged, threads: int = 0) -> list[Floats]:
    """The measures of a model, see `MEASURES`, for each sentence of its word numbers."""
    log10, _, offsets = model.native.tokens(words.ids, words.offsets, threads)
    unigrams = model.table.levels[0]
    alone = np.zeros(len(model.vocabulary))
    alone[unigrams.words] = unigrams.probabilities
    numbers = np.full(len(log10), model.vocabulary[END])
    is_word = np.ones(len(log10), bool)
    is_word[offsets[1:] - 1] = False
    numbers[is_word] = np.maximum(words.ids, 0)
    lift = (log10 - alone[numbers]) * BASES["e"]
    return [
        sum_rows(lift, offsets) / np.diff(offsets),
        sum_rows(np.minimum(lift, 0.0), offsets),
    ]


def sum_rows(values: Floats, offsets: Ints) -> Floats:
    """The sum of the values of each row; row i has those from offsets[i] to offsets[i + 1].

    >>> sum_rows(np.array([1.0, 2.0, 4.0]), np.array([0, 2, 2, 3])).tolist()
    [3.0, 0.0, 4.0]
    """
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return np.asarray(np.bincount(rows, values, len(offsets) - 1), np.float64)


def _without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
