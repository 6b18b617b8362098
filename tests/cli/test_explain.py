"""`paragauge explain`."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge import BLEU, explain
from paragauge.encode import convert_encoder, keep_vectors
from paragauge.metrics import BERTIBLEU, BERTScore, Cosine, ParaScore
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.metrics.pem.metric import PEM
from tests.encode import tiny_bert

PAIR = ("--candidate", "A big dog", "--reference", "The large dogs")


def test_two_sentences(good):
    assert good("explain", *PAIR) == f"{MaxSim().explain('A big dog', 'The large dogs')}\n"


def test_several_references_and_metrics(good):
    text = good("explain", *PAIR, "--reference", "", "-m", "maxsim:order=1,maxsim-soft")
    titles = [line for line in text.split("\n") if line.startswith("==")]
    assert titles == [
        "== one candidate, reference 1 of 2: maxsim:order=1 ==",
        "== one candidate, reference 1 of 2: maxsim-soft ==",
        "== one candidate, reference 2 of 2: maxsim:order=1 ==",
        "== one candidate, reference 2 of 2: maxsim-soft ==",
    ]
    assert str(MaxSimSoft.load().explain("A big dog", "")) in text


def test_a_segment_of_files(good, file):
    mine = file("mine.txt.gz", gzip.compress(b"x\nA big dog\n"))
    refs = file("refs.tsv", "y\nThe large dogs\tdogs\n")
    text = good("explain", "-c", mine, "-r", refs, "--segment", 2)
    assert text.startswith("== mine, segment 2, reference 1 of 2 ==\nMAXSIM 75.00\n")
    assert "\n== mine, segment 2, reference 2 of 2 ==\n" in text
    first = good("explain", "-c", f"a={mine}", "-c", "b=-", "-r", refs, "--segment", 1, stdin=b"y\nz\n")
    assert [line for line in first.split("\n") if line.startswith("==")] == [
        "== a, segment 1 ==",
        "== b, segment 1 ==",
    ]


def test_beyond_one_batch(good, file):
    lines = [f"dog {i}" for i in range(9000)]
    path = file("a.txt", "\n".join(lines) + "\n")
    content = json.loads(good("explain", "-c", path, "-r", path, "--segment", 8999, "-f", "json"))
    assert content["explanations"][0]["candidate_text"] == "dog 8998"


def test_json(good):
    content = json.loads(good("explain", *PAIR, "--format", "json"))
    (one,) = content["explanations"]
    assert one["title"] == "two sentences"
    assert one["value"] == MaxSim().segments(["A big dog"], references=["The large dogs"])[0]
    part = one["parts"][0]
    assert (part["match"], part["exists"], part["name"]) == (2.5, True, "F1")
    assert part["links"][1] == {
        "phase": "graph",
        "candidate": 0,
        "reference": 0,
        "weight": 0.5,
        "why": "tags equal",
        "similarity": None,
    }
    assert one["candidate"][0] == {"text": "A", "lemma": "a", "tag": "DT"}


def test_html(good, tmp_path):
    path = tmp_path / "page.html"
    text = good("explain", *PAIR, "--html", path)
    assert text == good("explain", *PAIR)
    html = path.read_text(encoding="utf-8")
    assert html.count('<svg class="alignment"') == 3
    assert "paragauge explain --candidate &#x27;A big dog&#x27;" in html


def test_errors(fails, file, tmp_path):
    a, b = file("a.txt", "x\ny\n"), file("b.txt", "x\ny\n")
    files = ("-c", a, "-r", b, "--segment", 1)
    assert fails("explain", *PAIR, "-m", "fluency") == (
        "metric 'fluency' cannot be explained; those that can: bleu, pinc, ibleu, precis, bleu-pinc, "
        "pinc-sigmoid, pinc-svr, targetf1, maxsim, maxsim+dep, maxsim-soft, maxsim-context, cosine, "
        "bertscore, bert-ibleu, parascore, meteor, pem, pem-context, chrf, ter"
    )
    assert fails("explain", "-c", a, "-r", b, "--segment", 3) == (
        f"{a}: expected a segment from 1 to 2, which is all there are, found --segment 3; "
        "choose another one"
    )
    either = (
        "expected two sentences (--candidate, --reference) or a segment of files (-c, -r, --segment)"
    )
    assert fails("explain") == f"{either}, found neither; --browser opens a page to type in"
    assert fails("explain", *PAIR, *files) == f"{either}, found both"
    assert fails("explain", *PAIR, "--segment", 1) == f"{either}, found both"
    assert fails("explain", *PAIR[:2]) == (
        "expected --candidate and --reference; --reference is missing"
    )
    assert fails("explain", *files[:4]) == (
        "expected --candidates, --references and --segment; --segment is missing"
    )
    assert fails("explain", *PAIR, "-f", "tsv") == "unknown format 'tsv'; known: text, json"
    assert fails("explain", *PAIR, "-m", "maxsim:order=x") == (
        "MAXSIM order: expected a whole number, found 'x'"
    )
    assert "does not exist" in fails("explain", *PAIR, "--html", tmp_path / "none" / "page.html")
    assert fails("explain", *files, "--html", a) == (
        f"--html {a}: the file is an input too; choose another name"
    )
    assert "c.txt has 1 line but" in fails(
        "explain", "-c", a, "-r", file("c.txt", "x\n"), "--segment", 1
    )
    assert "--segment" in fails("explain", "-c", a, "-r", b, "--segment", 0)
    assert "lone surrogate" in fails("explain", "--candidate", "\udcff", "--reference", "a")


def test_a_failure_leaves_the_old_page(fails, file):
    old = file("page.html", "old")
    mine, long = file("a.txt", "x\n"), file("b.txt", "x " * 2001)
    message = fails("explain", "-c", mine, "-r", long, "--segment", 1, "--html", old)
    assert message == (
        "references: segment 1: expected a sentence of at most 1,000 words, found 2,001; split it"
    )


def test_metrics_of_contextual_vectors(good):
    candidate, reference = PAIR[1::2]
    for label, metric in (("bertscore", BERTScore()), ("cosine", Cosine())):
        assert good("explain", *PAIR, "-m", label) == f"{metric.explain(candidate, reference)}\n"
    source = ("--candidate", candidate, "--source", reference)
    for label, metric in (("bert-ibleu", BERTIBLEU()), ("parascore", ParaScore())):
        assert good("explain", *source, "-m", label) == f"{metric.explain(candidate, reference)}\n"


def test_a_metric_of_sources_and_references(good, fails):
    texts = (*PAIR, "--source", "Some dogs", "--source", "Two big dogs")
    text = good("explain", *texts, "-m", "parascore:against=both,bertscore")
    assert [line for line in text.split("\n") if line.startswith("==")] == [
        "== two sentences, reference: bertscore ==",
        "== one candidate, reference, source 1 of 2: parascore:against=both ==",
        "== one candidate, reference, source 2 of 2: parascore:against=both ==",
    ]
    explained = ParaScore(against="both").explain("A big dog", "Two big dogs", "The large dogs")
    assert str(explained) in text
    assert fails("explain", *PAIR, "-m", "parascore:against=both") == (
        "expected --candidate, --reference and --source; --source is missing"
    )


def test_encoder_and_cache(good, tmp_path):
    folder = tmp_path / "encoder"
    convert_encoder(tiny_bert.write_folder(tmp_path / "in"), folder, bits=32)
    (tmp_path / "kept").mkdir()
    options = ("--encoder", folder, "--cache", tmp_path / "kept")
    try:
        text = good("explain", *PAIR, "-m", "bertscore:layer=3", *options)
    finally:
        keep_vectors(None)
    assert text == f"{BERTScore(encoder=str(folder), layer=3).explain('A big dog', 'The large dogs')}\n"
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_an_encoder_by_name(good, fails, tmp_path, monkeypatch):
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    folder = tmp_path / "hub" / "models--me--tiny" / "snapshots" / "1"
    tiny_bert.write_folder(folder)
    text = good("explain", *PAIR, "-m", "bertscore:layer=3", "--encoder", "me/tiny")
    assert "|encoder:me/tiny|" in text
    assert fails("explain", *PAIR, "-m", "bertscore", "--encoder", "me/none") == (
        "me/none: expected english, an encoder's folder, or a model on this machine, found none of "
        f"this name in {tmp_path / 'hub'}; download it first: hf download me/none"
    )


PARAPHRASE = ("--candidate", "They postponed the meeting.", "--source", "The meeting was put off.")


@pytest.fixture
def pem(pem_folder):
    return f"pem:model={pem_folder}"


def test_pem(good, pem, pem_folder):
    metric = PEM(model=str(pem_folder))
    assert good("explain", "-m", pem, *PARAPHRASE) == f"{metric.explain(*PARAPHRASE[1::2])}\n"
    several = good("explain", "-m", f"{pem},{pem}:features=paper", *PARAPHRASE, "--source", "🙂 汉字")
    assert [line for line in several.split("\n") if line.startswith("==")] == [
        f"== one candidate, source {number} of 2: {label} =="
        for number in (1, 2)
        for label in (pem, f"{pem}:features=paper")
    ]


def test_pem_json(good, pem, pem_folder):
    (one,) = json.loads(good("explain", "-m", pem, *PARAPHRASE, "-f", "json"))["explanations"]
    candidate, source = PARAPHRASE[1::2]
    assert one["value"] == PEM(model=str(pem_folder)).segments([candidate], sources=[source])[0]
    assert one["title"] == "two sentences"
    assert one["pivots"][0]["language"] == "fra"
    assert one["fluency"]["tokens"][-1]["text"] == "</s>"


def test_pem_of_files(good, pem, file, tmp_path):
    mine, first, second = (file(name, f"x\n{name} dog\n") for name in ("mine", "s1", "s2"))
    page = tmp_path / "page.html"
    command = ("explain", "-m", pem, "-c", mine, "-s", first, "--segment", 2)
    text = good(*command, "--html", page)
    assert "source     s1 dog\n" in text
    assert page.read_text(encoding="utf-8").count('<ol class="network"') == 4
    titles = [line for line in good(*command, "-s", second).split("\n") if line.startswith("==")]
    assert titles == [f"== mine, segment 2, source {number} of 2 ==" for number in (1, 2)]


def test_pem_beside_maxsim(good, pem, file, tmp_path):
    a, b = file("a.txt", "The dog slept.\n"), file("b.txt", "The dog barked.\n")
    page = tmp_path / "page.html"
    files = ("-c", a, "-r", b, "-s", b, "--segment", 1)
    text = good("explain", "-m", f"{pem},maxsim:order=1", *files, "--html", page)
    assert [line for line in text.split("\n") if line.startswith("==")] == [
        "== a, segment 1, reference: maxsim:order=1 ==",
        f"== a, segment 1, source: {pem} ==",
    ]
    html = page.read_text(encoding="utf-8")
    assert html.count('<svg class="alignment"') == 1
    assert html.count('<ol class="network"') == 4


def test_errors_of_pem(fails, pem, file, tmp_path):
    a = file("a.txt", "x\ny\n")
    assert fails("explain", "-m", pem, "--candidate", "a") == (
        "expected --candidate and --source; --source is missing"
    )
    assert fails("explain", "-m", pem, "-c", a, "-r", a, "--segment", 1) == (
        "expected --candidates, --sources and --segment; --sources is missing"
    )
    assert fails("explain", "-m", f"{pem},maxsim", *PARAPHRASE) == (
        "expected --candidate, --reference and --source; --reference is missing"
    )
    assert fails("explain", "-m", pem) == (
        "expected two sentences (--candidate, --source) or a segment of files (-c, -s, --segment), "
        "found neither; --browser opens a page to type in"
    )
    assert fails("explain", "-m", pem, "-c", a, "-s", a, "--segment", 3) == (
        f"{a}: expected a segment from 1 to 2, which is all there are, found --segment 3; "
        "choose another one"
    )
    none = tmp_path / "none"
    assert fails("explain", "-m", f"pem:model={none}", *PARAPHRASE) == (
        f"{none}: expected a PEM model, found no model.json; train it with paragauge pem train"
    )
    assert fails("explain", "-m", pem, "-c", a, "-s", a, "--segment", 1, "--html", a) == (
        f"--html {a}: the file is an input too; choose another name"
    )


def test_without_references_pem_is_explained(call, file):
    """The metric that fits what is given; which one it was, its signature or its error says."""
    a = file("a.txt", "The dog slept.\n")
    outcome = call("explain", "-c", a, "-s", a, "--segment", 1)
    assert b"PEM" in (outcome.out or outcome.err)


@pytest.mark.parametrize("spec", ["{pem}", "pem", "pem:adequacy=pivotf1"])
@settings(max_examples=60)
@given(left=st.binary(max_size=80), right=st.binary(max_size=80))
def test_any_bytes_for_pem(call, tmp_path, pem, spec, left, right):
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_bytes(left)
    b.write_bytes(right)
    page = tmp_path / "page.html"
    metric = spec.format(pem=pem)
    outcome = call("explain", "-m", metric, "-c", a, "-s", b, "--segment", 1, "--html", page)
    assert outcome.code in (0, 2)
    assert (outcome.err == b"") == (outcome.code == 0)
    assert outcome.err.count(b"\n") <= 1


@settings(max_examples=60)
@given(st.binary(max_size=80), st.binary(max_size=80))
def test_any_bytes(call, tmp_path, left, right):
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_bytes(left)
    b.write_bytes(right)
    outcome = call("explain", "-c", a, "-r", b, "--segment", 1, "--html", tmp_path / "page.html")
    assert outcome.code in (0, 2)
    assert (outcome.err == b"") == (outcome.code == 0)
    assert outcome.err.count(b"\n") <= 1


@pytest.mark.parametrize(
    "data",
    [b"a\x00b\n", b"\r\n", b"a\rb\r\n", b"\xef\xbb\xbfa\n", b"\x1f\x8b\x08broken", b"x" * 100_000],
    ids=["nul", "crlf", "cr", "bom", "gzip", "long"],
)
def test_odd_files(call, file, data):
    path = file("a.txt", data)
    outcome = call("explain", "-c", path, "-r", path, "--segment", 1)
    assert outcome.code == (2 if data.startswith(b"\x1f") else 0)


def test_tools_are_chosen_as_for_score(run, tmp_path):
    path = tmp_path / "a.conllu"
    rows = ["1\tHunde\tHund\t_\tNN\t_\t_\t_\t_\t_", "2\tbellen\tbellen\t_\tVVFIN\t_\t_\t_\t_\t_"]
    path.write_text("# text = Hunde bellen\n" + "\n".join(rows) + "\n\n")
    texts = ("--candidate", "Hunde bellen", "--reference", "Hunde bellen")
    spec = "maxsim:lemmas=given:synonyms=none"
    done = run("explain", *texts, "--analyzed", path, "--language", "de", "-m", spec)
    assert done.returncode == 0, done.stderr
    assert b"Hunde/NN/hund" in done.stdout
    done = run("explain", *texts, "--language", "de")
    assert done.returncode == 2
    assert b"the built-in tagger and WordNet are English" in done.stderr


def test_metrics_that_take_all_references_and_those_that_take_each(good):
    texts = (*PAIR, "--reference", "some dogs")
    text = good("explain", *texts, "-m", "bleu,ter")
    assert [line for line in text.split("\n") if line.startswith("==")] == [
        "== one candidate, reference 1 of 2: ter ==",
        "== one candidate, reference 2 of 2: ter ==",
        "== one candidate, 2 references: bleu ==",
    ]
    both = str(explain("A big dog", BLEU(), reference=["The large dogs", "some dogs"]))
    assert both in text


@pytest.mark.parametrize("option", ["--encoder", "--analyzed"])
def test_an_option_without_effect(fails, option):
    metric = "maxsim" if option == "--encoder" else "pinc"
    pair = ("--candidate", "A big dog", "--reference" if metric == "maxsim" else "--source", "Dogs")
    error = fails("explain", *pair, "-m", metric, option, "/none")
    assert error.startswith(f"{option} has no effect on {metric};")
