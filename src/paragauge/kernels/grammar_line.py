"""Parse one line of a grammar of PPDB, Joshua, Thrax, Hiero, cdec or Moses, or say what is wrong.

The kernel parses lines in `grammar/grammar_line.hpp`; its twin parses every line with this module, and
readers use it to explain why the kernel rejected a line.

    labeled         [LHS] ||| source ||| target ||| features ||| alignment ||| entailment
    moses-rules     source [LHS] ||| target [LHS] ||| scores ||| alignment ||| counts ||| ...
    moses-phrases   source ||| target ||| scores ||| alignment ||| counts ||| ...

Words are separated by ASCII white space, fields by the word `|||`, which no other word may contain:
Moses splits there with or without spaces.

A *labeled* line has three to six fields. A non-terminal is `[label,index]`, split at the last comma; on
the target side `[index]` is enough. Each index of the source is once on the target side, with the same
label. Features are `name=value`, split at the last `=`, or numbers, which are named 0, 1, 2 ... by
their position among numbers; a feature with the value `NA` is ignored. The feature `count` is the
rule's count and must be a whole number.

In files of *Moses* the scores are numbers, named by position. In rules a non-terminal is `[source
label][target label]`, the same on both sides, and links of the alignment pair them; these links are
then removed from the alignment. Where the labels of source and target differ, one of them is Moses'
own X and the other counts. The counts of the target, of the source and of both are the features
target_count, source_count and joint_count; a whole joint count is the rule's count. Fields after the
fifth are ignored. Phrases are rules with the left side X.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

LABELED, MOSES_RULES, MOSES_PHRASES = range(3)
MOST = 1 << 53  # counts up to here are exact
MOST_NONTERMINALS = 99
MOST_FEATURES = 999
NUMBER = re.compile(r"[-+]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
NONTERMINAL = re.compile(r"\[(.+),([0-9]{1,9})\]", re.DOTALL)
INDEX = re.compile(r"\[([0-9]+)\]")
LABEL = re.compile(r"\[(.+)\]", re.DOTALL)
LINK = re.compile(r"([0-9]+)-([0-9]+)")
BLANK = re.compile(r"[\t\r\v\f\n ]")
MOSES_COUNTS = ("target_count", "source_count", "joint_count")


@dataclass
class ParsedRule:
    """A line in normal form: see `grammar/rule.py`."""

    lhs: str
    labels: list[str]
    source: list[str]
    target: list[str]
    alignment: list[str] = field(default_factory=list)
    entailment: list[str] = field(default_factory=list)
    features: dict[str, float] = field(default_factory=dict)
    count: int = -1


def parse_grammar_line(line: str, style: int) -> ParsedRule:
    """Parse a line into a rule; a ValueError says what was expected and what was found.

    >>> rule = parse_grammar_line("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| p=0.5", LABELED)
    >>> rule.labels, rule.source, rule.target, rule.features
    (['N', 'N'], ['[1]', "'s", '[2]'], ['the', '[2]', 'of', '[1]'], {'p': 0.5})
    """
    fields: list[list[str]] = [[]]
    for word in re.split(r"[ \t\r\v\f]", line):
        if word == "|||":
            fields.append([])
        elif "|||" in word:
            raise ValueError(f"expected spaces around |||, found {quote([word])}")
        elif word:
            fields[-1].append(word)
    if style == LABELED:
        return _parse_labeled(fields)
    return _parse_moses(fields, rules=style == MOSES_RULES)


def _parse_labeled(fields: list[list[str]]) -> ParsedRule:
    if not 3 <= len(fields) <= 6:
        raise ValueError(
            f"expected three to six fields, [LHS] ||| source ||| target ||| features ..., "
            f"found {len(fields)}"
        )
    left, source, target, features, alignment, entailment = [*fields, [], [], []][:6]
    match = LABEL.fullmatch(left[0]) if len(left) == 1 else None
    if match is None:
        raise ValueError(f"expected a label in brackets such as [NP], found {quote(left)}")
    rule = ParsedRule(match[1], [], [], [], alignment, entailment)
    _check_not_empty(source, target)
    numbers: dict[int, int] = {}
    for token in source:
        match = NONTERMINAL.fullmatch(token)
        if match is None:
            rule.source.append(_check_word(token))
            continue
        if int(match[2]) in numbers:
            raise ValueError(f"expected each index once on the source side, found {quote([token])}")
        _check_room(rule)
        rule.labels.append(match[1])
        numbers[int(match[2])] = len(rule.labels)
        rule.source.append(f"[{len(rule.labels)}]")
    for token in target:
        match = NONTERMINAL.fullmatch(token)
        index = match[2] if match else _find_index(token)
        if index is None:
            rule.target.append(_check_word(token))
            continue
        number = numbers.pop(int(index), 0)
        if not number:
            raise ValueError(
                "expected on the target side the non-terminals of the source side, each once, "
                f"found {quote([token])}"
            )
        if match and match[1] != rule.labels[number - 1]:
            raise ValueError(
                f"expected the label {quote([rule.labels[number - 1]])} of the source side, "
                f"found {quote([token])}"
            )
        rule.target.append(f"[{number}]")
    if numbers:
        raise ValueError(f"expected index {min(numbers)} on the target side too, found it missing")
    _check_links(alignment, len(source), len(target))
    _read_features(rule, features)
    return rule


def _read_features(rule: ParsedRule, features: list[str]) -> None:
    _check_number(features)
    position = 0
    seen = set()
    for token in features:
        name, equals, text = token.rpartition("=")
        if not equals:
            name, position = str(position), position + 1
        if not name:
            raise ValueError(f"expected features such as p=0.5, found {quote([token])}")
        if name in seen:
            raise ValueError(f"expected each feature once, found {quote([name])} twice")
        seen.add(name)
        if equals and text == "NA":
            continue
        value = parse_number(text)
        if math.isnan(value):
            raise ValueError(f"expected features such as p=0.5 or numbers, found {quote([token])}")
        if name != "count":
            rule.features[name] = value
        elif (count := _whole_or_negative(value)) >= 0:
            rule.count = count
        else:
            raise ValueError(
                "expected the feature count to be a whole number, found "
                f"{quote([token])}; give it another name"
            )


def _parse_moses(fields: list[list[str]], *, rules: bool) -> ParsedRule:
    if len(fields) < 3:
        raise ValueError(f"expected source ||| target ||| scores, found {len(fields)} of these fields")
    source, target, scores, alignment, counts = [*fields, [], []][:5]
    _check_not_empty(source, target)
    lhs = "X"
    if rules:
        lhs = _merge_labels(_left_label(source), _left_label(target))
        source, target = source[:-1], target[:-1]
        _check_not_empty(source, target)
    rule = ParsedRule(lhs, [], source, target)
    _check_links(alignment, len(source), len(target))
    if rules:
        _pair_nonterminals(rule, alignment)
    else:
        rule.alignment = alignment
        for token in [*source, *target]:
            _check_word(token)
    _check_number(scores)
    for position, text in enumerate(scores):
        value = parse_number(text)
        if math.isnan(value):
            raise ValueError(f"expected numbers such as 0.5 0.25, found {quote([text])}")
        rule.features[str(position)] = value
    values = [parse_number(text) for text in counts]
    if len(values) not in (0, 2, 3) or any(map(math.isnan, values)):
        raise ValueError(
            f"expected counts of the target, the source and both such as 4 2 1, found {quote(counts)}"
        )
    rule.features.update(zip(MOSES_COUNTS, values, strict=False))
    if len(values) == 3:
        rule.count = _whole_or_negative(values[2])
    return rule


def _pair_nonterminals(rule: ParsedRule, alignment: list[str]) -> None:
    """Number the non-terminals of a Moses rule by their links, and keep the other links."""
    pairs = [tuple(map(int, link.split("-"))) for link in alignment]
    targets = [two_labels(token) for token in rule.target]
    numbers: dict[int, int] = {}
    source = []
    for place, token in enumerate(rule.source):
        labels = two_labels(token)
        if labels is None:
            source.append(_check_word(token))
            continue
        linked = sorted({t for s, t in pairs if s == place})
        if len(linked) != 1 or rule.target[linked[0]] != token or linked[0] in numbers:
            raise ValueError(
                f"expected a link from {quote([token])} at position {place} to one {quote([token])} "
                f"of the target side, found {quote(alignment)}"
            )
        _check_room(rule)
        rule.labels.append(_merge_labels(*labels))
        numbers[linked[0]] = len(rule.labels)
        source.append(f"[{len(rule.labels)}]")
    target = []
    for place, token in enumerate(rule.target):
        if targets[place] is None:
            target.append(_check_word(token))
        elif place in numbers and sum(t == place for _, t in set(pairs)) == 1:
            target.append(f"[{numbers[place]}]")
        else:
            raise ValueError(
                f"expected a link to {quote([token])} at position {place} of the target side from one "
                f"{quote([token])}, found {quote(alignment)}"
            )
    rule.alignment = [link for link, (_, t) in zip(alignment, pairs, strict=True) if t not in numbers]
    rule.source, rule.target = source, target


def _check_room(rule: ParsedRule) -> None:
    if len(rule.labels) == MOST_NONTERMINALS:
        raise ValueError(f"expected at most {MOST_NONTERMINALS} non-terminals, found more")


def _check_number(features: list[str]) -> None:
    if len(features) > MOST_FEATURES:
        raise ValueError(f"expected at most {MOST_FEATURES} features, found {len(features)}")


def _left_label(side: list[str]) -> str:
    match = LABEL.fullmatch(side[-1])
    if match is None or "][" in side[-1]:
        raise ValueError(f"expected a left side such as [X] at the end, found {quote(side[-1:])}")
    return match[1]


def two_labels(token: str) -> tuple[str, str] | None:
    """The labels of a non-terminal of a Moses rule, or None for a word.

    >>> two_labels("[X][NP]"), two_labels("[X]")
    (('X', 'NP'), None)
    """
    match = LABEL.fullmatch(token)
    one, bracket, two = match[1].partition("][") if match else ("", "", "")
    return (one, two) if bracket and one and two else None


def _merge_labels(source: str, target: str) -> str:
    if source == target or source == "X":
        return target
    if target == "X":
        return source
    raise ValueError(
        f"expected equal labels, or X on one side, found {quote([source])} and {quote([target])}"
    )


def _check_not_empty(source: list[str], target: list[str]) -> None:
    for name, side in (("source", source), ("target", target)):
        if not side:
            raise ValueError(f"expected words on the {name} side, found nothing")


def _find_index(token: str) -> str | None:
    match = INDEX.fullmatch(token)
    return match[1] if match else None


def _check_word(token: str) -> str:
    if _find_index(token) is not None:
        raise ValueError(
            f"expected words, found {quote([token])}, which stands for a non-terminal; escape the word"
        )
    return token


def _check_links(links: list[str], sources: int, targets: int) -> None:
    for link in links:
        match = LINK.fullmatch(link)
        if match is None:
            raise ValueError(f"expected links such as 0-0 1-2, found {quote([link])}")
        if int(match[1]) >= sources or int(match[2]) >= targets:
            sizes = f"{sources} and {targets} symbols"
            raise ValueError(f"expected links within sides of {sizes}, found {quote([link])}")


def parse_number(text: str) -> float:
    """A finite decimal number, or NaN.

    >>> parse_number("-2.5e-1"), parse_number("0x1"), parse_number("1e999")
    (-0.25, nan, nan)
    """
    value = float(text) if NUMBER.fullmatch(text) else math.nan
    return value if math.isfinite(value) else math.nan


def _whole_or_negative(value: float) -> int:
    return int(value) if 0 <= value <= MOST and value == math.floor(value) else -1


def quote(words: list[str]) -> str:
    """Words in quotation marks for a message, cut if they are long.

    >>> quote(["a", "b"])
    "'a b'"
    """
    text = " ".join(words)
    return repr(text if len(text) <= 60 else text[:60] + "...")
