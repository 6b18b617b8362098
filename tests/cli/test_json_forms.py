"""Every command that prints JSON: what it prints fits its schema, which describes every field.

A command with `--format json` that has no schema, or a schema without a case here, fails the first
test. `call` of the other tests of commands checks all JSON that they print, too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from command_server import CommandServer
from paragauge.cli.main import app
from paragauge.report.schemas.json_schemas import read_schema, schema_id, schema_names
from tests.json_forms import check_document, schema_fields

RATED = "-s examples/sources.txt -r examples/references.tsv -c examples/edits.txt -c examples/free.txt"
SOME = f"examples/ratings.tsv {RATED} --allow-missing"  # of the rated systems
REFERENCE = "--candidate 'A big dog barked.' --reference 'The large dogs were barking.'"
SOURCE = "--candidate 'A big dog barked.' --source 'The large dogs were barking.'"
SETS = "printf 'a b\\tb c\\nc\\n' > k.tsv; printf 'a b\\nc\\td\\n' > tabbed; printf 'a b\\nc d\\n' > s;"
LM = "paragauge lm train examples/sources.txt -n 2 -t 13a --discount-fallback -o lm.bin > log;"
TEXTS = """
printf 'the house\\nthe book\\n' > en; printf 'la maison\\nle livre\\n' > fr
printf '0-0 1-1\\n0-0 1-1\\n' > links
"""
TABLE = f"{TEXTS} paragauge phrases extract en fr --alignment links --output table > log;"
RULES = """
printf '[NN] ||| answer ||| reply ||| p=0.5\\n[X] ||| [X,1] x ||| y [1] ||| p=1\\n' > rules.txt
paragauge grammar convert rules.txt --output rules > log
"""
ANIMALS = """
printf '[X] ||| big [X,1] ||| large [X,1]\\n[X] ||| dog ||| hound\\n' > animals.txt
printf 'big dog\\tlarge hound\\n' > animals.tsv
"""
MODEL = """
paragauge generate train phrase examples/sources.txt examples/rewrites.txt --tokenize 13a \
    --case lower --aligner systran --min-similarity 0 --min-count 1 --significance off -o model > log
head -n 2 examples/sources.txt > some.txt; head -n 2 examples/references.tsv > refs
"""
TUNE = "paragauge generate tune model some.txt -r refs --metric bleu:case=lower -o w.tsv"
TAGGED = """
paragauge tagger run examples/sources.txt --format conllu > own.conllu
paragauge tagger train own.conllu --epochs 1 --output own.bin > log
"""
TREES = """
paragauge parse examples/sources.txt | head -n 40 > own.trees
paragauge parser train own.trees --epochs 1 --output own.bin > log
"""
STORE = """
paragauge collect init clips.db --campaign examples/collect/clips.toml > log
paragauge collect import clips.db examples/collect/descriptions.tsv > log
"""
JUDGES = """
printf 'segment\\tsystem\\tjudge\\tgood\\n' > r.tsv
for s in 1 2 3 4 5 6; do for j in A B; do
    printf "$s\\tup\\t$j\\t4\\n$s\\tdown\\t$j\\t1\\n" >> r.tsv
    printf "$s\\tmine\\t$j\\t$((s % 3))\\n$s\\tmine\\t$j\\t$((s % 2))\\n" >> r.tsv
done; done
"""
ALIGNED = (
    "echo '0-0 1-1 2p1' > gold; echo '0-0 2-1' > mine; echo 'he stepped down' > a; echo 'he left' > b;"
)

# For every schema, scripts whose last command prints such a document. Together they print every field.
CASES = {
    "score": [
        f"paragauge score {RATED} -m bleu,pem --bootstrap 9 -f json",
        f"{SETS} paragauge score -s s -c k.tsv -c tabbed -m pinc,distinct --bootstrap 0 -f json",
    ],
    "compare": [
        f"paragauge compare {RATED} --randomization 9 --bootstrap 9 -f json",
        f"{SETS} paragauge compare -s s -c k.tsv -c s -m pinc --randomization 9 --bootstrap 0 -f json",
    ],
    "explain": [
        f"paragauge explain {REFERENCE} -m bleu,chrf,meteor,maxsim,maxsim-soft -f json",
        "paragauge explain --candidate 'b c a' --reference 'a b c' -m ter -f json",
        f"paragauge explain {REFERENCE} -m maxsim-context,bertscore,cosine -f json",
        f"paragauge explain {SOURCE} -m pinc,pem,pem:features=paper,pem-context -f json",
        f"paragauge explain {REFERENCE} --source 'Dogs bark.' -m ibleu,bert-ibleu,parascore -f json",
        "paragauge explain --candidate '' --reference '' -m bleu,ter,meteor,bertscore -f json",
    ],
    "rewrite-explain": [
        "paragauge rewrite explain --reference 'It is hard.' --candidate 'It is difficult.' -f json",
        (
            "paragauge rewrite explain -r examples/references.tsv -c examples/free.txt --line 3 "
            "--rewrite encoder -f json"
        ),
    ],
    "rewrite-differences": ["paragauge rewrite differences -r examples/references.tsv -f json"],
    "rewrite-train-context": ["paragauge rewrite train context examples/*.txt -o c.bin -f json"],
    "contrast": ["paragauge contrast -m pinc --bootstrap 9 -f json"],
    "meta": [
        f"paragauge meta {SOME} --criterion overall -m bleu,pinc --bootstrap 9 -f json",
        (
            f"paragauge meta {SOME} -c examples/copy.txt --criterion overall -m bleu,pinc "
            "--test documents --view system --document-size 20 -f json"
        ),
    ],
    "meta-layout": [
        f"paragauge meta {SOME} --layout pinc-4 --bootstrap 9 --criterion overall -f json",
        (
            f"paragauge meta {SOME} -m bleu,pinc -c examples/copy.txt --criterion overall "
            "--layout kauchak-5 --document-size 20 --documents 3 -f json"
        ),
    ],
    "agree": [f"{JUDGES} paragauge agree r.tsv --positive up --negative down --bootstrap 9 -f json"],
    "curve": [f"paragauge curve {SOME} --criterion semantic --counts 1,2 --bootstrap 9 -f json"],
    "collect-status": [f"{STORE} paragauge collect status clips.db -f json"],
    "collect-status-campaign": [
        f"{STORE} paragauge collect status clips.db --campaign clips -f json",
        (
            "paragauge collect init d.db --demo > log; "
            "paragauge collect status d.db --campaign survey -f json"
        ),
        (
            "paragauge collect init d.db --demo > log; "
            "paragauge collect status d.db --campaign paraphrase --described describe -f json"
        ),
    ],
    "collect-status-log": [f"{STORE} paragauge collect status clips.db --log -f json"],
    "grammar-coverage": [
        f"{ANIMALS} paragauge grammar coverage animals.txt --pairs animals.tsv -f json"
    ],
    "grammar-derive": [
        f"{ANIMALS} paragauge grammar derive animals.txt --source 'big dog' --target '{target}' -f json"
        for target in ("large hound", "small hound")
    ],
    "grammar-evaluate": [
        (
            f"{ANIMALS} paragauge grammar evaluate animals.txt --pair-file animals.tsv "
            "--aligner systran > log; cat evaluation/results.json"
        ),
        (
            f"{ANIMALS} sed 's/$/ ||| p=0.5/' animals.txt > scored.txt; printf '0-0 1-1\\n' > links; "
            "printf '(S (JJ big) (NN dog))\\n' > trees; "
            "paragauge grammar evaluate scored.txt --pair-file animals.tsv --aligner systran -f json"
        ),
    ],
    "grammar-evaluate-plan": [
        (
            f"{ANIMALS} paragauge grammar evaluate animals.txt --pair-file animals.tsv "
            "--aligner systran --dry-run -f json"
        )
    ],
    "grammar-info": [
        (
            f"{RULES} paragauge grammar prune rules --score p --top 1 -o best > log; "
            "paragauge grammar info best -f json"
        ),
        (
            f"{TEXTS} paragauge grammar extract en fr --alignment links --settings hiero -o mine "
            "> log; paragauge grammar info mine -f json"
        ),
    ],
    "grammar-sizes": [
        f"{RULES} paragauge grammar sizes rules --text examples/sources.txt+examples/edits.txt -f json"
    ],
    "grammar-overlap": [
        f"{RULES} paragauge grammar overlap rules --gold rules --frequencies 1 -f json"
    ],
    "grammar-overlap-curves": [
        f"{RULES} paragauge grammar overlap rules --gold rules --frequencies 1 --curve p -f json"
    ],
    "parametric": [
        f"{ALIGNED} paragauge parametric --gold gold --text a b --alignment mine -f json",
        (
            f"{ALIGNED} printf '[X] ||| he ||| they\\n' > rules.txt; "
            "paragauge parametric rules.txt --gold gold --text a b -f json"
        ),
    ],
    "phrases-info": [
        f"{TABLE} paragauge phrases info table -f json",
        (
            f"{TABLE} paragauge phrases convert table moses.txt > log; "
            "paragauge phrases convert moses.txt mine > log; paragauge phrases info mine -f json"
        ),
    ],
    "phrases-query": [f"{TABLE} paragauge phrases query table the -f json"],
    "generate-tune": [f"{MODEL} {TUNE} --iterations 1 -f json"],
    "generate-tune-search": [f"{MODEL} {TUNE} --search pinc+100*model --rounds 1 -f json"],
    "align-score": [f"{ALIGNED} paragauge align score mine --gold gold -f json"],
    "lm-info": [f"{LM} paragauge lm info lm.bin -f json"],
    "lm-score": [f"{LM} paragauge lm score lm.bin examples/edits.txt -f json"],
    "lm-train": [LM.replace("> log;", "-f json")],
    "tagger-test": [f"{TAGGED} paragauge tagger test own.conllu --model own.bin --time -f json"],
    "parser-test": [f"{TREES} paragauge parser test own.trees --model own.bin --time -f json"],
    "encoder-info": ["paragauge encoder info -f json"],
    "pem-info": ["paragauge pem info -f json"],
}


def test_every_command_with_json_has_a_schema_and_every_schema_a_case() -> None:
    commands = {
        name
        for name, command in app.all_commands().items()
        for parameter in command.params
        if "--format" in parameter.opts and "json" in str(parameter.metavar)
    }
    titles = {read_schema(name)["title"]: name for name in schema_names()}
    described = {title.removesuffix(" --format json").partition(" --")[0] for title in titles}
    assert described == {f"paragauge {name}" for name in commands}
    assert CASES.keys() == set(schema_names())
    for name in schema_names():
        assert any(name.startswith(command.replace(" ", "-")) for command in commands), name


@pytest.mark.parametrize("name", [*schema_names(), "shared"])
def test_schemas_are_well_formed_and_describe_every_field(name: str) -> None:
    schema = read_schema("grammar-evaluate" if name == "shared" else name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["description"].endswith(".")
    if name != "shared":
        assert re.fullmatch(rf"paragauge/{name}/[1-9][0-9]*", schema_id(name))
    for path, field in schema_fields(schema).items():
        content = (
            field.get("description") or field.get("$ref") or field.get("anyOf") or field.get("const")
        )
        assert content, path


@pytest.mark.parametrize("name", CASES)
def test_documents_fit_and_have_all_fields(
    name: str,
    command_server: CommandServer,
    examples: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash on this machine; the cases are written for it")
    if any("--aligner systran" in script for script in CASES[name]):
        request.getfixturevalue("systran_align")
    seen: set[str] = set()
    for number, script in enumerate(CASES[name]):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "examples").symlink_to(examples)
        done = subprocess.run(
            [bash, "-euo", "pipefail", "-c", script],
            cwd=folder,
            env=command_server.environment(os.environ | {"LC_ALL": "C.UTF-8"}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode("utf-8")
        found, paths = check_document(done.stdout.decode("utf-8"))
        assert found == name
        seen |= paths
    fields = set(schema_fields(read_schema(name)))
    if name == "grammar-evaluate":  # contains what other commands print
        fields = {path for path in fields if not path.startswith("$")}
    assert fields - seen == set()
