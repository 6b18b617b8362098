"""Languages in exports: none mixes them unless asked, and pairs across languages are one of their own.

Chen and Dolan (2011), section 6: since people describe the same clip in different languages, a
campaign collects parallel sentences without anybody who knows two languages. `write_translations`
writes them. A sentence whose language is not recorded is in none; where nobody recorded any, there is
nothing to mix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from paragauge.collect.corpus.clusters import Cluster, Clusters, Sentence
from paragauge.collect.corpus.export_files import export_rows
from paragauge.collect.corpus.export_pairs import ExportCounts, draw_partners
from paragauge.errors import SettingError
from paragauge.lexicon.language_names import name_language, normalize_language

# The most languages that a message lists.
LISTED = 6


def count_languages(clusters: Iterable[Cluster]) -> Counter[str]:
    """The number of sentences by the tag of their language; empty if it is not recorded.

    >>> rows = (Sentence("v1", "a dog", language="en-US"), Sentence("v1", "a cat", language="English"))
    >>> count_languages([Cluster("v1", rows)])
    Counter({'en': 2})
    """
    return Counter(
        normalize_language(sentence.language or "")
        for cluster in clusters
        for sentence in cluster.sentences
    )


def check_one_language(clusters: Iterable[Cluster], remedy: str) -> None:
    """Refuse sentences in several languages.

    >>> rows = (Sentence("v1", "a dog", language="en"), Sentence("v1", "ein Hund", language="German"))
    >>> check_one_language([Cluster("v1", rows)], "choose one")
    Traceback (most recent call last):
    paragauge.errors.SettingError: the sentences are in 2 languages (English 1, German 1); choose one
    """
    counts = count_languages(clusters)
    if len(counts) < 2:
        return
    names = [f"{name_language(tag) or 'not recorded'} {count}" for tag, count in counts.most_common()]
    more = [f"{len(names) - LISTED} more"] if len(names) > LISTED else []
    listed = ", ".join(names[:LISTED] + more)
    raise SettingError(f"the sentences are in {len(counts)} languages ({listed}); {remedy}")


def make_translations(
    cluster: Cluster, languages: tuple[str, ...], parallel: int | None, seed: int
) -> Iterator[tuple[Sentence, Sentence]]:
    """Pairs of sentences in different languages, from the first of two `languages` to the second.

    Without `languages`, each pair has the language first whose tag comes first. `parallel` is how many
    sentences of each other language go with each sentence, None for all.

    >>> rows = (Sentence("v1", "ein Hund", language="de"), Sentence("v1", "a dog", language="en"))
    >>> pairs = make_translations(Cluster("v1", rows), ("en", "de"), 1, 7)
    >>> [(source.text, target.text) for source, target in pairs]
    [('a dog', 'ein Hund')]
    """
    by_tag: dict[str, list[Sentence]] = {}
    for sentence in cluster.sentences:
        if tag := normalize_language(sentence.language or ""):
            by_tag.setdefault(tag, []).append(sentence)
    tags = sorted(by_tag)
    chosen = [(one, two) for place, one in enumerate(tags) for two in tags[place + 1 :]]
    if languages:
        source, target = map(normalize_language, languages)
        chosen = [(source, target)] if {source, target} <= by_tag.keys() else []
    for one, two in chosen:
        targets = by_tag[two]
        for place, sentence in enumerate(by_tag[one]):
            # The sentence itself stands before those of the other language, as in a cluster of its own.
            drawn = f"{seed} {cluster.item} {one} {two} {place}"
            for other in draw_partners(len(targets) + 1, 0, parallel, drawn):
                yield sentence, targets[other - 1]


def write_translations(
    clusters: Clusters,
    path: str | Path,
    *,
    languages: tuple[str, ...] = (),
    parallel: int | None = None,
    seed: int = 7,
    plain: bool = False,
) -> ExportCounts:
    """Write pairs across languages: item, tags of both languages, source and target.

    With `plain`, `path` is a folder for source.txt and target.txt; two `languages` are needed then.
    """
    if parallel is not None and parallel < 1:
        raise SettingError(f"parallel: expected 1 or more, or all, found {parallel}")
    if len(languages) not in (0, 2) or len(set(map(normalize_language, languages))) != len(languages):
        listed = ", ".join(languages)
        raise SettingError(f"translations: expected no or two different languages, found {listed}")
    if plain and not languages:
        raise SettingError("translations: plain files have one language each; choose two languages")
    columns = {
        "item": str,
        "source_language": str,
        "target_language": str,
        "source": str,
        "target": str,
    }
    if plain:
        columns = {"item": str, "source": str, "target": str}
    items = sentences = rows = 0
    with export_rows(path, columns, {}, plain=plain) as out:
        for cluster in clusters:
            pairs = list(make_translations(cluster, languages, parallel, seed))
            if not pairs:
                continue
            items, rows = items + 1, rows + len(pairs)
            sentences += len({id(sentence) for pair in pairs for sentence in pair})
            values = {
                "item": [cluster.item] * len(pairs),
                "source_language": [normalize_language(one.language or "") for one, _ in pairs],
                "target_language": [normalize_language(two.language or "") for _, two in pairs],
                "source": [one.text for one, _ in pairs],
                "target": [two.text for _, two in pairs],
            }
            out.write({name: values[name] for name in columns})
    return ExportCounts(items, sentences, rows)
