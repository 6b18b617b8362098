"""Which tools analyze text, and which can be combined; `analyzer.py` says what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from paragauge.errors import SettingError
from paragauge.lexicon.lemmas import SynonymChoice
from paragauge.syntax.tagset import TagsetName
from paragauge.text.tokenizers import Normalize, Tokenizer

TaggerName = Literal["paragauge", "spacy", "conllu"]
TAGGERS: tuple[TaggerName, ...] = get_args(TaggerName)
ParserName = Literal["none", "spacy", "conllu"]
PARSERS: tuple[ParserName, ...] = get_args(ParserName)
LemmaSource = Literal["word", "tag", "given"]
LEMMAS: tuple[LemmaSource, ...] = get_args(LemmaSource)
ENGLISH = "en"


@dataclass(frozen=True)
class AnalysisSettings:
    """Which tools analyze the text; see the module."""

    tokenize: Tokenizer = "penn"
    tagger: TaggerName = "paragauge"
    tagset: TagsetName = "wsj"
    parser: ParserName = "none"
    pipeline: str | None = None
    analyzed: tuple[str, ...] = ()
    lemmas: LemmaSource = "word"
    wordnet: str = "3.0"
    synonyms: SynonymChoice = "shared"
    normalize: Normalize = "none"  # of the texts in CoNLL-U files; lines are normalized already


def check_analysis(settings: AnalysisSettings) -> None:
    """Raise an error for tools that cannot be combined.

    >>> check_analysis(AnalysisSettings(tagger="conllu"))
    Traceback (most recent call last):
    paragauge.errors.SettingError: tagger=conllu: expected CoNLL-U files with the analyses; ...
    """
    conllu = [name for name in ("tagger", "parser") if getattr(settings, name) == "conllu"]
    if conllu and not settings.analyzed:
        raise SettingError(
            f"{conllu[0]}=conllu: expected CoNLL-U files with the analyses; give analyzed= "
            "(--analyzed FILE)"
        )
    if settings.analyzed and not conllu:
        raise SettingError(
            "analyzed: CoNLL-U files are given but not used; choose tagger=conllu or parser=conllu"
        )
    if conllu and (settings.tagger, settings.parser) not in (("conllu", "none"), ("conllu", "conllu")):
        other, what = ("parser", "relations") if settings.tagger == "conllu" else ("tagger", "tags")
        raise SettingError(
            f"tagger={settings.tagger}, parser={settings.parser}: the words of CoNLL-U files have "
            f"their {what} there; choose {other}=conllu too"
        )
    if settings.pipeline is not None and "spacy" not in (settings.tagger, settings.parser):
        raise SettingError(
            f"pipeline={settings.pipeline}: a spaCy pipeline is given but not used; choose "
            "tagger=spacy or parser=spacy"
        )
    if settings.lemmas == "given" and (settings.tagger, settings.parser) == ("paragauge", "none"):
        raise SettingError("lemmas=given: the tagger gives no lemmas; choose spacy, conllu or word")
