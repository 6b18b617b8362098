"""Options that choose the tools of metrics that analyze text: tagger, parser, WordNet."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.cli.command import gather_options, option
from paragauge.cli.options.option_kinds import choice_option
from paragauge.errors import SettingError, unknown_name
from paragauge.syntax.analysis_settings import PARSERS, TAGGERS, ParserName, TaggerName

ANALYSIS = "Analysis (MAXSIM, METEOR)"
SEPARATOR = "+"

tagger = choice_option(
    "--tagger",
    choices=TAGGERS,
    heading=ANALYSIS,
    help="The tagger. Default: paragauge's own; for maxsim+dep the parser's.",
)
parser = choice_option(
    "--parser",
    choices=PARSERS,
    heading=ANALYSIS,
    help="The dependency parser. Default: spacy for maxsim+dep, none for others.",
)
pipeline = option(
    "--pipeline",
    metavar="NAME",
    heading=ANALYSIS,
    help="spaCy pipeline, by name or path. Default: the first English one that is installed.",
)
analyzed = option(
    "--analyzed",
    multiple=True,
    metavar="FILE",
    heading=ANALYSIS,
    help="CoNLL-U file with analyses, looked up by their text, instead of a tagger. May repeat.",
)
wordnet = option(
    "--wordnet",
    metavar="PATH",
    heading=ANALYSIS,
    help="Another WordNet: a folder of its files, a zip or WN-LMF. Default: 3.0, built in.",
)
language = option(
    "--language",
    metavar="CODE",
    heading=ANALYSIS,
    help="Language of the texts. Default: en; others need --analyzed.",
)


@dataclass(frozen=True)
class AnalysisChoice:
    """The tools that analyze text; None is the metric's own choice."""

    tagger: TaggerName | None
    parser: ParserName | None
    pipeline: str | None
    analyzed: tuple[str, ...]
    wordnet: str | None
    language: str | None

    def settings(self) -> dict[str, str]:
        """The settings of metrics that are given, by name.

        >>> AnalysisChoice(None, "spacy", None, ("a.conllu",), None, None).settings()
        {'parser': 'spacy', 'analyzed': 'a.conllu', 'tagger': 'conllu'}
        """
        if self.tagger is not None and self.tagger not in TAGGERS:
            raise unknown_name("tagger", self.tagger, TAGGERS)
        if self.parser is not None and self.parser not in PARSERS:
            raise unknown_name("parser", self.parser, PARSERS)
        values = {
            "tagger": self.tagger,
            "parser": self.parser,
            "pipeline": self.pipeline,
            "wordnet": self.wordnet,
            "language": self.language,
        }
        settings = {name: value for name, value in values.items() if value is not None}
        if self.analyzed:
            for path in self.analyzed:
                if SEPARATOR in path:
                    raise SettingError(
                        f"--analyzed {path}: expected a name without {SEPARATOR}, which separates "
                        "files; rename it"
                    )
            settings["analyzed"] = SEPARATOR.join(self.analyzed)
            settings.setdefault("tagger", "conllu")
        return settings


with_analysis = gather_options(
    "analysis", AnalysisChoice, tagger, parser, pipeline, analyzed, wordnet, language
)
