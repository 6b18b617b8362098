"""From text to numbers that metrics match: tokens, tags, lemmas and dependencies.

An `Analyzer` runs lines through a chain of steps, each of which can be chosen:

    text --tokenize--> words --tagger--> Penn tags --wordnet--> lemmas  (--parser--> dependencies)

The default chain (Penn tokens, the package's own tagger, WordNet's morphy) is native from end to end.
With `tagger="spacy"` or `parser="spacy"` an installed spaCy pipeline analyzes the same tokens. With
`"conllu"` nothing is analyzed: each line is looked up by its text in CoNLL-U files (`analyzed`).

`lemmas` says how a word becomes a lemma: `"word"` asks morphy for a noun, a verb, an adjective and an
adverb, in WordNet's order, and takes the first answer that is another word (so *was* is the plural of
the noun *wa*, for candidate and reference alike); `"tag"` asks for the part of speech of the tag only
(*was* is *be*); `"given"` takes the lemmas of the parser or of the CoNLL-U files. Lemmas are in lower
case.
`tagset="wsj"` renames tags as `tagset.py` says; `"tagger"` leaves them.

Lines that many texts share, such as references, are analyzed once: `analyze` caches the columns marked
in `shared` by their text, up to `MOST_TOKENS` tokens; with more tokens, or more than `MOST_LEMMAS`
different lemmas, the cache is cleared and the numbering starts again, so memory stays flat. Numbers
mean the same in all columns of one call.

The cache grows, so a caller holds the analyzer's `lock` from the call of `analyze` to the last use of
its numbers; other Python threads wait.
"""

from __future__ import annotations

import functools
import stat
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.kernels.layout import Ids
from paragauge.lexicon import wordnet
from paragauge.lexicon.lemmas import LemmaTable
from paragauge.syntax.analysis import Analysis
from paragauge.syntax.analysis_settings import AnalysisSettings, check_analysis
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.tagset import TO, TO_TAG, journal_numbers, journal_tag
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import tokenize_lines

if TYPE_CHECKING:
    from paragauge.syntax.analyzed_files import AnalyzedFiles
    from paragauge.syntax.spacy_pipeline import SpacyPipeline

MOST_TOKENS = 1 << 22
MOST_LEMMAS = 1 << 20
NOUN, VERB, ADJECTIVE, ADVERB = 1, 2, 3, 4
_POS_OF_TAG = {"N": NOUN, "V": VERB, "J": ADJECTIVE, "R": ADVERB}


class Analyzer:
    """The chain of steps for one choice of tools.

    >>> mine, theirs = Analyzer(AnalysisSettings()).analyze(
    ...     [Lines.of(["The dogs barked."]), Lines.of(["A dog barks!"])]
    ... )
    >>> [mine.table.lemma(number) for number in mine.words()[0]]
    ['the', 'dog', 'bark']
    >>> theirs.words()[0].tolist()
    [5, 1, 2]
    """

    def __init__(self, settings: AnalysisSettings) -> None:
        check_analysis(settings)
        self.settings = settings
        self._wordnet = wordnet.load(settings.wordnet)
        self.lock = threading.RLock()
        self._files: AnalyzedFiles | None = None
        self._analyze = self._choose_chain()
        self.analyzed_lines = 0
        self._forget()

    def _forget(self) -> None:
        self._table = LemmaTable(self._wordnet, self.settings.synonyms)
        self._tags = _Numbering()
        self._labels = _Numbering()
        self._rows: dict[bytes, int] = {}
        self._remembered: Analysis | None = None

    def analyze(
        self, columns: Sequence[Lines], shared: Sequence[bool] | None = None, threads: int = 0
    ) -> list[Analysis]:
        """Analyze every column; the lines of `shared` columns are cached for the next calls."""
        with self.lock:
            return self._columns(columns, shared or [False] * len(columns), threads)

    def _columns(
        self, columns: Sequence[Lines], shared: Sequence[bool], threads: int
    ) -> list[Analysis]:
        if self._remembered is not None and len(self._remembered.lemmas.ids) > MOST_TOKENS:
            self._forget()
        if len(self._table) > MOST_LEMMAS:
            self._forget()
        return [
            self._analyze_shared(lines, threads) if is_shared else self._analyze_fresh(lines, threads)
            for lines, is_shared in zip(columns, shared, strict=True)
        ]

    @property
    def digest(self) -> str | None:
        """The first digits of the SHA-256 of the analyses that files gave; None without files."""
        return None if self._files is None else self._files.digest

    def words(self, line: str) -> list[str]:
        """The words of a line as it spells them, one for each word of its analysis.

        >>> Analyzer(AnalysisSettings()).words("The dogs' bark.")
        ['The', 'dogs', "'", 'bark', '.']
        """
        return self.words_of_lines(Lines.of([line]))[0]

    def words_of_lines(self, lines: Lines, threads: int = 0) -> list[list[str]]:
        """The words of each line, as `words` gives those of one.

        >>> Analyzer(AnalysisSettings()).words_of_lines(Lines.of(["It rains.", ""]))
        [['It', 'rains', '.'], []]
        """
        if self._files is not None:
            return [list(sentence.words) for sentence in self._files.sentences(lines)]
        return [_split(line) for line in tokenize_lines(lines, self.settings.tokenize, threads=threads)]

    def _analyze_fresh(self, lines: Lines, threads: int) -> Analysis:
        self.analyzed_lines += len(lines)
        return self._analyze(lines, threads)

    def _analyze_shared(self, lines: Lines, threads: int) -> Analysis:
        text = lines.buffer.tobytes()
        keys = [text[start:stop] for start, stop in lines.spans.tolist()]
        new: list[int] = []
        for number, key in enumerate(keys):
            if key not in self._rows:
                self._rows[key] = len(self._rows)
                new.append(number)
        if new or self._remembered is None:
            spans = np.ascontiguousarray(lines.spans[np.array(new, np.int64)])
            try:
                fresh = self._analyze_fresh(Lines(lines.buffer, spans), threads)
            except BaseException:
                for number in new:
                    del self._rows[keys[number]]
                raise
            self._remembered = (
                fresh if self._remembered is None else self._remembered.concatenate(fresh)
            )
        return self._remembered.take(np.array([self._rows[key] for key in keys], np.int64))

    def _choose_chain(self) -> Callable[[Lines, int], Analysis]:
        """The step from lines to an analysis that the settings ask for."""
        chosen = self.settings
        if "conllu" in (chosen.tagger, chosen.parser):
            from paragauge.syntax.analyzed_files import AnalyzedFiles

            files = AnalyzedFiles(
                chosen.analyzed, parsed=chosen.parser == "conllu", normalize=chosen.normalize
            )
            self._files = files
            return lambda lines, _: self._number_sentences(files.sentences(lines))
        if chosen.parser == "none" and chosen.tagger == "paragauge":
            return self._native
        pipeline = spacy_pipeline(chosen.pipeline)

        def analyze_with_spacy(lines: Lines, threads: int) -> Analysis:
            tokens = tokenize_lines(lines, chosen.tokenize, threads=threads)
            sentences = pipeline.parse([_split(line) for line in tokens])
            if chosen.tagger == "paragauge":
                ours = PerceptronTagger.default()
                tags = ours.tag_lines(tokens, threads).to_lists()
                sentences = [
                    Sentence(
                        sentence.words,
                        tuple(ours.names[i] for i in row),
                        sentence.lemmas,
                        sentence.heads,
                        sentence.relations,
                    )
                    for sentence, row in zip(sentences, tags, strict=True)
                ]
            return self._number_sentences(sentences)

        return analyze_with_spacy

    def _native(self, lines: Lines, threads: int) -> Analysis:
        tokens = tokenize_lines(lines, self.settings.tokenize, threads=threads)
        tagger = PerceptronTagger.default()
        tags = tagger.tag_lines(tokens, threads)
        codes = self._codes(tagger.names)[tags.ids]
        lemmas = self._wordnet.lemmatize(tokens, codes, threads)
        numbers = self._table.encode(lemmas, threads)
        ids = tags.ids
        if self.settings.tagset == "wsj":
            ids = journal_numbers(tagger.names)[ids]
            ids[numbers.ids == self._table.numbers([TO])[0]] = tagger.names.index(TO_TAG)
        return Analysis(self._table, numbers, ids, None, None, (), tagger.names)

    def _number_sentences(self, sentences: Sequence[Sentence]) -> Analysis:
        offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
        tags = self._tags.numbers(tag for sentence in sentences for tag in self._tags_of(sentence))
        lemmas = self._lemmas_of(sentences)
        heads = relations = None
        if self.settings.parser != "none":
            heads = np.array(
                [head for sentence in sentences for head in sentence.heads or ()], np.int32
            )
            relations = self._labels.numbers(
                label for sentence in sentences for label in sentence.relations or ()
            )
        ids = np.array(self._table.numbers(lemmas), np.int32)
        return Analysis(
            self._table,
            Ragged(ids, offsets),
            tags,
            heads,
            relations,
            self._labels.names,
            self._tags.names,
        )

    def _tags_of(self, sentence: Sentence) -> Iterable[str]:
        if self.settings.tagset != "wsj":
            return sentence.tags
        return map(journal_tag, sentence.words, sentence.tags)

    def _lemmas_of(self, sentences: Sequence[Sentence]) -> Iterable[str]:
        """The lemmas of all words, one after the other."""
        if self.settings.lemmas == "given":
            for sentence in sentences:
                if sentence.lemmas is None:
                    raise InputError(
                        f"lemmas=given: expected lemmas, found none for '{' '.join(sentence.words)}'; "
                        "fill column 3 (LEMMA), or choose lemmas=word"
                    )
            return [lemma.lower() for sentence in sentences for lemma in sentence.lemmas or ()]
        words = [word.replace(" ", "_") for sentence in sentences for word in sentence.words]
        tags = [tag for sentence in sentences for tag in sentence.tags]
        return self._wordnet.lemmatize(Lines.of(words), self._codes(tags), 1)

    def _codes(self, tags: Sequence[str]) -> NDArray[np.uint8]:
        """The parts of speech to ask morphy for."""
        if self.settings.lemmas == "word":
            return np.full(len(tags), wordnet.ANY_POS, np.uint8)
        return np.array([code_of_tag(tag) for tag in tags], np.uint8)


class _Numbering:
    """Names numbered from 0 in the order of their first use."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def numbers(self, names: Iterable[str]) -> Ids:
        known = self._numbers
        numbers = np.array([known.setdefault(name, len(known)) for name in names], np.int32)
        self.names += list(known)[len(self.names) :]
        return numbers


def code_of_tag(tag: str) -> int:
    """The part of speech that morphy is asked for: 0 none, 1 noun, 2 verb, 3 adjective, 4 adverb.

    >>> [code_of_tag(tag) for tag in ("NNS", "MD", "JJR", "RB", "RP", "DT")]
    [1, 2, 3, 4, 0, 0]
    """
    if tag == "MD":
        return VERB
    return 0 if tag == "RP" else _POS_OF_TAG.get(tag[:1], 0)


def _split(tokens: str) -> list[str]:
    return tokens.split(" ") if tokens else []


@functools.lru_cache(maxsize=2)
def spacy_pipeline(name: str | None) -> SpacyPipeline:
    """The spaCy pipeline of this name (see `SpacyPipeline.load`), loaded once."""
    from paragauge.syntax.spacy_pipeline import SpacyPipeline

    return SpacyPipeline.load(name)


def analyzer(settings: AnalysisSettings) -> Analyzer:
    """The analyzer of these settings; the last few are kept, with their caches.

    CoNLL-U files that have changed are read again.

    >>> analyzer(AnalysisSettings()) is analyzer(AnalysisSettings())
    True
    """
    with _making:  # Two threads that ask at once get the same one, and so the same lock.
        return _analyzer(settings, tuple(map(_stamp, settings.analyzed)))


_making = threading.Lock()


@functools.lru_cache(maxsize=8)
def _analyzer(settings: AnalysisSettings, stamps: tuple[Hashable, ...]) -> Analyzer:
    del stamps
    return Analyzer(settings)


def _stamp(path: str) -> Hashable:
    """A value that changes with a file's contents; None if it is not a regular file."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):  # A pipe can be read once.
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def tool_names(settings: AnalysisSettings) -> dict[str, str]:
    """Tagger, parser, analyzed files and WordNet with their versions.

    >>> sorted(tool_names(AnalysisSettings()))
    ['tagger', 'wordnet']
    """
    names = {}
    if settings.tagger == "paragauge":
        names["tagger"] = PerceptronTagger.default().name
    if "spacy" in (settings.tagger, settings.parser):
        pipeline = spacy_pipeline(settings.pipeline).name
        names |= {what: pipeline for what in ("tagger", "parser") if getattr(settings, what) == "spacy"}
    if settings.analyzed and (digest := analyzer(settings).digest) is not None:
        names["analysed"] = digest  # its name in signatures
    names["wordnet"] = wordnet.load(settings.wordnet).name
    return names
