"""One spelling: contractions in full and British forms are no new wording."""

from __future__ import annotations

import pytest

from paragauge import PEM
from paragauge.metrics.pem.adequacy.spelling import AMERICAN, unify_spelling


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They're here, aren't they?", "They are here, are not they?"),
        ("I won't; you can't. Can't you?", "I will not; you can not. Can not you?"),
        ("We've seen it and I'll go.", "We have seen it and I will go."),
        ("It's cold. He's been ill.", "It is cold. He has been ill."),
        ("Let's go home.", "Let us go home."),
        ("Tom's dog, the dogs' bowl, he'd go", "Tom's dog, the dogs' bowl, he'd go"),
        ("It ain't so.", "It ain't so."),
        ("Colours, organised travelling.", "Colors, organized traveling."),
        ("The theatre's centre", "The theater's center"),
        ("'No,' he said.", "'No,' he said."),
        ("our hour, four flour", "our hour, four flour"),
        ("She didn't call until noon.", "She did not call before noon."),
        ("Until noon she never called.", "Before noon she never called."),
        ("She stayed until noon.", "She stayed until noon."),
        ("She did not call, so we stayed until noon.", "She did not call, so we stayed until noon."),
        ("Until noon she called.", "Until noon she called."),
        ("", ""),
    ],
)
def test_one_spelling(text: str, expected: str) -> None:
    assert unify_spelling(text) == expected
    assert unify_spelling(expected) == expected


def test_no_american_form_is_british() -> None:
    assert not set(AMERICAN) & set(AMERICAN.values())


@pytest.mark.parametrize(
    ("candidate", "source"),
    [
        ("I am sorry.", "I'm sorry."),
        ("I do not know.", "I don\u2019t know."),
        ("My favorite color is gray.", "My favourite colour is grey."),
    ],
)
def test_another_spelling_scores_as_a_copy(candidate: str, source: str) -> None:
    scores = PEM().segments([candidate, source], sources=[source, source])
    assert scores[0] == pytest.approx(scores[1], abs=4)  # fluency may differ
