"""Does BLEU agree better with people on rewritten references? Section 4 of Kauchak and Barzilay (2006).

The protocol of the paper: a document is 300 segments drawn at random; each system has a BLEU score and
a human score on it; Pearson's correlation over the systems of a language pair; ten documents; paired
t-tests over them. The data is WMT 2012's (four language pairs, 49 systems, five-way rankings), not
NIST 2004's. The human score of a system is its expected wins (WMT 2012): the mean over the other
systems of wins / (wins + losses) in all pairwise comparisons that the rankings hold, ties left out.

- `document`: documents are drawn from the segments that were ranked, and the human scores are those of
  the document's own rankings, as the paper does with its ratings.
- `all`: documents are drawn from all 3,003 segments, and the human scores are those of all rankings of
  the language pair.

With `context+lm` both filters must accept; `sum` accepts if the sum of their scores is positive.
`random` is a control: WordNet's proposals filtered at random, as many accepted as `context` accepts.

Documents overlap, so the ten correlations are not independent and the t-test finds differences
more readily than it should; that is the paper's protocol. Therefore the last table has the correlation
on the whole test set with an interval of its difference from BLEU by bootstrap over segments.

The models are trained on ../shared/data/text (5.3 million words, half of it newswire) and the English
sides of the bitext. The filters have two models each: one that has also seen the references of even
segments (30,000 words of news) rewrites odd ones, and vice versa. Phrase rules are
from the bitext of English with French and German (`paragauge grammar pivot`), all at the default least
probability; `rewrite_phrases.py` has other settings.

On wmt_da, which does not say which system wrote what, the correlation is that of segments.

    python -m benchmarks.papers.rewrite [--models FOLDER] [--documents 10] [--methods
    wordnet,context,...]

The data is in ../shared/data, or where PARAGAUGE_DATA points. Models that FOLDER does not have are
trained first, which takes some minutes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.data.rewrite_models import model_paths
from benchmarks.race import DATA, RESULTS
from paragauge import BLEU
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import Metric
from paragauge.rewrite.rewrite_method import RewriteMethod
from paragauge.rewrite.rewriter import ACCEPTED, Rewriter
from paragauge.rewrite.rewritten_metric import RewrittenMetric
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
METHODS = ("wordnet", "context", "lm", "context+lm", "brown", "lsa")
METHODS += ("phrases", "wordnet+phrases", "phrases+lm")
PLAIN = "bleu"
CONTROL = "random"
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


def lines_of(path: Path) -> list[str]:
    """The lines of a compressed file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [line.rstrip("\n") for line in lines]


@dataclass(frozen=True)
class RandomFilter:
    """A control: accepts this share of the proposals, drawn by the word and its context."""

    share: float

    @property
    def name(self) -> str:
        """The share that is accepted."""
        return f"random-{self.share:.3f}"

    def scores(
        self,
        tokens: Lines,
        segment: Ints,
        position: Ints,
        words: Lines,
        word: Ints,
        threads: int = 0,
    ) -> Floats:
        """A number below the share is accepted; equal proposals draw the same number."""
        del threads
        texts = list(words)
        return np.array(
            [
                self.share - zlib.crc32(f"{tokens[line]}|{at}|{texts[new]}".encode()) / 2**32
                for line, at, new in zip(
                    segment.tolist(), position.tolist(), word.tolist(), strict=True
                )
            ],
            np.float64,
        )


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


def expected_wins(judged: NDArray[np.int64], systems: int) -> Floats:
    """The mean over the others of wins / (wins + losses); NaN for a system without comparisons."""
    wins = np.zeros((systems, systems))
    np.add.at(wins, (judged[:, 1], judged[:, 2]), 1)
    total = wins + wins.T
    shares = np.divide(wins, total, out=np.full_like(wins, np.nan), where=total > 0)
    known = ~np.isnan(shares)
    counts = known.sum(axis=1)
    return np.where(counts > 0, np.nansum(shares, axis=1) / np.maximum(counts, 1), np.nan)


def statistics(test: TestSet, metrics: Folds) -> tuple[Floats, float, int]:
    """The metrics' statistics [systems, segments, k], substitutions per system, and proposals."""
    batch = Batch.of(test.systems, references=test.references)
    rows, accepted, proposed = [], 0, 0
    for system in test.systems:
        whole = np.array(metrics[0].batch_stats(batch, system))
        for fold, metric in enumerate(metrics):
            whole[fold :: len(metrics)] = metric.batch_stats(batch, system)[fold :: len(metrics)]
            if isinstance(metric, RewrittenMetric):
                rewriting = metric.rewrite(batch, system)
                inside = rewriting.segment % len(metrics) == fold
                accepted += int((inside & (rewriting.verdicts == ACCEPTED)).sum())
                proposed += int(inside.sum())
        rows.append(whole)
    return np.stack(rows), accepted / len(rows), proposed // len(rows)


def correlations(
    test: TestSet, values: Mapping[str, Floats], documents: int, human: str, seed: int
) -> dict[str, Floats]:
    """Pearson's correlation of each method on each document, [documents]."""
    draw = np.random.default_rng(seed)
    ranked = np.unique(test.judged[:, 0])
    pool = ranked if human == "document" else np.arange(len(test.references))
    by_method: dict[str, list[float]] = {name: [] for name in values}
    for _ in range(documents):
        chosen = draw.choice(pool, min(SEGMENTS, len(pool)), replace=False)
        judged = test.judged
        if human == "document":
            judged = judged[np.isin(judged[:, 0], chosen)]
        people = expected_wins(judged, len(test.systems))
        for name, rows in values.items():
            scores = BLEU().corpus_values(rows[:, chosen].sum(axis=1))
            by_method[name].append(pearson(scores, people))
    return {name: np.array(numbers) for name, numbers in by_method.items()}


def pearson(left: Floats, right: Floats) -> float:
    """The correlation over the systems that have both."""
    both = ~(np.isnan(left) | np.isnan(right))
    return float(np.corrcoef(left[both], right[both])[0, 1])


def triangles(left: Floats, right: Floats) -> str:
    """The paper's sign for a paired t-test; triangles point to the better of the two."""
    if np.allclose(left, right):
        return "="
    p = float(stats.ttest_rel(left, right).pvalue)
    sign = "◁" if left.mean() > right.mean() else "▷"
    return f"{sign * 2 if p < 0.01 else sign if p < 0.05 else '×'} ({p:.3f})"


def table(title: str, head: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table, printed; its lines."""
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    lines.insert(1, f"|---|{'---:|' * (len(head) - 1)}")
    print("\n".join(["", title, "", *lines]), flush=True)
    return lines


def tables_4_and_5(
    tests: Mapping[str, TestSet], values: Mapping[str, Mapping[str, Floats]], documents: int
) -> dict[str, dict[str, Floats]]:
    """Correlations and tests, for both ways to take the human scores; the means over the pairs."""
    by_human: dict[str, dict[str, Floats]] = {}
    for human in ("document", "all"):
        by_pair = {pair: correlations(tests[pair], values[pair], documents, human, 7) for pair in tests}
        names = list(next(iter(values.values())))
        means = {name: np.mean([by_pair[pair][name] for pair in tests], axis=0) for name in names}
        rows = [
            [
                name,
                *(f"{by_pair[pair][name].mean():.4f}" for pair in tests),
                f"{means[name].mean():.4f}",
                f"{int((means[name] > means[PLAIN]).sum())}/{documents}",
            ]
            for name in names
        ]
        head = ["method", *tests, "mean", "documents better than BLEU"]
        table(
            f"Table 4: Pearson with human scores ({human}), mean of {documents} documents", head, rows
        )
        others = [name for name in names if name != PLAIN]
        rows = []
        for base in names:
            cells = [triangles(means[base], means[name]) if name != base else "" for name in names]
            rows.append([base, *cells])
        table(
            f"Table 5: paired t-tests on the mean over language pairs ({human}; p)", ["", *names], rows
        )
        rows = [
            [name, *(triangles(by_pair[pair][PLAIN], by_pair[pair][name]) for pair in tests)]
            for name in others
        ]
        table(f"BLEU against each method, by language pair ({human}; p)", ["method", *tests], rows)
        by_human[human] = means
    return by_human


def whole_set(
    tests: Mapping[str, TestSet], values: Mapping[str, Mapping[str, Floats]], draws: int = 300
) -> None:
    """Correlations on all segments, and the bootstrap of their difference from BLEU."""
    names = list(next(iter(values.values())))
    people = {pair: expected_wins(test.judged, len(test.systems)) for pair, test in tests.items()}

    def mean_of(name: str, weights: Mapping[str, Floats] | None) -> float:
        correlated = []
        for pair in tests:
            rows = values[pair][name]
            sums = rows.sum(axis=1) if weights is None else np.einsum("n,snk->sk", weights[pair], rows)
            correlated.append(pearson(BLEU().corpus_values(sums), people[pair]))
        return float(np.mean(correlated))

    draw = np.random.default_rng(7)
    resampled: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(draws):
        weights = {
            pair: draw.multinomial(
                len(test.references), [1 / len(test.references)] * len(test.references)
            ).astype(float)
            for pair, test in tests.items()
        }
        for name in names:
            resampled[name].append(mean_of(name, weights))
    rows = []
    for name in names:
        change = np.array(resampled[name]) - np.array(resampled[PLAIN])
        low, high = np.quantile(change, [0.025, 0.975])
        rows.append([name, f"{mean_of(name, None):.4f}", f"[{low:+.4f}, {high:+.4f}]"])
    table(
        "All segments: mean Pearson, and 95 % of its change from BLEU",
        ["method", "Pearson", "change"],
        rows,
    )


def without_online(
    tests: Mapping[str, TestSet], values: Mapping[str, Mapping[str, Floats]], documents: int
) -> list[str]:
    """Table 4 without the online systems, some of which BLEU rates far below their rank."""
    shown_lines: dict[str, list[str]] = {}
    for human in ("document", "all"):
        means: dict[str, list[Floats]] = {}
        for pair, test in tests.items():
            offline = [i for i, name in enumerate(test.systems) if not name.startswith("online")]
            number = {old: new for new, old in enumerate(offline)}
            inside = np.isin(test.judged[:, 1:], offline).all(axis=1)
            judged = test.judged[inside].copy()
            judged[:, 1:] = np.vectorize(number.get, otypes=[np.int64])(judged[:, 1:])
            names = list(test.systems)
            fewer = TestSet(
                {names[i]: test.systems[names[i]] for i in offline}, test.references, judged
            )
            chosen = {name: rows[offline] for name, rows in values[pair].items()}
            for name, values_of_method in correlations(fewer, chosen, documents, human, 7).items():
                means.setdefault(name, []).append(values_of_method)
        rows = []
        for name, values_of_method in means.items():
            base = np.mean(means[PLAIN], axis=0)
            cells = [f"{numbers.mean():.4f}" for numbers in values_of_method]
            average = np.mean(values_of_method, axis=0)
            test_sign = "" if name == PLAIN else triangles(base, average)
            rows.append([name, *cells, f"{average.mean():.4f}", test_sign])
        head = ["method", *tests, "mean", "BLEU against it (p)"]
        shown_lines[human] = table(f"Table 4 without the online systems ({human})", head, rows)
    return shown_lines["document"]


def acceptance(tests: Mapping[str, TestSet], metric: RewrittenMetric) -> list[str]:
    """Whether the filter accepts less from systems that BLEU underrates."""
    rows = []
    for pair, test in tests.items():
        ready = metric.rewriter.prepare(test.references)
        people = expected_wins(test.judged, len(test.systems))
        figures = []
        for outputs in test.systems.values():
            rewriting = metric.rewriter.run(ready, outputs)
            score = BLEU().score(outputs, references=test.references).value
            figures.append((score, len(rewriting), rewriting.substitutions / len(rewriting)))
        scores, proposals, shares = np.array(figures).T
        underrated = stats.zscore(people) - stats.zscore(scores)
        rows.append(
            [pair, f"{pearson(underrated, proposals):+.2f}", f"{pearson(underrated, shares):+.2f}"]
        )
    head = ["pair", "underrated by BLEU and number of proposals", "underrated and share accepted"]
    title = "Pearson over the systems (underrated: standardized human score less that of BLEU)"
    return table(title, head, rows)


def direct_assessment(metrics: Mapping[str, Metric]) -> list[str]:
    """Segment-level correlation on WMT's direct assessments; the means of both years as a table."""
    means: dict[str, list[str]] = {name: [] for name in metrics}
    for year in ("newstest2015", "newstest2016"):
        rows = [line.split("\t") for line in lines_of(DATA / "wmt_da" / f"{year}.tsv.gz")[1:]]
        pairs = sorted({row[0] for row in rows})
        lines, correlated = [], {}
        for name, metric in metrics.items():
            values = []
            for pair in pairs:
                own = [row for row in rows if row[0] == pair]
                scores = metric.segments([row[2] for row in own], references=[row[3] for row in own])
                values.append(pearson(scores, np.array([float(row[4]) for row in own])))
            correlated[name] = np.array(values)
            sign = "" if name == PLAIN else triangles(correlated[PLAIN], correlated[name])
            means[name] += [f"{np.mean(values):.4f}", sign]
            lines.append([name, *(f"{value:.4f}" for value in values), *means[name][-2:]])
        table(
            f"wmt_da {year}: segment-level Pearson",
            ["method", *pairs, "mean", "BLEU against it (p)"],
            lines,
        )
    head = ["method", "WMT 2015", "BLEU against it (p)", "WMT 2016", "BLEU against it (p)"]
    rows = [[name, *cells] for name, cells in means.items()]
    return table("wmt_da: mean segment-level Pearson", head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--models", help="where the trained models are kept")
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--methods", default=",".join(METHODS))
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    tests = {pair: read_pair(pair) for pair in PAIRS}
    with tempfile.TemporaryDirectory() as scratch:
        folds = folds_of(tests, Path(options.models or scratch), options.methods.split(","))
        values: dict[str, dict[str, Floats]] = {pair: {} for pair in tests}
        rows = []
        pending = list(folds.items())
        while pending:
            name, metrics = pending.pop(0)
            accepted, proposed, scores = 0.0, 0, []
            for pair, test in tests.items():
                values[pair][name], own, all_ = statistics(test, metrics)
                accepted, proposed = accepted + own / len(tests), proposed + all_ // len(tests)
                scores.append(BLEU().corpus_values(values[pair][name].sum(axis=1)).mean())
            rows.append([name, f"{accepted:,.0f}", f"{proposed:,}", f"{np.mean(scores):.2f}"])
            if name == "context":
                control = RandomFilter(accepted / proposed)
                folds[CONTROL] = [RewrittenMetric(BLEU(), Rewriter(filters=(control,)))]
                pending.insert(0, (CONTROL, folds[CONTROL]))
        means = tables_4_and_5(tests, values, options.documents)
        head = ["method", "substitutions", "proposals", "BLEU"]
        table("Table 6: substitutions in 3,003 segments and BLEU, means over the systems", head, rows)
        record = {"summary": summary(means["document"], rows)}
        record["without_online"] = without_online(tests, values, options.documents)
        context = folds.get("context", [None])[0]
        if isinstance(context, RewrittenMetric):
            record["acceptance"] = acceptance(tests, context)
        whole_set(tests, values)
        record["direct"] = direct_assessment({name: metrics[0] for name, metrics in folds.items()})
        for name, metrics in folds.items():
            print(f"\n{name}: {', '.join(metric.signature for metric in metrics)}")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "rewrite.json").write_text(json.dumps(record, indent=2) + "\n")


def folds_of(tests: Mapping[str, TestSet], folder: Path, methods: Sequence[str]) -> dict[str, Folds]:
    """BLEU as it is and with each method, with models of two folds."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for fold, name in enumerate(("odd", "even")):
        lines = {line: None for test in tests.values() for line in test.references[1 - fold :: 2]}
        same = {line for test in tests.values() for line in test.references[fold::2]}
        text = folder / f"{name}.txt"
        text.write_text("".join(f"{line}\n" for line in lines if line not in same), encoding="utf-8")
        paths.append(model_paths(folder, methods, text))
    folds: dict[str, Folds] = {PLAIN: [BLEU()]}
    for name in methods:
        models = [[str(own[part]) for part in name.split("+") if part in own] for own in paths]
        different = list(dict.fromkeys("+".join(own) for own in models))
        both = [RewrittenMetric(BLEU(), RewriteMethod(name, own or None)) for own in different]
        folds[name] = both
        if name == "context+lm":
            summed = [replace(metric.rewriter, combine="sum") for metric in both]
            folds[SUM] = [RewrittenMetric(BLEU(), rewriter) for rewriter in summed]
    return folds


def summary(means: Mapping[str, Floats], rows: Sequence[Sequence[str]]) -> list[str]:
    """One line for each method: correlation, test against BLEU, substitutions, BLEU."""
    lines = []
    for name, accepted, _, score in rows:
        sign = "" if name == PLAIN else triangles(means[PLAIN], means[name])
        lines.append([name, f"{means[name].mean():.4f}", sign, accepted, score])
    head = ["references", "Pearson", "BLEU against it (p)", "substitutions in 3,003 segments", "BLEU"]
    return table("Summary (document)", head, lines)


if __name__ == "__main__":
    main()
