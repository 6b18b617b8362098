"""One example of each command: what it reads in the folder `in`, and what it writes into `out`.

The commands run in a workspace, which `make_workspace` fills with small texts and small models. Fuzzing
damages the inputs, `bad_options.py` the options, `same_bytes.py` compares the outputs of two runs, and
`tools/crash` kills the runs.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
LINES = 12  # of each text
Run = Callable[[Sequence[str], Path], object]


@dataclass(frozen=True)
class Example:
    """A command line, `line`, and what makes it special.

    `stdin` is its standard input. `other` is a command line that makes another output with the same
    names, for tests that replace one by the other. `changes` says why two runs differ, if they do, and
    `timed` which files hold times. Examples that take seconds are slow.
    """

    line: str
    other: str = ""
    stdin: bytes = b""
    changes: str = ""
    timed: tuple[str, ...] = ()
    is_slow: bool = False

    @property
    def words(self) -> list[str]:
        """The arguments."""
        return shlex.split(self.line)

    @property
    def inputs(self) -> list[str]:
        """The files and folders in `in` that the command line names."""
        names = [word[word.index("in/") :] for word in self.words if "in/" in word]
        return list(dict.fromkeys(names))

    @property
    def writes(self) -> bool:
        """Whether the command writes files."""
        return "out/" in self.line


SYSTEMS = "-s in/s.txt -r in/r.tsv -c in/edits.txt -c in/free.txt"
RATED = f"{SYSTEMS} --allow-missing --bootstrap 20"
SMALL = "-n 2 -t 13a --discount-fallback"
SECRETS = "holds random ids and secrets, and the time"
MODEL = (
    "generate train phrase in/s.txt in/rewrites.txt -t 13a --case lower -a systran --min-similarity 0 \
--min-count 1 --significance off"
)
PEM = "--ratings in/rated.tsv --criterion score --folds 2"
TRAIN_PEM = (
    f"pem train --bitext fra=in/fra.tsv {PEM} --scale 0:100 -a systran --lm-discount-fallback --least 1"
)

EXAMPLES_BY_COMMAND: dict[str, Example] = {
    "score": Example(
        f"score {SYSTEMS} -m pinc,bleu,chrf,ter,maxsim,pem --bootstrap 20 "
        "--segments out/segments.tsv.gz --html out/score.html",
        "score -s in/s.txt -r in/r.tsv -c in/free.txt -m pinc --segments out/segments.tsv.gz "
        "--html out/score.html",
    ),
    "compare": Example(
        f"compare {SYSTEMS} -m pinc,bleu --bootstrap 20 --randomization 49 --html out/compare.html",
        "compare -r in/r.tsv -c in/edits.txt -c in/free.txt -m bleu --html out/compare.html",
    ),
    "report": Example(
        f"report {RATED} -m pinc,bleu --ratings in/ratings.tsv --randomization 49 -o out/report.html "
        "--plots out/plots",
        f"report {SYSTEMS} -m pinc --bootstrap 20 -o out/report.html --plots out/plots",
    ),
    "explain": Example(
        "explain --candidate 'A big dog barked.' --reference 'The large dogs were barking.' "
        "--html out/explain.html",
        "explain --candidate 'A dog.' --reference 'The large dogs barked.' --html out/explain.html",
    ),
    "rewrite run": Example(
        "rewrite run -r in/r.tsv -c in/edits.txt -o out/r.tsv.gz --record out/record.jsonl",
        "rewrite run -r in/r.tsv -c in/free.txt -o out/r.tsv.gz --record out/record.jsonl",
    ),
    "rewrite explain": Example(
        "rewrite explain --reference 'It is hard.' --candidate 'It is difficult.' --html out/r.html",
        "rewrite explain --reference 'It is hot.' --candidate 'It is warm.' --html out/r.html",
        is_slow=True,
    ),
    "rewrite sample": Example(
        "rewrite sample -r in/r.tsv -c in/edits.txt --method wordnet --count 3 -o out/s.tsv "
        "--key out/key.tsv --campaign out/c.toml",
        "rewrite sample -r in/r.tsv -c in/edits.txt --method wordnet --count 2 -o out/s.tsv "
        "--key out/key.tsv --campaign out/c.toml",
    ),
    "rewrite differences": Example("rewrite differences -r in/r.tsv"),
    "rewrite train context": Example(
        "rewrite train context in/s.txt in/free.txt in/edits.txt -o out/c.bin",
        "rewrite train context in/s.txt in/free.txt -o out/c.bin",
    ),
    "rewrite train brown": Example(
        "rewrite train brown in/s.txt --clusters 5 -o out/paths",
        "rewrite train brown in/s.txt --clusters 3 -o out/paths",
    ),
    "rewrite train lsa": Example(
        "rewrite train lsa in/s.txt --dimensions 4 -o out/s.lsa",
        "rewrite train lsa in/s.txt --dimensions 3 -o out/s.lsa",
    ),
    "metrics": Example("metrics pinc"),
    "contrast": Example(
        "contrast in/pairs.tsv -m pinc --bootstrap 20 --plot out/contrast.svg",
        "contrast in/pairs.tsv -m bleu --bootstrap 20 --plot out/contrast.svg",
    ),
    "meta": Example(
        f"meta in/ratings.tsv {RATED} -m bleu,pinc,chrf --criterion overall --plot out/meta.svg",
        f"meta in/ratings.tsv {RATED} -m bleu,pinc,chrf --criterion semantic --plot out/meta.svg",
    ),
    "agree": Example("agree in/ratings.tsv --criterion overall --bootstrap 20"),
    "papers": Example("papers pinc-2011 table-3 in/ratings.tsv --bootstrap 20"),
    "curve": Example(
        f"curve in/ratings.tsv {RATED} -m bleu --criterion semantic --counts 1,2 --plot out/curve.svg",
        f"curve in/ratings.tsv {RATED} -m bleu --criterion overall --counts 1,2 --plot out/curve.svg",
    ),
    "scatter": Example(
        "scatter in/ratings.tsv -x semantic -y overall -o out/p.svg",
        "scatter in/ratings.tsv -x overall -y semantic -o out/p.svg",
    ),
    "controls": Example(
        "controls -s in/s.txt -o out/controls --force",
        "controls -s in/s.txt -o out/controls --seed 3 --force",
    ),
    "fit": Example(
        f"fit {SYSTEMS} --allow-missing --ratings in/ratings.tsv --criterion overall --folds 2 "
        "-o out/f.json",
        f"fit {SYSTEMS} --allow-missing --ratings in/ratings.tsv --criterion semantic --folds 2 "
        "-o out/f.json",
        is_slow=True,
    ),
    "collect init": Example("collect init out/demo.db --campaign in/clips.toml", changes=SECRETS),
    "collect account": Example(
        "collect account in/clips.db ada --password-file in/password", changes=SECRETS
    ),
    "collect token": Example("collect token in/clips.db bob --name notebook", changes=SECRETS),
    "collect serve": Example(
        "collect serve in/clips.db --host 256.0.0.1", changes="serves until stopped"
    ),
    "collect import": Example("collect import in/clips.db in/more.tsv", changes=SECRETS),
    "collect export": Example(
        "collect export in/clips.db clusters --language English -o out/c.tsv.gz",
        "collect export in/clips.db sentences --language English -o out/c.tsv.gz",
    ),
    "collect status": Example("collect status in/clips.db"),
    "collect backup": Example("collect backup in/clips.db -o out/copy.db", changes=SECRETS),
    "collect check": Example("collect check in/clips.db"),
    "collect filter": Example(
        "collect filter in/clips.db --load in/noise.json --output out/verdicts.tsv",
        "collect filter in/clips.db --load in/strict.json --output out/verdicts.tsv",
        is_slow=True,
    ),
    **{
        f"collect mturk {name}": Example(
            f"collect mturk {name} in/clips.db --endpoint http://127.0.0.1:1{more}",
            changes="asks Mechanical Turk",
        )
        for name, more in (
            *(("create", " --address https://x.example/"), ("sync", ""), ("approve", "")),
            *(("bonus", ""), ("expire", "")),
        )
    },
    "collect mturk balance": Example(
        "collect mturk balance --endpoint http://127.0.0.1:1", changes="asks Mechanical Turk"
    ),
    "grammar evaluate": Example(
        "grammar evaluate in/animals.txt --pair-file in/animals.tsv --aligner systran -o out/eval",
        "grammar evaluate in/rules.txt --pair-file in/animals.tsv --aligner systran -o out/eval",
        timed=("eval/stages.json", "eval/coverage/animals.bin"),  # to resume with
        is_slow=True,
    ),
    "grammar extract": Example(
        "grammar extract in/en in/fr --alignment in/links --settings hiero -o out/rules",
        "grammar extract in/en in/fr --alignment in/links -o out/rules --settings hiero --min-count 2",
    ),
    "grammar convert": Example(
        "grammar convert in/rules.txt -o out/rules", "grammar convert in/animals.txt -o out/rules"
    ),
    "grammar info": Example("grammar info in/rules --verify"),
    "grammar overlap": Example(
        "grammar overlap in/rules --gold in/rules --frequencies 1 --curve p --plot out/overlap.svg",
        "grammar overlap in/rules --gold in/rules --frequencies 1 --curve p --theme dark --plot "
        "out/overlap.svg",
    ),
    "grammar coverage": Example(
        "grammar coverage in/animals.txt --pairs in/animals.tsv --per-pair out/pairs.tsv",
        "grammar coverage in/rules.txt --pairs in/animals.tsv --per-pair out/pairs.tsv",
    ),
    "grammar derive": Example(
        "grammar derive in/animals.txt --source 'big dog' --target 'large hound' --html out/d.html",
        "grammar derive in/animals.txt --source dog --target hound --html out/d.html",
    ),
    "grammar sizes": Example("grammar sizes in/rules in/animals.txt --text in/s.txt+in/edits.txt"),
    "grammar split": Example(
        "grammar split in/s.txt in/edits.txt in/free.txt --pieces 3 -o out/split --force",
        "grammar split in/s.txt in/edits.txt in/free.txt --pieces 4 -o out/split --force",
    ),
    "grammar prune": Example(
        "grammar prune in/rules --score p --top 1 -o out/best",
        "grammar prune in/rules --score p --top 2 -o out/best",
    ),
    "grammar pivot": Example(
        "grammar pivot in/table -o out/pivot", "grammar pivot in/table2 -o out/pivot"
    ),
    "parametric": Example("parametric --gold in/gold --text in/a in/b --alignment in/found"),
    "phrases extract": Example(
        "phrases extract in/en in/fr --alignment in/links -o out/table",
        "phrases extract in/en in/fr --alignment in/links -o out/table --max-length 1",
    ),
    "phrases info": Example("phrases info in/table --verify"),
    "phrases query": Example("phrases query in/table the"),
    "phrases convert": Example(
        "phrases convert in/table out/moses.gz", "phrases convert in/table2 out/moses.gz"
    ),
    "generate train phrase": Example(
        f"{MODEL} -o out/model", f"{MODEL} --max-length 2 -o out/model", is_slow=True
    ),
    "generate train grammar": Example(
        f"generate train grammar in/rules --lm-text in/s.txt {SMALL.replace('-n', '--lm-order')} "
        "--case lower -o out/model",
        f"generate train grammar in/rules --lm-text in/r.txt {SMALL.replace('-n', '--lm-order')} "
        "--case lower -o out/model",
    ),
    "generate tune": Example(
        "generate tune in/model in/some.txt -r in/some-refs --metric bleu:case=lower --iterations 1 "
        "-o out/w.tsv",
        "generate tune in/model in/some.txt -r in/some-refs --metric pinc:case=lower --iterations 1 "
        "-o out/w.tsv",
    ),
    "generate run": Example(
        "generate run in/model in/some.txt -o out/text --nbest 3 --nbest-output out/nbest",
        "generate run in/model in/one.txt -o out/text --nbest 2 --nbest-output out/nbest",
    ),
    "generate pairs": Example(
        "generate pairs in/s.txt in/rewrites.txt -t 13a --set dev=2 -o out/pairs --force",
        "generate pairs in/s.txt in/rewrites.txt -t 13a --set dev=1 -o out/pairs --force",
    ),
    "generate judge": Example(
        "generate judge -s in/s.txt -c in/edits.txt -o out/judging",
        "generate judge -s in/s.txt -c in/free.txt -o out/judging",
    ),
    "align run": Example(
        "align run in/s.txt in/edits.txt -t 13a --aligner systran -o out/links",
        "align run in/s.txt in/free.txt -t 13a --aligner systran -o out/links",
    ),
    "align symmetrize": Example(
        "align symmetrize in/links in/links2 --heuristic intersection -o out/links",
        "align symmetrize in/links in/links2 --heuristic union -o out/links",
    ),
    "align score": Example("align score in/links --gold in/links"),
    "lm train": Example(
        f"lm train in/s.txt {SMALL} -o out/lm.bin", f"lm train in/free.txt {SMALL} -o out/lm.bin"
    ),
    "lm score": Example(
        "lm score in/lm.bin in/edits.txt --segments out/lm.tsv",
        "lm score in/lm.bin in/free.txt --segments out/lm.tsv",
    ),
    "lm convert": Example("lm convert in/lm.bin out/lm.arpa", "lm convert in/lm2.arpa out/lm.arpa"),
    "lm info": Example("lm info in/lm2.arpa"),
    "tokenize": Example("tokenize in/s.txt"),
    "tagger run": Example("tagger run in/s.txt --model in/tagger.bin"),
    "tagger train": Example(
        "tagger train in/own.conllu --epochs 1 -o out/tagger.bin",
        "tagger train in/own.conllu --epochs 2 -o out/tagger.bin",
    ),
    "tagger test": Example("tagger test in/own.conllu --model in/tagger.bin"),
    "parse": Example("parse in/one.txt --model in/parser.bin"),
    "parser train": Example(
        "parser train in/own.trees --epochs 1 -o out/parser.bin",
        "parser train in/own.trees --epochs 2 -o out/parser.bin",
    ),
    "parser test": Example("parser test in/own.trees --model in/parser.bin"),
    "encoder info": Example("encoder info in/mine"),
    "encoder convert": Example(
        "encoder convert in/bert -o out/mine", "encoder convert in/bert --layers 0,1 -o out/mine"
    ),
    "pem train": Example(
        f"{TRAIN_PEM} -o out/pem", f"{TRAIN_PEM} --max-length 2 -o out/pem", is_slow=True
    ),
    "pem fit": Example(
        f"pem fit --model in/pem {PEM} --scale 0:100 -o out/fit --force",
        f"pem fit --model in/pem {PEM} --scale 0:101 -o out/fit --force",
        is_slow=True,
    ),
    "pem info": Example("pem info in/pem"),
    "schema": Example("schema score"),
    "completion": Example("completion bash"),
}

TEXTS = {
    "en": "the house\nthe book\n",
    "fr": "la maison\nle livre\n",
    "links": "0-0 1-1\n0-0 1-1\n",
    "links2": "0-0 1-0\n0-0 0-1\n",
    "rules.txt": "[NN] ||| answer ||| reply ||| p=0.5\n[X] ||| [X,1] x ||| y [1] ||| p=1\n",
    "animals.txt": "[X] ||| big [X,1] ||| large [X,1]\n[X] ||| dog ||| hound\n",
    "animals.tsv": "big dog\tlarge hound\nbig\tsmall\n",
    "moses.txt": "la maison ||| the house ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 2 1 1 |||\n",
    "a": "he stepped down\n",
    "b": "he resigned\n",
    "gold": "0-0 1-1 2p1\n",
    "found": "0-0 2-1\n",
    "password": "a long password\n",
    "more.tsv": "item\tsentence\ttier\tlanguage\tworker\nball\tA ball.\t2\tEnglish\tw9\n",
}
MADE = (
    f"lm train in/s.txt {SMALL} -o in/lm.bin",
    "lm convert in/lm.bin in/lm2.arpa",
    "phrases extract in/en in/fr --alignment in/links -o in/table",
    "phrases extract in/en in/fr --alignment in/links --max-length 1 -o in/table2",
    "grammar convert in/rules.txt -o in/rules",
    "tagger train in/own.conllu --epochs 1 -o in/tagger.bin",
    "parser train in/own.trees --epochs 1 -o in/parser.bin",
    f"{MODEL} -o in/model",
    "encoder convert in/bert -o in/mine",
    "collect init in/clips.db --campaign in/clips.toml",
    "collect import in/clips.db in/descriptions.tsv",
    "collect account in/clips.db bob --password-file in/password",
    f"{TRAIN_PEM} -o in/pem",
)


def make_workspace(folder: Path, run: Run, lines: Sequence[str] | None = None) -> None:
    """Make the folders `in`, with all inputs, and `out`, empty; `run` runs a command in a folder.

    With the command lines that will run in it, only what these read is made.
    """
    made = folder / "in"
    made.mkdir(parents=True)
    (folder / "out").mkdir()
    texts = {
        "s.txt": _head("sources.txt"),
        "r.tsv": _head("references.tsv"),
        "edits.txt": _head("edits.txt"),
        "free.txt": _head("free.txt"),
        "rewrites.txt": _head("rewrites.txt"),
        "some.txt": _head("sources.txt", 2),
        "one.txt": _head("sources.txt", 1),
        "some-refs": _head("references.tsv", 2),
        "r.txt": "".join(f"{line.split(chr(9))[0]}\n" for line in _head("references.tsv").splitlines()),
        "ratings.tsv": _ratings(),
        "pairs.tsv": _head(ROOT / "src" / "paragauge" / "models" / "contrast" / "english.tsv", 30),
        **TEXTS,
        **_bitext(),
        **_analyzed(),
    }
    for name, text in texts.items():
        (made / name).write_text(text, encoding="utf-8")
    for name in ("clips.toml", "clips.tsv", "descriptions.tsv"):
        shutil.copyfile(EXAMPLES / "collect" / name, made / name)
    shutil.copyfile(
        ROOT / "src" / "paragauge" / "models" / "noise" / "english.json", made / "noise.json"
    )
    _make_strict_filter(made)
    _make_bert(made / "bert")
    needed = set(MADE) if lines is None else _needed(lines)
    for line in MADE:
        if line in needed:
            run(shlex.split(line), folder)


def _needed(lines: Sequence[str]) -> set[str]:
    """The command lines of MADE that make what these lines read, directly or not."""
    needed: set[str] = set()
    words = {word for line in lines for word in line.split()}
    for line in reversed(MADE):
        made = [word for word in line.split() if word.startswith("in/")]
        target = next((word for word in line.split() if word.endswith(".db")), made[-1])
        if target in words:
            needed.add(line)
            words |= set(made)
    return needed


def _head(name: str | Path, lines: int = LINES) -> str:
    text = Path(EXAMPLES, name).read_text(encoding="utf-8")
    return "".join(text.splitlines(keepends=True)[:lines])


def _ratings() -> str:
    lines = (EXAMPLES / "ratings.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    rows = [line for line in lines[1:] if int(line.split("\t")[0]) <= LINES]
    return lines[0] + "".join(row for row in rows if row.split("\t")[1] in ("edits", "free"))


def _bitext() -> dict[str, str]:
    """A bitext of 64 small sentences, and ratings of pairs of them."""
    parts = (
        ("the dog/le chien", "a cat/un chat", "she/elle", "my friend/mon ami"),
        ("sees/voit", "likes/aime", "wants/veut", "buys/achète"),
        ("the house/la maison", "a book/un livre", "bread/du pain", "it/cela"),
    )
    rows = [
        [" ".join(words) + " ." for words in zip(*(word.split("/") for word in (s, v, o)), strict=True)]
        for s in parts[0]
        for v in parts[1]
        for o in parts[2]
    ]
    english = [row[0] for row in rows]
    rated = [f"{a}\t{b}\t{n * 37 % 100}\n" for n, (a, b) in enumerate(zip(english, english[3:]), 1)]  # noqa: B905  # the last three have no partner
    return {
        "fra.tsv": "".join(f"{a}\t{b}\n" for a, b in rows),
        "rated.tsv": "source\tcandidate\tscore\n" + "".join(rated[:36]),
    }


def _analyzed() -> dict[str, str]:
    cat = "2\tcat\tcat\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n3\tsat\tsit\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
    conllu = (
        "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n",
        f"1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n{cat}",
    )
    trees = (
        "(ROOT (S (NP (NNS Dogs)) (VP (VBP bark)) (. .)))\n",
        "(ROOT (S (NP (DT A) (NN cat)) (VP (VBD sat)) (. .)))\n",
    )
    return {"own.conllu": "".join(conllu) * 6, "own.trees": "".join(trees) * 6}


def _make_strict_filter(folder: Path) -> None:
    """The filter with another threshold."""
    import dataclasses

    from paragauge.collect.quality.noise_filter import NoiseFilter

    noise = NoiseFilter.load(folder / "noise.json")
    dataclasses.replace(noise, threshold=0.01).save(folder / "strict.json")


def _make_bert(folder: Path) -> None:
    import subprocess
    import sys

    script = ROOT / "tests" / "encode" / "tiny_bert.py"
    subprocess.run([sys.executable, str(script), str(folder)], check=True, stdout=subprocess.DEVNULL)
