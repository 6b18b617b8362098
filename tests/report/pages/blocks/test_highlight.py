"""What became of words, by hand; the browser's twin is tested on the same cases."""

from __future__ import annotations

import pytest

from paragauge.report.pages.blocks import highlight as module
from paragauge.report.pages.blocks.highlight import (
    common_subsequence,
    highlight,
    render_pieces,
    split_words,
)


def kinds(pieces) -> list[tuple[str, str]]:
    return [(piece.text, piece.kind) for piece in pieces if piece.kind]


def test_a_known_sentence():
    highlighted = highlight(
        "Yesterday a feline sat on the old mat!",
        ["The cat sat on the mat yesterday."],
        ["A feline was sitting on the mat."],
    )
    assert kinds(highlighted.candidate) == [
        ("Yesterday", "moved"),
        ("a", "reference"),
        ("feline", "reference"),
        ("sat", "kept"),
        ("on", "kept"),
        ("the", "kept"),
        ("old", "new"),
        ("mat", "kept"),
    ]
    assert kinds(highlighted.source_pieces) == [
        ("The", "deleted"),
        ("cat", "deleted"),
        ("sat", "kept"),
        ("on", "kept"),
        ("the", "kept"),
        ("mat", "kept"),
        ("yesterday", "moved"),
    ]
    assert (
        "".join(piece.text for piece in highlighted.candidate)
        == "Yesterday a feline sat on the old mat!"
    )


def test_the_nearest_source_counts():
    highlighted = highlight("a b c", ["x y z", "a b d", "a b e"], [])
    assert highlighted.source == 1
    assert kinds(highlighted.source_pieces) == [("a", "kept"), ("b", "kept"), ("d", "deleted")]


def test_without_sources():
    highlighted = highlight("a b", [], ["b"])
    assert (highlighted.source, highlighted.source_pieces) == (None, [])
    assert kinds(highlighted.candidate) == [("a", "new"), ("b", "reference")]


def test_a_word_is_claimed_once():
    highlighted = highlight("b x b a b", ["a b b"], [])
    # Of "b b" and "a b" the walk ends at the second; the source has one b left, for the first b.
    assert kinds(highlighted.candidate) == [
        ("b", "moved"),
        ("x", "new"),
        ("b", "new"),
        ("a", "kept"),
        ("b", "kept"),
    ]
    assert kinds(highlighted.source_pieces) == [("a", "kept"), ("b", "kept"), ("b", "moved")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("...", []),
        ("don't 'quote' o’clock", ["don't", "quote", "o’clock"]),
        ("3.5 km", ["3", "5", "km"]),
        ("汉字と仮名", ["汉", "字", "と", "仮", "名"]),
        ("ein汉wort", ["ein", "汉", "wort"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("snake_case", ["snake", "case"]),
        ("𝒳 𠀀𠀁", ["𝒳", "𠀀", "𠀁"]),
    ],
)
def test_words(text, expected):
    pieces = split_words(text)
    assert [piece for piece, is_word in pieces if is_word] == expected
    assert "".join(piece for piece, _ in pieces) == text


def test_common_subsequence():
    assert common_subsequence([], ["a"]) == []
    # The example of Cormen et al.: length 4; passing over the first sequence first gives b d a b.
    assert common_subsequence("abcbdab", "bdcaba") == [(1, 0), (4, 1), (5, 3), (6, 4)]


def test_very_long_texts_are_compared_without_order(monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 3)
    highlighted = highlight("a b", ["a b"], [])
    assert [kind for _, kind in kinds(highlighted.candidate)] == ["moved", "moved"]


def test_markup_is_escaped():
    highlighted = highlight("<b>&x", [], [])
    assert (
        render_pieces(highlighted.candidate)
        == '&lt;<span class="w new">b</span>&gt;&amp;<span class="w new">x</span>'
    )
