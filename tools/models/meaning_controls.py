"""Sentences with a meaning changed, or kept, in a known way: controls for a learned adequacy.

`change_meaning` makes the kinds of `paragauge.meta.contrast` except for near-copies, and those of
`quantity_changes.py`, `meaning_changes.py` and `role_changes.py`. `keep_meaning` makes near-copies and
the kinds of `meaning_rewrites.py`, `passive_voice.py`, and `converse`.

Each sentence and kind has its own random stream, seeded with the seed, the kind and the number of the
sentence, so that a result does not depend on which other kinds are made. Words and clauses that
come from other sentences are those of all sentences.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np

from paragauge.errors import unknown_name
from paragauge.meta.contrast.sentence_changes import ChangeKind, change_sentences
from paragauge.meta.contrast.tagged_sentence import tag_sentences
from tools.models.meaning_changes import (
    add_clause,
    change_modality,
    deny_person,
    deny_subject,
    deny_verb,
    replace_word,
    swap_nouns,
)
from tools.models.meaning_rewrites import (
    add_there_is,
    change_contraction,
    change_determiner,
    change_digits,
    drop_modifier,
    front_phrase,
    swap_conjuncts,
)
from tools.models.passive_voice import make_passive
from tools.models.quantity_changes import change_date_or_unit, change_quantity
from tools.models.role_changes import (
    say_conversely,
    say_half_conversely,
    swap_agent,
    swap_arguments,
    swap_compared,
)
from tools.models.sentence_batch import Rule, read_batch

Control = tuple[int, str, str]  # the number of the sentence, the kind and the new text

NEAR_COPY = "near-copy"
CHANGING: Mapping[str, Rule] = {
    "word": replace_word,
    "date-unit": change_date_or_unit,
    "quantifier": change_quantity,
    "modality": change_modality,
    "swap": swap_nouns,
    "clause": add_clause,
    "no": deny_subject,
    "nobody": deny_person,
    "never": deny_verb,
    "arguments": swap_arguments,
    "agent": swap_agent,
    "compared": swap_compared,
    "false-converse": say_half_conversely,
}
KEEPING: Mapping[str, Rule] = {
    "passive": make_passive,
    "there-is": add_there_is,
    "determiner": change_determiner,
    "contraction": change_contraction,
    "front": front_phrase,
    "digits": change_digits,
    "and-swap": swap_conjuncts,
    "drop-adj": drop_modifier,
    "converse": say_conversely,
}
CONTRASTS = tuple(kind for kind in get_args(ChangeKind) if kind != NEAR_COPY)
CHANGED_KINDS = (*CONTRASTS, *CHANGING)
KEPT_KINDS = (NEAR_COPY, *KEEPING)


def change_meaning(
    sentences: Sequence[str], seed: int, kinds: Sequence[str] = CHANGED_KINDS
) -> list[Control]:
    """Each sentence changed in each way that applies to it: its number, the kind and the new text.

    >>> for control in change_meaning(["A man is eating two apples."], 7, ["negation", "no", "nobody"]):
    ...     print(control)
    (0, 'negation', 'A man is not eating two apples.')
    (0, 'no', 'No man is eating two apples.')
    (0, 'nobody', 'Nobody is eating two apples.')
    """
    _check_kinds(kinds, CHANGED_KINDS)
    return _make_controls(sentences, seed, kinds, CHANGING)


def keep_meaning(
    sentences: Sequence[str], seed: int, kinds: Sequence[str] = KEPT_KINDS
) -> list[Control]:
    """Each sentence rewritten in each way that applies to it: its number, the kind and the new text.

    >>> for control in keep_meaning(["A man is eating two apples."], 7):
    ...     print(control)
    (0, 'there-is', 'There is a man eating two apples.')
    (0, 'determiner', 'The man is eating two apples.')
    (0, 'digits', 'A man is eating 2 apples.')
    """
    _check_kinds(kinds, KEPT_KINDS)
    return _make_controls(sentences, seed, kinds, KEEPING)


def _check_kinds(kinds: Sequence[str], known: Sequence[str]) -> None:
    for kind in kinds:
        if kind not in known:
            raise unknown_name("kind of control", kind, known)


def _make_controls(
    sentences: Sequence[str], seed: int, kinds: Sequence[str], rules: Mapping[str, Rule]
) -> list[Control]:
    if not sentences:
        return []
    controls: list[Control] = []
    shipped = [kind for kind in kinds if kind not in rules]
    if shipped:
        changed = change_sentences(sentences, shipped, seed=seed)
        controls += [(one.number, one.kind, one.candidate) for one in changed]
    tagged = tag_sentences(sentences)
    batch = read_batch(tagged)
    for number, sentence in enumerate(tagged):
        for kind in kinds:
            if kind not in rules:
                continue
            random = np.random.default_rng([seed, zlib.crc32(kind.encode()), number])
            text = rules[kind](sentence, batch, random)
            if text is not None and text != sentence.text:
                controls.append((number, kind, text))
    order = {kind: rank for rank, kind in enumerate(kinds)}
    return sorted(controls, key=lambda control: (control[0], order[control[1]]))
