"""spaCy's English pipelines as tagger, parser and lemmatizer.

The pipeline gets words, not text, so spaCy's tokenizer is not used. Its models were trained on plain
quotes and brackets; Penn's `` '' and -LRB- are replaced by these. The parser may not split a sentence.
Relations are those of the pipeline (CLEAR style in the official ones), not Universal Dependencies.
Components that are not needed here (entities, text categories) are not loaded.

spaCy warns (W095) when a pipeline was made for another of its versions. The name, and so every
signature, states both versions; so this one warning is suppressed.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from paragauge.errors import MissingExtraError, SettingError, ShapeError
from paragauge.syntax.sentence import Sentence

OFFICIAL = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_trf")
UNUSED = ("ner", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel", "spancat")
SPELLINGS = {
    "``": '"',
    "''": '"',
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
BATCH = 256


class SpacyPipeline:
    """A tagger and a parser from a spaCy pipeline; `load` loads one by name."""

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline
        self._spacy = _spacy()
        self._lock = threading.Lock()  # spaCy does not guarantee that threads may share a pipeline
        meta = pipeline.meta
        self._name = f"spacy{self._spacy.__version__}-{meta['lang']}_{meta['name']}-{meta['version']}"
        if pipeline.lang != "en":
            raise SettingError(
                f"spaCy: expected an English pipeline, found one for '{pipeline.lang}'; "
                "name another one"
            )

    @classmethod
    def load(cls, name: str | None = None) -> SpacyPipeline:
        """The pipeline with this name or in this folder.

        Without a name the first installed one of en_core_web_sm, _md, _lg, _trf; failing these, the
        first other English pipeline by name.
        """
        spacy = _spacy()
        installed = installed_pipelines()
        if name is None:
            if not installed:
                raise SettingError(
                    "spaCy: no English pipeline is installed; run: "
                    "python -m spacy download en_core_web_sm"
                )
            name = installed[0]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"\[W095\]", category=UserWarning)
            try:
                return cls(spacy.load(name, exclude=list(UNUSED)))
            except (OSError, ImportError, ValueError) as error:
                if isinstance(error, SettingError):
                    raise
                raise _load_error(name, installed, error) from None

    @property
    def name(self) -> str:
        """spaCy's version, the pipeline's name and its version."""
        return self._name

    def __repr__(self) -> str:
        return f"SpacyPipeline({self.name})"

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """One Penn tag for each word of each sentence."""
        self._require("tagger")
        unneeded = [name for name in ("parser", "lemmatizer") if name in self._pipeline.pipe_names]
        with self._lock, self._pipeline.select_pipes(disable=unneeded):
            return [[token.tag_ for token in doc] for doc in self._docs(sentences)]

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Sentence]:
        """Each sentence with tags, lemmas, heads and relations."""
        self._require("tagger", "parser")
        has_lemmas = "lemmatizer" in self._pipeline.pipe_names
        with self._lock:
            return [
                Sentence(
                    tuple(words),
                    tuple(token.tag_ for token in doc),
                    tuple(token.lemma_ for token in doc) if has_lemmas else None,
                    tuple(0 if token.head.i == token.i else token.head.i + 1 for token in doc),
                    tuple(token.dep_ for token in doc),
                )
                for words, doc in zip(sentences, self._docs(sentences), strict=True)
            ]

    def _require(self, *components: str) -> None:
        missing = [name for name in components if name not in self._pipeline.pipe_names]
        if missing:
            raise SettingError(
                f"{self.name}: expected a pipeline with a {' and a '.join(missing)}, found one of "
                f"{', '.join(self._pipeline.pipe_names) or 'nothing'}; load another one"
            )

    def _docs(self, sentences: Sequence[Sequence[str]]) -> Iterator[Any]:
        """The analyzed sentences, in order."""
        _check(sentences)
        make = self._spacy.tokens.Doc
        vocabulary = self._pipeline.vocab
        docs = (
            make(
                vocabulary,
                words=[SPELLINGS.get(word, word) for word in words],
                sent_starts=[i == 0 for i in range(len(words))],
            )
            for words in sentences
        )
        analyzed: Iterator[Any] = self._pipeline.pipe(docs, batch_size=BATCH)
        return analyzed


def installed_pipelines() -> list[str]:
    """Names of the installed English pipelines, the official ones first."""
    installed = {entry.name for entry in importlib.metadata.entry_points(group="spacy_models")}
    official = [name for name in OFFICIAL if name in installed]
    return official + sorted(
        name for name in installed if name.startswith("en_") and name not in OFFICIAL
    )


def _spacy() -> Any:
    try:
        return importlib.import_module("spacy")
    except ModuleNotFoundError as error:
        if error.name != "spacy":
            raise
        raise MissingExtraError("spaCy", "syntax") from None


def _load_error(name: str, installed: list[str], error: Exception) -> SettingError:
    if str(error).startswith("[E050]"):
        known = f"installed: {', '.join(installed)}" if installed else "none is installed"
        return SettingError(
            f"spaCy: no pipeline or folder '{name}' ({known}); "
            "get an official one with: python -m spacy download en_core_web_sm"
        )
    return SettingError(f"spaCy: cannot load '{name}': {error}")


def _check(sentences: Sequence[Sequence[str]]) -> None:
    for number, words in enumerate(sentences, 1):
        if isinstance(words, str) or not all(isinstance(word, str) and word for word in words):
            raise ShapeError(
                f"sentences: segment {number}: expected a list of words, none of them empty, "
                f"found {words!r:.60}"
            )
