"""The text that a resource is evaluated on: pairs, sets of translations, or hand-aligned pairs.

Text is tokenized here, once and for everything: the kept files have these tokens in their original
case, the parser reads them so, and whatever compares words (the aligner, the gold grammar, parsing with
the resource, ParaMetric) reads the same tokens in the case of the setting. Hand-aligned pairs are
tokenized already, because their links count tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.align.gold import GoldAlignment, read_gold, read_gold_jsonl
from paragauge.align.links import Links
from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.grammar.sentence_pairs import SentencePairs, read_pairs
from paragauge.syntax.tree_files import read_trees
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import EmptySides, token_counts
from paragauge.text.files import display_name
from paragauge.text.lines import Lines
from paragauge.text.side_by_side import open_parallel, read_parallel
from paragauge.text.table_in_memory import read_jsonl
from paragauge.text.tokenizers import TOKENIZED, Case, Tokenizer, check_tokenizer, tokenize_lines
from paragauge.text.wording import pluralize

TREE = "source_tree"


@dataclass(frozen=True)
class ParallelFiles:
    """Where the text comes from: exactly one of `pairs`, `pair_file`, `sets` and `gold`.

    - `pairs`: two files, one sentence per line;
    - `pair_file`: one file with a tab or ` ||| ` between the sides;
    - `sets`: two or more files, translations of the same sentences;
    - `gold`: files of JSON Lines with hand-aligned pairs, and trees in `source_tree` if there are any.

    `alignment` has the links of pairs, in Pharaoh format, and `trees` those of the first side; without
    them pairs are aligned and parsed.

    >>> ParallelFiles()
    Traceback (most recent call last):
    paragauge.errors.InputError: expected text to evaluate on: pairs, translations or hand-aligned
    pairs, found none; give one of --pairs, --pair-file, --sets, --gold
    """

    pairs: tuple[str | Path, str | Path] | None = None
    pair_file: str | Path | None = None
    sets: tuple[str | Path, ...] = ()
    gold: tuple[str | Path, ...] = ()
    alignment: str | Path | None = None
    trees: str | Path | None = None

    def __post_init__(self) -> None:
        number = sum(bool(way) for way in (self.pairs, self.pair_file, self.sets, self.gold))
        if number != 1:
            raise InputError(
                "expected text to evaluate on: pairs, translations or hand-aligned pairs, found "
                f"{'several' if number else 'none'}; give one of --pairs, --pair-file, --sets, --gold"
            )
        if len(self.sets) == 1:
            raise InputError("expected at least two files of translations, found 1; repeat --sets")
        if self.gold and self.alignment is not None:
            raise SettingError("--alignment: hand-aligned pairs have links; leave it out")
        for name in ("alignment", "trees"):
            if getattr(self, name) is not None and len(self.sets) > 2:
                raise SettingError(
                    f"--{name}: expected one pair per line, found sets of {len(self.sets)} "
                    "translations; leave it out, or give the pairs with --pairs"
                )
        if "-" in map(str, self.paths):
            raise InputError(
                "-: expected files, which a resumed evaluation reads again, found standard input; "
                "write it to a file first"
            )

    @property
    def paths(self) -> list[str | Path]:
        """All files."""
        single = [path for path in (self.pair_file, self.alignment, self.trees) if path is not None]
        return [*(self.pairs or ()), *self.sets, *self.gold, *single]


@dataclass(frozen=True, eq=False)
class ParallelText:
    """Translations in their original case, all pairs of them, and links and trees where known.

    Links and trees are those of the pairs; `gold` says whether the links were made by hand.
    """

    translations: tuple[Lines, ...]
    pairs: SentencePairs
    alignment: GoldAlignment | None = None
    trees: Trees | None = None
    gold: bool = False

    def cased(self, case: Case, empty: EmptySides) -> SentencePairs:
        """The pairs in this case, as commands read them from the kept files."""
        return SentencePairs.of_translations(self.translations, case=case, empty=empty)


def read_parallel_text(
    files: ParallelFiles, *, tokenize: Tokenizer = "penn", empty: EmptySides = "error", threads: int = 0
) -> ParallelText:
    r"""Read and tokenize the text, with its links and trees.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in (("a", "It's me.\n"), ("b", "That is I.\n")):
    ...         _ = Path(folder, name).write_text(text)
    ...     read_parallel_text(ParallelFiles(pairs=(f"{folder}/a", f"{folder}/b"))).pairs[0]
    ("It 's me .", 'That is I .')
    """
    if empty == "keep":
        raise SettingError("empty: expected error or skip, found keep; a gold rule needs both sides")
    if files.gold:
        return _read_gold(files, empty)
    if files.pair_file is not None:
        raw = read_pairs(files.pair_file, empty="keep", threads=threads)
        columns, names = [raw.source, raw.target], [display_name(files.pair_file)] * 2
    else:
        paths = list(files.pairs or files.sets)
        columns, names = _read_columns(paths), [display_name(path) for path in paths]
    tokenized = tuple(tokenize_lines(lines, tokenize, threads=threads) for lines in columns)
    pairs = SentencePairs.of_translations(tokenized, names=names, empty=empty, threads=threads)
    alignment = None
    if files.alignment is not None:
        lengths = token_counts(tokenized[0]), token_counts(tokenized[1])
        every = read_gold(files.alignment, lengths)
        rows = pairs.set_of - 1
        alignment = GoldAlignment(every.sure.take(rows), every.possible.take(rows))
    return ParallelText(tokenized, pairs, alignment, _tree_file(files, pairs, len(tokenized[0])))


def _read_columns(paths: Sequence[str | Path]) -> list[Lines]:
    parts: list[list[Lines]] = [[] for _ in paths]
    with open_parallel(list(paths)) as readers:
        while (columns := read_parallel(readers)) is not None:
            for part, column in zip(parts, columns, strict=True):
                part.append(column)
    return [Lines.concatenate(part) for part in parts]


def _read_gold(files: ParallelFiles, empty: EmptySides) -> ParallelText:
    sources, targets, trees = [], [], []
    sure: list[Links] = []
    possible: list[Links] = []
    names = " and ".join(display_name(path) for path in files.gold)
    for path in files.gold:
        bitext, links = read_gold_jsonl(path)
        sources.append(bitext.source)
        targets.append(bitext.target)
        sure.append(links.sure)
        possible.append(links.possible)
        records = read_jsonl(path)
        if TREE in records.columns:
            trees += [records.text(row, TREE) for row in range(len(records))]
    translations = Lines.concatenate(sources), Lines.concatenate(targets)
    pairs = SentencePairs.of_translations(translations, names=[names, names], empty=empty)
    rows = pairs.set_of - 1
    every = GoldAlignment(Links.concatenate(sure), Links.concatenate(possible))
    alignment = GoldAlignment(every.sure.take(rows), every.possible.take(rows))
    if trees and len(trees) != len(every):
        raise FileFormatError(
            names, None, f"expected '{TREE}' in every file or in none, found it in some; parse the rest"
        )
    own = _tree_file(files, pairs, len(every))
    if own is None and trees:
        own = Trees.of(trees)[rows]
    return ParallelText(translations, pairs, alignment, own, gold=True)


def _tree_file(files: ParallelFiles, pairs: SentencePairs, lines: int) -> Trees | None:
    if files.trees is None:
        return None
    trees = read_trees(files.trees, keep_empty=True)
    if len(trees) != lines:
        raise LengthError(
            f"{display_name(files.trees)} has {pluralize(len(trees), 'tree')}, but there are "
            f"{pluralize(lines, 'sentence pair')}; expected one tree for each, and an empty line for a "
            "sentence without words"
        )
    return trees[pairs.set_of - 1]


def choose_tokenizer(tokenize: Tokenizer | None, files: ParallelFiles) -> Tokenizer:
    """The tokenizer of the text: Penn, or none where links or trees are of tokens that are there.

    >>> choose_tokenizer(None, ParallelFiles(gold=("gold.jsonl",)))
    'blanks'
    """
    is_tokenized = bool(files.gold or files.alignment or files.trees)
    if tokenize is None:
        return TOKENIZED if is_tokenized else "penn"
    if tokenize != TOKENIZED and is_tokenized:
        raise SettingError(
            f"--tokenize {tokenize}: links and trees are of tokens, so the text must be tokenized like "
            f"them already; give --tokenize {TOKENIZED}, or leave it out"
        )
    return check_tokenizer(tokenize)
