"""Words, languages, spelling and hints on single answers and on workers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.collect.quality.hint_rules import (
    HintRules,
    count_sentences,
    find_answer_hints,
    find_worker_hints,
)
from paragauge.collect.quality.language_guess import (
    TAGS,
    find_other_language,
    guess_language,
)
from paragauge.collect.quality.spelling import Misspelling, Speller, find_speller
from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.lexicon.language_names import find_language_tag, name_language
from paragauge.text.unicode_words import nearest_overlap, overlap, same_words, words

QUICK = settings(max_examples=60, deadline=None)


def kinds(answer: WrittenAnswer, *others: WrittenAnswer, **more: object) -> list[str]:
    return [hint.kind for hint in find_answer_hints(answer, others, **more)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's a well-known dog’s toy.", ["it's", "a", "well-known", "dog's", "toy"]),
        ("- 'quoted' -", ["quoted"]),
        ("e\u0301te\u0301 ÉTÉ", ["été", "été"]),
        ("ดู", ["ดู"]),
        ("料理をする", ["料", "理", "を", "す", "る"]),
        ("👍 3 ok_go", ["3", "ok", "go"]),
        ("\u0301", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@QUICK
@given(st.text(max_size=60))
def test_words_are_stable_and_have_no_blanks(text: str) -> None:
    tokens = words(text)
    assert all(word and not any(c.isspace() for c in word) for word in tokens)
    assert same_words(same_words(text)) == same_words(text)


@QUICK
@given(st.lists(st.tuples(st.lists(st.sampled_from("abcd")), st.sampled_from("xy")), max_size=8))
def test_nearest_overlap_is_that_of_all_pairs(rows: list[tuple[list[str], str]]) -> None:
    texts, groups = [text for text, _ in rows], [group for _, group in rows]
    slow = [
        max((overlap(a, b) for b, h in rows if h != g), default=0.0)
        for a, g in rows
    ]  # fmt: skip
    assert nearest_overlap(texts, groups).tolist() == pytest.approx(slow)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Une femme est dans le jardin avec son chien.", "fr"),
        ("Ein Mann schneidet das Brot mit einem Messer.", "de"),
        ("Un hombre está tocando la guitarra en el parque.", "es"),
        ("O homem está tocando violão e não canta", "pt"),
        ("Een man is aan het koken in de keuken", "nl"),
        ("Ο άντρας μαγειρεύει", "el"),
        ("एक आदमी गिटार बजा रहा है", "hi"),
        ("ایک آدمی گانا گا رہا ہے", "ur"),
        ("الرجل في البيت مع الولد", "ar"),
        ("Чоловік грає на гітарі, і він співає", "uk"),
        ("男人在弹吉他", "zh"),
        ("12:30 !!!", None),
        ("guitar", None),
    ],
)
def test_guessed_languages(text: str, code: str | None) -> None:
    assert guess_language(text) == code


def test_every_language_has_a_name() -> None:
    assert all(find_language_tag(name_language(tag)) == tag for tag in TAGS)
    assert all(name_language(tag) != tag for tag in TAGS)


def test_related_scripts_are_no_contradiction() -> None:
    assert find_other_language("कुत्रा धावत आहे", "Marathi") is None
    assert find_other_language("犬", "Japanese") is None
    assert find_other_language("a dog", "Klingon") is None
    # A language that the table of function words does not have is not contradicted by its neighbors.
    assert find_other_language("die hond en die kat is in die tuin", "Afrikaans") is None


@QUICK
@given(st.text(max_size=40), st.sampled_from(["English", "Deutsch", "x", ""]))
def test_any_text_has_hints_and_no_crash(text: str, language: str) -> None:
    answer = WrittenAnswer(text, "v1", "ada", source=text[:5], language=language, seconds=3)
    for hint in find_answer_hints(answer, [answer, WrittenAnswer(text, "v1", "bob")]):
        assert hint.text
        assert hint.level in ("note", "warning")
        assert "\n" not in hint.text.replace(text, "")


def test_spelling() -> None:
    english = Speller("en")
    wrong = english.find_misspelled("Definately a well-knwon man's dgo in Xyzzyville; dgo 2nd")
    assert wrong == (
        Misspelling("definately", "definitely"),
        Misspelling("well-knwon", ""),
        Misspelling("dgo", "do"),
    )
    assert english.find_misspelled("a dgo", allowed={"dgo"}) == ()
    assert find_speller("Deutsch") is find_speller("Deutsch")
    german = find_speller("Deutsch")
    assert german is not None
    assert german.find_misspelled("Der Hund läuft schnell") == ()


def test_names_inside_the_sentence_are_no_slips() -> None:
    misspelled = Speller("en").find_misspelled("Xqzt eats. Then Xqzt sleeps near Xqzt.")
    assert misspelled == ()
    assert Speller("en").find_misspelled("Xqzt eats.") == (Misspelling("xqzt", ""),)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A dog runs", 1),
        ("A dog runs.", 1),
        ("A dog runs... fast", 2),
        ("At 3 p.m. Dr. No sings.", 1),
        ("Is it? Yes!", 2),
        ('He said "Stop." Then he left.', 2),
        ("J. R. runs.", 1),
        ("wait...", 1),
        ("यह एक कुत्ता है। वह दौड़ता है।", 2),
        ("!!!", 0),
    ],
)
def test_sentences(text: str, count: int) -> None:
    assert count_sentences(text) == count


def test_hints_on_copies() -> None:
    long = "A man is slowly riding a brown horse."
    mine = WrittenAnswer(long, "v1", "ada", seconds=20)
    same = WrittenAnswer(long.upper(), "v1", "bob")
    assert kinds(mine, mine) == []
    assert kinds(mine, same) == ["copy"]
    assert kinds(mine, WrittenAnswer(long, "v2", "bob")) == []
    assert kinds(mine, WrittenAnswer(long, "v2", "ada")) == ["duplicate"]
    assert (
        kinds(WrittenAnswer("A man sings.", "v1", "ada"), WrittenAnswer("a man sings", "v1", "bob"))
        == []
    )
    assert kinds(WrittenAnswer("A man sings!", "1", "ada", source="A man sings.")) == ["source"]


def test_hints_on_time_length_and_language() -> None:
    assert kinds(WrittenAnswer("A woman is slicing tomatoes.", "1", "a", seconds=1)) == ["time"]
    assert kinds(WrittenAnswer("A woman is slicing tomatoes.", "1", "a", seconds=4000)) == ["time"]
    assert kinds(WrittenAnswer("word " * 31, "1", "a")) == ["length"]
    assert kinds(WrittenAnswer("?!", "1", "a")) == ["length"]
    text = "Una mujer está cortando los tomates en la cocina"
    assert kinds(WrittenAnswer(text, "1", "a", language="English")) == ["language"]
    assert "language" not in kinds(WrittenAnswer(text, "1", "a", language="Spanish"))


def test_hints_on_workers() -> None:
    texts = ["a man sings a very nice song now", "dogs bark at the big red car today"]
    pair = [WrittenAnswer(text, f"v{i}", "ada") for i, text in enumerate(texts * 3)]
    assert [hint.kind for hint in find_worker_hints(pair)] == ["near-identical"]
    plain = ["sky blue", "wet grass", "tall tree", "old house", "red car"]
    varied = [WrittenAnswer(text, f"v{i}", "ada") for i, text in enumerate(plain)]
    assert find_worker_hints(varied) == ()
    theirs = [WrittenAnswer(answer.text, answer.item, "bob") for answer in varied]
    hints = find_worker_hints(varied, theirs, rules=HintRules(copy_words=2))
    assert [hint.text for hint in hints] == ["5 of 5 answers are the same as those of worker bob"]
    assert find_worker_hints(pair[:4]) == ()
