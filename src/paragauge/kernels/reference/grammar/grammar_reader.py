"""Twin of grammar_reader.cpp: parse lines of grammars, each as `kernels/grammar_line.py` does."""

from __future__ import annotations

import numpy as np

from paragauge.kernels.grammar_line import ParsedRule, parse_grammar_line
from paragauge.kernels.layout import Bytes, Floats, Ids, Ints, Texts, pack_texts, texts


def parse_grammar(
    buffer: Bytes, spans: Ints, style: int, threads: int
) -> tuple[Texts, Texts, Texts, Texts, Texts, Texts, Ids, Ints, Texts, tuple[Ids, Floats, Ints], Ints]:
    """Columns lhs, labels, source, target, alignment, entailment ("" for none), numbers of words
    [rows, 2], counts (-1 for none); names of features in the order in which lines have them; the
    features of each row as numbers of names, values and offsets [rows + 1]; numbers of bad lines.
    """
    del threads
    if not 0 <= style <= 2:
        raise ValueError("style must be 0, 1 or 2")
    rules: list[ParsedRule] = []
    bad: list[int] = []
    for line, text in enumerate(texts(buffer, spans)):
        try:
            rules.append(parse_grammar_line(text, style))
        except ValueError:
            bad.append(line)
    names: dict[str, int] = {}
    for rule in rules:
        for name in rule.features:
            names.setdefault(name, len(names))
    words = [[len(side) - len(r.labels) for side in (r.source, r.target)] for r in rules]
    sizes = np.cumsum([0, *(len(rule.features) for rule in rules)], dtype=np.int64)
    return (
        pack_texts([rule.lhs for rule in rules]),
        pack_texts([" ".join(rule.labels) for rule in rules]),
        pack_texts([" ".join(rule.source) for rule in rules]),
        pack_texts([" ".join(rule.target) for rule in rules]),
        pack_texts([" ".join(rule.alignment) for rule in rules]),
        pack_texts([" ".join(rule.entailment) for rule in rules]),
        np.array(words, np.int32).reshape(-1, 2),
        np.array([rule.count for rule in rules], np.int64),
        pack_texts(list(names)),
        (
            np.array([names[name] for rule in rules for name in rule.features], np.int32),
            np.array([value for rule in rules for value in rule.features.values()], np.float64),
            sizes,
        ),
        np.array(bad, np.int64),
    )
