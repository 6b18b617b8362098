"""Options that choose the tools of metrics that analyse text: tagger, parser, WordNet."""

from __future__ import annotations

from typing import Any

from paragauge.cli.command import option
from paragauge.errors import SettingError, unknown_name
from paragauge.syntax.analysis_settings import PARSERS, TAGGERS

ANALYSIS = "Analysis (MAXSIM, METEOR)"
SEPARATOR = "+"

tagger = option(
    "--tagger",
    metavar="|".join(TAGGERS),
    heading=ANALYSIS,
    help="What tags words. Default: our own tagger; for maxsim+dep the parser's.",
)
parser = option(
    "--parser",
    metavar="|".join(PARSERS),
    heading=ANALYSIS,
    help="What finds dependencies. Default: spacy for maxsim+dep, none for others.",
)
pipeline = option(
    "--pipeline",
    metavar="NAME",
    heading=ANALYSIS,
    help="spaCy pipeline, by name or path. Default: the first English one that is installed.",
)
analysed = option(
    "--analysed",
    multiple=True,
    metavar="FILE",
    heading=ANALYSIS,
    help="CoNLL-U file with analyses, found by their text, instead of a tagger. May repeat.",
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
    help="Language of the texts. Default: en; others need --analysed.",
)


def analysis_settings(given: dict[str, Any]) -> dict[str, str]:
    """The settings that the options name, as far as they are given."""
    for name, known in (("tagger", TAGGERS), ("parser", PARSERS)):
        if given[name] is not None and given[name] not in known:
            raise unknown_name(name, given[name], known)
    names = ("tagger", "parser", "pipeline", "wordnet", "language")
    settings = {name: given[name] for name in names if given[name] is not None}
    if given["analysed"]:
        for path in given["analysed"]:
            if SEPARATOR in path:
                raise SettingError(
                    f"--analysed {path}: expected a name without {SEPARATOR}, which separates files; "
                    "rename it"
                )
        settings["analysed"] = SEPARATOR.join(given["analysed"])
        settings.setdefault("tagger", "conllu")
    return settings
