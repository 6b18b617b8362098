"""Context classifiers: training, files, scores, explanations, errors."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, ParagaugeError, SettingError, ShapeError
from paragauge.rewrite.context.context_decision import DECISIONS, Decision
from paragauge.rewrite.context.context_model import ContextModel
from paragauge.rewrite.context.context_train import LEARNERS, ContextSettings, train_context
from paragauge.rewrite.context.contexts import (
    ADJECTIVE,
    NOUN,
    NOUNS,
    VERB_ING,
    VERB_PAST,
    ContextShape,
    word_classes,
)
from paragauge.rewrite.numbered_text import numbered_text
from paragauge.text.lines import Lines

TABLE_2 = "it is hard to believe that such tremendous changes have taken place for those people"


def changes(seed: int = 7) -> list[str]:
    """Sentences in which things take place, people go home, and tasks are difficult."""
    draw = random.Random(seed)
    what = ["changes", "talks", "events", "meetings", "elections"]
    who = ["people", "we", "they", "children", "workers"]
    patterns = [
        "such {what} have taken place for those {who}",
        "the {what} took place here last year",
        "{who} want to go home now",
        "{who} stayed at home with those {who2}",
        "it is difficult to believe that {who} like the {what}",
        "it is difficult to see the {what}",
        "the house of {who} is a green one",
        "some {what} were seen by {who} in the street",
    ]
    return [
        draw.choice(patterns).format(
            what=draw.choice(what), who=draw.choice(who), who2=draw.choice(who)
        )
        for _ in range(3000)
    ]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "text.txt"
    path.write_text("\n".join(changes()) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(corpus: Path) -> ContextModel:
    return train_context([corpus])


def one(model: ContextModel, text: str, position: int, word: str) -> float:
    zero = np.zeros(1, np.int64)
    where = np.array([position], np.int64)
    return float(model.scores(Lines.of([text]), zero, where, Lines.of([word]), zero)[0])


@pytest.mark.parametrize("learner", LEARNERS)
def test_table_2_of_the_paper(corpus: Path, learner: str) -> None:
    """(hard, difficult) passes; (place, home) does not, because "taken place" is a collocation."""
    settings = ContextSettings(learner=learner, decision=Decision(0, 0, 0))
    model = train_context([corpus], settings)
    words = TABLE_2.split(" ")
    assert one(model, TABLE_2, words.index("hard"), "difficult") >= 0
    assert one(model, TABLE_2, words.index("place"), "home") < 0
    assert one(model, TABLE_2, words.index("place"), "place") >= 0
    assert model.accuracy() > 0.9


def test_words_of_the_model_are_frequent_and_in_wordnet(model: ContextModel) -> None:
    assert {"place", "home", "difficult"} <= set(model.words)
    assert "the" not in model.words
    assert list(model.words) == sorted(model.words)
    assert np.isnan(one(model, "the big house", 1, "unheard-of"))


def test_given_words_are_trained_known_or_not(corpus: Path) -> None:
    model = train_context([corpus], words=["The", "home", "absent"])
    assert model.words == ("home", "the")
    with pytest.raises(InputError, match="one of the given words at least 10 times, found none"):
        train_context([corpus], words=["absent"])


def test_the_same_for_any_number_of_threads_and_batches(corpus: Path, tmp_path: Path) -> None:
    lines = corpus.read_text(encoding="utf-8").splitlines(keepends=True)
    first, second = tmp_path / "a.txt", tmp_path / "b.txt.gz"
    first.write_text("".join(lines[:1000]), encoding="utf-8")
    second.write_bytes(gzip.compress("".join(lines[1000:]).encode()))
    names = {train_context([corpus], threads=threads).name for threads in (1, 2, 5)}
    names.add(train_context([first, second]).name)
    assert len(names) == 1


def test_every_setting_of_training_counts(corpus: Path) -> None:
    changed = [
        {"shape": ContextShape(order=2)},
        {"shape": ContextShape(window=2)},
        {"shape": ContextShape(reach=0)},
        {"shape": ContextShape(collocations=False)},
        {"shape": ContextShape(positions=False)},
        {"learner": "boosting"},
        {"rounds": 2},
        {"rate": 0.2},
        {"penalty": 0.1},
        {"minimum": 500},
        {"examples": 20},
        {"negatives": "alike"},
        {"negatives": "sentences"},
        {"least": 9},
        {"features": 5},
        {"held_out": 0.3},
        {"decision": Decision(0.5)},
        {"seed": 8},
    ]
    few = ["difficult", "green", "home"]  # green is rarer than 500
    names = {
        train_context([corpus], ContextSettings(**settings), words=few).name for settings in changed
    }
    assert len(names) == len(changed)
    assert train_context([corpus], words=few).name not in names


def test_the_decision_is_the_formula(model: ContextModel, tmp_path: Path) -> None:
    model.save(tmp_path / "m")
    text, at = "people want to go home now", 4

    def score(word: str, *decision: float) -> float:
        return one(ContextModel.open(tmp_path / "m", decision=Decision(*decision)), text, at, word)

    plain, replaced = score("place", 0, 0, 0), score("home", 0, 0, 0)
    count = {word: int(n) for word, n in zip(model.words, model.occurrences, strict=True)}
    odds = np.log(count["place"] / count["home"])
    assert score("place", 1.5, 0, 0) == pytest.approx(plain - 1.5)
    assert score("place", 0, 0.5, 0) == pytest.approx(plain - 0.5 * replaced)
    assert score("place", 0, 0, 0.25) == pytest.approx(plain + 0.25 * odds)
    assert score("place", -2, 1, 1) == pytest.approx(plain - replaced + odds + 2)
    # The replaced word has no classifier: it counts as the rarest word, with a score of 0.
    unknown = ContextModel.open(tmp_path / "m", decision=Decision(0, 1, 1))
    bare = ContextModel.open(tmp_path / "m", decision=Decision(0, 0, 0))
    least = min(count.values())
    assert one(unknown, "zzz", 0, "home") == pytest.approx(
        one(bare, "zzz", 0, "home") + np.log(count["home"] / least)
    )
    strict = ContextModel.open(tmp_path / "m", threshold=3)
    assert strict.decision == Decision(3, model.decision.relative, model.decision.prior)
    with pytest.raises(SettingError, match="threshold: expected a number from -1,000"):
        ContextModel.open(tmp_path / "m", threshold=float("nan"))
    names = {ContextModel.open(tmp_path / "m", decision=Decision(*d)).name for d in np.eye(3).tolist()}
    assert len(names) == 3


def test_decisions_by_name(model: ContextModel, tmp_path: Path) -> None:
    assert Decision.named("paper") == Decision(0, 0, 0)
    assert Decision.named("calibrated") == Decision() == ContextModel.default().decision
    assert len(set(DECISIONS.values())) == len(DECISIONS)
    model.save(tmp_path / "m")
    names = {ContextModel.open(tmp_path / "m", decision=way).name for way in DECISIONS.values()}
    assert len(names) == len(DECISIONS)
    # A threshold replaces that of the decision, and nothing else.
    changed = ContextModel.open(tmp_path / "m", threshold=-1, decision=Decision.named("odds"))
    assert changed.decision == Decision(-1, 1, 1)
    with pytest.raises(
        SettingError, match=r"unknown decision 'calibrate'; did you mean 'calibrated'\?"
    ):
        Decision.named("calibrate")


def test_models_without_positions_explain_what_counts(corpus: Path) -> None:
    settings = ContextSettings(shape=ContextShape(collocations=False, positions=False))
    model = train_context([corpus], settings, words=["home", "place"])
    left, right = "now x home x x", "x x home x now"
    assert one(model, left, 2, "home") == one(model, right, 2, "home")
    sides = train_context([corpus], ContextSettings(shape=ContextShape(collocations=False)))
    assert one(sides, left, 2, "home") != one(sides, right, 2, "home")
    (why,) = [r for r in model.explain(left, 2, "home").reasons if r.words == "now"]
    assert (why.place, why.weight > 0) == ("on either side", True)
    twice = model.explain("now x home x now", 2, "home")
    total = twice.bias + sum(reason.weight for reason in twice.reasons)
    assert twice.score == pytest.approx(total + twice.comparison - twice.threshold)
    assert [r.words for r in twice.reasons].count("now") == 1


def test_a_model_of_the_first_format_has_the_same_name() -> None:
    """The built-in model was trained before n-grams without positions were a setting."""
    assert ContextModel.default().name.startswith("context-20b90cb7@")
    assert ContextShape(positions=False).fingerprint != ContextShape().fingerprint


def test_proposals_in_any_order_have_the_same_scores(model: ContextModel) -> None:
    tokens = Lines.of(["people want to go home now", "the talks took place here"])
    segment, position = np.array([0, 0, 1, 0, 1]), np.array([4, 4, 3, 1, 3])
    words, word = Lines.of(["home", "place"]), np.array([0, 1, 0, 1, 1])
    straight = model.scores(tokens, segment, position, words, word)
    order = np.array([3, 0, 4, 1, 2])
    mixed = model.scores(tokens, segment[order], position[order], words, word[order])
    assert mixed.tolist() == straight[order].tolist()


def test_a_saved_model_is_the_same(model: ContextModel, tmp_path: Path) -> None:
    model.save(tmp_path / "model.bin")
    again = ContextModel.open(tmp_path / "model.bin")
    assert again.name == model.name
    assert again.words == model.words
    assert again.about["tokens"] == model.about["tokens"]
    assert again.about["source"] == ["text.txt"]
    assert again.accuracy() == model.accuracy()
    again.save(tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "model.bin").read_bytes()


def test_explanations_add_up(model: ContextModel) -> None:
    words = TABLE_2.split(" ")
    for word, at in (("home", words.index("place")), ("difficult", words.index("hard"))):
        why = model.explain(TABLE_2, at, word)
        total = why.bias + sum(reason.weight for reason in why.reasons)
        total += why.comparison - why.threshold
        assert why.score == pytest.approx(total)
        assert why.score == pytest.approx(one(model, TABLE_2, at, word))
        weights = [abs(reason.weight) for reason in why.reasons]
        assert weights == sorted(weights, reverse=True)
    against = {r.words for r in model.explain(TABLE_2, words.index("place"), "home").reasons}
    assert "taken _" in against
    with pytest.raises(InputError, match="'zebra': expected one of the"):
        model.explain(TABLE_2, 0, "zebra")


def test_explanations_at_the_ends_of_a_sentence(model: ContextModel) -> None:
    words = {reason.words for reason in model.explain("home", 0, "home").reasons}
    assert words <= {"<s>", "<s> _", "_ </s>", "<s> _ </s>", "</s>"}


def test_a_word_two_places_away_is_not_next_to_it() -> None:
    model = ContextModel.default()
    places = {r.words: r.place for r in model.explain("a big man .", 1, "large").reasons}
    assert places["."] == "two places right"
    assert places["a _"] == "next to it"


def test_the_end_of_a_sentence_is_one_reason() -> None:
    why = ContextModel.default().explain("he is big", 2, "large")
    assert [r.words for r in why.reasons if "</s>" in r.words] == ["_ </s>"]
    total = why.bias + sum(reason.weight for reason in why.reasons)
    assert why.score == pytest.approx(total + why.comparison - why.threshold)


def test_places_outside_are_refused(model: ContextModel) -> None:
    with pytest.raises(ShapeError, match="positions must be those of tokens"):
        one(model, "a b", 2, "home")
    zero = np.zeros(1, np.int64)
    with pytest.raises(ShapeError, match="rows of the 1 words"):
        model.scores(Lines.of(["a"]), zero, zero, Lines.of(["home"]), zero + 1)
    with pytest.raises(ShapeError, match="every proposal must have a word"):
        model.scores(Lines.of(["a"]), zero, zero, Lines.of(["home"]), zero[:0])


def test_no_proposals_have_no_scores(model: ContextModel) -> None:
    none = np.zeros(0, np.int64)
    assert model.scores(Lines.of([]), none, none, Lines.of([]), none).tolist() == []


@given(st.lists(st.text(" ab中é🙂\u0301\u00a0", max_size=12), min_size=1, max_size=4), st.data())
def test_any_text_has_a_score(model: ContextModel, lines: list[str], choose: st.DataObject) -> None:
    places = [(i, at) for i, line in enumerate(lines) for at in range(len(line.split(" "))) if line]
    if not places:
        return
    segment, position = choose.draw(st.sampled_from(places))
    scores = model.scores(
        Lines.of(lines), np.array([segment]), np.array([position]), Lines.of(["home"]), np.array([0])
    )
    assert np.isfinite(scores).all()


def test_word_classes() -> None:
    words = ["dogs", "dog", "mice", "went", "going", "green", "xyzzy", "4", "中", ""]
    bits = word_classes(words).tolist()
    assert bits[0] & NOUNS
    assert not bits[0] & NOUN
    assert bits[1] & NOUN
    assert bits[2] & NOUNS
    assert bits[3] == VERB_PAST
    assert bits[4] & VERB_ING
    assert bits[5] & ADJECTIVE
    assert bits[6:] == [0, 0, 0, 0]


@pytest.mark.parametrize("bad", [(float("nan"),), (0, -1), (0, 0, 1e9), ("0",), (True,)])
def test_bad_decisions(bad: tuple) -> None:
    with pytest.raises(SettingError, match="expected a number from"):
        Decision(*bad)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learner": "boostng"}, "unknown learner 'boostng'; did you mean 'boosting'?"),
        ({"negatives": "all"}, "unknown negatives 'all'"),
        ({"minimum": 0}, "minimum: expected a whole number from 1 to 2,147,483,647, found 0"),
        ({"examples": 1.5}, "examples: expected a whole number from 1 to 2,147,483,647, found 1.5"),
        ({"seed": 1 << 31}, "seed: expected a whole number from 0 to 2,147,483,647, found 2147483648"),
        ({"rate": 0.0}, "rate"),
        ({"penalty": float("nan")}, "penalty"),
        ({"held_out": 0.9}, "held_out: expected a share from 0 to 0.5, found 0.9"),
    ],
)
def test_bad_settings(settings: dict, message: str) -> None:
    with pytest.raises(SettingError, match=message.replace("?", r"\?")):
        ContextSettings(**settings)


def test_a_shape_without_features_is_refused() -> None:
    with pytest.raises(SettingError, match="order: expected 1 or more"):
        ContextShape(order=0, collocations=False)


def test_a_reach_without_positions_is_refused() -> None:
    with pytest.raises(SettingError, match="reach: expected 1 if n-grams have no positions, found 0"):
        ContextShape(reach=0, positions=False)


def test_text_without_words_or_frequent_words(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"\n\n")
    with pytest.raises(InputError, match="empty: expected text, one sentence per line, found none"):
        train_context([tmp_path / "empty"])
    (tmp_path / "short").write_text("a house\n")
    with pytest.raises(InputError, match="a word that WordNet knows at least 10 times"):
        train_context([tmp_path / "short"])


def test_a_broken_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"fine\n\xff\n")
    with pytest.raises(FileFormatError, match=r"bad:2: expected UTF-8 text"):
        train_context([tmp_path / "bad"])
    (tmp_path / "cut").write_bytes(gzip.compress(b"a house\n" * 1000)[:40])
    with pytest.raises(FileFormatError, match="damaged gzip data"):
        train_context([tmp_path / "cut"])


@pytest.mark.parametrize(
    "content",
    [b"a\x00b house\r\n\nlast", "home " * 60000 + "\n", "中文 🙂 e\u0301 home\n" * 60],
    ids=["nul", "huge line", "scripts"],
)
def test_odd_text_trains(tmp_path: Path, content: bytes | str) -> None:
    raw = content.encode() if isinstance(content, str) else content
    (tmp_path / "odd").write_bytes(raw)
    settings = ContextSettings(minimum=1, examples=20)
    assert "home" in train_context([tmp_path / "odd"], settings) or b"home" not in raw


def test_numbered_text_leaves_nothing(tmp_path: Path, corpus: Path) -> None:
    with numbered_text([corpus], folder=tmp_path) as text:
        assert list(tmp_path.iterdir())
        assert text.sentences == 3000
        assert text.tokens == int(text.counts.sum()) == text.offsets[-1]
    assert list(tmp_path.iterdir()) == []


@given(st.binary(max_size=200))
def test_any_bytes_are_a_model_or_an_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(FileFormatError, match=r"expected a context model|damaged"):
        ContextModel.open(tmp_path / "m")


@pytest.fixture(scope="module")
def saved(model: ContextModel, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("saved") / "m"
    model.save(path)
    return path.read_bytes()


@given(st.data())
def test_a_damaged_model_is_refused(saved: bytes, tmp_path: Path, choose: st.DataObject) -> None:
    data = bytearray(saved)
    at = choose.draw(st.integers(8, len(data) - 1))
    if choose.draw(st.booleans()):
        del data[at:]
    else:
        data[at] ^= choose.draw(st.integers(1, 255))
    (tmp_path / "m").write_bytes(bytes(data))
    with pytest.raises(ParagaugeError, match=r"m: expected a context model"):
        ContextModel.open(tmp_path / "m")
