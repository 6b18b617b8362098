"""Paraphrasing with a grammar: features, model folders, errors, and words that pass through."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from paragauge.align.links import Links
from paragauge.errors import FileFormatError, InputError, ParagaugeError, SettingError
from paragauge.generate.first_weights import default_weights
from paragauge.generate.generator import Generator, Substitutions
from paragauge.generate.grammar_based import GrammarBased, GrammarSettings, new_grammar_model
from paragauge.generate.metric_search import search
from paragauge.generate.model_loader import open_generator
from paragauge.generate.objective import parse_objective
from paragauge.generate.rule_features import feature_names
from paragauge.generate.weights import read_weights, write_weights
from paragauge.grammar.convert import read_grammar
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.text.bitext import Bitext

TEXT = [
    "the cat sat on the mat",
    "a cat sat on the rug",
    "the dog slept on a rug",
    "the feline sat here",
    "the dog of the king slept",
]
RULES = """\
[X] ||| cat ||| feline ||| p(e|f)=0.1
[X] ||| mat ||| rug ||| p(e|f)=0.2
[X] ||| the ||| a ||| p(e|f)=3
[X] ||| on the mat ||| here ||| p(e|f)=0.5
[X] ||| [X,1] 's [X,2] ||| the [X,2] of the [X,1] ||| p(e|f)=0.1
[X] ||| [X,1] ||| very [X,1] ||| p(e|f)=0
"""


def model_of(text: list[str] = TEXT, order: int = 2, form: TextForm | None = None) -> LanguageModel:
    return LanguageModel.train(text, order=order, discount_fallback=(0.5, 1, 1.5), form=form)


def grammar_of(folder: Path, rules: str = RULES) -> Grammar:
    folder.mkdir(exist_ok=True)
    file = folder / "rules.txt"
    file.write_text(rules, encoding="utf-8")
    return read_grammar(file, folder / "rules")


@pytest.fixture
def paraphraser(tmp_path: Path) -> GrammarBased:
    return GrammarBased(grammar_of(tmp_path), model_of())


def weights_with(paraphraser: GrammarBased, **changes: float) -> np.ndarray:
    weights = np.zeros(len(paraphraser.features))
    for name, value in changes.items():
        weights[paraphraser.features.index(name)] = value
    return weights


def test_the_protocol_is_satisfied(paraphraser: GrammarBased) -> None:
    assert isinstance(paraphraser, Generator)
    assert isinstance(paraphraser, Substitutions)
    assert paraphraser.features[:2] == ("LM", "p(e|f)")
    assert paraphraser.weights[:2].tolist() == [0.5, -0.3]
    assert (len(paraphraser), paraphraser.left_out) == (5, 1)  # [X] -> very [X] could go round


def test_features_of_a_derivation_by_hand(paraphraser: GrammarBased) -> None:
    weights = weights_with(paraphraser, LM=0.01, Identity=-10.0)
    [[best]] = paraphraser.with_weights(weights).nbest(["king 's cat sat"])
    assert best.text == "the feline of the king sat"
    # The rule with two labels, cat -> feline; king and sat stand for themselves, and sat is glued.
    expected = {
        "p(e|f)": 0.1 + 0.1,
        "WordPenalty": -6.0,
        "RulePenalty": 4.0,
        "Glue": 1.0,
        "OOV": 2.0,  # no rule has king or sat
        "Identity": 2.0,
        "WordCountDiff": 2.0,  # the, of, the for 's
        "CharCountDiff": 6.0 + 3.0,  # theofthe for 's, feline for cat
        "WordLogCR": math.log(3),
        "CharLogCR": math.log(8 / 2) + math.log(6 / 3),
    }
    assert {name: best.features[name] for name in expected} == pytest.approx(expected, abs=1e-5)
    log10 = model_of().score([best.text]).log10[0]
    assert best.features["LM"] == pytest.approx(log10 * math.log(10))
    assert best.score == pytest.approx(float(weights @ list(best.features.values())))


def test_words_that_pass_fill_gaps_of_any_label(tmp_path: Path) -> None:
    """The grammar of docs/guides/generate.md."""
    rules = (
        "[NN] ||| jobless rate ||| unemployment ||| p(e|f)=0.7\n"
        "[NN] ||| [NN,1] prices ||| prices of [NN,1] ||| p(e|f)=0.3\n"
    )
    outputs = []
    for gaps in ("any", "label"):
        settings = GrammarSettings(passthrough_gaps=gaps)  # type: ignore[arg-type]
        paraphraser = GrammarBased(grammar_of(tmp_path / gaps, rules), model_of(), settings=settings)
        changed = paraphraser.with_weights(weights_with(paraphraser, Identity=-5, Glue=-1))
        outputs.append(changed.nbest(["food prices rose"]).best()[0])
        assert (gaps == "any") == changed.name.endswith("|pass:X+any")
    assert outputs == ["prices of food rose", "food prices rose"]
    with pytest.raises(SettingError, match="unknown value of passthrough_gaps 'all'"):
        GrammarSettings(passthrough_gaps="all")  # type: ignore[arg-type]


def test_weights_decide(paraphraser: GrammarBased) -> None:
    line = ["the cat sat on the mat"]
    shorter = paraphraser.with_weights(weights_with(paraphraser, WordCountDiff=-5, LM=0.1))
    assert shorter.nbest(line).best()[0].endswith("sat here")
    same = paraphraser.with_weights(weights_with(paraphraser, Identity=5))
    assert same.nbest(line).best() == line
    assert paraphraser.nbest(line).best() == paraphraser.nbest(line, 5).best()


def test_lists_have_different_texts_in_order(paraphraser: GrammarBased) -> None:
    [hypotheses] = paraphraser.nbest(["the cat sat on the mat"], 50)
    assert len({hypothesis.text for hypothesis in hypotheses}) == len(hypotheses) == 2 * 2 * 5
    assert [hypothesis.score for hypothesis in hypotheses] == sorted(
        (hypothesis.score for hypothesis in hypotheses), reverse=True
    )


def test_threads_change_nothing(paraphraser: GrammarBased) -> None:
    lines = [*TEXT, "", "cat 's mat", "x"] * 40
    done: list[int] = []
    one = paraphraser.nbest(lines, 5, threads=1, progress=done.append)
    assert sum(done) == len(lines)
    for threads in (0, 2, 7):
        other = paraphraser.nbest(lines, 5, threads=threads)
        assert list(other.texts) == list(one.texts)
        np.testing.assert_array_equal(other.features, one.features)
        np.testing.assert_array_equal(other.scores, one.scores)


def test_text_without_a_match_passes(paraphraser: GrammarBased) -> None:
    lines = ["", "  ", "nothing known", "日本 語 [1] ||| <s> 𝄞", "é é"]
    assert paraphraser.nbest(lines, 3).best() == ["", "", *lines[2:]]
    assert len(paraphraser.nbest([])) == 0


def test_text_is_tokenized_as_for_the_language_model(tmp_path: Path) -> None:
    form = TextForm("13a", "lower")
    paraphraser = GrammarBased(grammar_of(tmp_path), model_of(form=form))
    assert paraphraser.form == form
    assert paraphraser.nbest(["The CAT sat."]).best()[0].endswith("sat .")
    assert paraphraser.substitutions("The CAT.")[-1].text == "feline"


def test_substitutions(paraphraser: GrammarBased) -> None:
    substitutions = paraphraser.substitutions("the cat on the mat")
    assert [(change.start, change.end, change.text) for change in substitutions] == [
        (0, 1, "a"),
        (1, 2, "feline"),
        (2, 5, "here"),
        (3, 4, "a"),
        (4, 5, "rug"),
    ]
    # p(e|f), the rule, two letters less, and the word by itself.
    names = paraphraser.features
    values = {"p(e|f)": 3.0, "WordPenalty": -1.0, "RulePenalty": 1.0, "CharCountDiff": -2.0}
    score = sum(paraphraser.weights[names.index(name)] * value for name, value in values.items())
    score += paraphraser.weights[0] * model_of().score_word(0, "a")[0] * np.log(10)
    assert substitutions[0].score == pytest.approx(score)
    assert paraphraser.substitutions("") == []
    with pytest.raises(SettingError, match="limit: expected a whole number from 1, found 0"):
        paraphraser.substitutions("the cat", limit=0)


def test_search_is_not_rewarded_for_longer_texts(tmp_path: Path) -> None:
    rules = "[X] ||| big ||| large ||| p(e|f)=0.1\n[X] ||| large ||| very large ||| p(e|f)=0.1\n"
    grammar = grammar_of(tmp_path, rules + "[X] ||| very ||| very very ||| p(e|f)=0.1\n")
    paraphraser = GrammarBased(grammar, model_of(["the big house", "a large house", "very large"]))
    result = search(paraphraser, ["the big house"], parse_objective("model"))
    assert result.texts == result.start_texts
    assert result.values.tolist() == result.start_values.tolist()


def test_what_cannot_be_opened_replaces_nothing(tmp_path: Path) -> None:
    path = new_grammar_model(grammar_of(tmp_path), model_of(), tmp_path / "model")
    before = (path / "generator.json").read_bytes()
    stems = model_of(form=TextForm("none", "mixed", "porter"))
    with pytest.raises(InputError, match="trained on stems"):
        new_grammar_model(grammar_of(tmp_path), stems, path)
    for number, value in enumerate(("p_target=-0.5", "p=1e300")):
        bad = grammar_of(tmp_path, f"[X] ||| a{number} ||| b ||| {value}\n")
        with pytest.raises(FileFormatError, match=r"feature p.*: expected .*, found"):
            new_grammar_model(bad, model_of(), path)
    unary = grammar_of(tmp_path, "[X] ||| [NP,1] ||| the [NP,1] ||| p=1\n")
    with pytest.raises(InputError, match="found none: 1 are left out"):
        new_grammar_model(unary, model_of(), path)
    assert (path / "generator.json").read_bytes() == before


def test_probabilities_become_logarithms(tmp_path: Path) -> None:
    bitext = Bitext.of(["the house", "the book"], ["this house", "the volume"])
    links = Links.from_lists([[(0, 0), (1, 1)], [(0, 0), (1, 1)]])
    batches = [(bitext, links, None)]
    grammar = extract_grammar(batches, tmp_path / "g", RuleSettings.named("hiero"))
    paraphraser = GrammarBased(grammar, model_of(["the house", "this book"]))
    assert "word_diff" not in paraphraser.features
    weights = weights_with(paraphraser, LM=1e-6, RulePenalty=-1.0, p_target=1e-3, Identity=-1.0)
    [[best]] = paraphraser.with_weights(weights).nbest(["the"])
    assert (best.text, best.features["p_target"]) == ("this", pytest.approx(math.log(0.5)))
    assert best.features["monotonic"] == 1.0


def test_a_model_folder(tmp_path: Path) -> None:
    grammar, lm = grammar_of(tmp_path), model_of()
    path = new_grammar_model(grammar, lm, tmp_path / "model", facts={"text": "five lines"})
    names = sorted(file.name for file in path.iterdir())
    assert names == ["generator.json", "grammar", "language-model.bin", "weights.tsv"]
    assert json.loads((path / "generator.json").read_text())["made"]["text"] == "five lines"
    opened = open_generator(path)
    direct = GrammarBased(grammar, lm)
    assert opened.name == direct.name
    assert opened.nbest(TEXT, 5).texts == direct.nbest(TEXT, 5).texts
    weights = weights_with(direct, WordCountDiff=-5, LM=0.1)
    write_weights(tmp_path / "other.tsv", direct.features, weights)
    other = open_generator(path, weights=tmp_path / "other.tsv", settings={"span": 1})
    assert other.nbest(["the cat sat on the mat"]).best()[0].split()[2:4] == ["sat", "on"]
    assert "span:1" in other.name
    for part in names[1:]:
        moved = path / part
        moved.rename(tmp_path / "away")
        with pytest.raises(FileFormatError, match=f"expected the part {part} of the model"):
            open_generator(path)
        (tmp_path / "away").rename(moved)
    other_lm = model_of(order=3)
    other_lm.save(path / "language-model.bin")
    with pytest.raises(FileFormatError, match="parts of two models"):
        open_generator(path)


def test_a_model_is_written_completely_or_not_at_all(tmp_path: Path) -> None:
    grammar, lm = grammar_of(tmp_path), model_of()
    with pytest.raises(InputError, match="expected 11 weights from"):
        new_grammar_model(grammar, lm, tmp_path / "model", weights=np.zeros(1))
    (tmp_path / "model").write_text("mine")
    with pytest.raises(FileFormatError, match="model: "):
        new_grammar_model(grammar, lm, tmp_path / "model")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model", "rules", "rules.txt"]
    assert (tmp_path / "model").read_text() == "mine"


@pytest.mark.parametrize("part", ["generator.json", "weights.tsv", "grammar/grammar.json"])
@pytest.mark.parametrize("content", [b"", b"\0\0\0", b"\xff\xfe", b"[" * 5000, b"LM\t1\r\n", b"{}"])
def test_damaged_parts_are_paragauge_errors(tmp_path: Path, part: str, content: bytes) -> None:
    path = new_grammar_model(grammar_of(tmp_path), model_of(), tmp_path / "model")
    (path / part).write_bytes(content)
    with pytest.raises(ParagaugeError):
        open_generator(path)


def test_errors(tmp_path: Path, paraphraser: GrammarBased) -> None:
    with pytest.raises(InputError, match="line 2: expected a sentence of at most 100 words, found 101"):
        paraphraser.nbest(["a", "a " * 101])
    assert len(paraphraser.nbest(["a " * 100])) == 1
    longer = paraphraser.with_settings(GrammarSettings(longest=1000, pop_limit=5))
    assert len(longer.nbest(["the cat " * 500], 20)[0]) == 20
    with pytest.raises(SettingError, match="longest: expected a whole number from 1 to 1,000"):
        GrammarSettings(longest=1001)
    with pytest.raises(InputError, match=r"expected 11 weights from .*, for LM, .*; found \[1\.\]"):
        paraphraser.with_weights(np.ones(1))
    for value in (np.nan, 2e6):
        with pytest.raises(InputError, match=r"expected 11 weights from -1e.06 to 1e.06"):
            paraphraser.with_weights(np.full(11, value))
    with pytest.raises(SettingError, match="from 1 to 100000, found 0"):
        paraphraser.nbest(["a"], 0)
    with pytest.raises(SettingError, match="passthrough_label"):
        GrammarSettings(passthrough_label="a b")
    with pytest.raises(InputError, match="trained on stems"):
        GrammarBased(grammar_of(tmp_path), model_of(form=TextForm("none", "mixed", "porter")))
    with_lm_feature = grammar_of(tmp_path, "[X] ||| a ||| b ||| LM=1\n")
    with pytest.raises(InputError, match="has a feature LM, which the decoder computes"):
        GrammarBased(with_lm_feature, model_of())


def test_weights_are_by_name(tmp_path: Path) -> None:
    names = feature_names(grammar_of(tmp_path))
    path = tmp_path / "w.tsv"
    write_weights(path, names, default_weights(names))
    assert read_weights(path, names).tolist() == default_weights(names).tolist()
