"""The tables of consent: the texts that workers agreed to, and who agreed to which, where and when.

Rows are only ever added. They stay when a worker is erased: under the anonymous id, they prove that the
answers that remain were given with consent.
"""

from __future__ import annotations

import sqlalchemy as sa

from paragauge.collect.store.columns import metadata, moment, reference, serial, text

consent_texts = sa.Table(
    "consent_texts",
    metadata,
    serial(),
    # The beginning of the text's SHA-256.
    text("version", unique=True),
    text("text"),
)

consents = sa.Table(
    "consents",
    metadata,
    serial(),
    moment("at"),
    reference("campaigns"),
    reference("workers"),
    reference("consent_texts"),
    sa.UniqueConstraint("worker_id", "campaign_id", "consent_text_id"),
)
