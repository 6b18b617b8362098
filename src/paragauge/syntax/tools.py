"""What the tools of an analysis are called in a signature: names that change when results may."""

from __future__ import annotations

from paragauge.lexicon import wordnet
from paragauge.syntax.analysis_settings import AnalysisSettings
from paragauge.syntax.analyzer import analyzer, spacy_pipeline
from paragauge.syntax.perceptron import PerceptronTagger


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
    if settings.analysed and (digest := analyzer(settings).digest) is not None:
        names["analysed"] = digest
    names["wordnet"] = wordnet.load(settings.wordnet).name
    return names
