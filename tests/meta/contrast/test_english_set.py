"""The shape of the English contrast set, `src/paragauge/models/contrast/english.tsv`.

Whether a pair is what its kind says is for readers to judge; the file is plain text for that reason.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest

from paragauge.meta.contrast.contrast_set import ENGLISH, GOOD_KINDS

LINES = ENGLISH.read_text(encoding="utf-8").removesuffix("\n").split("\n")
ROWS = [line.split("\t") for line in LINES[1:]]
CARD = ENGLISH.with_name("MODEL_CARD.md").read_text(encoding="utf-8")
KINDS = re.findall(r"^\| ([a-z-]+) \| ", CARD, re.MULTILINE)[1:]
BY_KIND = defaultdict(list)
for _, source, kind, candidate in ROWS:
    BY_KIND[kind].append((source, candidate))


def words(text: str) -> list[str]:
    return re.findall(r"[\w'’–-]+", text.lower())


def test_columns_and_size() -> None:
    assert LINES[0] == "id\tsource\tkind\tcandidate"
    sources = {row[1] for row in ROWS}
    assert f"{len(sources)} sources and {len(ROWS)} candidates" in CARD
    assert len(sources) >= 40
    assert len(ROWS) >= 400
    assert {6, 30} <= {len(source.split()) for source in sources}
    assert all(6 <= len(source.split()) <= 30 for source in sources)


def test_the_card_lists_the_kinds() -> None:
    assert list(BY_KIND) == KINDS
    assert min(Counter(row[2] for row in ROWS).values()) >= 20


def test_an_id_is_a_source_and_a_kind() -> None:
    source_of: dict[str, str] = {}
    for identifier, source, kind, _ in ROWS:
        stem, dot, end = identifier.partition(".")
        assert (dot, end) == (".", kind)
        assert source_of.setdefault(stem, source) == source
    assert len({row[0] for row in ROWS}) == len(ROWS)
    assert len(set(source_of.values())) == len(source_of)


def test_every_source_has_both_good_kinds() -> None:
    sources = {row[1] for row in ROWS}
    for kind in GOOD_KINDS:
        assert {source for source, _ in BY_KIND[kind]} == sources


def test_candidates_differ_from_each_other_and_from_the_source() -> None:
    assert all(source == candidate for source, candidate in BY_KIND["copy"])
    candidates = [row[3] for row in ROWS]
    assert len(set(candidates)) == len(candidates)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "truncated"])
def test_sentences_are_complete(kind: str) -> None:
    for _, candidate in BY_KIND[kind]:
        assert candidate == " ".join(candidate.split())
        assert re.search(r"[.?]$", candidate), candidate
        assert kind == "scrambled" or re.match(r"[A-Z]", candidate), candidate


def test_form() -> None:
    for source, candidate in BY_KIND["truncated"]:
        assert source.startswith(candidate + " ")
        assert len(candidate.split()) <= 0.67 * len(source.split())
    for source, candidate in BY_KIND["scrambled"]:
        assert sorted(source[:-1].split()) == sorted(candidate[:-1].split())
        assert candidate != source
    for source, candidate in BY_KIND["misspelled"]:
        pairs = list(zip(source.split(), candidate.split(), strict=True))
        assert 2 <= sum(a != b for a, b in pairs) <= len(pairs) // 2
    for source, candidate in BY_KIND["clause-added"]:
        assert len(candidate.split()) > len(source.split())


def test_a_near_copy_changes_less_than_a_paraphrase_with_few_changes_and_that_less_than_many() -> None:
    def new_words(kind: str) -> float:
        pairs = BY_KIND[kind]
        return sum(len(set(words(b)) - set(words(a))) / len(words(b)) for a, b in pairs) / len(pairs)

    assert new_words("near-copy") < new_words("few-changes") < new_words("many-changes")


def test_an_unrelated_sentence_shares_few_words() -> None:
    for source, candidate in BY_KIND["unrelated"]:
        shared = {word for word in set(words(source)) & set(words(candidate)) if len(word) > 4}
        assert len(shared) <= 1, (source, candidate)
