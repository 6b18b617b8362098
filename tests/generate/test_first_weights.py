"""First weights by resource: recognition, and of two rules for a phrase the better-rated one wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.data.rated_rules import EVERYDAY, SAMPLE, draw_pairs, read_ratings, write_ppdb
from benchmarks.papers.first_weights import count_wins, language_model
from paragauge.errors import SettingError
from paragauge.generate.first_weights import PRESETS, default_weights, recognize_resource
from paragauge.generate.grammar_based import GrammarBased, new_grammar_model
from paragauge.generate.model_loader import open_generator
from paragauge.grammar.convert import read_grammar
from paragauge.lm.model import LanguageModel

TEXT = ["the answer is good", "a good reply", "the reply is here", "a response is good", "a number"]

# The features of PPDB 1.0 and 2.0, as in their files, and of a grammar that Thrax writes.
PPDB_1 = (
    "Abstract=0 Adjacent=0 AGigaSim={sim} CharCountDiff=1 CharLogCR=0.1 ContainsX=0 "
    "GoogleNgramSim=0.1 Identity=0 Lex(e|f)={lex} Lex(f|e)={lex} Lexical=1 LogCount=0.6 Monotonic=1 "
    "PhrasePenalty=1 RarityPenalty={rare} WordCountDiff=0 WordLogCR=0 p(LHS|e)=0.2 p(LHS|f)=0.1 "
    "p(e|LHS)=9 p(e|f)={p} p(e|f,LHS)={p} p(f|LHS)=8 p(f|e)={p} p(f|e,LHS)={p}"
)
PPDB_2 = (
    "PPDB2.0Score={score} PPDB1.0Score=3.3 -logp(LHS|e1)=0.1 -logp(LHS|e2)=0.1 -logp(e1|e2)={p} "
    "-logp(e2|e1)={p} AGigaSim=0.5 Lex(e1|e2)={lex} Lex(e2|e1)={lex}"
)
THRAX = "Lex(e|f)={lex} Lex(f|e)={lex} p(e|f)={p} p(f|e)={p}"
OURS = "p_target={p} p_source={p} lex_target={p} lex_source={p}"


def paraphraser_of(folder: Path, template: str, *rules: tuple[str, dict[str, float]]) -> GrammarBased:
    lines = [f"[NN] ||| answer ||| {target} ||| {template.format(**v)}\n" for target, v in rules]
    file = folder / "rules.txt"
    file.write_text("".join(lines), encoding="utf-8")
    lm = LanguageModel.train(TEXT, order=2, discount_fallback=(0.5, 1, 1.5))
    return GrammarBased(read_grammar(file, folder / "rules"), lm)


@pytest.mark.parametrize(
    ("template", "name"),
    [(PPDB_1, "ppdb-1.0"), (PPDB_2, "ppdb-2.0"), (THRAX, "thrax"), (OURS, "paragauge")],
)
def test_resources_are_recognized(template: str, name: str, tmp_path: Path) -> None:
    values = {"score": 4.0, "p": 0.5, "lex": 0.5, "rare": 0.1, "sim": 0.5}
    paraphraser = paraphraser_of(tmp_path, template, ("reply", values))
    assert recognize_resource(paraphraser.features) == name
    expected = default_weights(paraphraser.features, name)
    assert paraphraser.weights.tolist() == expected.tolist()


@pytest.mark.parametrize("target", ["reply", "response"])
def test_the_better_rule_wins_in_ppdb_1(target: str, tmp_path: Path) -> None:
    # "reply" and "response" are in the text equally well; the worse rule has small lexical values,
    # which decided before: 0.3 * (2 * 60 - 2 * 5) is far more than 0.4 * (8 - 2).
    other = {"reply": "response", "response": "reply"}[target]
    better = {"p": 2.0, "lex": 60.0, "rare": 0.01, "sim": 0.5}
    worse = {"p": 8.0, "lex": 5.0, "rare": 0.05, "sim": 0.1}
    paraphraser = paraphraser_of(tmp_path, PPDB_1, (target, better), (other, worse))
    assert [s.text for s in paraphraser.substitutions("answer")] == [target, other]


@pytest.mark.parametrize("target", ["reply", "number"])
def test_the_better_rule_wins_in_ppdb_2(target: str, tmp_path: Path) -> None:
    other = {"reply": "number", "number": "reply"}[target]
    better = {"score": 4.5, "p": 5.0, "lex": 70.0}
    worse = {"score": 3.2, "p": 2.0, "lex": 20.0}
    paraphraser = paraphraser_of(tmp_path, PPDB_2, (target, better), (other, worse))
    assert paraphraser.nbest(["the answer is good"]).best() == [f"the {target} is good"]


def test_equal_scores_are_decided_by_probabilities(tmp_path: Path) -> None:
    for target, other in (("reply", "response"), ("response", "reply")):
        folder = tmp_path / target
        folder.mkdir()
        better, worse = {"score": 4.0, "p": 1.0, "lex": 9}, {"score": 4.0, "p": 40.0, "lex": 99}
        paraphraser = paraphraser_of(folder, PPDB_2, (target, better), (other, worse))
        assert paraphraser.substitutions("answer")[0].text == target


def test_bad_rules_of_ppdb_2_are_not_applied(tmp_path: Path) -> None:
    values = {"p": 0.1, "lex": 1.0}
    paraphraser = paraphraser_of(tmp_path, PPDB_2, ("reply", {"score": 1.9, **values}))
    assert paraphraser.nbest(["the answer is good"]).best() == ["the answer is good"]
    good = tmp_path / "good"
    good.mkdir()
    paraphraser = paraphraser_of(good, PPDB_2, ("reply", {"score": 4.0, **values}))
    assert paraphraser.nbest(["the answer is good"]).best() == ["the reply is good"]


def test_a_rule_above_the_middle_is_better_than_a_copy_by_5_for_each_point() -> None:
    names = ["LM", "PPDB2.0Score", "RulePenalty", "Identity", "Monotonic", "WordPenalty"]
    weights = default_weights(names)
    # Without the language model: a copied word against rules with scores 3 and 4, all monotonic.
    copy, middle, good = ([0, s, 1, i, 1, -1] for s, i in ((0, 1), (3, 0), (4, 0)))
    assert weights @ copy == pytest.approx(weights @ middle)
    assert weights @ good - weights @ copy == pytest.approx(5)


def test_presets_by_name(tmp_path: Path) -> None:
    paraphraser = paraphraser_of(tmp_path, PPDB_2, ("reply", {"score": 4, "p": 1, "lex": 1}))
    lm = LanguageModel.train(TEXT, order=2, discount_fallback=(0.5, 1, 1.5))
    model = new_grammar_model(tmp_path / "rules", lm, tmp_path / "model", weights="paragauge")
    weights = dict(zip(paraphraser.features, open_generator(model).weights.tolist(), strict=True))
    assert weights["PPDB2.0Score"] == 0
    with pytest.raises(SettingError, match=r"weights thrax: expected a grammar with p\(e\|f\) or"):
        new_grammar_model(tmp_path / "rules", lm, tmp_path / "other", weights="thrax")
    with pytest.raises(SettingError, match=r"'ppdb-2'; did you mean 'ppdb-2.0'"):
        default_weights(paraphraser.features, "ppdb-2")
    assert PRESETS[0] == "ppdb-2.0"


@pytest.fixture(scope="module")
def lm() -> LanguageModel:
    if not SAMPLE.exists():
        pytest.skip(f"no human ratings of PPDB at {SAMPLE}; set PARAGAUGE_DATA")
    return language_model(["bbc"])


def test_human_ratings_decide(lm: LanguageModel, tmp_path: Path) -> None:
    ratings = read_ratings()
    _, pairs = draw_pairs(ratings, 500)
    assert len({pair.phrase for pair in pairs}) == 500
    file = write_ppdb(tmp_path / "ppdb.txt", ratings, pairs)
    paraphraser = GrammarBased(read_grammar(file, tmp_path / "ppdb"), lm)
    assert count_wins(paraphraser, pairs) >= 450


def test_no_rule_rated_below_two_is_applied(lm: LanguageModel, tmp_path: Path) -> None:
    file = write_ppdb(tmp_path / "ppdb.txt", read_ratings())
    paraphraser = GrammarBased(read_grammar(file, tmp_path / "ppdb"), lm)
    output = paraphraser.nbest(EVERYDAY)
    assert output.features[:, paraphraser.features.index("BelowTwo")].sum() == 0
    assert sum(a != b for a, b in zip(output.best(), EVERYDAY, strict=True)) >= 20
