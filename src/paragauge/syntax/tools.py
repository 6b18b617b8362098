"""What the tools of an analysis are called in a signature: names that change when results may."""

from __future__ import annotations

import hashlib
from pathlib import Path

from paragauge.lexicon import wordnet
from paragauge.syntax.analysis import AnalysisSettings, spacy_pipeline
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.files import os_error


def tool_names(settings: AnalysisSettings) -> dict[str, str]:
    """Tagger, parser, analysed files and WordNet with their versions.

    >>> sorted(tool_names(AnalysisSettings()))
    ['tagger', 'wordnet']
    """
    names = {}
    if settings.tagger == "paragauge":
        names["tagger"] = PerceptronTagger.default().name
    if "spacy" in (settings.tagger, settings.parser):
        pipeline = spacy_pipeline(settings.pipeline).name
        names |= {what: pipeline for what in ("tagger", "parser") if getattr(settings, what) == "spacy"}
    if settings.analysed:
        names["analysed"] = _digest(settings.analysed)
    names["wordnet"] = wordnet.load(settings.wordnet).name
    return names


def _digest(paths: tuple[str, ...]) -> str:
    """The first digits of the SHA-256 of all files."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            digest.update(Path(path).read_bytes())
        except OSError as error:
            raise os_error(path, error) from None
    return digest.hexdigest()[:8]
