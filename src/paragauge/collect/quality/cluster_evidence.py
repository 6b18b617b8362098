"""Evidence that a sentence belongs to a cluster, from the trusted sentences of the same item.

Chen and Dolan (2011, section 6): "sentences from the Tier-2 tasks could be used as positive examples
to train a string classifier to determine whether a noisy sentence belongs in the same cluster or
not." The evidence is how much of the sentence consists of words and neighbors of the trusted
sentences S of its item; p(w) is the share of S with the word w, q(b) that with the pair of neighbors b
(sentence ends included):

    cluster_mean      mean p(w)                   cluster_bigrams  share of b with q(b) > 0
    cluster_seen      share of w with p(w) > 0    cluster_log      mean log(p(w) + e)
    cluster_seen_idf  the same, weighted by idf   cluster_log_big  mean log(q(b) + e)
    cluster_recall    share of idf x p that it has cluster_least    min log(p(w) + e)

with e = 0.005, and cluster_size is log(1 + |S|): in a small cluster much that is right is unseen.
A worker's own sentences never count for that worker, so that nobody supports themselves, and a
classifier trained on trusted sentences sees them as it will see others. Without trusted sentences of
other workers all values are missing (NaN).

Counting is linear in the words; a sentence costs its words and those of its cluster.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.text.unicode_words import words

NAMES = (
    "cluster_mean",
    "cluster_seen",
    "cluster_seen_idf",
    "cluster_recall",
    "cluster_bigrams",
    "cluster_log",
    "cluster_log_big",
    "cluster_least",
    "cluster_size",
)
FLOOR = 0.005
Counts = Counter[str]


class TrustedClusters:
    """Word counts of the trusted sentences of items.

    >>> trusted = [WrittenAnswer("a dog runs", "v1", worker) for worker in "abc"]
    >>> clusters = TrustedClusters([*trusted, WrittenAnswer("he cooks", "v2", "a")])
    >>> answers = [WrittenAnswer(text, "v1", "z") for text in ("a dog runs", "he cooks")]
    >>> [float(clusters.evidence(answer)[1]) for answer in answers]
    [1.0, 0.0]
    """

    def __init__(self, trusted: Iterable[WrittenAnswer]) -> None:
        self._sizes: dict[str, Counter[str]] = defaultdict(Counter)
        self._counts: dict[str, Counts] = defaultdict(Counter)
        self._own: dict[tuple[str, str], Counts] = defaultdict(Counter)
        self._documents: Counts = Counter()
        self._total = 0
        for answer in trusted:
            tokens = words(answer.text)
            # In the order of the text: the sums of `evidence` depend on it in the last digit.
            features = list(dict.fromkeys([*tokens, *words(answer.source), *_bigrams(tokens)]))
            self._sizes[answer.item][answer.worker] += 1
            self._counts[answer.item].update(features)
            self._own[answer.item, answer.worker].update(features)
            self._documents.update(set(tokens))
            self._total += 1

    def size(self, item: str, worker: str) -> int:
        """The number of trusted sentences of the item by other workers."""
        sizes = self._sizes.get(item)
        return sizes.total() - sizes[worker] if sizes else 0

    def evidence(self, sentence: WrittenAnswer) -> NDArray[np.float64]:
        """The values of `NAMES` for a sentence, float [9]."""
        size = self.size(sentence.item, sentence.worker)
        tokens = words(sentence.text)
        if not size or not tokens:
            return np.full(len(NAMES), np.nan)
        counts = self._counts[sentence.item]
        own = self._own.get((sentence.item, sentence.worker), Counter())
        seen = np.array([(counts[w] - own[w]) / size for w in tokens])
        pairs = np.array([(counts[b] - own[b]) / size for b in _bigrams(tokens)])
        idf = np.array([self._idf(w) for w in tokens])
        weights = {w: (n - own[w]) * self._idf(w) for w, n in counts.items() if " " not in w}
        mass = sum(weights.values())
        return np.array(
            [
                seen.mean(),
                (seen > 0).mean(),
                (seen > 0) @ idf / idf.sum(),
                sum(weights.get(w, 0.0) for w in dict.fromkeys(tokens)) / mass if mass else 0.0,
                (pairs > 0).mean(),
                np.log(seen + FLOOR).mean(),
                np.log(pairs + FLOOR).mean(),
                np.log(seen + FLOOR).min(),
                np.log1p(size),
            ]
        )

    def table(self, sentences: Sequence[WrittenAnswer]) -> NDArray[np.float64]:
        """The evidence for each sentence, float [n, 9]."""
        return np.array([self.evidence(sentence) for sentence in sentences]).reshape(-1, len(NAMES))

    def _idf(self, word: str) -> float:
        return math.log((self._total + 2) / (self._documents[word] + 1))


def sample_per_item(trusted: Iterable[WrittenAnswer], most: int, seed: int = 7) -> list[WrittenAnswer]:
    """At most `most` sentences of each item, drawn by seed, to train for small clusters.

    >>> answers = [WrittenAnswer("a dog", item, worker) for item in "12" for worker in "abc"]
    >>> len(sample_per_item(answers, 2))
    4
    """
    items: dict[str, list[WrittenAnswer]] = defaultdict(list)
    for answer in trusted:
        items[answer.item].append(answer)
    random = np.random.default_rng(seed)
    return [
        mine[i]
        for mine in items.values()
        for i in sorted(random.permutation(len(mine))[:most].tolist())
    ]


def _bigrams(tokens: Sequence[str]) -> list[str]:
    """Neighbors joined by a space, which no word has; an empty side is the sentence's end."""
    return [f"{a} {b}" for a, b in zip(["", *tokens], [*tokens, ""], strict=True)]
