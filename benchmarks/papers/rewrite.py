"""Does BLEU agree better with people on rewritten references? Section 4 of Kauchak and Barzilay (2006).

The protocol of the paper: a document is 300 segments drawn at random; each system has a BLEU score and
a human score on it; Pearson's correlation over the systems of a language pair; ten documents; paired
t-tests over them. The data is WMT 2012's (four language pairs, 49 systems, five-way rankings), not
NIST 2004's. The human score of a system is its expected wins (WMT 2012): the mean over the other
systems of wins / (wins + losses) in all pairwise comparisons that the rankings hold, ties left out.

Tables 4 to 6 have the paper's layout. Triangles point to the better method, to the left or up: two at
the 99 % level, one at the 95 % level, × none. `--segments` says which segments are scored:

- `ranked` (the default): those that were ranked. The human scores of a document are those of its own
  rankings, as the paper does with its ratings.
- `all`: all 3,003; also with documents drawn from all of them, and the human scores of all rankings.

Documents overlap, so the ten correlations are not independent and the t-test finds differences
more readily than it should; that is the paper's protocol. Therefore another table has the correlation
on all segments that are scored, with its interval and those of its differences from plain BLEU and from
the random filter by bootstrap over segments; scores and numbers of substitutions have intervals from
the same resamples. Human scores are not resampled. The interval of a mean over documents is Student's
t over them, too narrow because documents share segments.

On wmt_da, which does not say which system wrote what, the correlation is that of segments; documents
are 300 segments of each language pair.

`--methods` names the methods in the spelling of `bleu:rewrite=`, separated by commas. `random` is a
control: WordNet's proposals filtered at random, as many refused as the last filter before it refuses on
the same data; its correlations are means over several random filters (`--draws`), as one may be lucky.
With `context+lm` both filters must accept, and the sum of their scores decides in one more row.
`--beside` names metrics that are shown beside BLEU, on the references as they are.

The models are those of the package. With `--models FOLDER` they are trained on ../shared/data/text (5.3
million words, half of it newswire) and the English sides of the bitext, those that FOLDER lacks. Then
the filters have two models each: one that has also seen the references of even segments (30,000 words
of news) rewrites odd ones, and vice versa. Phrase rules are from the bitext of English with French and
German (`paragauge grammar pivot`), all at the default least probability; `rewrite_phrases.py` has other
settings.

    python -m benchmarks.papers.rewrite                              # 7 minutes on one core
    python -m benchmarks.papers.rewrite --methods wordnet,lm,random --segments all
    python -m benchmarks.papers.rewrite --models FOLDER --segments all \
        --methods wordnet,context,random,lm,context+lm,brown,lsa,phrases,wordnet+phrases,phrases+lm
    python -m benchmarks.papers.rewrite --models FOLDER --methods wordnet,lsa,brown --beside '' \
        --record rewrite_thesauri

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.data.rewrite_models import model_paths
from benchmarks.race import DATA, RESULTS
from paragauge import BLEU
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.repeated_documents import mean_interval, paired_t_test
from paragauge.metrics.base import Metric
from paragauge.rewrite.random_filter import RandomFilter
from paragauge.rewrite.rewrite_method import FILTERS, RANDOM
from paragauge.rewrite.rewriter import ACCEPTED, REFUSED, UNKNOWN, Rewriter
from paragauge.rewrite.rewritten_metric import RewrittenMetric
from paragauge.rewrite.rewritten_metric_spec import metric as metric_of
from paragauge.text.batch import Batch

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
YEARS = ("newstest2015", "newstest2016")
METHODS = ("wordnet", "context", RANDOM, "encoder", RANDOM)
BESIDE = ("meteor", "chrf")
PLAIN = "bleu"
SUM = "context+lm, sum"
SEGMENTS = 300
Folds = Sequence[Metric]  # one that rewrites even segments, and one for odd ones


@dataclass(frozen=True)
class TestSet:
    """The outputs of one language pair with its rankings.

    `judged` has rows (segment, better system, worse system), one for each pairwise comparison.
    """

    systems: dict[str, list[str]]
    references: list[str]
    judged: NDArray[np.int64]


@dataclass(frozen=True)
class Method:
    """What is compared, and what it did to the references.

    `folds` are metrics for the folds of segments; of a control, which has none, one for each `draw`.
    """

    name: str
    folds: Folds
    like: str | None = None  # the method whose strength a random control has
    replaced: float = 0.0  # words in all segments, mean over systems
    by_segment: Mapping[str, Floats] = field(default_factory=dict)  # of each pair, mean over systems
    refused_share: float = 0.0
    counts: Mapping[str, list[tuple[int, int]]] = field(default_factory=dict)  # proposed, accepted

    @property
    def metric(self) -> Metric:
        """The metric of the first fold."""
        return self.folds[0]

    @property
    def variants(self) -> list[Folds]:
        """The folds; those of each draw of a control."""
        return [self.folds] if self.like is None else [[metric] for metric in self.folds]


def lines_of(path: Path) -> list[str]:
    """The lines of a compressed file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [line.rstrip("\n") for line in lines]


def read_pair(pair: str) -> TestSet:
    """Texts and rankings of a language pair."""
    rows = [json.loads(line) for line in lines_of(DATA / "wmt12" / f"{pair}.jsonl.gz")]
    number = {row["segment"]: i for i, row in enumerate(rows)}
    systems = {name: [row["systems"][name] for row in rows] for name in rows[0]["systems"]}
    place = {name: i for i, name in enumerate(systems)}
    judged = []
    for line in lines_of(DATA / "wmt12" / "rankings.tsv.gz")[1:]:
        fields = line.split("\t")
        if fields[0] != pair:
            continue
        ranks = [(place[fields[i]], int(fields[i + 1])) for i in range(3, 13, 2) if fields[i] in place]
        ranked = [(system, rank) for system, rank in ranks if rank > 0]
        judged += [
            (number[int(fields[1])], a, b) for a, low in ranked for b, high in ranked if low < high
        ]
    return TestSet(systems, [row["reference"] for row in rows], np.array(judged, np.int64))


def only_ranked(test: TestSet) -> TestSet:
    """Only the segments that were ranked."""
    ranked = np.unique(test.judged[:, 0])
    judged = test.judged.copy()
    judged[:, 0] = np.searchsorted(ranked, judged[:, 0])
    systems = {name: [texts[i] for i in ranked] for name, texts in test.systems.items()}
    return TestSet(systems, [test.references[i] for i in ranked], judged)


def expected_wins(judged: NDArray[np.int64], systems: int) -> Floats:
    """The mean over the others of wins / (wins + losses); NaN for a system without comparisons."""
    wins = np.zeros((systems, systems))
    np.add.at(wins, (judged[:, 1], judged[:, 2]), 1)
    total = wins + wins.T
    shares = np.divide(wins, total, out=np.full_like(wins, np.nan), where=total > 0)
    known = ~np.isnan(shares)
    counts = known.sum(axis=1)
    return np.where(counts > 0, np.nansum(shares, axis=1) / np.maximum(counts, 1), np.nan)


def measure(tests: Mapping[str, TestSet], method: Method) -> tuple[Method, dict[str, Floats]]:
    """The method with its counts, and its statistics [draws, systems, segments, k] of each pair."""
    values: dict[str, Floats] = {}
    counts: dict[str, list[tuple[int, int]]] = {}
    by_segment: dict[str, Floats] = {}
    refused = 0
    for pair, test in tests.items():
        batch = Batch.of(test.systems, references=test.references)
        rows = []
        counts[pair] = []
        accepted = np.zeros(len(test.references))
        for folds in method.variants:
            for system in test.systems:
                stats, verdicts, segments = score_folds(batch, system, folds)
                rows.append(stats)
                accepted += np.bincount(segments[verdicts == ACCEPTED], minlength=len(accepted))
                counts[pair].append((len(verdicts), int((verdicts == ACCEPTED).sum())))
                refused += int(np.isin(verdicts, (REFUSED, UNKNOWN)).sum())
        shape = (len(method.variants), len(test.systems), *rows[0].shape)
        values[pair] = np.stack(rows).reshape(shape)
        by_segment[pair] = accepted / len(rows)
    replaced = np.mean([own.sum() for own in by_segment.values()])
    total = sum(proposed for own in counts.values() for proposed, _ in own)
    share = refused / total if total else 0.0
    counted = replace(method, replaced=float(replaced), refused_share=share, counts=counts)
    return replace(counted, by_segment=by_segment), values


def score_folds(
    batch: Batch, system: str, folds: Folds
) -> tuple[Floats, NDArray[np.int8], NDArray[np.int64]]:
    """The statistics [segments, k] of a system, the verdicts on all proposals, and their segments."""
    parts = [metric.batch_stats(batch, system) for metric in folds]
    whole = np.array(parts[0])
    verdicts, segments = [np.zeros(0, np.int8)], [np.zeros(0, np.int64)]
    for fold, metric in enumerate(folds):
        inside = slice(fold, None, len(folds))
        whole[inside] = parts[fold][inside]
        if isinstance(metric, RewrittenMetric):
            rewriting = metric.rewrite(batch, system)
            own = rewriting.segment % len(folds) == fold
            verdicts.append(rewriting.verdicts[own])
            segments.append(rewriting.segment[own])
    return whole, np.concatenate(verdicts), np.concatenate(segments)


def control_of(method: Method, draws: int) -> Method:
    """Random filters that refuse as large a share of the proposals as a method does."""
    rewriters = [
        Rewriter(filters=(RandomFilter(method.refused_share, seed),)) for seed in range(1, draws + 1)
    ]
    metrics = [RewrittenMetric(BLEU(), rewriter) for rewriter in rewriters]
    return Method(f"{RANDOM} like {method.name}", metrics, like=method.name)


def mean_pearson(method: Method, sums: Floats, people: Floats) -> float:
    """The mean over draws of the correlation of scores from sums [draws, systems, k]."""
    return float(np.mean([pearson(row, people) for row in method.metric.corpus_values(sums)]))


Scores = Mapping[str, Mapping[str, Floats]]  # statistics by pair and method


def correlations(
    test: TestSet,
    methods: Mapping[str, Method],
    values: Mapping[str, Floats],
    documents: int,
    human: str,
    seed: int = 7,
) -> dict[str, Floats]:
    """Pearson's correlation of each method on each document, [documents]."""
    draw = np.random.default_rng(seed)
    ranked = np.unique(test.judged[:, 0])
    pool = ranked if human == "document" else np.arange(len(test.references))
    by_method: dict[str, list[float]] = {name: [] for name in methods}
    for _ in range(documents):
        chosen = draw.choice(pool, min(SEGMENTS, len(pool)), replace=False)
        judged = test.judged
        if human == "document":
            judged = judged[np.isin(judged[:, 0], chosen)]
        people = expected_wins(judged, len(test.systems))
        for name, method in methods.items():
            sums = values[name][:, :, chosen].sum(axis=2)
            by_method[name].append(mean_pearson(method, sums, people))
    return {name: np.array(numbers) for name, numbers in by_method.items()}


def pearson(left: Floats, right: Floats) -> float:
    """The correlation over the systems, or segments, that have both."""
    both = ~(np.isnan(left) | np.isnan(right))
    return float(np.corrcoef(left[both], right[both])[0, 1])


def triangles(left: Floats, right: Floats, better: str = "◁", worse: str = "▷") -> str:
    """The paper's sign for a paired t-test; triangles point to the better of the two."""
    if np.allclose(left, right):
        return "="
    test = paired_t_test(left, right)
    sign = better if test.difference > 0 else worse
    return f"{sign * 2 if test.p < 0.01 else sign if test.p < 0.05 else '×'} ({test.p:.3f})"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table, printed; its lines."""
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    lines.insert(1, f"|---|{'---:|' * (len(head) - 1)}")
    print("\n".join(["", title, "", *lines]), flush=True)
    return lines


def tables_4_and_5(title: str, by_pair: Mapping[str, Mapping[str, Floats]]) -> dict[str, Floats]:
    """Tables of correlations [documents] by pair and method; the means over the pairs."""
    names = list(next(iter(by_pair.values())))
    means = {name: np.mean([own[name] for own in by_pair.values()], axis=0) for name in names}
    documents = len(means[PLAIN])
    rows = [
        [
            name,
            *(f"{own[name].mean():.4f}" for own in by_pair.values()),
            f"{means[name].mean():.4f}",
            f"{int((means[name] > means[PLAIN]).sum())}/{documents}",
        ]
        for name in names
    ]
    head = ["method", *by_pair, "mean", "documents better than BLEU"]
    table(f"Table 4: Pearson with human scores ({title}), mean of {documents} documents", head, rows)
    rows = [
        [row, *("" if row == name else triangles(means[row], means[name], worse="△") for name in names)]
        for row in names
    ]
    table(f"Table 5: paired t-tests on the mean over language pairs ({title}; p)", ["", *names], rows)
    return means


def by_language_pair(by_pair: Mapping[str, Mapping[str, Floats]]) -> None:
    """BLEU against each method in each language pair."""
    names = [name for name in next(iter(by_pair.values())) if name != PLAIN]
    rows = [[name, *(triangles(own[PLAIN], own[name]) for own in by_pair.values())] for name in names]
    table("BLEU against each method, by language pair (p)", ["method", *by_pair], rows)


def table_6(methods: Mapping[str, Method], scores: Mapping[str, float], segments: str) -> None:
    """Scores, and what was replaced and refused."""
    rows = []
    for name, method in methods.items():
        is_rewritten = isinstance(method.metric, RewrittenMetric)
        replaced = f"{method.replaced:,.0f}" if is_rewritten else ""
        refused = f"{100 * method.refused_share:.1f} %" if is_rewritten else ""
        rows.append([name, f"{scores[name]:.2f}", replaced, refused])
    head = ["method", "score", "substitutions", "proposals refused"]
    table(f"Table 6: scores and substitutions in {segments}", head, rows)


@dataclass(frozen=True)
class Whole:
    """A method on all segments: means over the language pairs, each with those of the resamples."""

    pearson: Floats
    score: Floats
    replaced: Floats

    @staticmethod
    def interval(values: Floats, form: str) -> str:
        """The 95 % interval of the resamples, which follow the value itself."""
        low, high = np.quantile(values[1:], [0.025, 0.975])
        return f"[{low:{form}}, {high:{form}}]"

    @classmethod
    def cell(cls, values: Floats, form: str) -> str:
        """The value with its interval."""
        return f"{values[0]:{form}} {cls.interval(values, form)}"


def resample(
    tests: Mapping[str, TestSet], methods: Mapping[str, Method], values: Scores, draws: int = 300
) -> dict[str, Whole]:
    """Each method on all segments as they are, then on resamples of them."""
    people = {pair: expected_wins(test.judged, len(test.systems)) for pair, test in tests.items()}
    sizes = {pair: len(test.references) for pair, test in tests.items()}
    draw = np.random.default_rng(7)
    found: dict[str, list[list[float]]] = {name: [] for name in methods}
    for number in range(draws + 1):
        weights = {
            pair: draw.multinomial(size, [1 / size] * size).astype(float) if number else np.ones(size)
            for pair, size in sizes.items()
        }
        for name, method in methods.items():
            rows = []
            for pair, own in weights.items():
                sums = np.einsum("n,dsnk->dsk", own, values[pair][name])
                scores = method.metric.corpus_values(sums)
                correlated = np.mean([pearson(row, people[pair]) for row in scores])
                rows.append([correlated, scores.mean(), own @ method.by_segment[pair]])
            found[name].append(np.mean(rows, axis=0).tolist())
    return {name: Whole(*np.array(rows).T) for name, rows in found.items()}


def whole_set(whole: Mapping[str, Whole]) -> list[str]:
    """Correlations on all segments, and their differences from BLEU and random."""
    others = [PLAIN, *(name for name in whole if name.startswith(RANDOM))]
    rows = []
    for name, one in whole.items():
        cells = [name, Whole.cell(one.pearson, ".4f")]
        for other in others:
            change = one.pearson - whole[other].pearson
            cells.append("" if name == other else Whole.interval(change, "+.4f"))
        rows.append(cells)
    head = ["method", "Pearson", *(f"less {name}" for name in others)]
    return table("All segments: mean Pearson and differences, with 95 % intervals", head, rows)


def without_online(
    tests: Mapping[str, TestSet], methods: Mapping[str, Method], values: Scores, documents: int
) -> list[str]:
    """Table 4 without the online systems, some of which BLEU rates far below their rank."""
    by_pair: dict[str, dict[str, Floats]] = {}
    for pair, test in tests.items():
        offline = [i for i, name in enumerate(test.systems) if not name.startswith("online")]
        number = {old: new for new, old in enumerate(offline)}
        inside = np.isin(test.judged[:, 1:], offline).all(axis=1)
        judged = test.judged[inside].copy()
        judged[:, 1:] = np.vectorize(number.get, otypes=[np.int64])(judged[:, 1:])
        names = list(test.systems)
        fewer = TestSet({names[i]: test.systems[names[i]] for i in offline}, test.references, judged)
        chosen = {name: rows[:, offline] for name, rows in values[pair].items()}
        by_pair[pair] = correlations(fewer, methods, chosen, documents, "document")
    rows = []
    for name in methods:
        base, own = (
            np.mean([numbers[label] for numbers in by_pair.values()], axis=0) for label in (PLAIN, name)
        )
        cells = [f"{numbers[name].mean():.4f}" for numbers in by_pair.values()]
        sign = "" if name == PLAIN else triangles(base, own)
        rows.append([name, *cells, f"{own.mean():.4f}", sign])
    head = ["method", *tests, "mean", "BLEU against it (p)"]
    return table("Table 4 without the online systems (document)", head, rows)


def acceptance(tests: Mapping[str, TestSet], method: Method, values: Scores) -> list[str]:
    """Whether a filter accepts less from systems that BLEU underrates."""
    rows = []
    for pair, test in tests.items():
        people = expected_wins(test.judged, len(test.systems))
        figures = [
            (proposed, accepted / max(proposed, 1)) for proposed, accepted in method.counts[pair]
        ]
        scores = BLEU().corpus_values(values[pair][PLAIN][0].sum(axis=1))
        proposals, shares = np.array(figures).T
        underrated = standardize(people) - standardize(scores)
        rows.append(
            [pair, f"{pearson(underrated, proposals):+.2f}", f"{pearson(underrated, shares):+.2f}"]
        )
    head = ["pair", "underrated by BLEU and number of proposals", "underrated and share accepted"]
    title = f"{method.name}: Pearson over the systems (underrated: human score less BLEU, standardized)"
    return table(title, head, rows)


def is_filter(name: str) -> bool:
    """Whether a method, by its name, has a filter that is no control."""
    return bool(set(name.split("+")) & (set(FILTERS) - {RANDOM}))


def standardize(values: Floats) -> Floats:
    """Mean 0, deviation 1."""
    return np.asarray((values - np.nanmean(values)) / np.nanstd(values))


def direct_assessment(methods: Mapping[str, Method], documents: int) -> list[str]:
    """Tables 4 to 6 on WMT's direct assessments of segments; a table of both years."""
    means: dict[str, list[str]] = {name: [] for name in methods}
    for year in YEARS:
        rows = [line.split("\t") for line in lines_of(DATA / "wmt_da" / f"{year}.tsv.gz")[1:]]
        pairs = sorted({row[0] for row in rows})
        own = {pair: [row for row in rows if row[0] == pair] for pair in pairs}
        ratings = {pair: np.array([float(row[4]) for row in own[pair]]) for pair in pairs}
        scores: dict[str, dict[str, Floats]] = {}
        totals: dict[str, float] = {}
        counted: dict[str, Method] = {}
        for name, method in methods.items():
            same = method.like and control_of(counted[method.like], len(method.folds))
            ready = same or method
            scores[name], corpus, verdicts = {}, [], []
            for pair in pairs:
                outputs, references = ([row[i] for row in own[pair]] for i in (2, 3))
                batch = Batch.of({"": outputs}, references=references)
                draws = []
                for folds in ready.variants:
                    stats, own_verdicts, _ = score_folds(batch, "", folds[:1])
                    draws.append(ready.metric.segment_values(stats))
                    corpus.append(float(ready.metric.corpus_values(stats.sum(axis=0))))
                    verdicts.append(own_verdicts)
                scores[name][pair] = np.stack(draws)
            totals[name] = float(np.mean(corpus))
            everything = np.concatenate(verdicts)
            share = float(np.isin(everything, (REFUSED, UNKNOWN)).mean()) if len(everything) else 0.0
            replaced = float((everything == ACCEPTED).sum()) / len(ready.variants)
            counted[name] = replace(ready, replaced=replaced, refused_share=share)
        by_pair: dict[str, dict[str, Floats]] = {}
        for pair in pairs:
            draw = np.random.default_rng(7)
            size = len(ratings[pair])
            drawn = [draw.choice(size, min(SEGMENTS, size), replace=False) for _ in range(documents)]
            by_pair[pair] = {
                name: np.array([mean_over_draws(scores[name][pair], ratings[pair], i) for i in drawn])
                for name in methods
            }
        tables_4_and_5(f"wmt_da {year}, segments", by_pair)
        table_6(counted, totals, f"the {len(rows):,} segments of wmt_da {year}")
        whole = {
            name: np.array([mean_over_draws(scores[name][pair], ratings[pair]) for pair in pairs])
            for name in methods
        }
        for name in methods:
            sign = "" if name == PLAIN else triangles(whole[PLAIN], whole[name])
            means[name] += [f"{whole[name].mean():.4f}", sign]
    head = ["method", "WMT 2015", "BLEU against it (p)", "WMT 2016", "BLEU against it (p)"]
    rows_of_means = [[name, *cells] for name, cells in means.items()]
    title = "wmt_da: mean segment-level Pearson, all segments; paired t-tests over language pairs"
    return table(title, head, rows_of_means)


def mean_over_draws(scores: Floats, ratings: Floats, chosen: NDArray[np.int64] | None = None) -> float:
    """The mean over draws of the correlation of scores [draws, segments] with ratings [segments]."""
    rows = scores if chosen is None else scores[:, chosen]
    people = ratings if chosen is None else ratings[chosen]
    return float(np.mean([pearson(row, people) for row in rows]))


def trained_folds(
    tests: Mapping[str, TestSet], folder: Path, methods: Sequence[str]
) -> dict[str, list[str | None]]:
    """The models of each method, for two folds, joined as specifications take them."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for fold, name in enumerate(("odd", "even")):
        lines = {line: None for test in tests.values() for line in test.references[1 - fold :: 2]}
        same = {line for test in tests.values() for line in test.references[fold::2]}
        text = folder / f"{name}.txt"
        text.write_text("".join(f"{line}\n" for line in lines if line not in same), encoding="utf-8")
        paths.append(model_paths(folder, methods, text))
    models: dict[str, list[str | None]] = {}
    for name in methods:
        own = ["+".join(str(path[part]) for part in name.split("+") if part in path) for path in paths]
        models[name] = [text or None for text in dict.fromkeys(own)]
    return models


def build_methods(names: Sequence[str], models: Mapping[str, Sequence[str | None]]) -> list[Method]:
    """BLEU with each method; `random` has no strength yet."""
    methods = []
    for name in names:
        if name == RANDOM:
            methods.append(Method(RANDOM, ()))
            continue
        rewritten: list[Metric] = []
        for model in models.get(name, (None,)):
            spec = metric_of(f"bleu:rewrite={name}" + (f":rewrite_model={model}" if model else ""))
            rewritten.append(spec)
        methods.append(Method(name, rewritten))
        if name == "context+lm":
            summed = [
                RewrittenMetric(BLEU(), replace(metric.rewriter, combine="sum"))
                for metric in rewritten
                if isinstance(metric, RewrittenMetric)
            ]
            methods.append(Method(SUM, summed))
    return methods


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--models", help="train models and keep them here; else those of the package")
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--draws", type=int, default=5, help="random filters of each control")
    parser.add_argument("--methods", default=",".join(METHODS), help="separated by commas")
    parser.add_argument("--beside", default=",".join(BESIDE), help="metrics to show beside BLEU")
    parser.add_argument("--segments", choices=("ranked", "all"), default="ranked")
    parser.add_argument("--record", default="rewrite", help="the name of the results")
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    start = time.perf_counter()
    tests = {pair: read_pair(pair) for pair in PAIRS}
    names = options.methods.split(",")
    models: Mapping[str, Sequence[str | None]] = {}
    if options.models:
        models = trained_folds(tests, Path(options.models), [name for name in names if name != RANDOM])
    if options.segments == "ranked":
        tests = {pair: only_ranked(test) for pair, test in tests.items()}
    wanted = [Method(PLAIN, [BLEU()]), *build_methods(names, models)]
    wanted += [Method(name, [metric_of(name)]) for name in options.beside.split(",") if name]
    methods: dict[str, Method] = {}
    values: dict[str, dict[str, Floats]] = {pair: {} for pair in tests}
    strict: Method | None = None
    for one in wanted:
        if one.name == RANDOM and strict is None:
            raise SystemExit("random: name a method with a filter before it, whose strength it takes")
        ready = control_of(strict, options.draws) if one.name == RANDOM and strict is not None else one
        method, own = measure(tests, ready)
        methods[method.name] = method
        for pair, rows in own.items():
            values[pair][method.name] = rows
        if is_filter(method.name):
            strict = method
        print(f"{method.name}: {time.perf_counter() - start:.0f} s", flush=True)
    record = report(tests, methods, values, options.documents, options.segments == "all")
    for method in methods.values():
        print(f"\n{method.name}: {', '.join(metric.signature for metric in method.folds)}")
    print(f"\n{time.perf_counter() - start:.0f} s")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{options.record}.json").write_text(json.dumps(record, indent=2) + "\n")


def report(
    tests: Mapping[str, TestSet],
    methods: Mapping[str, Method],
    values: Scores,
    documents: int,
    whole: bool,
) -> dict[str, list[str]]:
    """Print all tables; those that the guide shows, by name."""
    by_human = {}
    for human in ("document", *["all"] * whole):
        by_pair = {
            pair: correlations(tests[pair], methods, values[pair], documents, human) for pair in tests
        }
        by_human[human] = tables_4_and_5(f"wmt12, {human}", by_pair)
        by_language_pair(by_pair)
    scored = resample(tests, methods, values)
    scores = {name: float(one.score[0]) for name, one in scored.items()}
    counts = [len(test.references) for test in tests.values()]
    segments = f"{min(counts):,} to {max(counts):,}" if min(counts) < max(counts) else f"{counts[0]:,}"
    table_6(methods, scores, f"{segments} segments of a language pair, means over the systems")
    means = by_human["document"]
    lines = []
    for name, one in scored.items():
        low, high = mean_interval(means[name], 0.95)
        sign = "" if name == PLAIN else triangles(means[PLAIN], means[name])
        is_rewritten = isinstance(methods[name].metric, RewrittenMetric)
        replaced = Whole.cell(one.replaced, ",.0f") if is_rewritten else ""
        correlated = f"{means[name].mean():.4f} [{low:.4f}, {high:.4f}]"
        lines.append([name, correlated, sign, replaced, Whole.cell(one.score, ".2f")])
    head = ["references", "Pearson", "BLEU against it (p)", "substitutions", "score"]
    record = {"summary": table("Summary (document)", head, lines)}
    record["without_online"] = without_online(tests, methods, values, documents)
    for name, method in methods.items():
        if is_filter(name):
            record["acceptance"] = acceptance(tests, method, values)  # of the last filter
    record["whole"] = whole_set(scored)
    record["direct"] = direct_assessment(methods, documents)
    return record


if __name__ == "__main__":
    main()
