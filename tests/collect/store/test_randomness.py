"""What a collection draws at random comes from the source of its store, the system's by default."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from paragauge.collect.campaigns import invitations
from paragauge.collect.people import accounts, sessions, workers
from paragauge.collect.store.randomness import SYSTEM, SystemRandomness
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.web.app import create_app

SOURCES = {"secrets", "random", "uuid"}
# The source itself, and data drawn by a given seed.
OTHERS = {"randomness.py": "secrets", "export_pairs.py": "random"}
NEW_STORE = """
import sys
from pathlib import Path
from paragauge.collect.people import workers
from paragauge.collect.store.store import Store
with Store.open(Path(sys.argv[1]), create=True) as store:
    worker, key = workers.register(store, "link")
    print(worker.public_id, key, store.randomness.token(32))
"""


class Numbered:
    """Tokens that count."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0

    def token(self, size: int) -> str:
        self.count += 1
        return f"{self.name}{self.count}x{size}"


@pytest.fixture
def make_everything(tmp_path, empty_file, clock, describe):
    """Make one of each thing that has an id or a secret: everything(randomness)."""

    def make(randomness) -> list[str]:
        path = tmp_path / f"{randomness.name}.db"
        path.write_bytes(empty_file.read_bytes())
        with Store.open(path, clock=clock, randomness=randomness) as store:
            campaign = describe(store, 1)
            worker, key = workers.register(store, "link")
            account = accounts.create(store, "ada", "correct horse battery", "test")
            token_id, token = accounts.create_token(store, account, "script", "ada")
            invitation, link = invitations.create(store, campaign, "ada")
            task = assignments.next_assignment(store, campaign, worker)
            receipt = submissions.submit(store, task, worker, Answer("A dog.", "English"))
            secrets = [
                campaign.public_id,
                task.item.public_id,
                worker.public_id,
                key,
                account.public_id,
            ]
            secrets += [token_id, token, invitation.public_id, link, task.public_id, receipt.public_id]
            secrets += [sessions.start(store, worker), sessions.start(store, account)]
            with TestClient(create_app(store)) as client:
                client.get("/sign-in")
                secrets += list(client.cookies.values())
        return secrets

    return make


def test_ids_and_secrets_come_from_the_source_of_the_store(make_everything) -> None:
    first = make_everything(Numbered("a"))
    assert sorted(first, key=lambda name: int(name[1:].split("x")[0])) == [
        "a1x12",  # the campaign
        "a2x12",  # its item
        "a3x12",  # the worker
        "a4x24",  # their key
        "a5x12",  # the account
        "a6x32",  # its token
        "a7x12",  # and the token's id
        "a8x24",  # the invitation's link
        "a9x12",  # the invitation
        "a10x12",  # the task
        "a11x12",  # the answer
        "a12x32",  # the worker's session
        "a13x32",  # the requester's
        "a14x32",  # the secret of forms
    ]
    assert make_everything(Numbered("b")) == [f"b{name[1:]}" for name in first]


def test_a_seeded_source_repeats_itself(seeded_source) -> None:
    one, two = seeded_source(), seeded_source()
    assert [one.token(12), one.token(32)] == [two.token(12), two.token(32)]
    assert [len(one.token(size)) for size in (12, 24, 32)] == [
        len(SYSTEM.token(size)) for size in (12, 24, 32)
    ]


def test_what_nobody_seeds_is_new_in_each_process(tmp_path: Path) -> None:
    tokens = []
    for name in ("one.db", "two.db"):
        words = [sys.executable, "-c", NEW_STORE, str(tmp_path / name)]
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        ended = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        tokens += ended.stdout.split()
    assert [len(token) for token in tokens] == [16, 32, 43] * 2
    assert len(set(tokens)) == 6
    assert isinstance(SYSTEM, SystemRandomness)


def test_no_other_module_draws(repository: Path) -> None:
    uses = set()
    folder = repository / "src" / "paragauge" / "collect"
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            uses |= {(path.name, name) for name in names if name in SOURCES}
            assert not (isinstance(node, ast.Attribute) and node.attr in ("urandom", "getrandom")), path
    assert uses == set(OTHERS.items())
