"""Every command does its main job once, on tiny data: what `make quick` runs of the command line.

A command without a case here fails the first test.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from command_server import CommandServer
from paragauge.cli.main import app

EDITS = "-r examples/references.tsv -c examples/edits.txt"
RATED = "-s examples/sources.txt -r examples/references.tsv -c examples/edits.txt -c examples/free.txt"
SOME = f"{RATED} --allow-missing"  # of the rated systems
TEXTS = """
printf 'the house\\nthe book\\n' > en; printf 'la maison\\nle livre\\n' > fr
printf '0-0 1-1\\n0-0 1-1\\n' > links
"""
TABLE = TEXTS + "paragauge phrases extract en fr --alignment links --output table"
RULES = """
printf '[NN] ||| answer ||| reply ||| p=0.5\\n[X] ||| [X,1] x ||| y [1] ||| p=1\\n' > rules.txt
paragauge grammar convert rules.txt --output rules
"""
ANIMALS = """
printf '[X] ||| big [X,1] ||| large [X,1]\\n[X] ||| dog ||| hound\\n' > animals.txt
printf 'big dog\\tlarge hound\\n' > animals.tsv
"""
LM = "paragauge lm train examples/sources.txt -n 2 -t 13a --discount-fallback -o lm.bin"
MODEL = """
paragauge generate train phrase examples/sources.txt examples/rewrites.txt --tokenize 13a \
    --case lower --aligner systran --min-similarity 0 --min-count 1 --significance off --output model
head -n 2 examples/sources.txt > some.txt
"""
TAGGED = """
paragauge tagger run examples/sources.txt --format conllu > own.conllu
paragauge tagger train own.conllu --epochs 1 --output own.bin
"""
TREES = """
paragauge parse examples/sources.txt | head -n 40 > own.trees
paragauge parser train own.trees --epochs 1 --output own.bin
"""
ENCODER = """
python examples/../tests/encode/tiny_bert.py in
paragauge encoder convert in --output mine
"""
STORE = """
paragauge collect init clips.db --campaign examples/collect/clips.toml
paragauge collect import clips.db examples/collect/descriptions.tsv
"""
ACCOUNT = "printf 'a long password' > password; paragauge collect init d.db --demo"
BITEXT = """
for s in 'the dog/le chien' 'a cat/un chat' 'she/elle' 'my friend/mon ami'; do
for v in sees/voit likes/aime wants/veut buys/achète; do
for o in 'the house/la maison' 'a book/un livre' bread/du\\ pain it/cela; do
    printf '%s %s %s .\\t%s %s %s .\\n' "${s%/*}" "${v%/*}" "${o%/*}" "${s#*/}" "${v#*/}" "${o#*/}"
done; done; done > fra.tsv
printf 'source\\tcandidate\\tscore\\n' > rated.tsv
cut -f 1 fra.tsv > one; tail -n +4 one > two
paste one two | head -n 36 | awk -F '\\t' '{print $0 "\\t" NR * 37 % 100}' >> rated.tsv
"""
PEM = (
    BITEXT
    + """paragauge pem train --bitext fra=fra.tsv --ratings rated.tsv --criterion score --scale 0:100 \
    --aligner systran --lm-discount-fallback --folds 2 --least 1 -o model
"""
)

# A script that runs the command, and what its output or the file that it leaves has.
CASES = {
    "score": (f"paragauge score {RATED} -m bleu,pinc", r"edits +26\.03 "),
    "compare": (f"paragauge compare {RATED} --randomization 99", r"BLEU: free is significantly worse"),
    "report": (f"paragauge report {RATED} -o r.html; cat r.html", r"(?s)2 systems, 120 seg.*</html>"),
    "rewrite run": (
        "paragauge rewrite run -r examples/references.tsv -c examples/edits.txt -o r.tsv; wc -l r.tsv",
        r"120 r\.tsv",
    ),
    "rewrite explain": (
        "paragauge rewrite explain --reference 'It is hard.' --candidate 'It is difficult.'",
        r"rewritten  It is difficult\.",
    ),
    "rewrite sample": (
        f"paragauge rewrite sample {EDITS} --method wordnet --count 5 -o s.tsv --key k.tsv; cat k.tsv",
        r"wordnet: 5 of \d+ accepted[^$]*drawn_by\twordnet",
    ),
    "rewrite differences": (
        "paragauge rewrite differences -r examples/references.tsv",
        r"pairs of references +400\b",
    ),
    "rewrite train context": (
        "paragauge rewrite train context examples/*.txt -o c.bin; ls c.bin",
        r"(?m)^c\.bin$",
    ),
    "rewrite train brown": (
        "paragauge rewrite train brown examples/sources.txt --clusters 5 -o p; grep -c . p",
        r"(?m)^[1-9]\d+$",
    ),
    "rewrite train lsa": (
        "paragauge rewrite train lsa examples/sources.txt --dimensions 9 -o s.lsa; ls s.lsa",
        r"(?m)^s\.lsa$",
    ),
    "explain": (
        "paragauge explain --candidate 'A big dog barked.' --reference 'The large dogs were barking.'",
        r"big +.*large",
    ),
    "contrast": ("paragauge contrast -m pinc", r"(?m)^copy +1\.00 \[1\.00, 1\.00\]"),
    "meta": (
        f"paragauge meta examples/ratings.tsv {SOME} --criterion overall",
        r"PINC +-0\.546 ",
    ),
    "agree": ("paragauge agree examples/ratings.tsv --criterion overall", r"judge2 +0\.\d+"),
    "papers": (
        "paragauge papers pinc-2011 table-3 --demo",
        r"rewrites +3\.90 \[",
    ),
    "curve": (
        f"paragauge curve examples/ratings.tsv {SOME} --criterion semantic --counts 1,2",
        r"(?m)^.*\b2\b.*0\.\d+",
    ),
    "scatter": (
        "paragauge scatter examples/ratings.tsv -x semantic -o p.svg; grep -o '<circle' p.svg | wc -l",
        r"p\.svg: 600 points\. Pearson r = 0\.476; .*\n600",
    ),
    "controls": (
        "paragauge controls -s examples/sources.txt -o controls; wc -l controls/random.txt",
        r"120 controls/random\.txt",
    ),
    "fit": (
        f"paragauge fit {SOME} --ratings examples/ratings.tsv -o f.json; grep -c slope f.json",
        r"(?m)^[1-9]",
    ),
    "pem train": (PEM, r"saved to model; use: --metrics pem:model=model"),
    "pem fit": (
        PEM
        + "paragauge pem fit --model model --ratings rated.tsv --criterion score --scale 0:100 -o mine",
        r"saved to mine; use: --metrics pem:model=mine",
    ),
    "pem info": ("paragauge pem info", r"(?s)fra.*deu"),
    "encoder info": ("paragauge encoder info -f tsv", r"(?m)^width\t384$"),
    "encoder convert": (ENCODER + "ls mine", r"(?m)^model\.onnx$"),
    "metrics": ("paragauge metrics pinc", r"(?m)^ *order\b"),
    "tokenize": ('echo "It\'s 3.5-4 km." | paragauge tokenize', r"^It's 3\.5 - 4 km \.$"),
    "tagger run": ('echo "Dogs don\'t read." | paragauge tagger run', r"Dogs_NNS do_VBP n't_RB"),
    "tagger train": (TAGGED + "ls own.bin", r"(?m)^own\.bin$"),
    "tagger test": (
        TAGGED + "paragauge tagger test own.conllu --model own.bin",
        r"all +2,117 +[\d,]+ +\d+\.\d+",
    ),
    "parse": ("echo 'Prices rose.' | paragauge parse", r"\(NNS Prices\)"),
    "parser train": (TREES + "ls own.bin", r"(?m)^own\.bin$"),
    "parser test": (
        TREES + "paragauge parser test own.trees --model own.bin",
        r"40 sentences, 674 words; \d+ constituents match",
    ),
    "align run": (
        (
            "paragauge align run examples/sources.txt examples/edits.txt -t 13a --aligner systran "
            "-o l; wc -l l"
        ),
        r"120 l\b",
    ),
    "align symmetrize": (
        (
            "echo '0-0 1-1' > f; echo '0-0 1-2' > r; "
            "paragauge align symmetrize f r --heuristic intersection"
        ),
        r"^0-0$",
    ),
    "align score": (
        "echo '0-0 1-1' > a; echo '0-0 1-1 2p2' > gold; paragauge align score a --gold gold",
        r"\ba +",
    ),
    "lm train": (LM + "; ls lm.bin", r"(?m)^lm\.bin$"),
    "lm score": (LM + "; paragauge lm score lm.bin examples/edits.txt", r"edits\S* .*\d+\.\d+"),
    "lm convert": (
        LM + "; paragauge lm convert lm.bin lm.arpa; grep data lm.arpa",
        r"\\data\\",
    ),
    "lm info": (LM + "; paragauge lm info lm.bin", r"1-grams +\d+"),
    "phrases extract": (TABLE, r"table: \d+ phrase pairs"),
    "phrases info": (TABLE + "\nparagauge phrases info table --verify", r"phrase pairs +\d+"),
    "phrases query": (TABLE + "\nparagauge phrases query table the", r"(?m)^la +0\.5"),
    "phrases convert": (
        TABLE + "\nparagauge phrases convert table t.gz; gzip -dc t.gz",
        r"the house \|\|\| la maison \|\|\|",
    ),
    "grammar extract": (
        TEXTS + "paragauge grammar extract en fr --alignment links --settings hiero --output rules",
        r"rules: \d+ rules",
    ),
    "grammar convert": (RULES, r"rules: 2 rules \(from joshua\)"),
    "grammar info": (RULES + "paragauge grammar info rules --verify", r"rules +2\b"),
    "grammar sizes": (
        RULES + "paragauge grammar sizes rules --text examples/sources.txt+examples/edits.txt",
        r"sources +120 +120 +3,764\n[^$]*rules +2\b",
    ),
    "grammar split": (
        (
            "paragauge grammar split examples/sources.txt examples/edits.txt -o tenth; "
            "wc -l tenth/train.1.txt"
        ),
        r"108 tenth/train\.1\.txt",
    ),
    "grammar overlap": (
        RULES + "paragauge grammar overlap rules --gold rules --frequencies 1",
        r"rules +.*2\b",
    ),
    "grammar evaluate": (
        ANIMALS + "paragauge grammar evaluate animals.txt --pair-file animals.tsv --aligner systran; "
        "grep -c '</html>' evaluation/report.html",
        r"(?s)animals +2 +100\.0 .*\n1\n",
    ),
    "grammar coverage": (
        ANIMALS + "paragauge grammar coverage animals.txt --pairs animals.tsv",
        r"animals +.*1",
    ),
    "grammar derive": (
        ANIMALS + "paragauge grammar derive animals.txt --source 'big dog' --target 'large hound'",
        r"hound",
    ),
    "grammar prune": (
        RULES + "paragauge grammar prune rules --score p --top 1 --output best",
        r"best: 1 of 2 rules",
    ),
    "grammar pivot": (TABLE + "\nparagauge grammar pivot table --output p; ls -d p", r"(?m)^p$"),
    "parametric": (
        (
            "echo 'he stepped down' > a; echo 'he resigned' > b; echo '0-0 1-1 2p1' > gold; "
            "echo '0-0 2-1' > mine; paragauge parametric --gold gold --text a b --alignment mine"
        ),
        r"mine +",
    ),
    "generate train phrase": (MODEL, r"model: 7,811 phrase pairs from 120 sentence pairs"),
    "generate train grammar": (
        RULES + "paragauge generate train grammar rules --lm-text examples/rewrites.txt -t 13a "
        "--case lower --discount-fallback --output model",
        r"model: 2 rules; language model",
    ),
    "generate tune": (
        MODEL + "head -n 2 examples/references.tsv > refs; paragauge generate tune model some.txt -r "
        "refs --metric bleu:case=lower --iterations 1 -o w.tsv; grep -c . w.tsv",
        r"(?m)^[1-9]\d*$",
    ),
    "generate pairs": (
        "paragauge generate pairs examples/sources.txt examples/rewrites.txt -t 13a --set dev=5 -o p",
        r"dev: 5 pairs, 7[0-9]\.[0-9]% of the words",
    ),
    "generate judge": (
        "paragauge generate judge -s examples/sources.txt -c examples/edits.txt -o judging",
        r"judging/campaign.toml, items.jsonl: edits; 2 for each sentence",
    ),
    "generate run": (MODEL + "paragauge generate run model some.txt -o out; wc -l out", r"2 out"),
    "collect init": ("paragauge collect init demo.db --demo", r"demo\.db"),
    "collect account": (
        ACCOUNT + "; paragauge collect account d.db ada --password-file password",
        r"ada",
    ),
    "collect token": (
        ACCOUNT + "; paragauge collect account d.db ada --password-file password; "
        "paragauge collect token d.db ada --name notebook",
        r"\w{16}",
    ),
    "collect import": (STORE, r"(?m)^clips: .*\b24 "),
    "collect export": (
        STORE + "paragauge collect export clips.db clusters --language English -o c.tsv",
        r"c\.tsv: \d+ ",
    ),
    "collect backup": (
        STORE + "paragauge collect backup clips.db -o copy.db",
        r"copy\.db: [\d,]+ bytes",
    ),
    "collect check": (STORE + "paragauge collect check clips.db", r"clips\.db: no problems found"),
    "collect status": (STORE + "paragauge collect status clips.db", r"clips"),
    "schema": ("paragauge schema score", r'"const": "paragauge/score/1"'),
    "completion": ("paragauge completion bash", r"_PARAGAUGE_COMPLETE=bash_complete"),
}

# Commands whose work needs a trained store, a stand-in or a browser's request: tests that run them.
ELSEWHERE = {
    "collect filter": "test_filter",
    "collect serve": "test_serve",
    **{
        f"collect mturk {name}": "test_mechanical_turk"
        for name in ("create", "sync", "approve", "bonus", "expire", "balance")
    },
}


def test_no_command_is_forgotten() -> None:
    commands = app.all_commands().items()
    names = {name for name, command in commands if not isinstance(command, click.Group)}
    assert CASES.keys() | ELSEWHERE.keys() == names
    assert not CASES.keys() & ELSEWHERE.keys()
    for name, (script, _) in CASES.items():
        assert re.search(rf"paragauge {name}\b", script), name
    path = Path(__file__).parent / "collect" / "test_collect.py"
    tests = path.read_text(encoding="utf-8")
    for name, test in ELSEWHERE.items():
        body = re.search(rf"^def {test}\(.*?(?=^def |\Z)", tests, re.DOTALL | re.MULTILINE)
        assert body is not None, test
        assert all(f'"{word}"' in body[0] for word in name.split()[1:]), name


@pytest.mark.parametrize("name", CASES)
def test_it_works(
    name: str,
    command_server: CommandServer,
    examples: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash on this machine; the cases are written for it")
    (tmp_path / "examples").symlink_to(examples)
    script, pattern = CASES[name]
    if "--aligner systran" in script:
        request.getfixturevalue("systran_align")
    done = subprocess.run(
        [bash, "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env=command_server.environment(os.environ | {"LC_ALL": "C.UTF-8"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    text = done.stdout.decode("utf-8")
    assert done.returncode == 0, text
    assert re.search(pattern, text), text
