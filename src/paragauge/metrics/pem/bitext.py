"""What a pivot of PEM is made from, and how the two sides of a bitext become words.

The metric's language becomes words of the model's form, stems if it says so; the pivot language is
segmented by one of our tokenizers, or by jieba for Chinese, which has no spaces.

Word alignments and phrase tables of other tools can take the place of our own. An alignment numbers the
words of the bitext as they are here: text that is tokenized already is read with the tokenizer `none`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import InputError, MissingExtraError, SettingError
from paragauge.lexicon.stems import stem
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.training_stages import digest_of_file
from paragauge.text.bitext import Bitext, BitextFiles, EmptySides
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import TOKENIZED, TOKENIZERS, check_tokenizer
from paragauge.text.vocabulary import Vocabulary

JIEBA = "jieba"
CHINESE = ("cmn", "zho", "zh", "chinese")
SEGMENTERS = (*TOKENIZERS, JIEBA)


@dataclass(frozen=True)
class PivotText:
    """A bitext for one pivot: a TSV file with the metric's language first, or a file for each side.

    `segmenter` is one of our tokenizers, or jieba for Chinese without spaces. `alignment` has the links
    of another aligner: a Pharaoh file, or one for each direction. `phrases` is a phrase table that
    exists, a folder of ours or a Moses file; with it, the bitext only adds to the language model, and
    may be None.
    """

    language: str
    path: str | None = None
    target: str | None = None
    segmenter: str = "13a"
    alignment: tuple[str, ...] = ()
    phrases: str | None = None

    def __post_init__(self) -> None:
        if not self.language.isalnum():
            raise SettingError(
                f"pivot: expected a name of letters and digits such as fra, found {self.language!r}"
            )
        if self.segmenter not in SEGMENTERS:
            raise SettingError(
                f"pivot {self.language}: unknown segmenter {self.segmenter!r}; "
                f"known: {', '.join(SEGMENTERS)}"
            )
        if self.path is None and self.phrases is None:
            raise InputError(
                f"pivot {self.language}: expected a bitext or a phrase table, found neither; "
                "give --bitext or --phrases"
            )
        if self.alignment and self.phrases is not None:
            raise SettingError(
                f"pivot {self.language}: an alignment has no effect with a phrase table; "
                "leave one of them out"
            )
        if len(self.alignment) > 2:
            raise SettingError(
                f"pivot {self.language}: expected one file of links, or one for each direction, "
                f"found {len(self.alignment)}"
            )

    @property
    def bitext_files(self) -> list[str]:
        """The files of the bitext: none, one or two."""
        return [path for path in (self.path, self.target) if path is not None]


def describe_bitext(text: PivotText) -> dict[str, str]:
    """What a model's description says about a pivot's files: their names, not their paths.

    >>> describe_bitext(PivotText("fra", "corpora/eng-fra.tsv"))
    {'file': 'eng-fra.tsv', 'segmenter': '13a'}
    >>> describe_bitext(PivotText("fra", phrases="moses/phrase-table.gz"))
    {'phrases': 'phrase-table.gz'}
    """
    facts: dict[str, str] = {}
    if text.bitext_files:
        facts |= {"file": _list_names(text.bitext_files), "segmenter": text.segmenter}
    if text.alignment:
        facts["alignment"] = _list_names(text.alignment)
    if text.phrases is not None:
        facts["phrases"] = _list_names([text.phrases])
    return facts


def _list_names(paths: Iterable[str]) -> str:
    return ", ".join(Path(path).name for path in paths)


def digests(text: PivotText) -> list[str]:
    """SHA-256 of the files of its bitext."""
    return [digest_of_file(path) for path in text.bitext_files]


def prepare_bitext(
    text: PivotText, form: TextForm, empty: EmptySides = "error", threads: int = 0
) -> Bitext:
    """The pairs of a bitext as words: in the model's form on one side, segmented on the other."""
    if text.path is None:
        return Bitext.of([], [])
    segmented = text.segmenter != JIEBA
    read = BitextFiles(
        text.path,
        text.target,
        tokenize=(form.tokenize, check_tokenizer(text.segmenter) if segmented else "none"),
        case=form.case,
        empty=empty,
        threads=threads,
    ).read()
    source = read.source if form.stem is None else Lines.of(stem_lines(read.source, form.stem))
    target = read.target if segmented else Lines.of(_cut_chinese(read.target))
    return dataclasses.replace(read, source=source, target=target)


def stem_lines(lines: Lines, algorithm: str) -> list[str]:
    """Lines of words separated by spaces, stemmed.

    >>> stem_lines(Lines.of(["the dogs barked", ""]), "porter")
    ['the dog bark', '']
    """
    vocabulary = Vocabulary()
    words = vocabulary.encode(lines, TOKENIZED)
    stems = stem(vocabulary, algorithm)
    return [" ".join([stems[number] for number in row.tolist()]) for row in words]


def _cut_chinese(lines: Iterable[str]) -> list[str]:
    cut = load_jieba()
    return [" ".join(word for word in cut(line) if not word.isspace()) for line in lines]


def load_jieba() -> Callable[[str], Iterable[str]]:
    """jieba's segmenter; an error with the pip line if it is not installed."""
    try:
        import jieba
    except ImportError:
        raise MissingExtraError("jieba, which segments Chinese,", "chinese") from None
    jieba.setLogLevel(60)
    cut: Callable[[str], Iterable[str]] = jieba.cut
    return cut
