"""Twins of tagger.cpp, tagger_model.cpp and tagger_train.cpp: a perceptron that tags greedily.

Each word gets the tag with the largest sum of weights of its features, the first one among equals;
tags so far are features of the words that follow (Collins 2002, without search). Training goes through
the sentences in random order, tagging them, and where the right tag does not win by more than a margin
it adds 1 to the tag's weights and subtracts 1 from its strongest rival's. The model's
weights are the means over all steps, scaled to -127 to 127 and rounded. Time is linear in the number
of words for both.
"""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Bytes, Ids, Ints
from paragauge.kernels.reference.base.hashing import GOLDEN, WORD, mix
from paragauge.kernels.reference.syntax.tagger_words import (
    NO_TAG,
    WordForm,
    classify,
    read_word,
    split_words,
    tag_features,
    word_features,
)

MAGIC = b"PGTAGGR1"
COMMON = 3
SHARE = 20
MOST_TAGS = 63


def _lines(buffer: Bytes, spans: Ints) -> list[list[bytes]]:
    text = buffer.tobytes()
    return [split_words(text[start:stop]) for start, stop in spans.tolist()]


class _Input:
    """Bytes of a model, taken from the front."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, size: int) -> bytes:
        self.expect(size <= len(self.data))
        front, self.data = self.data[:size], self.data[size:]
        return front

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    @staticmethod
    def expect(condition: bool) -> None:
        if not condition:
            raise ValueError("not a tagger's model, or a damaged one")


class Tagger:
    """A model that tags; tagger_model.hpp describes its bytes."""

    def __init__(self, model: bytes) -> None:
        source = _Input(model)
        source.expect(source.take(len(MAGIC)) == MAGIC)
        tags = source.number(4)
        source.expect(1 <= tags <= MOST_TAGS)
        names = [source.take(source.number(1)) for _ in range(tags)]
        for name in names:
            source.expect(len(name) > 0 and all(32 < byte < 127 for byte in name))
        self.names = [name.decode("ascii") for name in names]
        self.lexicon: dict[int, int] = {}
        last = -1
        for _ in range(source.number(4)):
            key, bits = source.number(4), source.number(8)
            source.expect(last < key and bits != 0 and bits >> tags == 0)
            self.lexicon[key] = bits
            last = key
        self.weights: dict[int, dict[int, int]] = {}
        last = -1
        for _ in range(source.number(4)):
            key = source.number(4)
            source.expect(last < key)
            last = key
            pairs = [(source.number(1), source.number(1)) for _ in range(source.number(1))]
            order = [tag for tag, _ in pairs]
            source.expect(order == sorted(set(order)) and all(tag < tags for tag in order))
            self.weights[key] = {tag: weight - 256 * (weight > 127) for tag, weight in pairs}
        source.expect(not source.data)

    def tag(self, buffer: Bytes, spans: Ints, threads: int) -> tuple[Ids, Ints]:
        """Ids of the tags of all tokens, and offsets [lines + 1]."""
        del threads
        ids: list[int] = []
        offsets = [0]
        for tokens in _lines(buffer, spans):
            words = [classify(read_word(token), self.lexicon) for token in tokens]
            tag = tag2 = NO_TAG
            for i in range(len(words)):
                scores = [0] * len(self.names)
                for key in word_features(words, i) + tag_features(words, i, tag, tag2):
                    for tag_number, weight in self.weights.get(key, {}).items():
                        scores[tag_number] += weight
                tag, tag2 = scores.index(max(scores)), tag
                ids.append(tag)
            offsets.append(len(ids))
        return np.array(ids, np.int32), np.array(offsets, np.int64)

    def known(self, buffer: Bytes, spans: Ints) -> Bytes:
        """1 for every token that is in the lexicon, 0 for others."""
        tokens = [token for line in _lines(buffer, spans) for token in line]
        known = [classify(read_word(token), self.lexicon).known for token in tokens]
        return np.array(known, np.uint8)


class TaggerTrainer:
    """Training: an epoch at a time, and the model so far."""

    def __init__(
        self,
        buffer: Bytes,
        spans: Ints,
        tags: Ids,
        names: Sequence[str],
        cutoff: int,
        margin: int,
        seed: int,
    ) -> None:
        lines = _lines(buffer, spans)
        self._check(names, cutoff, margin)
        if not all(0 <= tag < len(names) for tag in tags.tolist()):
            raise ValueError("a tag has no name")
        if sum(map(len, lines)) != len(tags):
            raise ValueError("expected one tag for each token")
        self.names, self.margin, self.random = list(names), margin, seed
        right = iter(tags.tolist())
        self.tags = [[next(right) for _ in line] for line in lines]
        words = [[read_word(token) for token in line] for line in lines]
        self.lexicon = self._lexicon(words)
        self.sentences = [[classify(word, self.lexicon) for word in line] for line in words]
        self.order = list(range(len(lines)))
        self.step = 0
        self.weights = self._features(cutoff)
        self.totals = {key: [0] * len(names) for key in self.weights}

    @staticmethod
    def _check(names: Sequence[str], cutoff: int, margin: int) -> None:
        if not 1 <= len(names) <= MOST_TAGS:
            raise ValueError("expected 1 to 63 tags")
        for name in names:
            if not 1 <= len(name.encode()) <= 255:
                raise ValueError("a tag has 1 to 255 characters")
            if not all("!" <= c <= "~" for c in name):
                raise ValueError("a tag is printable ASCII without spaces")
        if cutoff < 1 or margin < 0:
            raise ValueError("cutoff must be at least 1 and margin at least 0")

    def _lexicon(self, sentences: list[list[WordForm]]) -> dict[int, int]:
        """Tags, as bits, that make up a twentieth or more of a word seen three times or more."""
        counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for words, tags in zip(sentences, self.tags, strict=True):
            for word, tag in zip(words, tags, strict=True):
                counts[word.form_key][tag] += 1
                counts[word.lower_key][tag] += 1
        return {
            key: sum(1 << tag for tag, times in seen.items() if SHARE * times >= seen.total())
            for key, seen in sorted(counts.items())
            if seen.total() >= COMMON
        }

    def _features(self, cutoff: int) -> dict[int, list[int]]:
        counts: Counter[int] = Counter()
        for words, tags in zip(self.sentences, self.tags, strict=True):
            for i in range(len(words)):
                tag = tags[i - 1] if i > 0 else NO_TAG
                tag2 = tags[i - 2] if i > 1 else NO_TAG
                counts.update(word_features(words, i))
                counts.update(tag_features(words, i, tag, tag2))
        frequent = sorted(key for key, times in counts.items() if times >= cutoff)
        return {key: [0] * len(self.names) for key in frequent}

    def epoch(self) -> int:
        """Learn from every sentence once; returns the number of words that led to an update."""
        for i in range(len(self.order), 1, -1):
            self.random = (self.random + GOLDEN) & WORD
            draw = (mix(self.random) >> 32) * i >> 32
            self.order[i - 1], self.order[draw] = self.order[draw], self.order[i - 1]
        return sum(self._learn(self.sentences[i], self.tags[i]) for i in self.order)

    def _learn(self, words: list[WordForm], tags: list[int]) -> int:
        updates = 0
        tag = tag2 = NO_TAG
        for i, right in enumerate(tags):
            self.step += 1
            features = word_features(words, i) + tag_features(words, i, tag, tag2)
            keys = [key for key in features if key in self.weights]
            scores = [sum(self.weights[key][t] for key in keys) for t in range(len(self.names))]
            rivals = [t for t in range(len(self.names)) if t != right]
            rival = max(rivals, key=lambda t: scores[t], default=None)
            if rival is not None and scores[right] - scores[rival] <= self.margin:
                updates += 1
                for key in keys:
                    for t, change in ((right, 1), (rival, -1)):
                        self.weights[key][t] += change
                        self.totals[key][t] += change * self.step
            tag, tag2 = scores.index(max(scores)), tag
        return updates

    def model(self) -> bytes:
        """The bytes of the model."""
        means = {
            key: [w * self.step - t for w, t in zip(row, self.totals[key], strict=True)]
            for key, row in self.weights.items()
        }
        largest = max((abs(mean) for row in means.values() for mean in row), default=1) or 1
        out = MAGIC + struct.pack("<I", len(self.names))
        for name in self.names:
            out += struct.pack("<B", len(name)) + name.encode()
        out += struct.pack("<I", len(self.lexicon))
        out += b"".join(struct.pack("<IQ", key, tags) for key, tags in self.lexicon.items())
        rows = []
        for key, row in means.items():
            sizes = [(254 * abs(mean) + largest) // (2 * largest) for mean in row]
            pairs = [
                struct.pack("<Bb", tag, -size if mean < 0 else size)
                for tag, (mean, size) in enumerate(zip(row, sizes, strict=True))
                if size
            ]
            if pairs:
                rows.append(struct.pack("<IB", key, len(pairs)) + b"".join(pairs))
        return out + struct.pack("<I", len(rows)) + b"".join(rows)
