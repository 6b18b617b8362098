"""What each feature of the noise filter means to a requester, when it speaks for noise.

Features that say the same share a sentence, and their parts are summed: single weights of features
that go together mean little.
"""

from __future__ import annotations

from paragauge.collect.quality import cluster_evidence
from paragauge.collect.quality.noise_features import NAMES, SOURCE, WORKER

_CLUSTER = "its words are unlike those of trusted sentences of the item"
_SOURCE = "its wording is unusual for a paraphrase of the source"
_WORKER = "other answers of the worker look noisy"
_OWN = {
    "log_words": "its length is unusual",
    "log_characters": "its length is unusual",
    "repeated_words": "it repeats words",
    "unknown_words": "it has words that are in no dictionary",
    "unknown_share": "it has words that are in no dictionary",
    "question": "it is a question, or is none where one is expected",
    "other_language": "it seems to be in another language",
    "fluency": "it does not read like fluent English, or is too plain",
    "length_ratio": "its length is unusual for its source",
    "names_kept": "names or numbers of the source are missing",
    "new_numbers": "it has numbers that the source has not",
    "question_changed": "it is a question, or is none where one is expected",
    "seconds_per_character": "the time spent is unusual for its length",
    "task_overlap": "it is very like, or very unlike, the other answers of the same task",
    "other_item_overlap": "it is very like, or very unlike, the worker's answers to other items",
    "same_as_others": "other workers wrote, or did not write, just the same",
}
REASONS = {
    name: _OWN.get(name)
    or (
        _CLUSTER
        if name in cluster_evidence.NAMES
        else _SOURCE
        if name in SOURCE
        else _WORKER
        if name in WORKER
        else name
    )
    for name in NAMES
}
