"""`paragauge rewrite sample`, a judging campaign with its output, and tables 7 and 8."""

from __future__ import annotations

import csv
import json
import re

import pytest

from paragauge.collect.campaigns import campaigns
from paragauge.collect.people import workers
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.submissions import Answer


@pytest.fixture
def sampled(good, examples, tmp_path):
    """A sample of three methods with its key and campaign, and what the command printed."""
    texts = ["-r", examples / "references.tsv", "-c", examples / "rewrites.txt"]
    texts += ["-c", examples / "edits.txt"]
    files = [tmp_path / name for name in ("sample.tsv", "key.tsv", "judge.toml")]
    printed = good(
        *("rewrite", "sample", *texts, "--count", 12, "-o", files[0], "--key", files[1]),
        *("--campaign", files[2]),
        *("--method", "wordnet", "--method", "context", "--method", "random"),
    )
    return (*files, printed)


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_files(sampled):
    items, key, _, printed = sampled
    shown, secret = rows_of(items), rows_of(key)
    assert [row["key"] for row in shown] == [row["key"] for row in secret]
    assert printed.startswith(f"{len(shown)} substitutions to judge, seed 7\nwordnet: 12 of ")
    assert list(secret[0])[-3:] == ["wordnet", "context", "random"]
    for row, other in zip(shown, secret, strict=True):
        # An article before the word may change with it, and is in the brackets then.
        for name, word in (("source", other["old"]), ("candidate", other["new"])):
            marked = re.search(r"\[(?:an? )?(.*)\]", row[name].lower())
            assert marked is not None
            assert marked[1] == word.lower()
    for method in ("wordnet", "context", "random"):
        assert sum(method in row["drawn_by"].split(",") for row in secret) == 12


def test_from_the_sample_to_the_tables(good, sampled, tmp_path):
    """The campaign is judged by two people in a store, exported, and comes back as tables 7 and 8."""
    _, key, campaign_file, _ = sampled
    store_file = tmp_path / "judge.db"
    assert "campaign substitutions (judge)" in good(
        "collect", "init", store_file, "--campaign", campaign_file
    )
    secret = {row["key"]: row for row in rows_of(key)}
    judgments: dict[str, dict[str, int]] = {}
    with Store.open(str(store_file)) as store:
        campaign = campaigns.get(store, "substitutions")
        assert campaign is not None
        for number in range(2):
            worker, _ = workers.register(store, "link")
            own = judgments.setdefault(worker.public_id, {})
            while isinstance(task := assignments.next_assignment(store, campaign, worker), Assignment):
                example = task.item.key
                # The first judge rejects what has an e in it, the second also what has an o.
                own[example] = int(not set("e" + "o" * number) & set(secret[example]["new"]))
                data = {"judgments": {"0": {"correct": own[example]}}}
                submissions.submit(store, task, worker, Answer(data=data))
    assert [len(own) for own in judgments.values()] == [len(secret)] * 2
    table = tmp_path / "judgments.tsv"
    good("collect", "export", store_file, "judgments", "-o", table)
    record = json.loads(good("meta", table, "--layout", "kauchak-7", "--key", key, "-f", "json"))
    cells = {(cell["row"], cell["column"]): cell["value"] for cell in record["cells"]}
    for method in ("wordnet", "context", "random"):
        drawn = [name for name, row in secret.items() if method in row["drawn_by"].split(",")]
        for judge, own in judgments.items():
            assert cells[method, judge] == pytest.approx(sum(own[name] for name in drawn) / 12)
        assert -1 <= cells[method, "Kappa"] <= 1
    text = good("meta", table, "--layout", "kauchak-7", "--key", key)
    assert "Accuracy and kappa; brackets: 95% interval, 1000 bootstrap resamples" in text
    judge = next(iter(judgments))
    record = json.loads(
        good("meta", table, "--layout", "kauchak-8", "--key", key, "--judge", judge, "-f", "json")
    )
    drawn = [name for name, row in secret.items() if "wordnet" in row["drawn_by"].split(",")]
    counts = [cell["value"] for cell in record["cells"][:4]]
    passed = {name: secret[name]["context"] in ("accepted", "outdone") for name in drawn}
    assert counts == [
        sum(judgments[judge][name] == correct and passed[name] == side for name in drawn)
        for correct in (1, 0)
        for side in (True, False)
    ]
    assert sum(counts) == 12


def test_errors(fails, file, tmp_path, sampled):
    refs, out = file("refs.txt", b"It is hard.\n"), file("out.txt", b"It is difficult.\n")
    where = ["-o", tmp_path / "s.tsv", "--key", tmp_path / "k.tsv"]
    texts = ["-r", refs, "-c", out]
    assert fails("rewrite", "sample", "-c", out, *where) == (
        "expected references to rewrite, found none; give -r"
    )
    assert fails("rewrite", "sample", *texts, *where, "--judges", 3) == (
        "--judges needs --campaign; give it too, or leave --judges out"
    )
    assert "the file is the output of --output too" in fails(
        "rewrite", "sample", *texts, "-o", tmp_path / "x.tsv", "--key", tmp_path / "x.tsv"
    )
    assert "method 'random': expected a threshold" in fails(
        "rewrite", "sample", *texts, *where, "--method", "random"
    )
    same = file("same.txt", b"It is hard.\n")
    assert fails("rewrite", "sample", "-r", refs, "-c", same, *where) == (
        "no method accepts a substitution in these texts; there is nothing to judge"
    )
    ratings = file("r.tsv", b"segment\tsystem\tjudge\tcorrect\ns01\tsubstitution\tA\t1\n")
    key = sampled[1]
    assert fails("meta", ratings, "--layout", "kauchak-7") == (
        "--layout kauchak-7 needs the key of the sample; give --key"
    )
    assert "--key needs --layout kauchak-7 or kauchak-8" in fails("meta", ratings, "--key", key)
    assert "--judge does not go with --layout kauchak-7" in fails(
        "meta", ratings, "--layout", "kauchak-7", "--key", key, "--judge", "A"
    )
    assert "--bootstrap has no effect with --layout kauchak-8" in fails(
        "meta", ratings, "--layout", "kauchak-8", "--key", key, "--bootstrap", 5
    )
