"""Accounts of requesters: names and passwords (hashed by Argon2id), and tokens for the JSON API.

>>> from paragauge.collect.store.store import temporary_store
>>> with temporary_store() as store:
...     account = create(store, "ada", "correct horse battery", actor="command line")
...     log_in(store, "ada", "correct horse battery") == account
...     log_in(store, "ada", "wrong") is None
True
True
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from paragauge.collect.people.workers import hash_secret
from paragauge.collect.store.columns import is_id
from paragauge.collect.store.idempotency import claim, derive_secret
from paragauge.collect.store.randomness import SYSTEM
from paragauge.collect.store.schema_answers import accounts, api_tokens, sessions
from paragauge.collect.store.store import Store, Transaction
from paragauge.errors import RefusedError, SettingError, unknown_name

SHORTEST, LONGEST = 10, 1000
# What an account may do: a viewer reads, a reviewer also decides about answers and workers, an owner
# does everything: settings, money, invitations, accounts, personal data.
ROLES = ("viewer", "reviewer", "owner")

MOST_DAYS = 36_500


@dataclass(frozen=True)
class Account:
    """A requester who may log in."""

    id: int
    public_id: str
    name: str
    state: str
    created_at: datetime
    role: str = "owner"

    def may(self, role: str) -> bool:
        """Whether the account may do what this role may.

        >>> account = Account(1, "a", "ada", "active", datetime.min, "reviewer")
        >>> account.may("viewer"), account.may("owner")
        (True, False)
        """
        return ROLES.index(self.role) >= ROLES.index(role)


@dataclass(frozen=True)
class NewAccount:
    """A checked new account, with the hash of its password."""

    name: str
    password_hash: str = field(repr=False)
    role: str = "owner"


def create(
    store: Store, name: str, password: str, actor: str, role: str = "owner", *, key: str = ""
) -> Account:
    """Create an account; the password has at least 10 characters.

    Calling it again with the same `key`, that of a form, returns the same account.
    """
    new = check_new_account(name, password, role)
    with store.write(actor) as transaction:
        if claim(transaction, "account", key):
            return create_in(transaction, new)
        mine = sa.select(accounts).where(accounts.c.name == name)
        return _account(transaction.connection.execute(mine).one())


def create_first(store: Store, name: str, password: str, actor: str) -> Account:
    """Create the first account, that of an owner; refused if there is any."""
    new = check_new_account(name, password)
    with store.write(actor) as transaction:
        # The claim: of two at once, one waits for the other and is refused.
        first = claim(transaction, "first account", "of this store")
        some = sa.select(accounts.c.id).limit(1)
        if not first or transaction.connection.execute(some).first() is not None:
            raise RefusedError("exists", "there is an account already; log in, or ask its owner")
        return create_in(transaction, new)


def has_accounts(store: Store) -> bool:
    """Whether there is any account."""
    with store.read() as connection:
        return connection.execute(sa.select(accounts.c.id).limit(1)).first() is not None


def check_new_account(name: str, password: str, role: str = "owner") -> NewAccount:
    """Check a new account; whether the name is taken is only seen when it is created."""
    if not re.fullmatch(r"[A-Za-z0-9._@-]{1,60}", name):
        raise SettingError(f"expected a name of at most 60 letters, digits and . _ @ -, found {name!r}")
    return NewAccount(name, _hash(password), _check_role(role))


def create_in(transaction: Transaction, new: NewAccount) -> Account:
    """Create an account in an open transaction."""
    row = {"name": new.name, "password_hash": new.password_hash, "role": new.role}
    row |= {"public_id": transaction.public_id(), "state": "active"}
    insert = sa.insert(accounts).returning(accounts)
    try:
        created = transaction.connection.execute(insert, row | {"created_at": transaction.at}).one()
    except sa.exc.IntegrityError:
        raise RefusedError(
            "exists", f"an account {new.name} exists already; choose another name"
        ) from None
    transaction.log("account.create", new.name, role=new.role)
    return _account(created)


def log_in(store: Store, name: str, password: str) -> Account | None:
    """The account, if the password is right; just as slow if the name does not exist."""
    row = None
    if is_id(name):
        with store.read() as connection:
            query = sa.select(accounts).where(accounts.c.name == name, accounts.c.state == "active")
            row = connection.execute(query).first()
    stored = _nobody() if row is None else row.password_hash
    try:
        _hasher().verify(stored, password[:LONGEST].encode("utf-8", "surrogatepass"))
    except (VerificationError, InvalidHashError):
        return None
    return None if row is None else _account(row)


def change_password(store: Store, account: Account, password: str, actor: str) -> None:
    """Set a new password; all sessions end, and API tokens are withdrawn."""
    hashed = _hash(password)
    with store.write(actor) as transaction:
        mine = accounts.c.id == account.id
        transaction.connection.execute(sa.update(accounts).where(mine).values(password_hash=hashed))
        transaction.connection.execute(sa.delete(sessions).where(sessions.c.account_id == account.id))
        live = (api_tokens.c.account_id == account.id) & api_tokens.c.withdrawn_at.is_(None)
        transaction.connection.execute(
            sa.update(api_tokens).where(live).values(withdrawn_at=transaction.at)
        )
        transaction.log("account.password", account.name)


def change_role(store: Store, account: Account, role: str, actor: str) -> Account:
    """Give the account another role; the last owner stays one."""
    _check_role(role)
    with store.write(actor) as transaction:
        connection = transaction.connection
        if role != "owner":
            _keep_an_owner(transaction, account)
        mine = accounts.c.id == account.id
        update = sa.update(accounts).where(mine).values(role=role).returning(accounts)
        changed = _account(connection.execute(update).one())
        transaction.log("account.role", account.name, old=account.role, new=role)
    return changed


def close(store: Store, account: Account, actor: str) -> None:
    """Close the account: nobody can log in any more, and its tokens stop working.

    The last owner stays, since nobody else could open accounts.
    """
    with store.write(actor) as transaction:
        _keep_an_owner(transaction, account)
        mine = accounts.c.id == account.id
        transaction.connection.execute(sa.update(accounts).where(mine).values(state="closed"))
        transaction.connection.execute(sa.delete(sessions).where(sessions.c.account_id == account.id))
        transaction.log("account.close", account.name)


def get(store: Store, name: str) -> Account | None:
    """The account of that name."""
    if not is_id(name):
        return None
    with store.read() as connection:
        row = connection.execute(sa.select(accounts).where(accounts.c.name == name)).first()
    return None if row is None else _account(row)


def all_accounts(store: Store) -> list[Account]:
    """All accounts, closed ones too."""
    with store.read() as connection:
        return [
            _account(row) for row in connection.execute(sa.select(accounts).order_by(accounts.c.id))
        ]


def create_token(
    store: Store,
    account: Account,
    name: str,
    actor: str,
    days: float | None = None,
    scope: str = "owner",
    *,
    key: str = "",
) -> tuple[str, str]:
    """Create an API token: its public id, and the token itself, which is shown only this once.

    Calling it again with the same `key`, that of a form, returns the same one.

    It may do what its account may, and at most what the role `scope` may.
    """
    _check_role(scope)
    if days is not None and not 0 < days <= MOST_DAYS:
        raise SettingError(f"days: expected a number above 0 and at most {MOST_DAYS:,}, found {days}")
    with store.write(actor) as transaction:
        token = derive_secret("token", key) if key else transaction.token(32)
        if not claim(transaction, f"token {account.public_id}", key):
            mine = sa.select(api_tokens.c.public_id).where(api_tokens.c.hash == hash_secret(token))
            return transaction.connection.execute(mine).scalar_one(), token
        token_id = transaction.public_id()
        row = {"public_id": token_id, "hash": hash_secret(token), "account_id": account.id}
        expires = None if days is None else transaction.at + timedelta(days=days)
        row |= {"name": name, "created_at": transaction.at, "expires_at": expires, "scope": scope}
        transaction.connection.execute(sa.insert(api_tokens), row)
        transaction.log("token.create", token_id, account=account.name, name=name, scope=scope)
    return token_id, token


def find_by_token(store: Store, token: str) -> Account | None:
    """The account that an API token belongs to, with the role that the token has."""
    query = (
        sa.select(accounts, api_tokens.c.scope)
        .join(api_tokens)
        .where(
            api_tokens.c.hash == hash_secret(token),
            api_tokens.c.withdrawn_at.is_(None),
            api_tokens.c.expires_at.is_(None) | (api_tokens.c.expires_at > store.clock()),
            accounts.c.state == "active",
        )
    )
    with store.read() as connection:
        row = connection.execute(query).first()
    if row is None:
        return None
    account = _account(row)
    return replace(account, role=row.scope) if account.may(row.scope) else account


def withdraw_token(store: Store, token_public_id: str, actor: str) -> bool:
    """Withdraw a token; False if there is none with that id."""
    with store.write(actor) as transaction:
        mine = (api_tokens.c.public_id == token_public_id) & api_tokens.c.withdrawn_at.is_(None)
        update = sa.update(api_tokens).where(mine).values(withdrawn_at=transaction.at)
        withdrawn = bool(transaction.connection.execute(update).rowcount)
        if withdrawn:
            transaction.log("token.withdraw", token_public_id)
    return withdrawn


@dataclass(frozen=True)
class Token:
    """An API token as it is listed; the token itself is known only when it is created."""

    public_id: str
    account: str
    name: str
    scope: str
    created_at: datetime
    expires_at: datetime | None


def list_tokens(store: Store) -> list[Token]:
    """The tokens that work now, in the order of creation."""
    query = (
        sa.select(
            api_tokens.c.public_id,
            accounts.c.name,
            *api_tokens.c[("name", "scope", "created_at", "expires_at")],
        )
        .join(accounts, accounts.c.id == api_tokens.c.account_id)
        .where(
            api_tokens.c.withdrawn_at.is_(None),
            api_tokens.c.expires_at.is_(None) | (api_tokens.c.expires_at > store.clock()),
            accounts.c.state == "active",
        )
        .order_by(api_tokens.c.id)
    )
    with store.read() as connection:
        return [Token(*row) for row in connection.execute(query)]


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobody() -> str:
    """A hash that no password matches, so that a wrong name takes as long as a wrong password."""
    return _hasher().hash(SYSTEM.token(32))


def _hash(password: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise SettingError(
            f"expected a password of {SHORTEST} to {LONGEST} characters, found {len(password)}"
        )
    return _hasher().hash(password.encode("utf-8", "surrogatepass"))


def _keep_an_owner(transaction: Transaction, account: Account) -> None:
    """Refuse to take the role of the last owner; the owners are locked, so that none goes meanwhile."""
    query = sa.select(accounts).where(accounts.c.state == "active", accounts.c.role == "owner")
    owners = [row.id for row in transaction.connection.execute(query.with_for_update())]
    if owners == [account.id]:
        raise RefusedError(
            "owner", f"{account.name} is the last owner; make another account an owner first"
        )


def _check_role(role: str) -> str:
    if role not in ROLES:
        raise unknown_name("role", role, ROLES)
    return role


def _account(row: sa.Row[Any]) -> Account:
    return Account(row.id, row.public_id, row.name, row.state, row.created_at, row.role)
