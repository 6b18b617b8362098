"""MAXSIM: maximum similarity (Chan and Ng 2008, section 4).

Both sentences are tokenized (Penn), lemmatized (WordNet) and tagged (Penn tags); tokens without a
letter or digit are removed. Then, for n = 1, 2, 3, the candidate's n-grams are matched with the
reference's, each with at most one:

1. *lemma and tag*: equal in all lemmas and tags, left to right in both sentences;
2. *lemma*: of the rest, those equal in all lemmas, again left to right;
3. *graph*: of the rest, the maximum-weight bipartite matching, where

       S_i = (I(tag_i = tag'_i) + Syn(lemma_i, lemma'_i)) / 2        w = 1/n * sum of S_i

   and w = 0 if n > 1 and some S_i = 0. Syn is 1 if the sets WNsyn of the two lemmas, all synonyms for
   all senses of all parts of speech, have a word in common.

With match = matches of 1 and 2 + weight of 3, P = match / n-grams of the candidate, R = match / n-grams
of the reference and alpha = 0.9,

    F = P * R / (alpha * P + (1 - alpha) * R) = match / (alpha * reference + (1 - alpha) * candidate).

The segment's score is the mean of the F of all n; MAXSIM_n+d (`MaxSimDep`) adds the F of the dependency
relations (child, type, parent), matched by the same kind of graph with the weight

    (Syn(child, child') + 1 + Syn(parent, parent')) / 3    if the types are equal, otherwise 0.

A corpus scores the mean of its segments; with several references a segment scores the mean over
them (the paper averages the corpus scores of each reference, which is the same when all segments have
the same number). Values are multiplied by 100. The statistics are (value, 1, F of each part, whether
the part exists).

Choices where the paper is silent; each is a setting:

- `short`: a sentence of two words has no trigram. If neither side has items of some kind, `skip`
  (default) leaves that kind out of the mean, so that a copy scores 100 at any length; `zero` counts 0.
  Two sentences without any item agree fully (100). If `weights` leave no weight to any part that
  exists, the segment has no score.
- `lemmas`: the paper lemmatizes before it tags, so `word` (default) asks WordNet's morphy without a
  tag: as a noun, a verb, an adjective, an adverb, and takes the first answer that is another word
  (*running* is *run*, *saw* is *see*). `tag` asks for the tag's part of speech only; `given` takes
  the lemmas of the parser or of the analyzed files.
- `outside`: a word that WordNet does not have (*of*, *they*) has no synonyms, so by the letter
  Syn(w, w) = 0 in the graph (`nothing`, default; equal n-grams are matched before it). `synonym` makes
  it its own synonym. Relations have no exact phases, so by the letter Syn(they, they) = 0 there too,
  and a sentence does not fully match itself. `relations_outside=nothing` is the letter; by default
  (`synonym`) a word is its own synonym in relations.
- `synonyms`: `shared` (default) is the paper's definition; `synset` requires both lemmas to be in one
  synset; `none` requires them to be equal.
- `relations`: subjects and objects, as found by a parser trained on the Penn Treebank; see
  `syntax/relations.py` for the labels. The paper's parser, MSTParser, is no longer available; spaCy's
  parser, or any whose output is CoNLL-U, takes its place, and this package's tagger MXPOST's.
- `tagset`: MXPOST was trained on the Wall Street Journal, where *to* is always TO; `wsj` (default)
  renames the tags of today's taggers accordingly, `tagger` leaves them.
- Lemmas are compared in lower case, as they are in WordNet.
- `similarity`: a Python function in place of S, for n-grams and relations (see `similarity.py`); it
  cannot be given on the command line.

Time: O(n^2 / 64) for the exact phases, and a few passes over the edges of the graph: two sentences of
1,000 words without a word in common take 20 ms (O(k^3) for k items if links are asked for). A
sentence of more than `MOST_WORDS` words is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints, lines_of_segments
from paragauge.metrics.base import MeanMetric, Metric, f_mean, mean_stats
from paragauge.metrics.maxsim.similarity import (
    WordSimilarity,
    ngram_parts,
    relation_part,
    tabulate,
)
from paragauge.metrics.maxsim.words import weigh_alike, words_of_lines
from paragauge.metrics.settings import normalize_setting, setting
from paragauge.syntax import relations, tagset
from paragauge.syntax.analysis import Analysis
from paragauge.syntax.analysis_settings import (
    ENGLISH,
    LEMMAS,
    PARSERS,
    TAGGERS,
    AnalysisSettings,
    ParserName,
    TaggerName,
    check_analysis,
)
from paragauge.syntax.analyzer import Analyzer, analyzer, tool_names
from paragauge.text.batch import Batch
from paragauge.text.lines import LineGroups, group_means, segment_of_line
from paragauge.text.tokenizers import TOKENIZERS, Normalize, Tokenizer

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.explanation import Explanation, Part
    from paragauge.metrics.maxsim.reasons import Side

MOST_WORDS = 1000
Phases = Literal[
    "tag+lemma+graph",
    "tag+lemma",
    "tag+graph",
    "lemma+graph",
    "tag",
    "lemma",
    "graph",
]


@dataclass(frozen=True)
class MaxSim(MeanMetric):
    """Maximum-weight matching of n-grams with the reference's (MAXSIM_n).

    >>> maxsim = MaxSim()
    >>> maxsim.segments(["A big dog barked."], references=["The large dogs were barking."]).round(2)
    array([44.29])
    """

    name: ClassVar[str] = "MAXSIM"
    summary: ClassVar[str] = "n-grams matched by lemma, tag and synonym, as a maximum-weight matching"

    alpha: float = setting(0.9, low=0, high=1, help="weight of recall in F; 0.5 is symmetric")
    order: int = setting(3, low=1, high=9, help="longest n-gram")
    weights: str | None = setting(
        None, help="weights of the parts, such as 2/1/1 (unigrams, bigrams, trigrams); equal if absent"
    )
    phases: Phases = setting(
        "tag+lemma+graph", choices=get_args(Phases), help="which phases match n-grams"
    )
    synonyms: Literal["shared", "synset", "none"] = setting(
        "shared", choices=("shared", "synset", "none"), help="what makes two lemmas synonyms"
    )
    outside: Literal["nothing", "synonym"] = setting(
        "nothing",
        choices=("nothing", "synonym"),
        help="what a word that WordNet lacks is to itself in the graph",
    )
    short: Literal["skip", "zero"] = setting(
        "skip", choices=("skip", "zero"), help="a part that neither side has"
    )
    lemmas: Literal["word", "tag", "given"] = setting(
        "word", choices=LEMMAS, help="how a word becomes a lemma"
    )
    tokenize: Tokenizer = setting(
        "penn", key="tok", choices=TOKENIZERS, kind="tokenizer", help="tokenizer"
    )
    tagger: TaggerName = setting("paragauge", choices=TAGGERS, help="what tags the words")
    tagset: Literal["wsj", "tagger"] = setting(
        "wsj",
        choices=tagset.CHOICES,
        help="tags as in the Wall Street Journal, or as the tagger has them",
    )
    pipeline: str | None = setting(None, help="name or path of a spaCy pipeline; else the first found")
    analyzed: str | None = setting(
        None,
        key="analysed",  # as in the signatures of earlier versions
        help="CoNLL-U files with the analyses, joined by + (for tagger or parser conllu)",
    )
    wordnet: str = setting("3.0", help="3.0, which is built in, or the path of another WordNet")
    language: str = setting(ENGLISH, help="language of the texts (ISO 639-1)")
    similarity: WordSimilarity | None = setting(
        None,
        kind="function",
        help="a Python function of two lists of words, in place of tags and synonyms",
    )
    normalize: Normalize = normalize_setting("typography")

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """As for every metric; a default pipeline applies only to metrics that use spaCy."""
        own = {field.name: field.default for field in fields(cls)}
        usual = {key: value for key, value in defaults.items() if key in own}
        if not uses_spacy({**own, **usual, **explicit}):
            usual.pop("pipeline", None)
        return super().from_settings(explicit, usual)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_analysis(self.analysis_settings)
        self._check_language()
        self.part_weights()

    @property
    def needs(self) -> frozenset[str]:
        """References."""
        return frozenset({"references"})

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return self.language == ENGLISH and self.tagger != "conllu"

    @property
    def analysis_settings(self) -> AnalysisSettings:
        """Which tools analyze the texts."""
        return AnalysisSettings(
            tokenize=self.tokenize,
            tagger=self.tagger,
            tagset=self.tagset,
            parser=self._parser,
            pipeline=self.pipeline,
            analyzed=tuple(self.analyzed.split("+")) if self.analyzed else (),
            lemmas=self.lemmas,
            wordnet=self.wordnet,
            synonyms=self.synonyms,
            normalize=self.normalize,
        )

    @property
    def analyzer(self) -> Analyzer:
        """What analyzes the texts; its lock is held while analyses are read."""
        return analyzer(self.analysis_settings)

    @property
    def _parser(self) -> ParserName:
        return "none"

    def part_names(self) -> list[str]:
        """The names of the parts of the score."""
        return [f"F{n}" for n in range(1, self.order + 1)]

    def part_weights(self) -> Floats:
        """Weights of the parts, with sum 1."""
        names = self.part_names()
        if self.weights is None:
            return np.full(len(names), 1 / len(names))
        try:
            weights = np.array([float(number) for number in self.weights.split("/")])
        except ValueError:
            weights = np.array([-1.0])
        valid = len(weights) == len(names) and bool(np.all((weights >= 0) & np.isfinite(weights)))
        if not valid or not weights.any():
            raise SettingError(
                f"{self.name} weights: expected {len(names)} numbers from 0, not all 0, for "
                f"{', '.join(names)}, separated by /; found '{self.weights}'"
            )
        return np.asarray(weights / weights.sum())

    def part_shares(self, exists: NDArray[np.bool_]) -> Floats:
        """The weight of each part in each row of [rows, parts], given which exist; sums are 1.

        NaN where parts exist but none of them has a weight, 0 where none exists.
        """
        counted = exists if self.short == "skip" else np.ones_like(exists)
        weights = self.part_weights() * counted * exists.any(axis=1, keepdims=True)
        total = weights.sum(axis=1, keepdims=True)
        lost = (total == 0) & exists.any(axis=1, keepdims=True)
        return np.asarray(np.where(lost, np.nan, weights / np.where(total > 0, total, 1.0)))

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """What to hold while `part_values` runs: other threads must not change the analyzer."""
        return self.analyzer.lock

    def others(self, batch: Batch) -> LineGroups:
        """The lines that candidates are compared with: the references."""
        if batch.references is None:
            raise InputError("expected references, found none")
        return batch.references

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, F of each part, whether the part exists) of each segment."""
        batch = batch.normalized(self.normalize)
        with self.lock:
            values = self.part_values(batch, system)
        exists = ~np.isnan(values)
        values = np.where(exists, values, 0.0)
        score = (values * self.part_shares(exists)).sum(axis=1)
        score = np.where(exists.any(axis=1), score, 1.0)
        groups = self.others(batch).groups
        columns = (100.0 * score, 100.0 * values, exists.astype(np.float64))
        return mean_stats(*(group_means(groups, column) for column in columns))

    def part_values(self, batch: Batch, system: str) -> Floats:
        """Each part from 0 to 1, NaN where neither side has any: [reference lines, parts].

        The batch must be normalized as the metric says.
        """
        mine, theirs = self.analyses(batch, system)
        return self._ngram_parts(mine, theirs, batch, self.tables(mine, theirs, batch, system))

    def tables(self, mine: Analysis, theirs: Analysis, batch: Batch, system: str) -> Floats | None:
        """What `similarity` says of the words of each candidate and each line; None without it."""
        if self.similarity is None:
            return None
        others = self.others(batch)
        own = words_of_lines(self.analyzer, batch.systems[system], mine, batch.threads)
        other = words_of_lines(self.analyzer, others.lines, theirs, batch.threads)
        tables = [
            tabulate(self.similarity, own[segment], other[line], f"segment {batch.first + segment + 1}")
            for segment, lines in enumerate(lines_of_segments(len(other), others.groups))
            for line in lines
        ]
        return np.concatenate([np.zeros(0), *(table.ravel() for table in tables)])

    def analyses(self, batch: Batch, system: str) -> tuple[Analysis, Analysis]:
        """The analyzed candidates and references; references are analyzed once for all systems."""
        others = self.others(batch)
        settings = self.analysis_settings

        def make() -> tuple[Analysis, Analysis]:
            lines = [batch.systems[system], others.lines]
            mine, theirs = self.analyzer.analyze(lines, [False, True], batch.threads)
            self._check_length("candidates", mine, batch, None)
            self._check_length("references", theirs, batch, others.groups)
            return mine, theirs

        self._check_script(batch)
        return batch.latest(settings, system, make)

    def _ngram_parts(
        self, mine: Analysis, theirs: Analysis, batch: Batch, tables: Floats | None
    ) -> Floats:
        if tables is not None:
            return ngram_parts(
                weigh_alike(mine),
                weigh_alike(theirs),
                self.others(batch).groups,
                tables,
                order=self.order,
                phases=self.phase_flags,
                alpha=self.alpha,
                threads=batch.threads,
            )
        rows = _native.maxsim_ngrams(
            (*mine.words(), None),
            (*theirs.words(), self.others(batch).groups),
            (mine.table.sets.ids, mine.table.sets.offsets),
            self.order,
            self.phase_flags,
            self.outside == "synonym",
            False,
            batch.threads,
        ).reshape(-1, self.order, 3)
        units = 2.0 * np.arange(1, self.order + 1)
        return f_mean(rows[:, :, 0] / units, rows[:, :, 1], rows[:, :, 2], self.alpha)

    @property
    def phase_flags(self) -> tuple[bool, bool, bool]:
        """Which of the three phases are on."""
        on = self.phases.split("+")
        return "tag" in on, "lemma" in on, "graph" in on

    def parts(self, sums: Floats) -> dict[str, float]:
        """Mean F of each part over the segments that have it."""
        names = self.part_names()
        values, counts = sums[2 : 2 + len(names)], sums[2 + len(names) :]
        return {
            name: float(value / count) if count else 0.0
            for name, value, count in zip(names, values, counts, strict=True)
        }

    def extra_signature(self) -> dict[str, str]:
        """Names and versions of the tools."""
        return tool_names(self.analysis_settings)

    def explain(self, candidate: str, reference: str) -> Explanation:
        """Which items of two sentences match which, in which phase and with which weight.

        >>> explanation = MaxSim(order=1).explain("A big dog", "The large dogs")
        >>> round(explanation.value, 2), explanation.parts[0].match
        (83.33, 2.5)
        >>> print(explanation.parts[0])
        unigrams
          lemma  3  dog  3  dogs   1.000  lemmas equal
          graph  1  A    1  The    0.500  tags equal
          graph  2  big  2  large  1.000  synonyms, tags equal
        """
        from paragauge.metrics.maxsim.explain import explain

        return explain(self, candidate, reference)

    def explain_parts(self, mine: Side, theirs: Side) -> list[Part]:
        """The links of each part, in the order of `part_names`; their values are not yet set."""
        from paragauge.metrics.maxsim.explain import explain_ngrams

        return explain_ngrams(self, mine, theirs)

    def _check_language(self) -> None:
        if self.language == ENGLISH or (
            self.tagger == "conllu"
            and self.lemmas == "given"
            and (self.wordnet != "3.0" or self.synonyms == "none")
        ):
            return
        raise SettingError(
            f"{self.name} language={self.language}: the built-in tagger and WordNet are English; give "
            "CoNLL-U files with tags and lemmas (tagger=conllu, analyzed=FILE, lemmas=given) and a "
            "WordNet of the language (wordnet=PATH), or synonyms=none"
        )

    def _check_script(self, batch: Batch) -> None:
        """Refuse text that is clearly in a script other than English."""
        if self.language != ENGLISH or self.tagger == "conllu" or batch.references is None:
            return
        if batch.references.lines.is_mostly_foreign():
            raise InputError(
                f"references: expected English, found mostly letters of another script; {self.name}'s "
                "tagger and WordNet are English: for another language give CoNLL-U files (--analyzed), "
                "--language and a WordNet of the language (--wordnet)"
            )

    def _check_length(self, what: str, analysis: Analysis, batch: Batch, groups: Ints | None) -> None:
        long = np.flatnonzero(analysis.lemmas.lengths > MOST_WORDS)
        if len(long) == 0:
            return
        line = int(long[0])
        segment = int(segment_of_line(groups, line + 1)[line])
        raise InputError(
            f"{what}: segment {batch.first + segment + 1}: expected a sentence of at most "
            f"{MOST_WORDS:,} words, found {int(analysis.lemmas.lengths[line]):,}; split it"
        )


@dataclass(frozen=True)
class MaxSimDep(MaxSim):
    """MAXSIM with dependency relations as one more part (MAXSIM_n+d). Needs a parser.

    >>> MaxSimDep(parser="conllu", tagger="conllu", analyzed="a.conllu").part_names()
    ['F1', 'F2', 'F3', 'relations']
    """

    name: ClassVar[str] = "MAXSIM+dep"
    summary: ClassVar[str] = "MAXSIM with dependency relations (needs a parser, such as spaCy)"

    tagger: TaggerName = setting("spacy", choices=TAGGERS, help="what tags the words")
    relations: Literal[
        "subject+object",
        "subject+object+preposition",
        "subject",
        "object",
        "object+preposition",
        "all",
    ] = setting("subject+object", choices=relations.CHOICES, help="which dependency relations count")
    parser: ParserName = setting("spacy", choices=PARSERS[1:], help="what finds dependencies")
    relations_outside: Literal["synonym", "nothing"] = setting(
        "synonym",
        choices=("synonym", "nothing"),
        kw_only=True,
        default_in_signature=False,
        help="what a word that WordNet lacks is to itself in relations (paper's letter: nothing)",
    )

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """As for MAXSIM; a tagger of CoNLL-U files implies its parser."""
        if {**defaults, **explicit}.get("tagger") == "conllu":
            defaults = {"parser": "conllu", **defaults}
        return super().from_settings(explicit, defaults)

    @property
    def _parser(self) -> ParserName:
        return self.parser

    def part_names(self) -> list[str]:
        """The n-grams and the relations."""
        return [*super().part_names(), "relations"]

    def explain_parts(self, mine: Side, theirs: Side) -> list[Part]:
        """The links of n-grams and, if there is a parser, of relations."""
        from paragauge.metrics.maxsim.explain import explain_relations

        parts = super().explain_parts(mine, theirs)
        if "relations" in self.part_names():
            parts.append(explain_relations(self, mine, theirs))
        return parts

    def part_values(self, batch: Batch, system: str) -> Floats:
        """The parts of MAXSIM and F of the relations."""
        mine, theirs = self.analyses(batch, system)
        tables = self.tables(mine, theirs, batch, system)
        return np.column_stack(
            [
                self._ngram_parts(mine, theirs, batch, tables),
                self._relation_part(mine, theirs, batch, tables),
            ]
        )

    def _relation_part(
        self, mine: Analysis, theirs: Analysis, batch: Batch, tables: Floats | None
    ) -> Floats:
        """F of the dependency relations for each reference line, NaN where neither side has any."""
        groups = self.others(batch).groups
        if tables is not None:
            return relation_part(mine, theirs, groups, self.relations, tables, self.alpha)
        rows = _native.maxsim_relations(
            (*mine.triples(self.relations), None),
            (*theirs.triples(self.relations), groups),
            (mine.table.sets.ids, mine.table.sets.offsets),
            self.relations_outside == "synonym",
            False,
            batch.threads,
        )
        return f_mean(rows[:, 0] / 3.0, rows[:, 1], rows[:, 2], self.alpha)


def uses_spacy(settings: Mapping[str, Any]) -> bool:
    """Whether spaCy is the tagger or the parser of these settings.

    >>> uses_spacy({"tagger": "spacy", "parser": "none"})
    True
    """
    return "spacy" in (settings.get("tagger"), settings.get("parser"))
