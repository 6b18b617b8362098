"""How far direct paraphrases diverge from their sources, against descriptions of the same items.

Chen and Dolan (2011), section 5.3: workers who paraphrase a sentence are biased by its words and their
order. "On average, a direct paraphrase had a PINC score of 70.08, while a parallel description of the
same video had a score of 78.75." Here, the sentences that were paraphrased are looked up among the
descriptions of another campaign (without regard to case and spaces). Each is then the source of its
direct paraphrases, and of the other descriptions of its item, all in its language. Sentences that
nobody described with, or that lack either, are left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.corpus.campaign_answers import StoredClusters
from paragauge.collect.corpus.clusters import Cluster, Sentence
from paragauge.collect.store.store import Store
from paragauge.errors import SettingError
from paragauge.lexicon.language_names import normalize_language
from paragauge.metrics.pinc import PINC


@dataclass(frozen=True)
class DirectComparison:
    """Mean PINC of direct paraphrases and of parallel descriptions of the same items."""

    sources: int
    left_out: int
    direct: int
    direct_pinc: float | None
    parallel: int
    parallel_pinc: float | None


def compare_campaigns(store: Store, direct: Campaign, described: Campaign) -> DirectComparison:
    """The comparison of a campaign of paraphrases with one of descriptions in the same store."""
    for campaign, kind in ((direct, "paraphrase"), (described, "describe")):
        if campaign.settings.kind != kind:
            raise SettingError(
                f"campaign {campaign.slug} is a task of kind '{campaign.settings.kind}'; "
                f"expected {kind}"
            )
    return compare_clusters(StoredClusters(store, direct), StoredClusters(store, described))


def compare_clusters(direct: Iterable[Cluster], described: Iterable[Cluster]) -> DirectComparison:
    """The same of clusters: those of direct paraphrases have a source.

    >>> from paragauge.collect.corpus.clusters import Sentence
    >>> direct = [Cluster("s1", (Sentence("s1", "A dog is running.", source="A dog runs."),))]
    >>> clip = (Sentence("v1", "a dog runs."), Sentence("v1", "A puppy races over grass."))
    >>> found = compare_clusters(direct, [Cluster("v1", clip)])
    >>> found.direct, round(found.direct_pinc, 2), found.parallel, round(found.parallel_pinc, 2)
    (1, 78.75, 1, 91.67)
    """
    paraphrases = {_plain(cluster.source): cluster for cluster in direct if cluster.source}
    others: dict[str, list[str]] = {}
    languages: dict[str, str] = {}
    for cluster in described:
        places = {_plain(text): place for place, text in enumerate(cluster.texts)}
        for plain in paraphrases.keys() & places.keys():
            own = places[plain]
            tag = languages.setdefault(plain, _language(cluster.sentences[own]))
            others.setdefault(plain, []).extend(
                sentence.text
                for place, sentence in enumerate(cluster.sentences)
                if place != own and _language(sentence) == tag
            )
    texts = {
        plain: [each.text for each in cluster.sentences if _language(each) in ("", languages[plain])]
        for plain, cluster in paraphrases.items()
        if others.get(plain)
    }
    both = {plain: paraphrases[plain] for plain, found in texts.items() if found}

    def direct_pairs() -> Iterator[tuple[str, str]]:
        for plain, cluster in both.items():
            yield from ((str(cluster.source), text) for text in texts[plain])

    def parallel_pairs() -> Iterator[tuple[str, str]]:
        for plain, cluster in both.items():
            yield from ((str(cluster.source), text) for text in others[plain])

    direct_count, direct_pinc = _mean_pinc(list(direct_pairs()))
    parallel_count, parallel_pinc = _mean_pinc(list(parallel_pairs()))
    left_out = len(paraphrases) - len(both)
    return DirectComparison(
        len(both), left_out, direct_count, direct_pinc, parallel_count, parallel_pinc
    )


def _mean_pinc(pairs: list[tuple[str, str]]) -> tuple[int, float | None]:
    """The number of pairs, and the mean PINC of their second texts."""
    if not pairs:
        return 0, None
    sources, candidates = map(list, zip(*pairs, strict=True))
    score = PINC().score(candidates, sources=sources)
    return len(pairs), score.value


def _language(sentence: Sentence) -> str:
    return normalize_language(sentence.language or "")


def _plain(text: str | None) -> str:
    return " ".join((text or "").casefold().split())
