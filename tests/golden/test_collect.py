"""A corpus from nothing to scores: import, collect, export, then `score` and `meta` on the files."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("sqlalchemy", reason="the collection application is not tested without its extra")

from paragauge.collect.campaigns import campaigns
from paragauge.collect.people import workers
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.answers import Answer

pytestmark = pytest.mark.usefixtures("seeded_ids")
CORPUS = """\
dog\ta dog is running across the grass
dog\ta brown dog runs over a green field
dog\tthe dog is racing through a meadow
cook\ta woman is slicing some ripe tomatoes
cook\tsomeone cuts tomatoes into thin slices
cook\ta cook is chopping up a tomato
sea\ta boat is sailing over the calm sea
sea\ta small ship crosses the water
sea\ta sailing boat is moving on the sea
"""
CAMPAIGN = """\
slug = "clips"
kind = "describe"
title = "Clips"
budget_cents = 100

[tiers.1]
pay_cents = 1
per_item = 2

[[items]]
key = "sun"
url = "https://example.org/sun.webm"
start = 1
end = 5
"""
JUDGE = """\
slug = "judge"
kind = "judge"
title = "Judge"
items = "judge.jsonl"

[[criteria]]
name = "semantic"
question = "Is the meaning kept?"
high = 4

[[criteria]]
name = "overall"
question = "How good is it?"
high = 4
"""
SUNS = ["the sun is rising over two green hills", "the sun comes up behind some hills"]
GOOD = {"first": (4, 4), "second": (2, 1), "third": (3, 2)}


def done(result) -> str:
    assert result.returncode == 0, result.stderr.decode()
    assert result.stderr == b""
    return result.stdout.decode()


def collect_answers(path, slug, answer) -> None:
    """Two workers do all that they are given."""
    with Store.open(path) as store:
        campaign = campaigns.get(store, slug)
        for number in range(2):
            worker, _ = workers.register(store, "link")
            assignment = assignments.next_assignment(store, campaign, worker)
            while isinstance(assignment, assignments.Assignment):
                submissions.submit(store, assignment, worker, answer(assignment, number))
                assignment = assignments.next_assignment(store, campaign, worker)


def test_from_nothing_to_scores(run, tmp_path, request):
    (tmp_path / "corpus.tsv").write_text(CORPUS)
    (tmp_path / "clips.toml").write_text(CAMPAIGN)
    assert "campaign clips (describe): 1 item" in done(
        run("collect", "init", "c.db", "--campaign", "clips.toml")
    )
    told = done(
        run("collect", "import", "c.db", "corpus.tsv", "--layout", "msvd", "--language", "English")
    )
    assert told == "clips: 9 sentences about 3 items, 3 of them new\n"
    collect_answers(tmp_path / "c.db", "clips", lambda _, number: Answer(SUNS[number], "English"))

    told = done(run("collect", "export", "c.db", "pairs", "--parallel", "all", "-o", "pairs.tsv"))
    # Three clusters of 3 and one of 2 sentences: 3 * 6 + 2 pairs.
    assert told == "pairs.tsv: 20 rows: 11 sentences about 4 items\n"
    told = done(run("collect", "export", "c.db", "test", "--plain", "-o", "test"))
    assert told == (
        "test: 11 rows: 11 sentences about 4 items; references of a sentence: 1.8 on average, 1 to 2\n"
    )
    done(run("collect", "export", "c.db", "test", "-o", "test.jsonl"))

    # A sentence as its own paraphrase has no new word, and shares words with its references.
    plain = done(
        run(
            "score",
            "-s",
            "test/source.txt",
            "-r",
            "test/reference.tsv",
            "-c",
            "copy=test/source.txt",
            "--bootstrap",
            "0",
            "-f",
            "json",
        )
    )
    table = done(
        run(
            "score",
            "--table",
            "test.jsonl",
            "-s",
            "source",
            "-r",
            "reference",
            "-c",
            "copy=source",
            "--bootstrap",
            "0",
            "-f",
            "json",
        )
    )
    assert json.loads(plain)["scores"] == json.loads(table)["scores"]
    bleu, pinc = (score["value"] for score in json.loads(plain)["scores"])
    assert pinc == 0
    assert 0 < bleu < 100
    # The pairs are a bitext: a table of sources and targets is scored as it stands.
    pairs = done(
        run(
            "score",
            "--table",
            "pairs.tsv",
            "-s",
            "source",
            "-c",
            "human=target",
            "--bootstrap",
            "0",
            "-f",
            "json",
        )
    )
    assert json.loads(pairs)["segments"] == 20
    assert json.loads(pairs)["scores"][0]["value"] > 50
    # The same pairs in plain files are a bitext, on which a paraphraser is trained; what it makes of
    # the test set is scored.
    done(run("collect", "export", "c.db", "pairs", "--parallel", "all", "--plain", "-o", "bitext"))
    request.getfixturevalue("systran_align")
    files = ("bitext/source.txt", "bitext/target.txt", "--aligner", "systran")
    train = ("generate", "train", "phrase", *files, "--discount-fallback")
    printed = done(run(*train, "-o", "alike"))
    assert "from 6 sentence pairs" in printed
    assert "14 pairs left out, similarity below 70" in printed
    # So few pairs leave no phrase to exchange in the test set; all of them do.
    printed = done(run(*train, "--min-similarity", "0", "-o", "model"))
    assert "from 20 sentence pairs" in printed
    assert "left out, similarity" not in printed
    assert run("generate", "run", "model", "test/source.txt", "-o", "out.txt").returncode == 0
    texts = ("-s", "test/source.txt", "-r", "test/reference.tsv", "-c", "out.txt")
    scores = json.loads(done(run("score", *texts, "--bootstrap", "0", "-f", "json")))["scores"]
    bleu, pinc = (score["value"] for score in scores)
    assert pinc > 0
    assert bleu > 0


def test_judgments_go_into_meta(run, tmp_path):
    lines = CORPUS.splitlines()
    rows = [
        {
            "segment": str(number + 1),
            "source": line.split("\t")[1],
            "systems": {
                "first": lines[(number + 1) % 9].split("\t")[1],
                "second": line.split("\t")[1],
                "third": line.split("\t")[1].replace("a ", "one "),
            },
            "reference": [lines[(number + 1) % 9].split("\t")[1]],
        }
        for number, line in enumerate(lines)
    ]
    (tmp_path / "judge.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "judge.toml").write_text(JUDGE + "\n[tiers.1]\nper_item = 2\n")
    done(run("collect", "init", "c.db", "--campaign", "judge.toml"))

    def answer(assignment, number):
        values = {}
        for index, candidate in enumerate(assignment.item.content["candidates"]):
            semantic, overall = GOOD[candidate["system"]]
            values[str(index)] = {"semantic": semantic, "overall": max(1, overall - number)}
        return Answer(data={"judgments": values})

    collect_answers(tmp_path / "c.db", "judge", answer)
    told = done(run("collect", "export", "c.db", "judgments", "-o", "ratings.tsv"))
    assert told == "ratings.tsv: 54 rows\n"
    content = json.loads(
        done(
            run(
                "meta",
                "ratings.tsv",
                "-m",
                "pinc,bleu",
                "--criterion",
                "overall",
                "--view",
                "pooled",
                "--bootstrap",
                "0",
                "-f",
                "json",
            )
        )
    )
    assert [correlation["items"] for correlation in content["correlations"]] == [27]
    assert {row["metric"] for row in content["correlations"][0]["rows"]} == {"pinc", "bleu"}
    agreed = done(run("agree", "ratings.tsv", "--bootstrap", "0"))
    assert "overall" in agreed
