"""The single commands that compute each result of `paragauge grammar evaluate` from its kept files."""

from __future__ import annotations

import shlex
from dataclasses import replace

from paragauge.cli.grammar.extract_options import CHANGEABLE
from paragauge.grammar.evaluation.evaluate import GOLD, LINKS, SOURCE, TARGET, TREES, GrammarEvaluation
from paragauge.grammar.evaluation.settings import RANKINGS, GrammarEvaluationSettings
from paragauge.grammar.parametric import ParametricSettings
from paragauge.grammar.parse_settings import ParseSettings
from paragauge.grammar.rule_settings import PRESETS, RuleSettings

RULES = "gold-again"  # the folder of the gold grammar that is extracted again


def single_commands(evaluation: GrammarEvaluation) -> list[str]:
    """One line for each command; paths are those in the work folder."""
    settings, work = evaluation.settings, evaluation.work
    text = [str(work / SOURCE), str(work / TARGET)]
    case = ["--case", settings.case]
    resources = [f"{name}={grammar.folder}" for name, grammar in evaluation.resources.items()]
    gold = str(work / GOLD)
    trees = ["--trees", str(work / TREES)] if settings.rules.labels.needs_trees else []
    links = ["--alignment", str(work / LINKS), *trees]
    output = ["--features", "none", "--output", RULES]
    commands = [
        ["grammar", "extract", *text, *case, *links, *rule_options(settings.rules), *output],
        ["grammar", "overlap", *resources, "--gold", gold, *_overlap_options(settings)],
    ]
    for curve in (curve for curves in evaluation.curves.values() for curve in curves):
        ascending = (
            settings.ascending if settings.curve is not None else dict(RANKINGS).get(curve.score)
        )
        sizes = settings.sizes
        is_summed = curve.mode != "strict" and settings.variants != "max"
        variants = ["--variants", settings.variants] if is_summed else []
        folder = evaluation.resources[curve.name].folder
        listed = str(sizes) if isinstance(sizes, int) else ",".join(map(str, sizes))
        commands.append(
            [
                *("grammar", "overlap", f"{curve.name}={folder}", "--gold", gold),
                *("--curve", curve.score, *["--ascending"] * bool(ascending), "--sizes", listed),
                *("--mode", curve.mode, *variants, "--frequencies", str(curve.frequency)),
            ]
        )
    translations = sorted((work / "text").glob("*.txt"), key=lambda path: int(path.stem))
    number = int(evaluation.pairs.members.max())
    files = [word for path in translations[:number] for word in ("-T", str(path))]
    reading = [*case, *(["--empty", "skip"] if settings.empty == "skip" else [])]
    both = ["--directions", "both"] if settings.directions == "both" else []
    commands.append(
        ["grammar", "coverage", *resources, *files, *reading, *both, *parse_options(settings.parsing)]
    )
    phrases = ["parametric", *resources, "--gold", str(work / LINKS), "--text", *text, *case]
    commands.append([*phrases, *_phrase_options(settings)])
    return [shlex.join(["paragauge", *words]) for words in commands]


def rule_options(rules: RuleSettings) -> list[str]:
    """The options of `grammar extract` for these settings, as changes of the nearest preset.

    >>> rule_options(RuleSettings.named("thrax", nonterminals=1))
    ['--settings', 'thrax', '--set', 'nonterminals=1']
    """
    choices = {name: _changes(rules, preset) for name, preset in PRESETS.items()}
    name = min(choices, key=lambda name: len(choices[name]))
    return ["--settings", name, *choices[name]]


def _changes(rules: RuleSettings, preset: RuleSettings) -> list[str]:
    words = []
    if rules.labels.name != preset.labels.name:
        words += ["--labels", rules.labels.name]
    for name in CHANGEABLE:
        value = getattr(rules, name)
        if value != getattr(preset, name):
            texts = {True: "yes", False: "no", None: "none"}
            text = texts[value] if value is None or isinstance(value, bool) else str(value)
            words += ["--set", f"{name}={text}"]
    return words


def parse_options(settings: ParseSettings) -> list[str]:
    """The options of `grammar coverage` for these settings.

    >>> parse_options(ParseSettings(passthrough="all", start=("NP",)))
    ['--start', 'NP', '--pass-through', 'all']
    """
    plain = ParseSettings()
    words = []
    if settings.span != plain.span:
        words += ["--span", str(settings.span)]
    if not settings.glue:
        words.append("--no-glue")
    words += [word for label in settings.start for word in ("--start", label)]
    if settings.passthrough != plain.passthrough:
        words += ["--pass-through", settings.passthrough]
        if settings.passthrough_label != plain.passthrough_label:
            words += ["--pass-through-label", settings.passthrough_label]
        if settings.passthrough_gaps != plain.passthrough_gaps:
            words += ["--pass-through-gaps", settings.passthrough_gaps]
    for name in ("max_items", "max_seconds", "max_memory"):
        if getattr(settings, name) != getattr(plain, name):
            words += [f"--{name.replace('_', '-')}", str(getattr(settings, name))]
    return words


def _overlap_options(settings: GrammarEvaluationSettings) -> list[str]:
    words = []
    if settings.frequencies is not None:
        words += ["--frequencies", ",".join(map(str, settings.frequencies))]
    if settings.lexical != "source":
        words += ["--lexical", settings.lexical]
    if settings.variants != "max":
        words += ["--variants", settings.variants]
    return words


def _phrase_options(settings: GrammarEvaluationSettings) -> list[str]:
    words = []
    if settings.links != "all":
        words += ["--links", settings.links]
    plain, own = ParametricSettings(), replace(settings.parametric, threads=0)
    for name in ("max_length", "identity", "directions"):
        if getattr(own, name) != getattr(plain, name):
            words += [f"--{name.replace('_', '-')}", str(getattr(own, name))]
    return words
