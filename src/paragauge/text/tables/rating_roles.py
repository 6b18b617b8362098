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
