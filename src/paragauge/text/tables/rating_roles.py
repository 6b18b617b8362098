"""The columns that tables of ratings have, by what they mean."""

from __future__ import annotations

from collections.abc import Mapping

# Each role with the names that its column may have; case, spaces and underscores do not count.
ROLES: Mapping[str, tuple[str, ...]] = {
    "segment": ("segment", "segment_id", "seg", "ref_id"),
    "system": ("system", "systems"),
    "judge": ("judge", "worker", "annotator", "rater"),
    "group": ("group", "pair", "lp", "testset"),
    "task": ("task",),
    "source": ("source",),
    "candidate": ("candidate",),
    "reference": ("reference", "references"),
}

# Names that mean a role only in tables without one of the names above.
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "segment": ("seg_id", "sentence_id", "sent_id", "line", "line_id"),
    "system": ("system_id", "system_name", "sys", "model"),
    "judge": ("judge_id", "worker_id", "annotator_id", "rater_id", "participant", "participant_id"),
    "source": ("src",),
    "candidate": ("hypothesis", "hyp", "mt", "output"),
    "reference": ("ref",),
}
