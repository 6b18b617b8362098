"""Race: WordNet's synonyms, base forms and relations, against NLTK's reader of the same files.

The files are Princeton's, from Debian's package wordnet-base or the folder given. NLTK and the
files are optional: without them only our own times are printed. Before the race, the synonyms and
the base forms of all words of the index are compared. NLTK's morphy puts the word itself before the
exception lists and drops exceptions that are not in WordNet; base forms are compared where these
rules do not matter: for words on the lists that are not in WordNet and have one base form, which is.

    python -m benchmarks.races.wordnet [folder]
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data.corpus import words as corpus_words
from benchmarks.data.nltk_wordnet import FILES, PARTS, available, nltk_reader
from benchmarks.race import median_time, race, report
from paragauge.lexicon import wordnet
from paragauge.lexicon.wordnet import WordNet, related_pairs
from paragauge.text.lines import Lines


def their_synonyms(reader: Any, word: str) -> set[str]:
    return {lemma.name().lower() for synset in reader.synsets(word) for lemma in synset.lemmas()}


def check(reader: Any, net: WordNet, words: list[str], files: Path) -> None:
    """Stop if the two do not agree."""
    known = {
        pos: {
            line.split(" ")[0]
            for line in (files / f"index.{part}").read_text(encoding="utf-8").splitlines()
            if not line.startswith(" ")
        }
        for pos, part in PARTS.items()
    }
    # NLTK's synsets() looks up all base forms as well, so a word must be its only base form.
    plain = [word for word in words if set(reader._morphy(word, "n")) <= {word}]
    for word in plain:
        if all(set(reader._morphy(word, pos)) <= {word} for pos in PARTS) and net.synonyms(
            word
        ) != their_synonyms(reader, word):
            raise SystemExit(f"synonyms of {word!r} differ")
    forms = 0
    for pos, part in PARTS.items():
        lists = [line.split() for line in (files / f"{part}.exc").read_text().splitlines()]
        often = Counter(form for form, *_ in lists)
        for form, *bases in lists:
            if form in known[pos] or len(bases) * often[form] > 1 or bases[0] not in known[pos]:
                continue
            forms += 1
            if bases[0] != net.morphy(form, pos) or bases[0] not in reader._morphy(form, pos):
                raise SystemExit(f"base form of {form!r} differs")
    print(f"Equal: synonyms of {len(plain):,} words, base forms of {forms:,} exceptions.\n")


def own_times(words: list[str]) -> None:
    """Times of what no peer has: opening the table, sets and pairs in batches."""
    wordnet._open_shipped.cache_clear()
    start = time.perf_counter()
    net = WordNet.default()
    print(f"opening the shipped WordNet: {1000 * (time.perf_counter() - start):.0f} ms")
    rng = np.random.default_rng(7)
    lines = Lines.of([words[i] for i in rng.integers(0, len(words), 50_000)])
    left, right = rng.integers(0, len(lines), (2, 5_000_000))
    for how in wordnet.RELATIONS:
        seconds = median_time(lambda how=how: net.synonym_sets(lines, how, threads=1), 3)
        sets = net.synonym_sets(lines, how)
        pairs = median_time(lambda sets=sets: related_pairs(sets, left, right, threads=1), 3)
        print(f"{how}: {len(lines) / seconds:,.0f} sets/s, {len(left) / pairs:,.0f} pairs/s")
    running = corpus_words() * 40
    text = Lines.of([" ".join(running[i : i + 25]) for i in range(0, len(running) - 24, 25)])
    codes = np.tile(np.array([0, 1, 2, 3, 4], np.uint8), len(text) * 5)
    seconds = median_time(lambda: net.lemmatize(text, codes, threads=1), 3)
    print(f"base forms: {1e6 * seconds / len(text):.1f} microseconds for a line of 25 words\n")


def main(files: Path) -> None:
    net = WordNet.default()
    words = [net._native.word(i) for i in range(len(net))]
    own_times(words)
    if not available(files):
        print(f"No race: it needs NLTK (pip install nltk) and Princeton's files in {files}.")
        return
    with tempfile.TemporaryDirectory() as folder:
        reader = nltk_reader(files, Path(folder))
        check(reader, net, words[::23], files)
        some = words[::97]
        lines = Lines.of(some)
        forms = [f"{word}s" for word in some]
        text, codes = Lines.of(forms), np.ones(len(forms), np.uint8)
        pairs = list(itertools.pairwise(some))
        rows = np.arange(len(pairs))
        sets = net.synonym_sets(lines)
        results = [
            race(
                "synonyms",
                "NLTK",
                len(some),
                theirs=lambda: [their_synonyms(reader, word) for word in some],
                ours=lambda: [net.synonyms(word) for word in some],
            ),
            race(
                "base forms",
                "NLTK",
                len(forms),
                theirs=lambda: [reader.morphy(form, "n") for form in forms],
                ours=lambda: net.lemmatize(text, codes, threads=1),
            ),
            race(
                "related pairs",
                "NLTK",
                len(pairs),
                theirs=lambda: [
                    not their_synonyms(reader, a).isdisjoint(their_synonyms(reader, b))
                    for a, b in pairs
                ],
                ours=lambda: related_pairs(sets, rows, rows + 1, threads=1),
            ),
        ]
        report("wordnet", results)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILES)
