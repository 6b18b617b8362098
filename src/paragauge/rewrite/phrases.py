"""Rules that replace one phrase by another, from a paraphrase grammar or phrase table.

Kauchak and Barzilay (2006, section 5) name "substitutions at the level of phrases" as future work. Here
a rule is a pair of phrases of at most `longest` words with a probability of at least `least`, as
Bannard and Callison-Burch (2005) learn it from bitext: p(new | old), or any feature that is a
probability. A minus before the name (`-p(e|f)`) says that the feature is -ln p, as Thrax and PPDB
write it.

From a grammar, only rules without non-terminals are used, whatever their left side. Phrases become
lowercase Penn tokens, as all text in rewriting does. A phrase with a token without letters
(punctuation, numbers) is left out, as such tokens are never replaced, and so is one that starts inside
a contraction (n't, 's). Of rules that are then equal, the highest probability counts. Rules without the
feature fail any minimum probability. Only the rules in use take memory.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError, InputError, SettingError, unknown_name
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.grammar_reader import GrammarReader
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids, Ints
from paragauge.phrases.table import KIND as PHRASE_TABLE
from paragauge.phrases.table import SCORES, PhraseTable
from paragauge.rewrite.agreement.contractions import starts_inside
from paragauge.text.files import display_name
from paragauge.text.lines import Lines
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Tokenizer, tokenize_lines
from paragauge.text.vocabulary import Vocabulary
from paragauge.text.wording import format_setting

Source = Grammar | PhraseTable | str | Path
MINUS_LOG = "-"


def open_rules(rules: Source) -> Grammar | PhraseTable | Path:
    """Open the grammar or the phrase table in a folder; a file stays a path."""
    if isinstance(rules, (Grammar, PhraseTable)):
        return rules
    path = Path(rules)
    if path.is_dir():
        is_table = (path / PHRASE_TABLE.description).exists()
        return PhraseTable.open(path) if is_table else Grammar.open(path)
    if not path.exists():
        raise FileFormatError(path, None, "no such grammar or phrase table; check the path")
    return path


def source_name(source: Grammar | PhraseTable | Path) -> str:
    """The name of a source of rules in messages."""
    return display_name(source) if isinstance(source, Path) else str(source.folder)


def read_pairs_with_probability(
    source: Grammar | PhraseTable | Path, score: str, least: float, longest: int
) -> tuple[list[tuple[str, str, float]], int]:
    """Read the pairs with the minimum probability; also return the number of all rules."""
    require_pyarrow("engine")
    import pyarrow.compute as pc

    feature = score.removeprefix(MINUS_LOG)
    pairs: list[tuple[str, str, float]] = []
    rules = 0
    for table, values in _batches(source, feature):
        rules += len(table)
        scores = np.asarray(values.to_numpy(zero_copy_only=False), np.float64)
        probabilities = np.exp(-scores) if score.startswith(MINUS_LOG) else scores
        _check_probabilities(probabilities, scores, table, feature, source_name(source))
        keep = probabilities >= least
        for side in ("source", "target"):
            spaces = pc.count_substring(table.column(side), " ").to_numpy(zero_copy_only=False)
            keep &= spaces < longest
        if "labels" in table.schema.names:
            keep &= pc.equal(table.column("labels"), "").to_numpy(zero_copy_only=False)
        rows = np.flatnonzero(keep)
        texts = (table.column(side).take(rows).to_pylist() for side in ("source", "target"))
        pairs += zip(*texts, probabilities[rows].tolist(), strict=True)
    return pairs, rules


def _check_probabilities(probabilities: Any, scores: Any, table: Any, feature: str, place: str) -> None:
    """Reject values that are not probabilities."""
    bad = np.flatnonzero((probabilities < 0) | (probabilities > 1))
    if len(bad):
        row = int(bad[0])
        old, new = (table.column(side)[row].as_py() for side in ("source", "target"))
        raise FileFormatError(
            place,
            None,
            f"feature {feature}: expected a probability from 0 to 1, found {scores[row]:g} for "
            f"{old[:60]!r} -> {new[:60]!r}; choose another score, or put a minus before its "
            f"name if it is -ln p ({MINUS_LOG}{feature})",
        )


def _batches(source: Grammar | PhraseTable | Path, feature: str) -> Iterator[tuple[Any, Any]]:
    if isinstance(source, PhraseTable):
        _check_known(feature, SCORES, source)
        for batch in source.batches(("source", "target", feature)):
            yield batch, batch.column(feature)
    elif isinstance(source, Grammar):
        _check_known(feature, source.features, source)
        column = source.columns[feature]
        for batch in source.batches(("source", "target", "labels", column)):
            yield batch, batch.column(column)
    else:
        reader = GrammarReader(source)
        for table in reader.batches():
            _check_known(feature, reader.names, source)
            yield table, table.column(f"f{reader.names.index(feature) + 1}")


def _check_known(feature: str, known: Any, source: Grammar | PhraseTable | Path) -> None:
    if feature in known:
        return
    if not known:
        raise FileFormatError(
            source_name(source),
            None,
            f"expected rules with the probability {feature}, found no features",
        )
    unknown = unknown_name(f"feature of {source_name(source)}", feature, known)
    raise SettingError(f"{unknown}; name the one that is a probability with --score (rewrite_score)")


TOKENIZER: Tokenizer = "penn"
SCORE = "p_target"
LEAST = 0.1
LONGEST = 5
# Penn tokenization splits off a period at the end of a text, but the end of a phrase is not the end of
# its text.
CONTINUATION = " a"


@dataclass(frozen=True, eq=False)
class PhraseRules:
    """Rules as tables of numbers, sorted by their phrases.

    `left` and `right` hold the words of each rule's sides as numbers of `vocabulary`, `probabilities`
    is float64 [rules]. `settings` is the part of the name that says how rules were chosen.

    >>> rules = PhraseRules.from_pairs([("have taken place", "have occurred", 0.3), ("a", "a", 1.0)])
    >>> len(rules), rules.texts("right", np.array([0])), rules.name
    (1, ['have occurred'], 'phrases-...')
    """

    vocabulary: Vocabulary = field(repr=False)
    left: Ragged
    right: Ragged
    probabilities: NDArray[np.float64] = field(repr=False)
    settings: str = ""

    @classmethod
    def of(
        cls, rules: Source, score: str = SCORE, least: float = LEAST, longest: int = LONGEST
    ) -> Self:
        """The rules of a grammar or phrase table: an open one, its folder, or a text file of either.

        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "ppdb")
        ...     _ = file.write_text("[VP] ||| Took place ||| occurred ||| p(e|f)=0.7\\n")
        ...     rules = PhraseRules.of(file, "-p(e|f)")
        >>> rules.texts("left", np.array([0])), rules.probabilities.round(2).tolist()
        (['took place'], [0.5])
        """
        if not (math.isfinite(least) and 0 <= least <= 1):
            raise SettingError(f"least: expected a probability from 0 to 1, found {least}")
        if longest < 1:
            raise SettingError(f"longest: expected a whole number of at least 1, found {longest}")
        source = open_rules(rules)
        pairs, total = read_pairs_with_probability(source, score, least, longest)
        usable = cls.from_pairs(pairs, longest, f"@{score},{format_setting(least)},{longest}")
        if not len(usable):
            raise FileFormatError(
                source_name(source),
                None,
                f"expected rules of words without non-terminals, with at most {longest} words per side "
                f"and {score} at least {least:g}, found none among {total:,} rules; choose another "
                "score or a lower minimum probability",
            )
        return usable

    @classmethod
    def from_pairs(
        cls, pairs: Iterable[tuple[str, str, float]], longest: int = LONGEST, settings: str = ""
    ) -> Self:
        """Rules from pairs of texts with probabilities; unusable ones are left out."""
        rows = list(pairs)
        for old, new, probability in rows:
            if not 0 <= probability <= 1:
                raise InputError(
                    f"rule {old[:60]!r} -> {new[:60]!r}: expected a probability from 0 to 1, found "
                    f"{probability:g}"
                )
        texts = list(dict.fromkeys(text for old, new, _ in rows for text in (old, new)))
        phrases = dict(zip(texts, _tokenize_phrases(texts, longest), strict=True))
        best: dict[tuple[str, str], float] = {}
        for old, new, probability in rows:
            pair = phrases[old], phrases[new]
            if all(pair) and pair[0] != pair[1]:
                best[pair] = max(best.get(pair, 0.0), probability)
        ordered = sorted(best)
        vocabulary = Vocabulary()
        left, right = (
            vocabulary.encode(Lines.of([pair[side] for pair in ordered]), "none") for side in (0, 1)
        )
        scores = np.array([best[pair] for pair in ordered], np.float64)
        return cls(vocabulary, left, right, scores, settings)

    def __len__(self) -> int:
        return len(self.left)

    @functools.cached_property
    def name(self) -> str:
        """The first digits of the rules' SHA-256, and the settings, for signatures."""
        digest = hashlib.sha256("\n".join(self.vocabulary.texts()).encode())
        for side in (self.left, self.right):
            digest.update(side.ids.astype("<i4").tobytes() + side.offsets.astype("<i8").tobytes())
        digest.update(self.probabilities.astype("<f8").tobytes())
        return f"phrases-{digest.hexdigest()[:8]}{self.settings}"

    @functools.cached_property
    def matcher(self) -> _native.PhraseMatcher:
        """The rules in the form that kernels take."""
        sides = ((side.ids, side.offsets) for side in (self.left, self.right))
        return _native.PhraseMatcher(*sides)

    def numbers(self, words: Lines) -> Ids:
        """The number of each word in the rules' vocabulary, -1 if it is not there, int32 [words]."""
        return self.vocabulary.encode(words, "none", grow=False).ids

    def texts(self, side: str, rules: Ints) -> list[str]:
        """The `left` or `right` phrases of some rules, with spaces between their words."""
        phrases = self.vocabulary.decode((self.left if side == "left" else self.right)[rules])
        return [" ".join(words) for words in phrases]


def _tokenize_phrases(texts: list[str], longest: int) -> list[str]:
    """Each phrase in lowercase Penn tokens; empty if it is too long or not made of words."""
    tokens = tokenize_lines(Lines.of([text + CONTINUATION for text in texts]), TOKENIZER).lower()
    phrases = []
    for line in tokens:
        words = line.removesuffix(CONTINUATION).split(" ")
        letters = all(any(map(str.isalpha, word)) for word in words)
        whole = not starts_inside(words[0])
        phrases.append(" ".join(words) if letters and whole and len(words) <= longest else "")
    return phrases
