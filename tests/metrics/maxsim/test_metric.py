"""MAXSIM: worked examples, the paper's rules, invariances, tools and errors."""

from __future__ import annotations

import dataclasses
import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from paragauge.errors import FileFormatError, InputError, MissingExtraError, SettingError
from paragauge.lexicon.wordnet import WordNet
from paragauge.metrics.base import Metric, f_mean
from paragauge.metrics.maxsim import metric
from paragauge.metrics.maxsim.metric import MaxSim, MaxSimDep
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.syntax import analyzer as analysis
from paragauge.syntax.analyzer import analyzer
from paragauge.syntax.conllu import write_conllu
from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.syntax.sentence import Sentence
from paragauge.text.tokenizers import tokenize

WORDS = ["the", "a", "big", "large", "dog", "dogs", "barked", "barks", "of", "to", "Mary", "ran", "!"]
sentences = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)


# --- a second, slow implementation, from text to score ----------------------------------------


def lemma_of(word: str) -> str:
    net = WordNet.default()
    answers = [net.morphy(word.lower(), pos) for pos in "nvar"]
    return next((answer for answer in answers if answer and answer != word.lower()), word.lower())


def analyzed(text: str) -> list[tuple[str, str]]:
    (words,) = tokenize([text], "penn")
    (tags,) = PerceptronTagger.default().tag([words])
    tags = ["TO" if word.lower() == "to" else tag for word, tag in zip(words, tags, strict=True)]
    pairs = zip(map(lemma_of, words), tags, strict=True)
    return [(lemma, tag) for lemma, tag in pairs if any(c.isalnum() for c in lemma)]


def synonyms(a: str, b: str) -> bool:
    net = WordNet.default()
    return bool(net.synonyms(a) & net.synonyms(b))


def matched(mine: list[Any], theirs: list[Any], n: int) -> tuple[float, int, int]:
    left = [mine[i : i + n] for i in range(len(mine) - n + 1)]
    right = [theirs[i : i + n] for i in range(len(theirs) - n + 1)]
    sizes, total = (len(left), len(right)), 0.0
    for key in (lambda gram: gram, lambda gram: [lemma for lemma, _ in gram]):
        for gram in list(left):
            for other in right:
                if key(other) == key(gram):
                    total += 1
                    left.remove(gram)
                    right.remove(other)
                    break
    weights = np.zeros((len(left), len(right)))
    for i, j in itertools.product(range(len(left)), range(len(right))):
        parts = [
            ((tag == other_tag) + synonyms(lemma, other)) / 2
            for (lemma, tag), (other, other_tag) in zip(left[i], right[j], strict=True)
        ]
        weights[i, j] = 0.0 if n > 1 and 0.0 in parts else sum(parts) / n
    return total + weights[linear_sum_assignment(weights, maximize=True)].sum(), *sizes


def slow_maxsim(candidate: str, reference: str, alpha: float = 0.9, order: int = 3) -> float:
    mine, theirs = analyzed(candidate), analyzed(reference)
    means = []
    for n in range(1, order + 1):
        match, own, other = matched(mine, theirs, n)
        if own == other == 0:
            continue
        precision, recall = (match / count if count else 0.0 for count in (own, other))
        below = alpha * precision + (1 - alpha) * recall
        means.append(precision * recall / below if below else 0.0)
    return 100 * sum(means) / len(means) if means else 100.0


@settings(max_examples=300)
@given(sentences, sentences, st.sampled_from([0.1, 0.5, 0.9]), st.integers(1, 4))
def test_equals_a_second_implementation(mine: str, theirs: str, alpha: float, order: int) -> None:
    (score,) = MaxSim(alpha=alpha, order=order).segments([mine], references=[theirs])
    assert score == pytest.approx(slow_maxsim(mine, theirs, alpha, order), abs=1e-9)


def test_equals_a_second_implementation_on_real_text(benchmark_data: Path) -> None:
    import gzip

    path = benchmark_data / "wmt_da" / "newstest2015.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in itertools.islice(file, 1, 61)]
    scores = MaxSim().segments([row[2] for row in rows], references=[row[3] for row in rows])
    expected = [slow_maxsim(row[2], row[3]) for row in rows]
    np.testing.assert_allclose(scores, expected, atol=1e-9)


# --- arithmetic by hand -------------------------------------------------------------------------


def test_unigrams_by_hand() -> None:
    # a/DT big/JJ dog/NN against the/DT large/JJ dogs/NNS: dog = dog by lemma; of the rest, a and the
    # have equal tags and WordNet lacks "the" (1/2), big and large are equal in tag and synonyms (1).
    (score,) = MaxSim(order=1).segments(["A big dog"], references=["The large dogs"])
    assert score == pytest.approx(100 * (1 + 0.5 + 1) / 3)


def test_bigrams_by_hand() -> None:
    # a big | the large: (1/2 + 1) / 2; big dog | large dogs: (1 + S) / 2, where dog and dogs have
    # different tags but one lemma: S = (0 + 1) / 2.
    metric = MaxSim(order=2, weights="0/1")
    (score,) = metric.segments(["A big dog"], references=["The large dogs"])
    assert score == pytest.approx(100 * (0.75 + 0.75) / 2)


def test_alpha_weighs_recall() -> None:
    # One word of two matches: P = 1/2, R = 1.
    (score,) = MaxSim(order=1, phases="tag+lemma").segments(["dog ran"], references=["dog"])
    assert score == pytest.approx(100 * 0.5 * 1 / (0.9 * 0.5 + 0.1 * 1))


def test_an_edge_needs_every_word_to_be_similar() -> None:
    # "dog of" and "dog ran": the second words share neither tag nor meaning, so no bigram matches.
    metric = MaxSim(order=2, weights="0/1")
    assert metric.segments(["dog of"], references=["dog ran"]).tolist() == [0.0]


def test_f_mean() -> None:
    assert f_mean(np.array([1.0]), np.array([2]), np.array([1]), 0.5).tolist() == [2 / 3]
    assert f_mean(np.array([0.0]), np.array([2]), np.array([0]), 1.0).tolist() == [0.0]
    assert np.isnan(f_mean(np.array([0.0]), np.array([0]), np.array([0]), 0.9))


# --- the paper's rules ----------------------------------------------------------------------------


def test_tokens_without_letters_and_digits_do_not_count() -> None:
    plain, marked = MaxSim().segments(
        ["the dog barked", '" the dog -- barked ! " ( ... )'], references=["the dog barked"] * 2
    )
    assert plain == 100.0
    assert marked == 100.0


def test_several_references_are_averaged() -> None:
    references = ["the dog barked", "a cat ran", "the dogs bark"]
    one = [MaxSim().segments(["the dog barks"], references=[reference])[0] for reference in references]
    (all_three,) = MaxSim().segments(["the dog barks"], references=[references])
    assert all_three == pytest.approx(np.mean(one))
    assert MaxSim().score(["the dog barks"], references=[references]).value == pytest.approx(
        np.mean(one)
    )


def test_a_corpus_scores_the_mean_of_its_segments() -> None:
    candidates, references = ["the dog", "a cat ran home"], ["the dogs", "the cat walked"]
    score = MaxSim().score(candidates, references=references)
    assert score.value == pytest.approx(MaxSim().segments(candidates, references=references).mean())
    assert sorted(score.parts) == ["F1", "F2", "F3"]


@pytest.mark.parametrize(
    ("phases", "expected"),
    [("tag", 0.0), ("lemma", 1 / 2), ("tag+lemma", 1 / 2), ("graph", 3 / 4), ("tag+lemma+graph", 1.0)],
)
def test_phases_can_be_switched_off(phases: str, expected: float) -> None:
    # dogs/NNS and dog/NN: equal lemmas (graph: (0 + 1) / 2). big and large: synonyms, equal tags.
    metric = MaxSim(order=1, phases=phases)
    (score,) = metric.segments(["big dogs"], references=["large dog"])
    assert score == pytest.approx(100 * expected)


def test_synonyms() -> None:
    # kill and start have the synonym pop in common but stand in no synset together.
    for how, expected in (("shared", 1.0), ("synset", 0.5), ("none", 0.5)):
        (score,) = MaxSim(order=1, synonyms=how).segments(
            ["they kill it"], references=["they start it"]
        )
        assert score == pytest.approx(100 * (2 + expected) / 3)


def test_words_outside_wordnet() -> None:
    # of/IN and with/IN against of/IN and for/IN as bigrams with dog: WordNet has no "of".
    metric = MaxSim(order=2, weights="0/1")
    texts: dict[str, Any] = {"candidates": ["of cats"], "references": ["of dogs"]}
    assert metric.segments(**texts)[0] == pytest.approx(100 * (0.5 + 0.5) / 2)
    own = dataclasses.replace(metric, outside="synonym")
    assert own.segments(**texts)[0] == pytest.approx(100 * (1 + 0.5) / 2)


def test_short_sentences() -> None:
    assert MaxSim().segments(["dog"], references=["dog"]).tolist() == [100.0]
    (zero,) = MaxSim(short="zero").segments(["dog"], references=["dog"])
    assert zero == pytest.approx(100 / 3)
    for short in ("skip", "zero"):
        same = MaxSim(short=short).segments(["", "!", "dog"], references=["", "", ""])
        assert same.tolist() == [100.0, 100.0, 0.0]


def test_weights() -> None:
    texts: dict[str, Any] = {"candidates": ["A big dog"], "references": ["The large dogs"]}
    parts = [MaxSim(weights=weights).segments(**texts)[0] for weights in ("1/0/0", "0/1/0", "0/0/1")]
    (mixed,) = MaxSim(weights="2/1/1").segments(**texts)
    assert mixed == pytest.approx((2 * parts[0] + parts[1] + parts[2]) / 4)
    assert MaxSim(weights="3/3/3").segments(**texts)[0] == pytest.approx(np.mean(parts))


def test_no_part_that_counts() -> None:
    # One word has no trigram, and only trigrams have a weight: no score, not a full one.
    metric = MaxSim(weights="0/0/1")
    scores = metric.segments(["dog", "a big dog", ""], references=["cat", "a big dog", ""])
    assert np.isnan(scores[0])
    assert scores[1:].tolist() == [100.0, 100.0]
    assert metric.score(["dog", "a big dog"], references=["cat", "a big dog"]).value == 100.0


def test_lemmas() -> None:
    # Without its tag, "saw" may be "see"; as the noun NN it is "saw".
    texts: dict[str, Any] = {"candidates": ["an old saw"], "references": ["an old see"]}
    word = MaxSim(order=1, phases="tag+lemma", lemmas="word").segments(**texts)[0]
    tag = MaxSim(order=1, phases="tag+lemma", lemmas="tag").segments(**texts)[0]
    assert (word, tag) == (100.0, pytest.approx(100 * 2 / 3))


def test_tags_as_in_the_journal() -> None:
    # "to" is TO in the Journal; for the tagger it is a preposition (IN) before Rome.
    texts: dict[str, Any] = {"candidates": ["They went to Rome"], "references": ["They want to win"]}
    (journal,) = MaxSim(order=1, phases="tag").segments(**texts)
    (own,) = MaxSim(order=1, phases="tag", tagset="tagger").segments(**texts)
    assert (journal, own) == (pytest.approx(100 * 2 / 4), pytest.approx(100 * 1 / 4))


# --- invariances ----------------------------------------------------------------------------------


@given(st.text(max_size=40) | sentences)
def test_identity(text: str) -> None:
    assert MaxSim().segments([text], references=[text])[0] == pytest.approx(100.0)


@given(sentences, sentences)
def test_symmetric_when_alpha_is_one_half(left: str, right: str) -> None:
    metric = MaxSim(alpha=0.5)
    forth, back = metric.segments([left, right], references=[right, left])
    assert forth == pytest.approx(back)


def test_not_symmetric_otherwise() -> None:
    forth, back = MaxSim().segments(["the dog", "the dog ran"], references=["the dog ran", "the dog"])
    assert forth < back


@given(sentences, st.lists(sentences, min_size=1, max_size=4), st.randoms())
def test_the_order_of_references_does_not_matter(mine: str, theirs: list[str], random: Any) -> None:
    mixed = list(theirs)
    random.shuffle(mixed)
    one, two = (MaxSim().segments([mine], references=[group])[0] for group in (theirs, mixed))
    assert one == pytest.approx(two)


@given(sentences, sentences)
def test_range(mine: str, theirs: str) -> None:
    (score,) = MaxSim().segments([mine], references=[theirs])
    assert 0.0 <= score <= 100.0 + 1e-9


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_a_score(mine: str, theirs: str) -> None:
    (score,) = MaxSim().segments([mine], references=[theirs])
    assert np.isfinite(score)


def test_scripts_of_the_world() -> None:
    texts = ["Ελληνικά και 中文", "שלום עולם", "مرحبا بالعالم", "e\u0301te\u0301", "🙂 👍🏽", "ไทย"]
    assert MaxSim().segments(texts, references=texts).tolist() == [100.0] * len(texts)


# --- analyses are shared ---------------------------------------------------------------------------


def test_a_shared_reference_is_analyzed_once() -> None:
    metric = MaxSim(order=2)
    tool = analyzer(metric.analysis_settings)
    references = [f"a sentence of number {i} that nobody wrote" for i in range(20)]
    before = tool.analyzed_lines
    systems = [[f"{text} {k}" for text in references] for k in range(50)]
    alone = [metric.segments(system, references=references) for system in systems]
    assert tool.analyzed_lines - before == 50 * 20 + 20
    from paragauge.metrics.scoring import score

    sheet = score({str(k): system for k, system in enumerate(systems)}, [metric], references=references)
    assert tool.analyzed_lines - before == 2 * 50 * 20 + 20
    assert sheet["7", "maxsim:order=2"].value == pytest.approx(alone[7].mean())


def test_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = MaxSim(alpha=0.71)
    texts: dict[str, Any] = {
        "candidates": ["the dog ran", "a cat sat"],
        "references": ["the dogs run", "the cat sits"],
    }
    expected = metric.segments(**texts)
    monkeypatch.setattr(analysis, "MOST_TOKENS", 3)
    monkeypatch.setattr(analysis, "MOST_LEMMAS", 3)
    for _ in range(3):
        np.testing.assert_array_equal(metric.segments(**texts), expected)


# --- relations --------------------------------------------------------------------------------------

DOGS = Sentence(
    ("Dogs", "eat", "cats"),
    ("NNS", "VBP", "NNS"),
    ("dog", "eat", "cat"),
    (2, 0, 2),
    ("nsubj", "root", "obj"),
)
HOUNDS = Sentence(
    ("Hounds", "were", "eaten", "there"),
    ("NNS", "VBD", "VBN", "RB"),
    ("hound", "be", "eat", "there"),
    (3, 3, 0, 3),
    ("nsubj:pass", "aux:pass", "root", "advmod"),
)


@pytest.fixture
def files(tmp_path: Path) -> str:
    paths = [tmp_path / "mine.conllu", tmp_path / "theirs.conllu"]
    for path, sentence in zip(paths, (DOGS, HOUNDS), strict=True):
        write_conllu(path, [sentence])
    return "+".join(map(str, paths))


def with_files(files: str, **changes: Any) -> MaxSimDep:
    return MaxSimDep(**({"tagger": "conllu", "parser": "conllu", "analyzed": files} | changes))


def test_relations_by_hand(files: str) -> None:
    # (dog, subject, eat), (cat, object, eat) against (hound, subject, eat): one match, of
    # weight (1 + 1 + 1) / 3; P = 1/2, R = 1.
    metric = with_files(files, weights="0/0/0/1")
    (score,) = metric.segments(["Dogs eat cats"], references=["Hounds were eaten there"])
    assert score == pytest.approx(100 * 1 / (0.9 * 1 + 0.1 * 2))
    subjects = dataclasses.replace(metric, relations="subject")
    assert subjects.segments(["Dogs eat cats"], references=["Hounds were eaten there"]) == [100.0]
    objects = dataclasses.replace(metric, relations="object")
    assert objects.segments(["Dogs eat cats"], references=["Hounds were eaten there"]) == [0.0]
    every = dataclasses.replace(metric, relations="all")
    assert every.segments(["Dogs eat cats"], references=["Hounds were eaten there"]) == [0.0]


def test_the_letter_of_the_paper_in_relations(tmp_path: Path) -> None:
    """By the letter Syn(they, they) = 0: (0 + 1 + Syn(saw, saw)) / 3 of the one subject."""
    path = tmp_path / "letter.conllu"
    words = ("They", "saw", "it", "at", "home")
    tags = ("PRP", "VBD", "PRP", "IN", "NN")
    arcs = ("nsubj", "root", "dobj", "prep", "pobj")
    write_conllu(path, [Sentence(words, tags, heads=(2, 0, 2, 2, 4), relations=arcs)])
    text = " ".join(words)

    def relations(**settings: str) -> float:
        metric = MaxSimDep(
            tagger="conllu", parser="conllu", analyzed=str(path), weights="0/0/0/1", **settings
        )
        return float(metric.segments([text], references=[text])[0])

    assert relations() == pytest.approx(100)
    assert relations(relations_outside="nothing", relations="subject") == pytest.approx(100 * 2 / 3)
    # "it" and "at" are nouns in WordNet too (IT and astatine): (2/3 + 1 + 1) / 3.
    letter = relations(relations_outside="nothing", relations="subject+object+preposition")
    assert letter == pytest.approx(100 * 8 / 9)
    assert relations(relations="object+preposition") == pytest.approx(100)
    parts = MaxSimDep(
        tagger="conllu",
        parser="conllu",
        analyzed=str(path),
        relations="subject+object+preposition",
        relations_outside="nothing",
    ).explain(text, text)
    assert len(parts.parts[-1].links) == 3
    assert "children equal" not in parts.parts[-1].links[0].why


def test_relations_join_the_mean(files: str) -> None:
    texts: dict[str, Any] = {
        "candidates": ["Dogs eat cats"],
        "references": ["Hounds were eaten there"],
    }
    score = with_files(files).score(**texts)
    assert list(score.parts) == ["F1", "F2", "F3", "relations"]
    assert score.value == pytest.approx(np.mean(list(score.parts.values())))


def test_a_sentence_matches_itself_with_pronouns(tmp_path: Path) -> None:
    path = tmp_path / "they.conllu"
    they = Sentence(("They", "left"), ("PRP", "VBD"), ("they", "leave"), (2, 0), ("nsubj", "root"))
    write_conllu(path, [they])
    assert with_files(str(path)).segments(["They left"], references=["They left"]).tolist() == [100.0]


def test_spacy_parses(english_pipeline: bool) -> None:
    if not english_pipeline:
        pytest.skip("no English spaCy pipeline is installed")
    metric = MaxSimDep(weights="0/0/0/1")
    candidates = ["The dog chased the cat.", "The dog chased the cat."]
    scores = metric.segments(candidates, references=["A hound chased a cat.", "It rained."])
    assert scores[0] == pytest.approx(100.0)
    assert scores[1] < 40.0
    assert "|parser:spacy" in metric.signature
    mixed = MaxSimDep(tagger="paragauge")
    assert "|tagger:perceptron-" in mixed.signature
    assert mixed.segments(candidates, references=candidates).tolist() == [100.0, 100.0]


# --- tools and errors --------------------------------------------------------------------------------


def test_tools_are_in_the_signature(files: str, tmp_path: Path) -> None:
    base = MaxSim().signature
    assert "|tagger:perceptron-" in base
    assert "|wordnet:3.0|" in base
    lexicon = tmp_path / "wn"
    lexicon.mkdir()
    for name in ("noun", "verb", "adj", "adv"):
        (lexicon / f"index.{name}").write_text("")
        (lexicon / f"data.{name}").write_text("")
        (lexicon / f"{name}.exc").write_text("")
    (lexicon / "index.noun").write_text("dog n 1 0 1 0 00000001  \n")
    (lexicon / "data.noun").write_text("00000001 05 n 01 dog 0 000 | an animal  \n")
    other = MaxSim(wordnet=str(lexicon))
    assert str(lexicon) not in other.signature
    assert other.signature != base
    given = MaxSim(tagger="conllu", analyzed=files, lemmas="given", synonyms="none", language="de")
    assert "|analysed:" in given.signature
    assert "|language:de|" in given.signature
    assert str(tmp_path) not in given.signature


def test_a_pipeline_for_all_metrics_concerns_those_that_use_one() -> None:
    defaults = {"pipeline": "en_x"}
    assert Metric.from_spec("maxsim", defaults) == MaxSim()
    assert Metric.from_spec("maxsim-soft", defaults) == MaxSimSoft.load()
    assert Metric.from_spec("maxsim:tagger=spacy", defaults).settings()["pipeline"] == "en_x"
    assert Metric.from_spec("maxsim+dep", defaults).settings()["pipeline"] == "en_x"
    assert Metric.from_spec("maxsim-soft:parser=spacy", defaults).settings()["pipeline"] == "en_x"
    with pytest.raises(SettingError, match="pipeline=en_x: a spaCy pipeline is given but not used"):
        Metric.from_spec("maxsim:pipeline=en_x")


def test_analyses_from_a_pipe(tmp_path: Path, files: str) -> None:
    # A pipe can be read once, so the signature is of what was read.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = Path(files.split("+")[0]).read_bytes()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(pipe.write_bytes, text)
        metric = MaxSim(tagger="conllu", analyzed=str(pipe))
        assert metric.segments(["Dogs eat cats"], references=["Dogs eat cats"]).tolist() == [100.0]
        pipe_signature = metric.signature
    assert pipe_signature == MaxSim(tagger="conllu", analyzed=files.split("+")[0]).signature


def test_given_lemmas(tmp_path: Path) -> None:
    path = tmp_path / "de.conllu"
    write_conllu(
        path,
        [
            Sentence(("Hunde", "bellten"), ("NN", "VVFIN"), ("Hund", "bellen")),
            Sentence(("Ein", "Hund", "bellt"), ("ART", "NN", "VVFIN"), ("ein", "Hund", "bellen")),
        ],
    )
    metric = MaxSim(
        order=2, tagger="conllu", analyzed=str(path), lemmas="given", synonyms="none", language="de"
    )
    score = metric.score(["Hunde bellten"], references=["Ein Hund bellt"])
    assert score.parts == {
        "F1": pytest.approx(100 * 2 / (0.9 * 3 + 0.1 * 2)),
        "F2": pytest.approx(100 * 1 / (0.9 * 2 + 0.1 * 1)),
    }


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        (
            {"language": "de"},
            "MAXSIM language=de: the built-in tagger and WordNet are English; give",
        ),
        ({"weights": "1/1"}, "MAXSIM weights: expected 3 numbers from 0, not all 0, for F1, F2, F3"),
        ({"weights": "0/0/0"}, "found '0/0/0'"),
        ({"weights": "a/b/c"}, "found 'a/b/c'"),
        ({"weights": "1/-1/1"}, "found '1/-1/1'"),
        ({"tagger": "conllu"}, "tagger=conllu: expected CoNLL-U files with the analyses"),
        ({"analyzed": "a.conllu"}, "analyzed: CoNLL-U files are given but not used"),
        ({"lemmas": "given"}, "lemmas=given: the tagger gives no lemmas"),
        ({"tagger": "spacey"}, "unknown MAXSIM tagger 'spacey'; did you mean 'spacy'"),
        ({"order": 0}, "MAXSIM order: expected a whole number from 1 to 9, found 0"),
        ({"alpha": 1.5}, "MAXSIM alpha: expected a number from 0 to 1, found 1.5"),
        ({"wordnet": ""}, "MAXSIM wordnet: expected a string that is not empty, found ''"),
    ],
)
def test_bad_settings(settings_: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        MaxSim(**settings_)


def test_no_wordnet_at_the_path(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no WordNet there: expected index\.noun"):
        MaxSim(wordnet=str(tmp_path)).segments(["a"], references=["a"])
    with pytest.raises(FileFormatError, match="no such file"):
        MaxSim(wordnet=str(tmp_path / "none")).segments(["a"], references=["a"])


def test_threads_share_what_is_remembered() -> None:
    words = [*WORDS, "cat", "cats", "house", "ran", "green", "tree", "quickly", "went"]
    draw = np.random.default_rng(7)
    mine, theirs = (
        [" ".join(draw.choice(words, 9)) + f" {side}{i}" for i in range(600)] for side in "ab"
    )
    metrics = (MaxSim(), MaxSimSoft.load())
    expected = [metric.segments(mine, references=theirs) for metric in metrics]
    analysis._analyzer.cache_clear()

    def run(part: int) -> bool:
        first = 40 * part
        chosen = slice(first, first + 80)
        return all(
            np.array_equal(metric.segments(mine[chosen], references=theirs[chosen]), right[chosen])
            for metric, right in zip(metrics, expected, strict=True)
        )

    switched = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(run, range(14))) == [True] * 14
    finally:
        sys.setswitchinterval(switched)


def test_files_that_changed_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    metric = MaxSim(tagger="conllu", analyzed=str(path), order=1, synonyms="none")
    scores = []
    for tags in (("NN", "JJ"), ("NN", "NN")):
        write_conllu(path, [Sentence((w,), (t,)) for w, t in zip(("x", "yyy"), tags, strict=True)])
        scores += metric.segments(["x"], references=["yyy"]).tolist()
    assert scores == [0.0, 50.0]


def test_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    analysis.spacy_pipeline.cache_clear()
    analysis._analyzer.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'paragauge\[syntax\]'"):
        MaxSimDep().segments(["a"], references=["a"])


def test_a_line_that_the_files_do_not_have(files: str) -> None:
    with pytest.raises(
        InputError, match="expected an analysis of every line, found none of 'Cats sleep'"
    ):
        with_files(files).segments(["Dogs eat cats"], references=["Cats sleep"])


def test_another_script_is_refused() -> None:
    texts = ["Собака лаяла на кошку и убежала домой"] * 100
    with pytest.raises(InputError, match="expected English, found mostly letters of another script"):
        MaxSim().segments(texts, references=texts)


def test_sentences_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metric, "MOST_WORDS", 5)
    long = "one two three four five six"
    with pytest.raises(
        InputError, match="candidates: segment 2: expected a sentence of at most 5 words, found 6"
    ):
        MaxSim().segments(["a", long], references=["a", "b"])
    with pytest.raises(InputError, match=r"references: segment 2: .* found 6; split it"):
        MaxSim().segments(["a", "b"], references=[["a", "c"], ["b", long]])


def test_a_long_sentence_is_matched() -> None:
    words = " ".join(f"word{i} dog" for i in range(400))
    others = " ".join(f"thing{i} cat" for i in range(300))
    (score,) = MaxSim().segments([words], references=[others])
    assert 0 < score < 100


def test_specifications() -> None:
    assert Metric.from_spec("maxsim:order=2:phases=tag+lemma") == MaxSim(order=2, phases="tag+lemma")
    chosen = Metric.from_spec("maxsim+dep", {"tagger": "conllu", "analyzed": "a.conllu"})
    assert chosen == MaxSimDep(tagger="conllu", parser="conllu", analyzed="a.conllu")
    assert Metric.from_spec("maxsim", {"tokenize": "13a"}).tokenize == "13a"  # type: ignore[attr-defined]
