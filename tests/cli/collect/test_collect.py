"""`paragauge collect`: stores, campaigns, accounts, import, export, status, serving, MTurk."""

from __future__ import annotations

import importlib.util
import json
import signal
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from paragauge.cli.main import run as command

pytest.importorskip("sqlalchemy", reason="the collection application is not tested without its extra")
pytestmark = pytest.mark.usefixtures("seeded_ids")
ROOT = Path(__file__).parents[3]
CORPUS = "v1\ta dog runs\nv1\ta puppy is running\nv1\ta dog runs\nv2\tit rains\nv2\train falls\n"


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    """Run a command in this process; its output, after a check of its code and of standard error."""
    monkeypatch.chdir(tmp_path)

    def calling(*words: object, error: str = "") -> str:
        code = command([str(word) for word in ("collect", *words)])
        printed = capsys.readouterr()
        if error:
            assert code == 2
            assert printed.err.startswith("paragauge: error: ")
            assert error in printed.err
            assert printed.err.count("\n") == 1
        else:
            assert (code, printed.err) == (0, "")
        return printed.out

    return calling


@pytest.fixture
def password(tmp_path) -> Path:
    path = tmp_path / "password.txt"
    path.write_text("correct horse battery\n")
    return path


@pytest.fixture
def filled(call, tmp_path):
    """A store with a corpus in the campaign of clips."""
    (tmp_path / "c.toml").write_text('slug = "clips"\nkind = "describe"\ntitle = "Clips"\n')
    (tmp_path / "corpus.tsv").write_text(CORPUS)
    call("init", "c.db", "--campaign", "c.toml")
    call("import", "c.db", "corpus.tsv", "--layout", "msvd", "--language", "English", "--tier", 2)
    return call


def test_backup_and_check(filled, tmp_path) -> None:
    assert filled("check", "c.db") == "c.db: no problems found\n"
    printed = filled("backup", "c.db", "-o", "copy.db")
    assert printed == f"copy.db: {(tmp_path / 'copy.db').stat().st_size:,} bytes\n"
    for name in ("c", "copy"):
        filled("export", f"{name}.db", "sentences", "-o", f"{name}.tsv")
    assert (tmp_path / "copy.tsv").read_bytes() == (tmp_path / "c.tsv").read_bytes()
    assert filled("check", "copy.db") == "copy.db: no problems found\n"
    with sqlite3.connect(tmp_path / "copy.db") as connection:
        connection.execute("UPDATE item_tiers SET taken = 1 WHERE item_id = 1")
    connection.close()
    message = "copy.db: 1 problem found; go back to the last good backup, or report it"
    printed = filled("check", "copy.db", error=message)
    assert printed == "item 1 in tier 2: 1 places taken, 3 held\n"


def test_rejected_imports_take_no_place(call, tmp_path) -> None:
    (tmp_path / "c.toml").write_text('slug = "clips"\nkind = "describe"\ntitle = "Clips"\n')
    (tmp_path / "corpus.csv").write_text(
        "item,sentence,decision\nv1,a dog runs,accepted\nv1,bad,rejected\nv2,worse,rejected\n"
    )
    call("init", "c.db", "--campaign", "c.toml")
    call("import", "c.db", "corpus.csv")
    assert call("check", "c.db") == "c.db: no problems found\n"


def test_demo(call, password):
    output = call("init", "demo.db", "--demo", "--account", "ada", "--password-file", password)
    assert output.splitlines()[:3] == [
        "demo.db: ready",
        "account ada",
        "campaign describe (describe): 5 items",
    ]
    campaigns = json.loads(call("status", "demo.db", "-f", "json"))["campaigns"]
    assert [campaign["kind"] for campaign in campaigns] == [
        "describe",
        "suggest",
        "paraphrase",
        "judge",
        "survey",
    ]
    assert "describe    describe    active      5" in call("status", "demo.db")
    assert "# workers (English)" in call("status", "demo.db", "--campaign", "describe")
    assert json.loads(call("status", "demo.db", "--campaign", "judge", "-f", "json"))["slug"] == "judge"
    log = call("status", "demo.db", "--log", "-f", "tsv").splitlines()
    assert log[0] == "at\tactor\taction\tsubject\tdetails"
    assert [line.split("\t")[2] for line in log[1:3]] == ["account.create", "campaign.create"]
    assert "correct horse" not in "".join(log)
    call("init", "demo.db", "--demo", error="a campaign describe exists already")
    call(
        "export",
        "demo.db",
        "pairs",
        "-o",
        "p.tsv",
        error="several campaigns; choose one with --campaign",
    )
    call(
        "status",
        "demo.db",
        "--campaign",
        "jugde",
        error="unknown campaign 'jugde'; did you mean 'judge'",
    )
    call("status", "demo.db", "--campaign", "judge", "--log", error="leave --campaign out")


GOOD = 'slug = "good"\nkind = "describe"\ntitle = "T"\n'
BAD = """slug = "bad"
kind = "describe"
title = "T"
[[items]]
key = "a"
url = "https://example.org/a.png"
[[items]]
key = "b"
url = "javascript:1"
"""
TABLE = 'slug = "bad"\nkind = "paraphrase"\ntitle = "T"\nitems = "it.jsonl"\n'
LINES = '{"key": "a", "text": "A dog."}\n{"key": "b", "text": "A dog.", "control": "gold"}\n'
RANKED = 'slug = "bad"\nkind = "judge"\ntitle = "T"\nranking = true\nitems = "it.tsv"\n'


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({"bad.toml": BAD}, "bad.toml:7: expected a link that starts with http://"),
        ({"bad.toml": TABLE, "it.jsonl": LINES}, "it.jsonl:2: expected: expected {"),
        (
            {"bad.toml": RANKED, "it.tsv": "key\tsource\tsystem\tcandidate\nk\ts\tA\tx\nk\ts\tA\ty\n"},
            "it.tsv:3: candidate 1: system: expected each system once in an item, found 'A'",
        ),
        ({"bad.toml": GOOD}, "bad.toml:1: slug: expected a unique name, found 'good' as in good"),
        (
            {"bad.toml": GOOD.replace("good", "G")},
            "bad.toml:1: slug: expected a name of at most 60 lowercase letters",
        ),
        (
            {"bad.toml": BAD.replace('"T"', '"T\\u0000"')},
            "bad.toml:3: title: expected text, found a NUL character; remove it",
        ),
        (
            {"bad.toml": BAD.replace("javascript:1", "https://example.org/a.png?\\u0000")},
            "bad.toml:7: expected a link",
        ),
    ],
)
def test_an_error_leaves_the_store_as_it_was(call, tmp_path, password, files, error):
    for name, text in {"good.toml": GOOD, **files}.items():
        (tmp_path / name).write_text(text)
    both = ("--campaign", "good.toml", "--campaign", "bad.toml")
    named = ("--account", "ada", "--password-file", password)
    before = sorted(tmp_path.iterdir())
    call("init", "new.db", *both, *named, error=error)
    assert sorted(tmp_path.iterdir()) == before
    call("init", "old.db")
    call("init", "old.db", *both, *named, error=error)
    assert json.loads(call("status", "old.db", "--log", "-f", "json"))["changes"] == []


def test_names_that_are_taken_leave_the_store_as_it_was(call, tmp_path, password):
    (tmp_path / "good.toml").write_text(GOOD)
    (tmp_path / "bad.toml").write_text(GOOD.replace("good", "other"))
    call("init", "c.db", "--campaign", "good.toml")
    log = call("status", "c.db", "--log", "-f", "json")
    named = ("--account", "ada", "--password-file", password)
    both = ("--campaign", "bad.toml", "--campaign", "good.toml")
    error = "good.toml:1: slug: a campaign good exists already; choose another name"
    call("init", "c.db", *both, *named, error=error)
    assert call("status", "c.db", "--log", "-f", "json") == log
    call("init", "c.db", "--upgrade", *both, error="--upgrade takes no other options")
    assert call("init", "c.db", "--upgrade") == "c.db: ready\n"


def test_a_store_that_was_begun_is_removed(call, tmp_path, monkeypatch):
    from paragauge.collect.campaigns import campaigns
    from paragauge.errors import StoreError

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(campaigns, "create_in", full)
    (tmp_path / "good.toml").write_text(GOOD)
    call("init", "new.db", "--campaign", "good.toml", error="the disk is full")
    assert [path.name for path in tmp_path.iterdir()] == ["good.toml"]


def test_imported_items_have_their_lines(call, tmp_path):
    (tmp_path / "p.toml").write_text('slug = "p"\nkind = "paraphrase"\ntitle = "T"\n')
    call("init", "c.db", "--campaign", "p.toml")
    (tmp_path / "it.jsonl").write_text(LINES)
    call("import", "c.db", "it.jsonl", "--items", error="it.jsonl:2: expected: expected {")
    (tmp_path / "it.jsonl").write_text('{"key": "a", "text": "A\\u0000"}\n')
    call("import", "c.db", "it.jsonl", "--items", error="it.jsonl:1: expected text, found a NUL")
    (tmp_path / "it.jsonl").write_text('{"key": "a", "text": "A dog."}\n')
    call("import", "c.db", "it.jsonl", "--items")
    call("import", "c.db", "it.jsonl", "--items", error="it.jsonl:1: item 'a' is already in the camp")


def test_the_clips_of_the_demo_are_there():
    from paragauge.collect.campaigns.demo import read_demo_campaigns

    folder = ROOT / "src" / "paragauge" / "collect" / "web" / "static" / "demo"
    links = [row["content"].get("url") for file in read_demo_campaigns() for row in file.items]
    for link in filter(None, links):
        content = (folder / link.removeprefix("/static/demo/")).read_bytes()
        assert 1000 < len(content) < 20_000
        assert content[:4] in (b"\x1aE\xdf\xa3", b"RIFF")


def test_accounts_and_tokens(call, password):
    call("init", "c.db")
    call("token", "c.db", "ada", "--name", "x", error="c.db has no account; create one")
    assert call("account", "c.db", "ada", "--password-file", password) == "account ada\n"
    call("account", "c.db", "ada", "--password-file", password, error="an account ada exists already")
    call("account", "c.db", "bob", error="no terminal to ask for a password; give --password-file")
    password.write_text("short\n")
    call("account", "c.db", "bob", "--password-file", password, error="expected a password of 10 to")
    password.write_text("another good one\n")
    output = call("account", "c.db", "ada", "--change", "--password-file", password)
    assert output == "account ada: password changed\n"
    call("account", "c.db", "ad", "--change", error="unknown account 'ad'; did you mean 'ada'")
    token = dict(line.split("\t") for line in call("token", "c.db", "ada", "--name", "x").splitlines())
    assert len(token["token"]) > 40
    assert token["token"] not in call("status", "c.db", "--log", "-f", "json")
    assert (
        call("token", "c.db", "ada", "--withdraw", token["id"]) == f"token {token['id']}: withdrawn\n"
    )
    call("token", "c.db", "ada", "--withdraw", token["id"], error="it may be withdrawn already")
    call("token", "c.db", "ada", error="says what it is for; give --name")
    read = call("token", "c.db", "ada", "--name", "read", "--scope", "viewer").split()[-1]
    call("account", "c.db", "ada", "--change", "--role", "viewer", error="ada is the last owner")
    both = ("--change", "--role", "viewer", "--password-file", "new.txt")
    call("account", "c.db", "ada", *both, error="leave --password-file out")
    from paragauge.collect.people import accounts
    from paragauge.collect.store.store import Store

    with Store.open("c.db") as store:
        assert accounts.find_by_token(store, read).role == "viewer"
    call(
        "token",
        "c.db",
        "ada",
        "--withdraw",
        "x",
        "--days",
        1,
        error="leave --name, --days and --scope out",
    )
    call("init", "c.db", "--password-file", password, error="--password-file needs --account")


def test_export(filled, tmp_path):
    output = filled("export", "c.db", "pairs", "--parallel", "all", "--drop-identical", "-o", "p.tsv")
    assert output == (
        "p.tsv: 6 rows: 5 sentences about 2 items; left out: 2 pairs with the same text on both sides\n"
    )
    output = filled("export", "c.db", "clusters", "--distinct", "--min-sentences", 2, "-o", "c.jsonl")
    assert output == "c.jsonl: 2 rows: 4 sentences about 2 items\n"
    assert (
        filled("export", "c.db", "sentences", "--tier", 1, "-o", "s.parquet") == "s.parquet: 0 rows\n"
    )
    output = filled("export", "c.db", "sentences", "--language", "english", "-o", "s.tsv.gz")
    assert output == "s.tsv.gz: 5 rows: 5 sentences about 2 items\n"
    output = filled("export", "c.db", "test", "--include-source", "--plain", "-o", "test")
    assert output == (
        "test: 5 rows: 5 sentences about 2 items; references of a sentence: 2.6 on average, 2 to 3\n"
    )
    assert (tmp_path / "test" / "reference.tsv").read_text().splitlines()[3] == "rain falls\tit rains"
    for part, items in (("train", 1), ("test", 1)):
        output = filled(
            "export", "c.db", "clusters", "--part", part, "--test-share", 0.5, "-o", "x.tsv"
        )
        assert f"about {items} item\n" in output


def test_export_tells_of_estimates_that_did_not_converge(filled, monkeypatch):
    from paragauge.collect.corpus.export_pairs import ExportCounts

    done = ExportCounts(0, 0, 4, unconverged=("adequacy", "fluency"))
    monkeypatch.setattr("paragauge.collect.corpus.campaign_export.export", lambda *_: done)
    output = filled("export", "c.db", "scores", "--dawid-skene", "-o", "s.tsv")
    end = "Dawid and Skene's estimates did not converge: adequacy, fluency\n"
    assert output == f"s.tsv: 4 rows; {end}"


def test_filter(call, tmp_path):
    (tmp_path / "c.toml").write_text('slug = "clips"\nkind = "describe"\ntitle = "Clips"\n')
    call("init", "c.db", "--campaign", "c.toml")
    (tmp_path / "few.tsv").write_text(CORPUS)
    call("import", "c.db", "few.tsv", "--layout", "msvd", "--language", "English", "--tier", 2)
    call("filter", "c.db", error="nothing to write; give --output, --save or both")
    call("filter", "c.db", "--load", "f", "--save", "f", error="leave one out")
    call("filter", "c.db", "--load", "none.json", "-o", "v.tsv", error="none.json")
    call("filter", "c.db", "--save", "f.json", error="trusted sentences")
    doings = ["riding a horse", "baking bread", "singing a song", "washing a car", "reading"]
    people = ["a man", "the man", "a person", "someone", "a guy"]
    lines = [f"i{n}\t{who} is {doing}\n" for n, doing in enumerate(doings) for who in people]
    (tmp_path / "many.tsv").write_text("".join(lines))
    call("import", "c.db", "many.tsv", "--layout", "msvd", "--language", "English", "--tier", 2)
    output = call("filter", "c.db", "--save", "f.json", "-o", "v.tsv").splitlines()
    assert output[0] == "f.json: a filter trained on clips"
    assert output[1].startswith("v.tsv: 30 answers, ")
    first = (tmp_path / "v.tsv").read_text()
    assert first.startswith("submission\titem\tworker\ttier\tsentence\tnoise\tnoisy\treasons\n")
    call("filter", "c.db", "--load", "f.json", "-o", "v.tsv")
    assert (tmp_path / "v.tsv").read_text().count("\n") == 31


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["pair", "-o", "x.tsv"], "unknown export 'pair'; did you mean 'pairs'"),
        (["pairs", "-o", "x.txt"], "x.txt: expected a name that ends in .tsv, .csv"),
        (["pairs", "--parallel", "0", "-o", "x.tsv"], "--parallel 0: expected a number from 1 up"),
        (
            ["clusters", "--parallel", "2", "-o", "x.tsv"],
            "--parallel does not apply to clusters, only to pairs",
        ),
        (["answers", "--tier", "2", "-o", "x.tsv"], "--tier does not apply to answers"),
        (["judgments", "-o", "x.tsv"], "campaign clips is a task of kind 'describe'; expected judge"),
        (["sentences", "--plain", "-o", "x"], "sentences cannot be written as plain files"),
        (["pairs", "--part", "dev", "-o", "x.tsv"], "unknown part 'dev'"),
        (
            ["pairs", "--part", "test", "--test-share", "2", "-o", "x.tsv"],
            "test share: expected a number",
        ),
        (["pairs", "--campaign", "no", "-o", "x.tsv"], "unknown campaign 'no'"),
    ],
)
def test_bad_exports_write_nothing(filled, tmp_path, words, error):
    filled("export", "c.db", *words, error=error)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("x")]


def test_import_of_a_table_as_spreadsheets_write_it(filled, tmp_path):
    """Under a title, with semicolons, in windows-1252: messages name the options that read it."""
    sentences = "A survey;\nitem;sentence\nv7;Der Hund läuft\nv8;a dog\n"
    (tmp_path / "s.csv").write_bytes(sentences.encode("windows-1252"))
    filled("import", "c.db", "s.csv", error="--encoding windows-1252")
    words = ("import", "c.db", "s.csv", "--encoding", "windows-1252")
    filled(*words, error="--header-row")
    assert filled(*words, "--header-row", 2).startswith("clips: 2 sentences about 2 items")
    (tmp_path / "items.csv").write_bytes("key;url;alt\np1;https://a.org/x;Tür\n".encode("windows-1252"))
    words = ("import", "c.db", "items.csv", "--items")
    filled(*words, error="--encoding windows-1252")
    assert filled(*words, "--encoding", "windows-1252") == "clips: 1 new item\n"
    (tmp_path / "m.txt").write_bytes("v9\tDer Hund läuft\n".encode("windows-1252"))
    words = ("import", "c.db", "m.txt", "--layout", "msvd")
    filled(*words, error="--encoding windows-1252")
    filled(*words, "--sheet", "a", error="--sheet has no effect on --layout msvd")
    assert filled(*words, "--encoding", "windows-1252").startswith("clips: 1 sentence")
    filled("export", "c.db", "sentences", "-o", "out.tsv")
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8").count("Der Hund läuft") == 2


def test_import(filled, tmp_path):
    filled("import", "c.db", "corpus.tsv", error="expected a column for the item, found v1, a dog runs")
    filled("import", "c.db", "corpus.tsv", "--column", "item", error="expected ROLE=NAME")
    filled(
        "import", "c.db", "corpus.tsv", "--items", "--layout", "msvd", error="--items takes no --column"
    )
    (tmp_path / "items.tsv").write_text("key\turl\tstart\tend\nv9\thttps://example.org/a.webm\t1\t4\n")
    assert filled("import", "c.db", "items.tsv", "--items") == "clips: 1 new item\n"
    filled("import", "c.db", "items.tsv", "--items", error="item 'v9' is already in the campaign")
    (tmp_path / "items.tsv").write_text("key\turl\nv8\tjavascript:alert(1)\n")
    filled("import", "c.db", "items.tsv", "--items", error="expected a link that starts with http")


def test_bad_stores(call, tmp_path):
    call("status", "no.db", error="no.db: no such store; create one: paragauge collect init no.db")
    (tmp_path / "text.db").write_text("not a database, but long enough to look like one" * 50)
    call("status", "text.db", error="text.db: ")
    call("init", "mysql://x/y", error="expected a file or postgresql://")
    (tmp_path / "c.toml").write_text('slug = "c"\nkind = "describe"\n')
    call("init", "c.db", "--campaign", "c.toml", error="c.toml: missing settings: title")
    assert not (tmp_path / "c.db").exists()


def test_a_wrong_item_leaves_no_campaign(call, tmp_path):
    text = 'slug = "c"\nkind = "describe"\ntitle = "C"\n[[items]]\nkey = "a"\nurl = "ftp://x.org/a"\n'
    (tmp_path / "c.toml").write_text(text)
    call(
        "init", "c.db", "--campaign", "c.toml", error="c.toml:4: expected a link that starts with http"
    )
    assert not (tmp_path / "c.db").exists()


def test_serve(call, tmp_path):
    call("init", "demo.db", "--demo")
    call("serve", "demo.db", "--media", "none", error="--media none: expected a folder")
    call(
        "serve",
        "demo.db",
        "--proxy",
        "here",
        error="--proxy here: expected an address such as 10.0.0.2",
    )
    for store in (["demo.db"], ["new.db", "--create"]):
        call("serve", *store, "--host", "256.0.0.1", error="choose another with --host and --port")
    assert not (tmp_path / "new.db").exists()
    call("serve", "new.db", error="new.db: no such store; create one: paragauge collect init new.db")
    words = [sys.executable, "-m", "paragauge", "collect", "serve", "new.db", "--create", "--port", "0"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = server.stdout.readline().split()[0]
            link = server.stdout.readline().split()[-1]
            assert link.startswith(f"{address}/desk/first/")
            with urllib.request.urlopen(link) as page:  # noqa: S310
                assert b"<h1>The first account</h1>" in page.read()
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0
    words[5:7] = ["demo.db"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = server.stdout.readline().split()[0]
            assert address.startswith("http://127.0.0.1:")
            with urllib.request.urlopen(address) as page:  # noqa: S310
                assert b"Watch and describe a short segment of a video" in page.read()
            with urllib.request.urlopen(f"{address}/static/demo/ball.webm") as clip:  # noqa: S310
                assert clip.headers["Content-Type"] == "video/webm"
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0


def test_mechanical_turk(filled, tmp_path, monkeypatch):
    pytest.importorskip("boto3", reason="Mechanical Turk is not tested without boto3")
    path = ROOT / "tests" / "collect" / "mturk_stand_in.py"
    spec = importlib.util.spec_from_file_location("mturk_stand_in", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    (tmp_path / "m.toml").write_text(
        'slug = "m"\nkind = "paraphrase"\ntitle = "M"\nbudget_cents = 99\n[tiers.1]\npay_cents = 2\n'
        'per_item = 3\n[[items]]\nkey = "s"\ntext = "A dog."\n'
    )
    filled("init", "m.db", "--campaign", "m.toml")
    service = module.StandIn()
    where = ("--endpoint", service.url)
    try:
        assert filled("mturk", "balance", *where) == "sandbox: $100.00\n"
        words = ("mturk", "create", "m.db", "--address", "https://x.example/", *where)
        assert filled(*words) == "m (sandbox): 1 HIT, 3 tasks, $0.06 plus fees\n"
        assert filled(*words) == "m (sandbox): 0 HITs, 0 tasks, $0.00 plus fees\n"
        output = filled("mturk", "sync", "m.db", *where)
        assert output == "m (sandbox): 0 new assignments, 0 in all; 0 qualifications changed\n"
        service.submit("HIT1", "W1", {}, "A1")
        assert "without a matching answer: A1\n" in filled("mturk", "sync", "m.db", *where)
        output = filled("mturk", "approve", "m.db", *where)
        assert output == "m (sandbox): 0 approved, 0 rejected, 0 waiting for a review\n"
        assert filled("mturk", "bonus", "m.db", *where) == "m (sandbox): 0 bonuses, $0.00\n"
        assert filled("mturk", "expire", "m.db", *where) == "m (sandbox): 1 HIT expired\n"
        filled("mturk", "balance", "--production", *where, error="a stand-in cannot be production")
    finally:
        service.close()
    monkeypatch.setattr("time.sleep", lambda _: None)  # between the attempts
    error = "get_account_balance failed: Could not connect to the endpoint URL"
    filled("mturk", "balance", *where, error=error)
