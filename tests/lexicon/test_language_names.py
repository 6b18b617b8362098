"""Names and tags of languages."""

from __future__ import annotations

from collections import Counter

import pytest

from paragauge.lexicon.language_names import (
    OTHER_NAMES,
    _entries,
    find_language_tag,
    list_language_names,
    name_language,
    normalize_language,
)


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        (
            "en",
            "English|ENGLISH|en|eng|en-us|en-US|en_GB|American English|English (UK)|English, British",
        ),
        ("de", "German|Deutsch|ger|deu|de-AT|DEUTSCH "),
        ("zh", "Chinese|Mandarin|Mandarin Chinese|zh-Hant-TW|cmn|中文"),
        ("fa", "Farsi|Persian|per|فارسی"),
        ("no", "Norwegian|nb|nynorsk|nb-NO"),
        ("tl", "Tagalog|Filipino|fil"),
        ("pt", "Portuguese (Brazil)|pt-BR|Português|portugue\u0302s"),
        ("he", "Hebrew|iw|עברית"),
    ],
)
def test_one_language_under_many_names(tag, names) -> None:
    assert {find_language_tag(name) for name in names.split("|")} == {tag}


def test_names_that_are_not_known_are_languages_of_their_own() -> None:
    for name in ("Klingon", "en route", "englisch-deutsch", "xx", "", "en-", "e", "english\0"):
        assert find_language_tag(name) is None, name
    assert normalize_language("  KLINGON  (old)") == "klingon (old)"
    assert name_language("My  dialect") == "My dialect"


def test_no_name_or_code_stands_for_two_languages() -> None:
    stated = Counter(
        each
        for tag, codes, name in _entries()
        for each in {tag, *codes, name.casefold(), *filter(None, OTHER_NAMES.get(tag, "").split(","))}
    )
    assert [name for name, count in stated.items() if count > 1] == []
    assert set(OTHER_NAMES) <= {tag for tag, _, _ in _entries()}
    assert len(set(list_language_names())) == len(_entries())
    # ISO 639-1 has 183 codes; two written forms of Norwegian count as Norwegian.
    assert sum(len(tag) == 2 for tag, _, _ in _entries()) == 183 - 2


def test_names_come_back_as_themselves() -> None:
    for tag, _, name in _entries():
        assert find_language_tag(name) == tag == find_language_tag(tag)
        assert name_language(name) == name
