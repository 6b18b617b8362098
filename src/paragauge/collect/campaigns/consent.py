"""Consent of workers: asked in each campaign, and again when its text changes.

A campaign has its own text or the usual one for its kind of task. The version of a text is the
beginning of its SHA-256, so that any change of a letter is another version. The store keeps every text
that somebody agreed to, and who agreed to it in which campaign and when.

>>> from paragauge.collect.campaigns.campaigns import create
>>> from paragauge.collect.people.workers import register
>>> from paragauge.collect.store.store import temporary_store
>>> with temporary_store() as store:
...     campaign = create(store, CampaignSettings(kind="describe", title="Birds"), "birds", "ada")
...     worker, _ = register(store, "link")
...     before = has_agreed(store, campaign, worker)
...     record_consent(store, campaign, worker, text_version(consent_text(campaign.settings)))
...     before, has_agreed(store, campaign, worker)
(False, True)
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

import sqlalchemy as sa

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign, lock_campaign
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.idempotency import insert_statement
from paragauge.collect.store.schema import items, workers
from paragauge.collect.store.schema_consents import consent_texts, consents
from paragauge.collect.store.store import Store, Transaction
from paragauge.errors import AnswerError

CHANGED = "the text that you agree to has changed; please read it again"
WHAT = {
    "describe": "What you write is kept as you wrote it, and may be published for research",
    "suggest": "The links that you suggest are kept, and may be published for research",
    "paraphrase": "What you write is kept as you wrote it, and may be published for research",
    "judge": "Your judgments and comments are kept, and may be published for research",
    "survey": "Your answers are kept as you wrote them, and may be published for research",
}
TIMES = "The time of each answer and how long it took are kept with it."
CLIPS = (
    "Some clips or pictures may come from other sites, for example YouTube. Your browser loads them "
    "from there, and those sites see your internet address."
)
CONTACT = (
    "Nothing about you is needed. If you leave an e-mail address, only those who run this campaign see "
    "it; it is never published."
)
STOP = (
    "You can stop whenever you want. If you ask for it, what is known about you is erased, and {} too "
    "if you wish."
)
STAY = (
    "You can stop whenever you want. If you ask for it, what is known about you is erased, and your "
    "comments too. Judgments, which are numbers without a name, stay."
)


@dataclass(frozen=True)
class Consent:
    """One worker's consent to one version of a campaign's text."""

    worker: str
    version: str
    text: str
    at: datetime


def consent_text(settings: CampaignSettings) -> str:
    """What workers agree to: the campaign's own text, or the usual one for its kind of task.

    >>> print(consent_text(CampaignSettings(kind="describe", title="Birds"))[:63])
    - What you write is kept as you wrote it, and may be published
    """
    if settings.consent.strip():
        return settings.consent.strip()
    lines = [f"{WHAT[settings.kind]}, under a random id and without any name.", TIMES]
    lines += [CLIPS] if settings.kind == "describe" else []
    lines += [CONTACT, STAY if settings.kind == "judge" else STOP.format("your answers")]
    return "\n".join(f"- {line}" for line in lines)


def text_version(text: str) -> str:
    """The version of a text: the first 12 hexadecimal digits of its SHA-256.

    >>> text_version("a")
    'ca978112ca1b'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def has_agreed(store: Store, campaign: Campaign, worker: Worker) -> bool:
    """Whether the worker agreed to the text that the campaign has now."""
    query = (
        sa.select(consents.c.id)
        .join(consent_texts)
        .where(
            consents.c.worker_id == worker.id,
            consents.c.campaign_id == campaign.id,
            consent_texts.c.version == text_version(consent_text(campaign.settings)),
        )
    )
    with store.read() as connection:
        return connection.execute(query).first() is not None


def record_consent(store: Store, campaign: Campaign, worker: Worker, version: str) -> None:
    """Record that the worker agreed to the campaign's text, if it is the one that they were shown.

    Calling it twice has the same effect as once.
    """
    with store.write(f"worker:{worker.public_id}") as transaction:
        # The lock: of two at once, the second finds what the first recorded.
        row = lock_campaign(transaction, campaign.id)
        text = consent_text(CampaignSettings.from_json(row.settings))
        if version != text_version(text):
            raise AnswerError("consent", CHANGED)
        number = _find_or_add_text(transaction, version, text)
        own = {"campaign_id": campaign.id, "worker_id": worker.id, "consent_text_id": number}
        known = sa.select(consents.c.id).filter_by(**own)
        if transaction.connection.execute(known).first() is None:
            transaction.connection.execute(sa.insert(consents), own | {"at": transaction.at})
            transaction.log("worker.consent", worker.public_id, campaign=campaign.slug, version=version)


def list_consents(store: Store, campaign: Campaign, worker: Worker | None = None) -> list[Consent]:
    """Who agreed to which text of the campaign, in order; of one worker if given."""
    query = (
        sa.select(workers.c.public_id, *consent_texts.c[("version", "text")], consents.c.at)
        .select_from(consents.join(workers).join(consent_texts))
        .where(consents.c.campaign_id == campaign.id)
        .order_by(consents.c.id)
    )
    if worker is not None:
        query = query.where(consents.c.worker_id == worker.id)
    with store.read() as connection:
        return [Consent(*tuple(row)) for row in connection.execute(query)]


def find_media_sites(store: Store, campaign: Campaign) -> list[str]:
    """The sites that a worker's browser loads clips or pictures from, this server's own left out."""
    query = sa.select(items.c.content).where(
        items.c.campaign_id == campaign.id,
        items.c.state == "active",
        items.c.kind.in_(("video", "image")),
    )
    with store.read() as connection:
        urls = {str(content.get("url", "")) for content in connection.execute(query).scalars()}
    return sorted({host for url in urls if (host := urlsplit(url).hostname)})


def _find_or_add_text(transaction: Transaction, version: str, text: str) -> int:
    # Two campaigns may get the same text at once.
    insert = insert_statement(transaction.connection)(consent_texts)
    values = {"version": version, "text": text}
    transaction.connection.execute(insert.values(values).on_conflict_do_nothing())
    query = sa.select(consent_texts.c.id).where(consent_texts.c.version == version)
    return int(transaction.connection.execute(query).scalar_one())
