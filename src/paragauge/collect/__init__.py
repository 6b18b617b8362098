"""Collection of descriptions, paraphrases and judgments from a crowd (Chen and Dolan 2011)."""

import paragauge.collect.extra  # noqa: F401
