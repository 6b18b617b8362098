"""Rewriting methods by name: what proposes substitutions, and which filters decide.

A method's name is one or more parts joined by +:

| part | what it is | its model |
|------|------------|-----------|
| `wordnet` | proposes synonyms (`wordnet_thesaurus.py`) | built in |
| `lsa` | proposes words used in similar contexts (`lsa.py`) | needed |
| `brown` | proposes words of the same cluster (`brown.py`) | needed |
| `phrases` | proposes phrases by rules (`phrases.py`) | needed: a grammar or a phrase table |
| `encoder` | filters by an encoder's vectors (`encoder/encoder_filter.py`) | built in |
| `context` | filters by context classifiers (`context_model.py`) | built in |
| `lm` | filters by a language model (`lm_filter.py`) | built in |
| `random` | filters at random, a control (`random_filter.py`) | none; its threshold: share to refuse |

WordNet proposes if no other part does, so that `context` is the paper's ContextWN; `phrases` can be
combined with a thesaurus (`wordnet+phrases`), and then both propose. Models are given in the order of
the parts that can have one, also joined by +; `default` stands for the built-in one. Thresholds are
given likewise, in the order of the filters: a filter accepts a word with a score of at least its
threshold. `decision` names another way to decide for `context` than its model's own
(`context_decision.py`), of which a threshold then replaces the threshold. Rules are used if their
feature `score` is a probability of at least `least`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import MissingExtraError, SettingError, unknown_name
from paragauge.rewrite.context.context_decision import Decision
from paragauge.rewrite.phrases import LEAST, SCORE, PhraseRules
from paragauge.rewrite.rewriter import UNKNOWNS, Rewriter, Rewriting, UnknownWords
from paragauge.rewrite.substitution_filters import ContextFilter
from paragauge.rewrite.thesauri.thesaurus import Thesaurus
from paragauge.text.batch import GroupedTexts, Texts

THESAURI = ("wordnet", "lsa", "brown")
PHRASES = "phrases"
RANDOM = "random"
FILTERS = ("encoder", "context", "lm", RANDOM)
PARTS = (*THESAURI, PHRASES, *FILTERS)
RECOMMENDED = "encoder"
DEFAULT = "default"
SEPARATOR = "+"
PREFIX = "rewrite"
LANGUAGE_MODEL = Path(__file__).parents[1] / "models" / "pem" / "english" / "lm.bin"


@dataclass(frozen=True)
class RewriteMethod:
    """A rewriting method as the command line names it; its models are opened on first use.

    >>> RewriteMethod("wordnet").rewriter().run(["It is hard."], ["It is difficult."]).references[0]
    ['It is difficult.']
    >>> RewriteMethod("lm").label, RewriteMethod("contxt")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown rewriting method 'contxt'; did you mean 'context'? known: ...
    """

    name: str
    model: str | None = None
    unknown: UnknownWords = "refuse"
    threshold: str | None = None
    score: str | None = None
    least: str | None = None
    decision: str | None = None

    def __post_init__(self) -> None:
        parts = self.parts
        for part in parts:
            if part not in PARTS:
                raise unknown_name("rewriting method", part, PARTS)
        if len(set(parts)) < len(parts) or sum(part in THESAURI for part in parts) > 1:
            raise SettingError(
                f"rewrite={self.name}: expected at most one of {', '.join(THESAURI)}, and each other "
                "part once; leave the others out"
            )
        if self.unknown not in UNKNOWNS:
            raise unknown_name("way to treat unknown words", self.unknown, UNKNOWNS)
        _ = self.models, self.thresholds, self.least_probability
        if RANDOM in parts and RANDOM not in self.thresholds:
            raise SettingError(
                f"rewrite={self.name}: random needs a threshold, the share of proposals to refuse; "
                "give --threshold 0.25, or rewrite_threshold=0.25 in a metric's settings"
            )
        if self.decision is not None:
            if "context" not in parts:
                raise SettingError(
                    f"rewrite={self.name}: decision is for context classifiers; leave it out, or add "
                    f"{SEPARATOR}context"
                )
            Decision.named(self.decision)
        for name, value in (("score", self.score), ("least", self.least)):
            if value is not None and PHRASES not in parts:
                raise SettingError(
                    f"rewrite={self.name}: {name} is for phrase rules; leave it out, or add "
                    f"{SEPARATOR}{PHRASES}"
                )

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the name."""
        return tuple(self.name.split(SEPARATOR))

    @property
    def models(self) -> Mapping[str, str]:
        """The path of each part's model, or `default`."""
        takers = [part for part in self.parts if part not in ("wordnet", RANDOM)]
        paths = self.model.split(SEPARATOR) if self.model else []
        if len(paths) > len(takers):
            raise SettingError(
                f"rewrite={self.name}: expected at most {len(takers)} "
                f"model{'s' * (len(takers) != 1)}, found {len(paths)}"
            )
        models = dict(zip(takers, [*paths, *[DEFAULT] * len(takers)], strict=False))
        for part in THESAURI:
            if models.get(part) == DEFAULT:
                raise SettingError(
                    f"rewrite={self.name}: {part} needs a model; train one with: paragauge rewrite "
                    f"train {part} TEXT --output FILE, and give it with --rewrite-model FILE"
                )
        if models.get(PHRASES) == DEFAULT:
            raise SettingError(
                f"rewrite={self.name}: {PHRASES} needs a paraphrase grammar or phrase table; build one "
                "with paragauge grammar pivot or paragauge phrases extract, and give it with "
                "--rewrite-model FOLDER"
            )
        return models

    @property
    def thresholds(self) -> Mapping[str, float]:
        """The thresholds of the filters, if they were given."""
        filters = [part for part in self.parts if part in FILTERS]
        numbers = self.threshold.split(SEPARATOR) if self.threshold else []
        try:
            return dict(zip(filters, map(float, numbers), strict=True)) if numbers else {}
        except ValueError:
            raise SettingError(
                f"rewrite={self.name}: expected {len(filters)} threshold{'s' * (len(filters) != 1)}, "
                f"one number for each filter joined by +, found '{self.threshold}'"
            ) from None

    @property
    def least_probability(self) -> float:
        """The minimum probability of a rule."""
        try:
            least = LEAST if self.least is None else float(self.least)
        except ValueError:
            least = -1.0
        if not 0 <= least <= 1:
            raise SettingError(
                f"rewrite={self.name}: least: expected a probability from 0 to 1, found '{self.least}'"
            )
        return least

    @property
    def label(self) -> str:
        """The settings in a metric specification that select this method."""
        pairs = {
            "": self.name,
            "_model": self.model,
            "_unknown": None if self.unknown == "refuse" else self.unknown,
            "_threshold": self.threshold,
            "_score": self.score,
            "_least": self.least,
            "_decision": self.decision,
        }
        return ":".join(f"{PREFIX}{key}={value}" for key, value in pairs.items() if value is not None)

    def rewriter(self) -> Rewriter:
        """The rewriter of this method, opened once."""
        return _open_rewriter(self)


def rewrite(
    references: GroupedTexts,
    candidates: Texts,
    method: RewriteMethod | str = RECOMMENDED,
    *,
    threads: int = 0,
) -> Rewriting:
    """Rewrite references toward the output of one system.

    >>> rewrite(["It is hard."], ["It is difficult."], "wordnet").references[0]
    ['It is difficult.']
    """
    method = RewriteMethod(method) if isinstance(method, str) else method
    return method.rewriter().run(references, candidates, threads=threads)


@functools.lru_cache(maxsize=64)
def _open_rewriter(method: RewriteMethod) -> Rewriter:
    models = method.models
    rules = None
    if PHRASES in method.parts:
        rules = PhraseRules.of(models[PHRASES], method.score or SCORE, method.least_probability)
    proposer = next((part for part in method.parts if part in THESAURI), None if rules else "wordnet")
    filters = tuple(
        _open_filter(part, models.get(part, DEFAULT), method.thresholds.get(part), method.decision)
        for part in method.parts
        if part in FILTERS
    )
    thesaurus = None if proposer is None else _open_thesaurus(proposer, models.get(proposer, DEFAULT))
    return Rewriter(thesaurus, filters, method.unknown, phrases=rules)


def _open_thesaurus(name: str, model: str) -> Thesaurus:
    if name == "brown":
        from paragauge.rewrite.thesauri.brown import BrownClusters

        return BrownClusters.open(model)
    if name == "lsa":
        from paragauge.rewrite.thesauri.lsa import LSA

        return LSA.open(model)
    from paragauge.rewrite.thesauri.wordnet_thesaurus import WordNetThesaurus

    return WordNetThesaurus()


def _open_filter(
    name: str, model: str, threshold: float | None, decision: str | None = None
) -> ContextFilter:
    if name == RANDOM:
        from paragauge.rewrite.random_filter import RandomFilter

        return RandomFilter(0.0 if threshold is None else threshold)  # the method refuses None
    if name == "encoder":
        from paragauge.rewrite.encoder.encoder_filter import EncoderFilter
        from paragauge.rewrite.encoder.substitution_model import ENGLISH as WEIGHTS

        try:
            if model == DEFAULT and threshold is None:
                return EncoderFilter.default()
            return EncoderFilter.open(WEIGHTS if model == DEFAULT else model, threshold)
        except MissingExtraError:
            what, instead = "what runs the encoder", "use rewrite=context, which needs no extra"
            raise MissingExtraError(what, "context", instead=instead) from None
    if name == "context":
        from paragauge.rewrite.context.context_model import ENGLISH, ContextModel

        if model == DEFAULT and threshold is None:
            return ContextModel.default(decision)
        path = ENGLISH if model == DEFAULT else model
        way = None if decision is None else Decision.named(decision)
        return ContextModel.open(path, threshold=threshold, decision=way)
    from paragauge.lm.model_loader import open_model
    from paragauge.rewrite.lm_filter import THRESHOLD, LanguageModelFilter

    language_model = open_model(LANGUAGE_MODEL if model == DEFAULT else model)
    return LanguageModelFilter(language_model, THRESHOLD if threshold is None else threshold)
