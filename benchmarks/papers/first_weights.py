"""Do the first weights of a PPDB 2.0 model follow its scores? Measured with PPDB's human ratings.

The rules of the human ratings are written as PPDB 2.0 (`benchmarks/data/rated_rules.py`). Of 500
phrases, two rules rated at least one point apart are drawn, and the phrase is decoded with the first
weights and a language model: the better-rated rule wins if its output is ranked above the other's. The
weight of the score, 5, was chosen by hand after a look at phrases drawn in another way, some of which
are among these; the table for other weights is from the other half of the phrases. Then 30 everyday
sentences are paraphrased with all rules, and the rules rated below 2 that were applied are counted,
next to how many could have been.

    python -m benchmarks.papers.first_weights

The data is in ../shared/data, or where PARAGAUGE_DATA points. Exits with 1 below 90 %, or if a rule
rated below 2 is applied.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.data.rated_rules import EVERYDAY, RatedPair, draw_pairs, read_ratings, write_ppdb
from benchmarks.race import DATA, RESULTS
from paragauge.generate.first_weights import LEAST_SCORE, SCORE
from paragauge.generate.grammar_based import GrammarBased
from paragauge.grammar.convert import read_grammar
from paragauge.lm.model import LanguageModel
from paragauge.text.tokenizers import tokenize

PHRASES = 500
BAR = 0.9
NBEST = 50
WEIGHTS = (0, 1, 2, 3, 5, 8)
TEXTS = ("brown", "bbc", "abc")


def language_model(texts: Sequence[str] = TEXTS) -> LanguageModel:
    """A trigram model of lowercased text."""
    lines: set[str] = set()
    for name in texts:
        with gzip.open(DATA / "text" / f"{name}.txt.gz", "rt", encoding="utf-8") as text:
            lines.update(map(" ".join, tokenize([line.rstrip("\n") for line in text], case="lower")))
    return LanguageModel.train(sorted(lines - {""}), order=3)


def count_wins(paraphraser: GrammarBased, pairs: Sequence[RatedPair]) -> int:
    """How often the better-rated rule's output is ranked above the other's."""
    wins = 0
    for pair, hypotheses in zip(
        pairs, paraphraser.nbest([pair.phrase for pair in pairs], NBEST), strict=True
    ):
        ranks = {hypothesis.text: rank for rank, hypothesis in enumerate(hypotheses)}
        wins += ranks.get(pair.better, NBEST) < ranks.get(pair.worse, NBEST)
    return wins


def weights_line(paraphraser: GrammarBased, pairs: Sequence[RatedPair]) -> str:
    """How often the better-rated rule wins with other weights of the score."""
    cells = []
    for weight in WEIGHTS:
        weights = paraphraser.weights
        changes = {
            SCORE: weight,
            "RulePenalty": -weight * LEAST_SCORE,
            "Identity": weight * LEAST_SCORE,
        }
        for name, value in changes.items():
            weights[paraphraser.features.index(name)] = value
        wins = count_wins(paraphraser.with_weights(weights), pairs)
        cells.append(f"{weight:g}: {100 * wins / len(pairs):.1f} %")
    return f"by weight of the score: {', '.join(cells)}"


def without_score(paraphraser: GrammarBased) -> GrammarBased:
    """The same model with the weights that ignore the score, as every resource had before."""
    weights = np.zeros(len(paraphraser.features))
    for name, value in {"LM": 0.5, "WordPenalty": -1.0, "OOV": -1.0, "Identity": -1.0}.items():
        weights[paraphraser.features.index(name)] = value
    return paraphraser.with_weights(weights)


def bad_matches(paraphraser: GrammarBased, bad: set[tuple[str, str]]) -> int:
    """How many rules rated below 2 match the everyday sentences."""
    matches = 0
    for line in EVERYDAY:
        words = line.split()
        matches += sum(
            (" ".join(words[match.start : match.end]), match.text) in bad
            for match in paraphraser.substitutions(line, 1000)
        )
    return matches


def main() -> None:
    if not (DATA / "ppdb_human").is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    ratings = read_ratings()
    lm = language_model()
    others, measured = draw_pairs(ratings, PHRASES)
    lines: list[str] = []
    record: dict[str, dict[str, int]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part, pairs in (("other phrases", others), ("measured", measured)):
            file = write_ppdb(folder / f"{part}.txt", ratings, pairs)
            paraphraser = GrammarBased(read_grammar(file, folder / part), lm)
            wins = count_wins(paraphraser, pairs)
            before = count_wins(without_score(paraphraser), pairs)
            record[part] = {"pairs": len(pairs), "wins": wins, "without_score": before}
            lines.append(
                f"{part}: of {len(pairs)} pairs of rules at least 1 point apart, the better-rated one "
                f"wins in {wins} ({100 * wins / len(pairs):.1f} %); without the score in {before} "
                f"({100 * before / len(pairs):.1f} %)."
            )
            if part != "measured":
                lines.append(weights_line(paraphraser, pairs))
        file = write_ppdb(folder / "all.txt", ratings)
        paraphraser = GrammarBased(read_grammar(file, folder / "all"), lm)
    bad = {
        (source, target)
        for source, targets in ratings.items()
        for target, (_, score) in targets.items()
        if score < 2
    }
    output = paraphraser.nbest(EVERYDAY)
    column = paraphraser.features.index("BelowTwo")
    applied = round(float(output.features[:, column].sum()))
    former = without_score(paraphraser).nbest(EVERYDAY)
    before = round(float(former.features[:, column].sum()))
    score = output.features[:, paraphraser.features.index(SCORE)].sum()
    copies, all_rules = (paraphraser.features.index(name) for name in ("Identity", "RulePenalty"))
    rules = round(float((output.features[:, all_rules] - output.features[:, copies]).sum()))
    lines.append(
        f"{len(EVERYDAY)} sentences: {rules} rules applied, mean rating {score / max(rules, 1):.2f}; "
        f"{applied} rated below 2 (without the score {before}), of "
        f"{bad_matches(paraphraser, bad)} matches of such rules."
    )
    for line, text in zip(EVERYDAY, output.best(), strict=True):
        lines.append(f"- {line} -> {text}")
    print("\n".join(lines))
    record["everyday"] = {"rules": rules, "below_two": applied, "without_score": before}
    RESULTS.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**record, "printed": lines}, indent=2)
    (RESULTS / "first_weights.json").write_text(text + "\n", encoding="utf-8")
    if record["measured"]["wins"] < BAR * len(measured) or applied:
        raise SystemExit(f"expected {BAR:.0%} of the phrases, and no rule rated below 2")


if __name__ == "__main__":
    main()
