"""Expressions that deny, and negations that do not, read as plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.metrics.pem import PEM
from paragauge.metrics.pem.adequacy.polarity import match_polarity

WORDS = (
    *("he did not refuse", "fail", "failed", "to sign", "stopped", "signing", "unable", "no"),
    *("no later than", "never", "can help"),
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Pay no later than May.", "Pay by May."),
        ("No more than ten came.", "At most ten came."),
        ("Not only did he win, he shone.", "Also did he win, he shone."),
        ("There is no doubt that it works.", "Certainly it works."),
        ("I can not stand loud music.", "I hate loud music."),
        ("I can not stand up.", "I can not stand up."),
        ("Nothing but luck helps.", "Only luck helps."),
        ("It is not uncommon.", "It is common."),
        ("Hardly anyone came.", "Almost nobody came."),
        ("It never fails to please.", "It always please."),
        ("He did not come.", "He did not come."),
    ],
)
def test_negations_that_deny_nothing_are_put_into_plain_words(text: str, plain: str) -> None:
    assert match_polarity(text, "Other words.") == (plain, "Other words.")


@pytest.mark.parametrize(
    ("text", "other", "plain"),
    [
        ("He refused to sign it.", "He signed it.", "He did not sign it."),
        ("She will fail to see it.", "She sees it.", "She will not see it."),
        ("They avoided paying taxes.", "They paid taxes.", "They did not paying taxes."),
        ("It stopped raining at noon.", "It rained at noon.", "It no longer raining at noon."),
        ("I was unable to open it.", "I opened it.", "I could not open it."),
    ],
)
def test_a_denied_verb_that_the_other_sentence_has_is_denied_by_not(
    text: str, other: str, plain: str
) -> None:
    assert match_polarity(text, other) == (plain, other)
    assert match_polarity(other, text) == (other, plain)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("He refused to sign it.", "He rejected it."),
        ("He forgot to pay.", "He forgot to say that he would pay."),
        ("The strike ended.", "They stopped striking."),
        ("Sales declined to a low of ten.", "Sales are low."),
        ("He was refused to enter.", "He entered."),
    ],
)
def test_other_denying_verbs_stay(text: str, other: str) -> None:
    assert match_polarity(text, other) == (text, other)


@given(*[st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)] * 2)
def test_both_sides_are_read_alike(one: str, other: str) -> None:
    assert match_polarity(one, other) == match_polarity(other, one)[::-1]


@given(st.text(max_size=40))
def test_a_copy_stays_a_copy(text: str) -> None:
    mine, theirs = match_polarity(text, text)
    assert mine == theirs


@pytest.mark.parametrize(
    ("source", "good", "bad"),
    [
        (
            "He refused to sign the contract.",
            "He did not sign the contract.",
            "He signed the contract.",
        ),
        ("The firm failed to pay on time.", "The firm didn't pay on time.", "The firm paid on time."),
        ("He forgot to lock the door.", "He didn't lock the door.", "He remembered to lock the door."),
        (
            "Pay the rent by Friday.",
            "Pay the rent no later than Friday.",
            "Don't pay the rent by Friday.",
        ),
        ("I can't stand loud music.", "I hate loud music.", "I love loud music."),
        ("She couldn't open it.", "She was unable to open it.", "She was able to open it."),
    ],
)
def test_pem_tells_denials_by_other_words_from_their_contrary(source: str, good: str, bad: str) -> None:
    kept, lost = PEM().segments([good, bad], sources=[source] * 2)
    assert kept > lost + 20
