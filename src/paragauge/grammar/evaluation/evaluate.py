"""All measures of a paraphrase resource from text files: PARADIGM and ParaMetric in one call.

The stages are those of the single functions: the text is tokenized, aligned and parsed, the gold
grammar is extracted, the resource is read, and then `overlap`, `overlap_curve`, `coverage` and
`parametric` are called on files in the work folder. Each stage is kept there (`work_folder.py`), in
files that the single commands read, so that every figure can be computed again by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.align.aligners import choose_aligner
from paragauge.align.gold import read_gold
from paragauge.align.links import Links
from paragauge.align.pharaoh import pharaoh_lines, write_pharaoh
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.grammar.convert import read_grammar
from paragauge.grammar.derivation import Derivation
from paragauge.grammar.evaluation import stored_results as stored
from paragauge.grammar.evaluation.duration import Durations
from paragauge.grammar.evaluation.parallel_text import (
    ParallelFiles,
    ParallelText,
    choose_tokenizer,
    read_parallel_text,
)
from paragauge.grammar.evaluation.rule_examples import RuleExamples, rule_examples
from paragauge.grammar.evaluation.settings import GrammarEvaluationSettings, choose_ranking
from paragauge.grammar.evaluation.work_folder import Stage, WorkFolder, hash_files, stage_key
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.extract_files import TreeFile, read_pair_batches
from paragauge.grammar.grammar_folder import KIND, Grammar
from paragauge.grammar.overlap_curves import OverlapCurve, overlap_curve
from paragauge.grammar.pair_coverage import Coverage, coverage
from paragauge.grammar.parametric_sheet import ParametricSheet, parametric
from paragauge.grammar.parse_settings import COVERED
from paragauge.grammar.rule_overlap import MODES, Overlap, count_rules_without_counts, overlap
from paragauge.grammar.sentence_pairs import SentencePairs
from paragauge.grammar.sync_parser import SyncParser
from paragauge.syntax.constituents import LONGEST, ChartParser
from paragauge.text.bitext import Bitext, BitextFiles, read_bitext
from paragauge.text.files import atomic
from paragauge.text.lines import Lines
from paragauge.text.progress import Progress, silent
from paragauge.text.wording import pluralize

SOURCE, TARGET, LINKS, TREES, GOLD = "source.txt", "target.txt", "links.txt", "trees.txt", "gold"
EQUAL_SIDES = "SELECT COUNT(*) AS n FROM gold WHERE source = target"
PARSED = 1 << 10  # sentences at a time
DRAWN_WORDS = 30  # of the longest side of a pair that is drawn


@dataclass(frozen=True, eq=False)
class GrammarEvaluation:
    """Everything that was measured; mappings are by the names of the resources.

    `facts` say how the gold grammar was made: `aligner` (None for links that were given), `unaligned`
    pairs that were too long for it, `parser` (None likewise), `flat` sentences too long for it, whether
    the links were made by `hand`, and how many gold rules have `equal_sides`. A resource has a strict
    and a non-strict curve, or none if it has no score. Of `stages`, the first item says whether the
    stage ran now, the last how many seconds it took when it ran.
    """

    work: Path
    settings: GrammarEvaluationSettings
    pairs: SentencePairs
    facts: dict[str, Any]
    gold: Grammar
    resources: dict[str, Grammar]
    overlap: Overlap
    curves: dict[str, tuple[OverlapCurve, ...]]
    coverages: dict[str, Coverage]
    parametric: ParametricSheet
    rules: dict[str, RuleExamples]
    derivations: dict[str, dict[str, Derivation]]
    stages: tuple[tuple[bool, Stage, float], ...]

    @property
    def identical(self) -> int:
        """The number of pairs of equal sentences, which any resource derives if words pass through."""
        return sum(source == target for source, target in _sentences(self.pairs))


@dataclass(frozen=True)
class PlannedStage:
    """A stage that an evaluation consists of: whether it is kept already, and a guess of its time."""

    stage: Stage
    is_done: bool


def evaluate_grammar(
    resources: Mapping[str, str | Path],
    files: ParallelFiles,
    work: str | Path,
    settings: GrammarEvaluationSettings | None = None,
    *,
    engine: Engine | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> GrammarEvaluation:
    r"""Evaluate paraphrase resources on parallel text; stages are kept in the folder `work`.

    Resources are folders of grammars, or text files in the format of PPDB, Joshua, cdec or Moses.

    >>> import tempfile
    >>> texts = {"a": "the big dog\n", "b": "the large dog\n", "links": "0-0 1-1 2-2\n"}
    >>> texts["trees"] = "(NP (DT the) (JJ big) (NN dog))\n"
    >>> texts["ppdb"] = "[JJ] ||| big ||| large ||| p=0.1\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = {name: Path(folder, name) for name in texts}
    ...     for name, text in texts.items():
    ...         _ = paths[name].write_text(text)
    ...     pairs, links, trees = (paths["a"], paths["b"]), paths["links"], paths["trees"]
    ...     files = ParallelFiles(pairs=pairs, alignment=links, trees=trees)
    ...     result = evaluate_grammar({"ppdb": paths["ppdb"]}, files, f"{folder}/work")
    >>> result.overlap["ppdb", "strict", 1].overlap, result.coverages["ppdb"].all
    (1, 100.0)
    """
    run = _Evaluation(resources, files, work, settings or GrammarEvaluationSettings(), engine, threads)
    return run.run(progress)


def plan_evaluation(
    resources: Mapping[str, str | Path],
    files: ParallelFiles,
    work: str | Path,
    settings: GrammarEvaluationSettings | None = None,
    *,
    threads: int = 0,
) -> list[PlannedStage]:
    """The stages of `evaluate_grammar` with the same arguments, which are kept, and rough times."""
    run = _Evaluation(resources, files, work, settings or GrammarEvaluationSettings(), None, threads)
    planned: dict[str, PlannedStage] = {}
    for name, stage in run.stages.items():
        is_ready = all(planned[before].is_done for before in stage.after)
        planned[name] = PlannedStage(stage, is_ready and run.work.is_done(stage))
    return list(planned.values())


class _Evaluation:
    """The stages of one evaluation, and how each is made."""

    def __init__(
        self,
        resources: Mapping[str, str | Path],
        files: ParallelFiles,
        work: str | Path,
        settings: GrammarEvaluationSettings,
        engine: Engine | None,
        threads: int,
    ) -> None:
        if not resources:
            raise InputError("expected at least one resource to evaluate, found none")
        if settings.rules.parsed != "source":
            raise SettingError("parsed: expected source, found target; exchange the sides of the text")
        self.work, self.settings, self.threads = WorkFolder(work), settings, threads
        self.engine = engine or DuckDBEngine(threads=threads)
        self.paths = {name: _check_resource(path) for name, path in resources.items()}
        self.places = _places(self.paths)
        self.tokenize = choose_tokenizer(settings.tokenize, files)
        self.text: ParallelText = read_parallel_text(
            files, tokenize=self.tokenize, empty=settings.empty, threads=threads
        )
        if not len(self.text.pairs):
            raise InputError("expected at least one sentence pair to evaluate on, found none")
        self.pairs = self.text.cased(settings.case, settings.empty)
        self.stages = {stage.name: stage for stage in self._plan(files)}

    def _plan(self, files: ParallelFiles) -> Iterator[Stage]:
        """All stages in their order."""
        settings, guess = self.settings, Durations(self.text.pairs)
        sides = [f"text/{number}.txt" for number in range(1, len(self.text.translations) + 1)]
        inputs = [asdict(files), hash_files(files.paths)]
        text = stage_key("text", inputs, self.tokenize, settings.empty)
        yield Stage("text", f"tokenize: {self.tokenize}", text, (SOURCE, TARGET, *sides), guess.text)
        keys, rules = {}, {}
        for name, path in self.paths.items():
            if path.is_dir():
                grammar = Grammar.open(path)
                keys[name], rules[name] = grammar.fingerprint, len(grammar)
                continue
            keys[name] = stage_key(
                "resource", hash_files([path]), settings.duplicates, settings.on_error
            )
            rules[name] = guess.rules_of(path)
            title = f"read {path.name}"
            place = f"resources/{self.places[name]}"
            yield Stage(f"resource {name}", title, keys[name], (place,), guess.resource(rules[name]))
        own, first = self.text.alignment is not None, ("text",)
        aligner = None if own else choose_aligner(settings.aligner).name
        links = stage_key("links", text, settings.case, aligner)
        title = "links that were given" if aligner is None else f"align words with {aligner}"
        yield Stage("links", title, links, (LINKS, "links.json"), 0.1 if own else guess.links, first)
        trees = ""
        if settings.rules.labels.needs_trees:
            parser = None if self.text.trees is not None else ChartParser.default().name
            trees = stage_key("trees", text, parser)
            title = "trees that were given" if parser is None else "parse sentences"
            seconds = 0.1 if parser is None else guess.trees
            yield Stage("trees", title, trees, (TREES, "trees.json"), seconds, first)
        gold = stage_key("gold", links, trees, settings.case, settings.rules.record())
        made = (GOLD, "gold.json")
        needed = ("text", "links", *["trees"] * bool(trees))
        yield Stage("gold grammar", "extract the gold grammar", gold, made, guess.gold, needed)
        read = tuple(f"resource {name}" for name, path in self.paths.items() if not path.is_dir())
        compared_by = [settings.frequencies, settings.lexical, settings.variants]
        compared = stage_key("overlap", gold, keys, compared_by)
        seconds = sum(guess.overlap(number) for number in rules.values())
        after = ("gold grammar", *read)
        yield Stage("overlap", "compare rules", compared, ("overlap.json",), seconds, after)
        for name in self.paths:
            yield from self._resource_stages(name, gold, text, keys[name], rules[name], guess)
        measured = asdict(replace(settings.parametric, threads=0))
        phrases = stage_key("ParaMetric", links, keys, settings.case, measured, settings.links)
        after = ("text", "links", *read)
        files_of_phrases = ("parametric.json",)
        yield Stage("ParaMetric", "compare phrases", phrases, files_of_phrases, guess.phrases, after)

    def _resource_stages(
        self, name: str, gold: str, text: str, key: str, rules: int, guess: Durations
    ) -> Iterator[Stage]:
        settings, place = self.settings, self.places[name]
        read = () if self.paths[name].is_dir() else (f"resource {name}",)
        compared = ("gold grammar", *read)
        ranked_by = [settings.curve, settings.ascending, settings.sizes]
        curve = stage_key("curve", gold, key, ranked_by, settings.frequencies, settings.variants)
        files, seconds = (f"curves/{place}.json",), guess.overlap(rules)
        yield Stage(f"curve {name}", "compare the best rules", curve, files, seconds, compared)
        examples = stage_key("examples", gold, key, settings.lexical, settings.examples)
        files = (f"examples/{place}.json",)
        yield Stage(f"examples {name}", "choose examples of rules", examples, files, seconds, compared)
        parsing = [settings.parsing.signature, settings.directions, settings.case, settings.empty]
        covered = stage_key("coverage", text, key, parsing, name)
        title = f"parse {pluralize(len(self.pairs), 'pair')} with {name}"
        files, seconds = (f"coverage/{place}.bin",), guess.coverage(rules)
        yield Stage(f"coverage {name}", title, covered, files, seconds, read)
        drawn = stage_key("derivations", covered, settings.drawn)
        files, seconds = (f"derivations/{place}.json",), guess.reading(rules)
        after = (f"coverage {name}", *read)
        yield Stage(f"derivations {name}", "derive examples", drawn, files, seconds, after)

    def run(self, progress: Progress) -> GrammarEvaluation:
        """Run every stage that is not kept, and read the results."""
        ran: dict[str, bool] = {}

        def run(name: str, make: Callable[[], object]) -> None:
            progress(self.stages[name].title)
            ran[name] = self.work.run(self.stages[name], make)

        path, settings = self.work.path, self.settings
        run("text", self._write_text)
        resources = {}
        for name in self.paths:  # before the long stages, as files may have errors
            if f"resource {name}" in self.stages:
                run(f"resource {name}", partial(self._read_resource, name, progress))
            resources[name] = Grammar.open(self._resource_folder(name))
        run("links", partial(self._write_links, progress))
        if settings.rules.labels.needs_trees:
            run("trees", partial(self._write_trees, progress))
        run("gold grammar", partial(self._extract, progress))
        gold = Grammar.open(path(GOLD))
        run("overlap", partial(self._compare, gold, resources, progress))
        for name, resource in resources.items():
            run(f"curve {name}", partial(self._curve, gold, name, resource))
            run(f"examples {name}", partial(self._examples, gold, name, resource))
            run(f"coverage {name}", partial(self._parse, name, resource, progress))
            run(f"derivations {name}", partial(self._derive, name, resource))
        run("ParaMetric", partial(self._phrases, progress))
        return self._results(gold, resources, ran)

    def _results(
        self, gold: Grammar, resources: dict[str, Grammar], ran: Mapping[str, bool]
    ) -> GrammarEvaluation:
        path, settings = self.work.path, self.settings
        facts = {"hand": self.text.gold, **stored.read_json(path("links.json"))}
        facts |= stored.read_json(path("gold.json"))
        if "trees" in self.stages:
            facts |= stored.read_json(path("trees.json"))
        curves, rules, coverages, derivations = {}, {}, {}, {}
        for name, place in self.places.items():
            record = stored.read_json(path(f"curves/{place}.json"))
            if record:
                curves[name] = tuple(replace(stored.curve_of(one), name=name) for one in record)
            rules[name] = stored.examples_of(stored.read_json(path(f"examples/{place}.json")))
            coverages[name] = stored.read_coverage(path(f"coverage/{place}.bin"), self.pairs)
            drawn = stored.read_json(path(f"derivations/{place}.json"))
            derivations[name] = {title: stored.derivation_of(one) for title, one in drawn.items()}
        scores = stored.read_json(path("parametric.json"))
        sheet = ParametricSheet(
            {},
            {name: stored.score_of(score) for name, score in scores.items()},
            settings.parametric,
            settings.links,
        )
        stages = tuple(
            (ran[name], stage, self.work.seconds(stage)) for name, stage in self.stages.items()
        )
        return GrammarEvaluation(
            self.work.folder,
            settings,
            self.pairs,
            {**facts, "tokenize": self.tokenize, "case": settings.case},
            gold,
            resources,
            stored.overlap_of(stored.read_json(path("overlap.json"))),
            curves,
            coverages,
            sheet,
            rules,
            derivations,
            stages,
        )

    # ---- stages

    def _write_text(self) -> None:
        pairs = self.text.pairs
        columns = {SOURCE: pairs.source, TARGET: pairs.target}
        for number, lines in enumerate(self.text.translations, 1):
            columns[f"text/{number}.txt"] = lines
        for name, lines in columns.items():
            with atomic(self.work.path(name)) as out:
                out.writelines(f"{line}\n" for line in lines)

    def _bitext(self) -> BitextFiles:
        source, target = self.work.path(SOURCE), self.work.path(TARGET)
        return BitextFiles(source, target, case=self.settings.case, threads=self.threads)

    def _write_links(self, progress: Progress) -> None:
        output, own = self.work.path(LINKS), self.text.alignment
        if own is not None:
            with atomic(output) as out:
                marks = _possible(own.sure, own.possible)
                out.writelines(f"{line}\n" for line in pharaoh_lines(own.possible, marks))
            stored.write_json(self.work.path("links.json"), {"aligner": None, "unaligned": 0})
            return
        aligner = choose_aligner(self.settings.aligner, too_long="skip", threads=self.threads)
        bitext = self._bitext().read()
        progress(f"aligning {pluralize(len(bitext), 'pair')} with {aligner.name}")
        alignment = aligner.align(bitext)
        write_pharaoh(output, alignment.symmetrize(None, threads=self.threads))
        facts = {"aligner": aligner.name, "unaligned": len(alignment.skipped)}
        stored.write_json(self.work.path("links.json"), facts)

    def _write_trees(self, progress: Progress) -> None:
        output, own = self.work.path(TREES), self.text.trees
        if own is not None:
            with atomic(output) as out:
                out.writelines(f"{tree}\n" for tree in own.to_brackets())
            stored.write_json(self.work.path("trees.json"), {"parser": None, "flat": 0})
            return
        parser = ChartParser.default()
        sides = self.text.pairs.source
        sentences = list(dict.fromkeys(sides))
        trees: dict[str, str] = {}
        for start in range(0, len(sentences), PARSED):
            progress(f"parsing: {start:,} of {len(sentences):,} sentences")
            batch = sentences[start : start + PARSED]
            parsed = parser.parse_lines(Lines.of(batch), threads=self.threads, flat=True)
            trees.update(zip(batch, parsed.to_brackets(), strict=True))
        flat = sum(sentence.count(" ") >= LONGEST for sentence in sentences)
        with atomic(output) as out:
            out.writelines(f"{trees[sentence]}\n" for sentence in sides)
        stored.write_json(self.work.path("trees.json"), {"parser": parser.name, "flat": flat})

    def _extract(self, progress: Progress) -> None:
        needed = self.settings.rules.labels.needs_trees
        trees = TreeFile(self.work.path(TREES), "lines") if needed else None
        batches = read_pair_batches(self._bitext(), self.work.path(LINKS), trees, self.threads)
        gold = extract_grammar(
            batches,
            self.work.path(GOLD),
            self.settings.rules,
            features=(),
            engine=self.engine,
            progress=progress,
        )
        rows = self.engine.batches(EQUAL_SIDES, {"gold": gold.path})
        equal = sum(sum(batch.column("n").to_pylist()) for batch in rows)
        stored.write_json(self.work.path("gold.json"), {"equal_sides": equal})

    def _resource_folder(self, name: str) -> Path:
        path = self.paths[name]
        return path if path.is_dir() else self.work.path(f"resources/{self.places[name]}")

    def _read_resource(self, name: str, progress: Progress) -> None:
        read_grammar(
            self.paths[name],
            self._resource_folder(name),
            on_error=self.settings.on_error,
            duplicates=self.settings.duplicates,
            engine=self.engine,
            threads=self.threads,
            progress=progress,
        )

    def _compare(self, gold: Grammar, resources: Mapping[str, Grammar], progress: Progress) -> None:
        result = overlap(
            gold,
            resources,
            frequencies=self.settings.frequencies,
            lexical=self.settings.lexical,
            variants=self.settings.variants,
            engine=self.engine,
            progress=progress,
        )
        stored.write_json(self.work.path("overlap.json"), stored.overlap_record(result))

    def _curve(self, gold: Grammar, name: str, resource: Grammar) -> None:
        settings = self.settings
        ranking: tuple[str, bool] | None
        if settings.curve is not None:
            ranking = settings.curve, settings.ascending
        else:
            counted = len(resource) > 0 and not count_rules_without_counts(resource, self.engine)
            ranking = choose_ranking(resource.features, counted=counted)
        records = []
        for mode in MODES:
            if ranking is None:
                break
            curve = overlap_curve(
                gold,
                resource,
                ranking[0],
                name=name,
                ascending=ranking[1],
                sizes=settings.sizes,
                mode=mode,
                frequency=min(settings.frequencies or (1,)),
                variants=settings.variants,
                engine=self.engine,
            )
            records.append(asdict(curve))
        stored.write_json(self.work.path(f"curves/{self.places[name]}.json"), records)

    def _examples(self, gold: Grammar, name: str, resource: Grammar) -> None:
        examples = rule_examples(
            gold,
            resource,
            number=self.settings.examples,
            lexical=self.settings.lexical,
            engine=self.engine,
        )
        record = stored.examples_record(examples)
        stored.write_json(self.work.path(f"examples/{self.places[name]}.json"), record)

    def _parse(self, name: str, resource: Grammar, progress: Progress) -> None:
        result = coverage(
            resource,
            self.pairs,
            self.settings.parsing,
            directions=self.settings.directions,
            name=name,
            threads=self.threads,
            progress=progress,
        )
        stored.write_coverage(self.work.path(f"coverage/{self.places[name]}.bin"), result)

    def _derive(self, name: str, resource: Grammar) -> None:
        place = self.places[name]
        result = stored.read_coverage(self.work.path(f"coverage/{place}.bin"), self.pairs)
        rows = choose_drawn_pairs(result, self.settings.drawn)
        chosen = self.pairs.take(rows)
        parser = SyncParser(
            resource, chosen.source, chosen.target, self.settings.parsing, threads=self.threads
        )
        records = {
            pair_title(self.pairs, row): stored.derivation_record(parser.derive(number))
            for number, row in enumerate(rows)
        }
        stored.write_json(self.work.path(f"derivations/{place}.json"), records)

    def _phrases(self, progress: Progress) -> None:
        bitext = read_bitext(self.work.path(SOURCE), self.work.path(TARGET), empty="keep")
        if self.settings.case == "lower":
            bitext = Bitext.of(bitext.source.lower(), bitext.target.lower(), empty="keep")
        gold = read_gold(self.work.path(LINKS), (bitext.source_lengths, bitext.target_lengths))
        sheet = parametric(
            bitext,
            gold,
            resources={name: self._resource_folder(name) for name in self.paths},
            links=self.settings.links,
            settings=replace(self.settings.parametric, threads=self.threads),
            engine=self.engine,
            step=progress,
        )
        records = {name: asdict(score) for name, score in sheet.resources.items()}
        stored.write_json(self.work.path("parametric.json"), records)


def choose_drawn_pairs(result: Coverage, number: int) -> list[int]:
    """The rows of pairs to draw: first `number` covered ones, then as many others.

    Pairs have different sentences of at most 30 words if there are such. Covered ones are the longest;
    the others are spread evenly over the text.

    >>> from paragauge.grammar.rule import Rule
    >>> pairs = SentencePairs.of(["a", "a a", "x", "a"], ["b", "b b", "y", "a"])
    >>> choose_drawn_pairs(coverage([Rule.parse("[X] ||| a ||| b")], pairs), 1)
    [1, 2]
    """
    lengths = result.pairs.lengths
    differs = np.array([source != target for source, target in _sentences(result.pairs)], np.bool_)
    short = lengths.max(axis=1) <= DRAWN_WORDS
    covered = result.results[0].status == COVERED
    rows: list[int] = []
    for is_wanted in (covered, ~result.covered):
        chosen = np.flatnonzero(is_wanted & differs & short)
        if not len(chosen):
            chosen = np.flatnonzero(is_wanted & differs)
        if is_wanted is covered:
            order = np.lexsort((chosen, -lengths[chosen].sum(axis=1)))[:number]
        else:
            order = np.unique(np.arange(number) * len(chosen) // max(1, number))
        rows += chosen[order[: len(chosen)]].tolist()
    return rows


def pair_title(pairs: SentencePairs, row: int) -> str:
    """What a pair is called: its line, and its translations if there are more than two.

    >>> pair_title(SentencePairs.of(["a", "b"], ["c", "d"]), 1)
    'line 2'
    """
    line = f"line {int(pairs.set_of[row])}"
    if int(pairs.members.max()) <= 2:
        return line
    first, second = pairs.members[row].tolist()
    return f"{line}, translations {first} and {second}"


def _sentences(pairs: SentencePairs) -> Iterator[tuple[str, str]]:
    return zip(pairs.source, pairs.target, strict=True)


def _possible(sure: Links, possible: Links) -> np.ndarray:
    """Which of the possible links are not sure."""
    marks = [
        link not in certain
        for own, certain in zip(possible.to_lists(), map(set, sure.to_lists()), strict=True)
        for link in own
    ]
    return np.array(marks, np.bool_)


def _check_resource(path: str | Path) -> Path:
    place = Path(path)
    if str(path) == "-":
        raise InputError(
            "-: expected a file, which a resumed evaluation reads again, found standard input; write "
            "it to a file first"
        )
    if not place.exists():
        raise FileFormatError(place, None, "no such file or folder; check the path of the resource")
    if place.is_dir() and not (place / KIND.description).exists():
        raise FileFormatError(
            place,
            None,
            f"expected a grammar or a text file, found a folder without {KIND.description}; check the "
            "path",
        )
    return place


def _places(names: Mapping[str, object]) -> dict[str, str]:
    """A file name for each resource, without characters that some systems refuse."""
    places: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        plain = re.sub(r"[^\w.-]", "_", name).lstrip(".") or "resource"
        places[name] = plain if plain not in places.values() else f"{plain}-{number}"
    return places
