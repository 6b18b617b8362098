"""What is fuzzed: readers of files. `model_targets.py` has models, `command_targets.py` has commands.

A target has seeds, small files that it accepts, and a function that reads a mutated one.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import shutil
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
MODELS = ROOT / "src" / "paragauge" / "models"


@dataclass(frozen=True)
class Target:
    """A reader: `seeds` makes files that it accepts, `run` reads one; their names end in `ending`.

    A reader is native if C++ parses the text or gets the arrays of the file.
    """

    seeds: Callable[[Path], Sequence[bytes]]
    run: Callable[[Path], object]
    ending: str = ""
    native: bool = False


TARGETS: dict[str, Target] = {}


NATIVE = (
    *("lines", "pharaoh", "moses", "moses line", "grammar", "grammar line", "trees", "arpa"),
    *("lm binary crc", "tagger crc", "wordnet lmf", "wordnet index", "wordnet data", "wordnet table"),
    *("boosted trees arrays", "regression arrays", "parser arrays", "context arrays", "lsa arrays"),
    *("pivot arrays", "word weights arrays"),
)


def add(name: str, run: Callable[[Path], object], seeds: object, ending: str = "") -> None:
    """Add a target; seeds are texts, bytes, or a function of a folder that makes them."""

    def make(folder: Path) -> Sequence[bytes]:
        made = seeds(folder) if callable(seeds) else seeds
        return [seed.encode() if isinstance(seed, str) else bytes(seed) for seed in made]  # type: ignore[attr-defined]

    TARGETS[name] = Target(make, run, ending, name in NATIVE)


def head(path: Path, lines: int = 12) -> str:
    """The first lines of a file."""
    return "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:lines])


# Text and tables.

LINES = "a dog sat .\nthe Straße é𝕏\n\nlast line"
TSV = "segment\tsystem\tjudge\tsemantic\toverall\n1\ta\tj1\t3\t4\n2\ta\tj1\t5\t1\n1\tb\tj2\t2.5\t4\n"
CSV = TSV.replace("\t", ",")
JSONL = (
    '{"segment": 1, "system": "a", "judge": "j", "semantic": 3}\n'
    '{"segment": 1, "system": "a", "judge": "k", "semantic": 4}\n'
    '{"segment": 2, "system": "a", "judge": "j", "semantic": 4.5}\n'
    '{"segment": 2, "system": "a", "judge": "k", "semantic": 1}\n'
)


def read_lines(path: Path) -> None:
    from paragauge.text.line_reader import LineReader
    from paragauge.text.tokenizers import tokenize_lines

    with LineReader(path) as reader:
        while lines := reader.read(1000, 1 << 16):
            tokenize_lines(lines, "13a")
            tokenize_lines(lines, "intl")


def read_table(path: Path) -> None:
    from paragauge.text.table_in_memory import read_records

    read_records(path)


def read_judgments(path: Path) -> None:
    from paragauge.meta.sets.evalset_files import read_evalset

    read_evalset(path)


def read_rating_table(path: Path) -> None:
    from paragauge.text.ratings import read_ratings

    read_ratings(path, "semantic", ["a", "b"], (1, 5))


def make_parquet(folder: Path) -> list[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / "seed.parquet"
    pq.write_table(pa.table({"segment": [1, 2], "system": ["a", "a"], "semantic": [3.0, 4.0]}), path)
    return [path.read_bytes()]


def make_lines(_: Path) -> list[bytes]:
    text = LINES.encode()
    seeds = [text, gzip.compress(text, mtime=0)]
    with contextlib.suppress(ImportError):  # not everywhere
        import zstandard

        seeds.append(zstandard.compress(text))
    return seeds


def read_excel(path: Path) -> None:
    from paragauge.text.tables.excel_sheet import read_sheet

    read_sheet(path)


def make_excel(_: Path) -> list[bytes]:
    """A workbook by hand: no program that writes them is needed."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    part = '<Override PartName="{}" ContentType="{}"/>'
    link = (
        f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{office}/{{}}" '
        'Target="{}"/></Relationships>'
    )
    cells = "".join(
        f'<row r="{row}"><c r="A{row}" t="inlineStr"><is><t>a{row}</t></is></c>'
        f'<c r="B{row}"><v>{row}.5</v></c></row>'
        for row in (1, 2, 3)
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        + part.format("/xl/workbook.xml", f"{kind}.sheet.main+xml")
        + part.format("/xl/worksheets/sheet1.xml", f"{kind}.worksheet+xml")
        + "</Types>",
        "_rels/.rels": link.format("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="one" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": link.format("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData>'
        "</worksheet>",
    }
    books = []
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", method) as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        books.append(data.getvalue())
    return books


def read_scores_of_others(path: Path) -> None:
    from paragauge.metrics.outside.given_scores import read_given_scores

    read_given_scores([path], ["mine"])


def read_sample_key(path: Path) -> None:
    from paragauge.rewrite.evaluation.sample_files import read_key

    read_key(path)


def read_texts_of_systems(path: Path) -> None:
    from paragauge.meta.sets.evalset_texts import read_outputs

    read_outputs({"g": path})


add("lines", read_lines, make_lines)
add("excel", read_excel, make_excel, ".xlsx")
add(
    "given scores",
    read_scores_of_others,
    ["segment\tsystem\tcomet\n1\tmine\t0.5\n2\tmine\t0.7\n"],
    ".tsv",
)
add(
    "sample key",
    read_sample_key,
    ["key\tdrawn_by\twordnet\tlsa\n1\twordnet\taccepted\trefused\n2\tlsa\trefused\taccepted\n"],
    ".tsv",
)
add("outputs", read_texts_of_systems, ['{"segment": 1, "systems": {"a": "x y"}}\n'], ".jsonl")
for form, text in (("tsv", TSV), ("csv", CSV), ("jsonl", JSONL)):
    add(f"records {form}", read_table, [text], f".{form}")
    add(f"evalset {form}", read_judgments, [text], f".{form}")
add("records parquet", read_table, make_parquet, ".parquet")
add("ratings tsv", read_rating_table, [TSV], ".tsv")
add("ratings csv", read_rating_table, [CSV], ".csv")


def read_pairs_of_ratings(path: Path) -> None:
    from paragauge.text.rated_pairs import read_rated_pairs

    read_rated_pairs(path)


def read_bitext_table(path: Path) -> None:
    from paragauge.text.bitext import read_bitext_tsv

    read_bitext_tsv(path)


add(
    "rated pairs",
    read_pairs_of_ratings,
    ["source\tcandidate\trating\na b\tb a\t1\nc d\td\t4.5\n"],
    ".tsv",
)
add("bitext", read_bitext_table, ["the dog\tle chien\na cat\tun chat\n"])


def read_contrasts(path: Path) -> None:
    from paragauge.meta.contrast.contrast_set import read_contrast_set

    read_contrast_set(path)


add("contrast set", read_contrasts, [head(MODELS / "contrast" / "english.tsv", 30)], ".tsv")

# Alignments.


def read_links(path: Path) -> None:
    from paragauge.align.pharaoh import read_marked_links

    read_marked_links(path)


def read_giza_file(path: Path) -> None:
    from paragauge.align.giza import read_giza

    read_giza(path)


def read_gold_links(path: Path) -> None:
    from paragauge.align.gold import read_gold

    read_gold(path)


def read_gold_objects(path: Path) -> None:
    from paragauge.align.gold import read_gold_jsonl

    read_gold_jsonl(path)


GIZA = (
    "# Sentence pair (1) source length 2 target length 2 alignment score : 0.1\nla maison\n"
    "NULL ({ }) the ({ 1 }) house ({ 2 })\n"
)
add("pharaoh", read_links, ["0-0 1-1 2p1\n\n3?4\n"])
add("giza", read_giza_file, [GIZA])
add("gold links", read_gold_links, ["0-0 1-1 2p2\n0-0\n"])
add(
    "gold jsonl",
    read_gold_objects,
    ['{"source": "a b", "target": "c d", "sure": [[0, 0]], "poss": [[1, 1]]}\n'],
    ".jsonl",
)

# Phrase tables and grammars.

MOSES = (
    "la maison ||| the house ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 2 1 1 |||\nle ||| the ||| 1 1 1 1\n"
)
JOSHUA = "[NN] ||| answer ||| reply ||| p=0.5 q=1\n[X] ||| [X,1] big x ||| y [1] ||| p=1 ||| 2-0\n"
HIERO = "[X] ||| [X,1] chat ||| [X,1] cat ||| 0.5 1 0.25\n[X] ||| le ||| the ||| 1 1 1\n"
PPDB = "[NN] ||| answer ||| reply ||| PPDB2.0Score=3.1 p(e|f)=0.5 ||| 0-0 ||| Equivalence\n"
CDEC = "[S] ||| [X,1] a ||| [1] b ||| Glue=1 LHS=2\n[X] ||| b ||| c ||| p=2\n"
RULES = "a [X][X] [X] ||| b [X][X] [X] ||| 0.5 1 ||| 0-0 1-1 ||| 1 1 1\n"


def read_moses_table(path: Path) -> None:
    from paragauge.phrases.moses import MosesReader

    for _ in MosesReader(path).batches():
        pass


def read_rules(path: Path) -> None:
    from paragauge.grammar.grammar_reader import GrammarReader

    for _ in GrammarReader(path).batches():
        pass


def convert_rules(path: Path) -> None:
    from paragauge.grammar.convert import read_grammar

    output = path.parent / "grammar"
    shutil.rmtree(output, ignore_errors=True)
    read_grammar(path, output)


def read_moses_lines(path: Path) -> None:
    from paragauge.kernels.moses_line import parse_moses_line

    for line in path.read_bytes().decode("utf-8", "replace").split("\n"):
        with contextlib.suppress(ValueError):
            parse_moses_line(line)


def read_grammar_lines(path: Path) -> None:
    from paragauge.kernels.grammar_line import parse_grammar_line

    for line in path.read_bytes().decode("utf-8", "replace").split("\n"):
        for style in range(4):
            with contextlib.suppress(ValueError):
                parse_grammar_line(line, style)


def read_coverage_pairs(path: Path) -> None:
    from paragauge.grammar.sentence_pairs import read_pairs

    read_pairs(path)


add("moses", read_moses_table, [MOSES])
add("moses line", read_moses_lines, [MOSES])
add("grammar", read_rules, [JOSHUA, HIERO, PPDB, CDEC, RULES])
add("grammar line", read_grammar_lines, [JOSHUA, HIERO, PPDB, CDEC, RULES])
add("grammar convert", convert_rules, [JOSHUA, HIERO, PPDB, CDEC])


def parse_rules(path: Path) -> None:
    from paragauge.errors import ParagaugeError
    from paragauge.grammar.rule import Rule

    for line in path.read_bytes().decode("utf-8", "replace").split("\n"):
        with contextlib.suppress(ParagaugeError):
            Rule.parse(line)


add("rule", parse_rules, [JOSHUA, HIERO, PPDB])
add("sentence pairs", read_coverage_pairs, ["big dog\tlarge hound\na\tb\n"], ".tsv")

# Syntax.

TREES = "(ROOT (S (NP (NNS Dogs)) (VP (VBP bark)) (. .)))\n(S (NP-SBJ=1 (DT a) (NN b)) (VP (VB c)))\n"
CORENLP = '{"sentences": [{"parse": "(ROOT (S (NN a)))"}, {"parse": "(ROOT (NN b))"}]}'
CORENLP_XML = (
    '<?xml version="1.0" encoding="UTF-8"?><root><document><sentences><sentence id="1">'
    "<parse>(ROOT (S (NN a))) </parse></sentence></sentences></document></root>"
)
CONLLU = (
    "# text = Dogs bark\n1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
)


def read_tree_file(path: Path) -> None:
    from paragauge.syntax.tree_files import read_tagged_sentences, read_trees

    read_trees(path).to_brackets()
    list(read_tagged_sentences(path))


def read_conllu_file(path: Path) -> None:
    from paragauge.syntax.conllu import read_conllu

    list(read_conllu(path))


add("trees", read_tree_file, [TREES])
add("corenlp json", read_tree_file, [CORENLP])
add("corenlp xml", read_tree_file, [CORENLP_XML])
add("conllu", read_conllu_file, [CONLLU])

# Language models and other models of ours.

ARPA = (
    "\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-1 <unk>\n-99 <s> -0.3\n-1.2 </s>\n-0.5 a -0.1\n\n"
    "\\2-grams:\n-0.2 <s> a\n-0.3 a </s>\n\n\\end\\\n"
)


def load_language_model(path: Path) -> None:
    from paragauge.lm.model import LanguageModel

    LanguageModel.load(path).score(["a b a"])


def make_language_model(folder: Path) -> list[bytes]:
    from paragauge.lm.model import LanguageModel

    seeds: list[bytes] = []
    for bits in (None, 8):
        model = LanguageModel.train(["a b c", "a b", "b c a"], order=3, discount_fallback=(0.5, 1, 1.5))
        model.save(folder / "lm.bin", bits=bits)
        seeds.append((folder / "lm.bin").read_bytes())
    return seeds


def fix_checksum(data: bytes, start: int, end: int) -> bytes:
    """The data with the CRC-32 that it should have, so that what is behind it is reached."""
    import zlib

    return data[:start] + zlib.crc32(data[end:]).to_bytes(4, "little") + data[end:]


def with_checksum(run: Callable[[Path], object], start: int, end: int) -> Callable[[Path], object]:
    """The reader, of files whose checksum is made right first."""

    def check(path: Path) -> object:
        path.write_bytes(fix_checksum(path.read_bytes(), start, end))
        return run(path)

    return check


add("arpa", load_language_model, [ARPA], ".arpa")
add("lm binary", load_language_model, make_language_model)
add("lm binary crc", with_checksum(load_language_model, 8, 12), make_language_model)
# JSON files of fitted metrics and filters.


def load_fits(path: Path) -> None:
    from paragauge import PINCSigmoid
    from paragauge.errors import ParagaugeError
    from paragauge.metrics.combined.pinc_svr import PINCRegression
    from paragauge.metrics.maxsim.context import MaxSimContext
    from paragauge.metrics.maxsim.soft import MaxSimSoft

    first: ParagaugeError | None = None
    for kind in (MaxSimSoft, MaxSimContext, PINCSigmoid, PINCRegression):
        try:
            kind.load(path)
        except ParagaugeError as error:
            first = first or error
        else:
            return
    if first is not None:
        raise first


def load_noise(path: Path) -> None:
    from paragauge.collect.quality.noise_filter import NoiseFilter

    NoiseFilter.load(path)


def load_substitution(path: Path) -> None:
    from paragauge.rewrite.encoder.substitution_model import SubstitutionModel

    SubstitutionModel.open(path)


SIGMOID = (
    '{"metric": "pinc-sigmoid", "settings": {"slope": 1.5, "midpoint": 40.0}, "fit": {}, '
    '"signature": "x"}'
)
add(
    "fits",
    load_fits,
    lambda _: [
        (MODELS / "maxsim" / "english.json").read_bytes(),
        (MODELS / "maxsim" / "context.json").read_bytes(),
        SIGMOID,
    ],
    ".json",
)
add("noise filter", load_noise, lambda _: [(MODELS / "noise" / "english.json").read_bytes()], ".json")
add(
    "substitution",
    load_substitution,
    lambda _: [(MODELS / "substitution" / "english.json").read_bytes()],
    ".json",
)

# WordNet.

LMF = (
    '<?xml version="1.0" encoding="UTF-8"?><LexicalResource><Lexicon id="t" version="1">'
    '<LexicalEntry id="e">'
    '<Lemma writtenForm="big" partOfSpeech="a"/><Sense id="s" synset="t-00000001-a"><SenseRelation '
    'relType="antonym" target="s2"/></Sense><Sense id="s2" synset="t-00000002-s"/></LexicalEntry>'
    '<Synset id="t-00000002-s" partOfSpeech="s"><SynsetRelation relType="similar" '
    'target="t-00000001-a"/>'
    "</Synset></Lexicon></LexicalResource>"
)
INDEX = "dog n 1 0 1 1 00000010  \ncat n 1 0 1 0 00000020  \n"


def open_wordnet(path: Path) -> None:
    from paragauge.lexicon.wordnet import WordNet

    WordNet.open(path)


def open_wordnet_folder(path: Path) -> None:
    from paragauge.lexicon.wordnet import WordNet

    folder = path.parent / "wn"
    folder.mkdir(exist_ok=True)
    shutil.copyfile(path, folder / "index.noun")
    for part in ("noun", "verb", "adj", "adv"):
        if part != "noun":
            (folder / f"index.{part}").write_text("")
        (folder / f"{part}.exc").write_text("dogs dog\n")
    WordNet.open(folder)


def open_wordnet_pointers(path: Path) -> None:
    from paragauge.lexicon.wordnet import WordNet

    folder = path.parent / "wnp"
    folder.mkdir(exist_ok=True)
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"index.{part}").write_text("")
        (folder / f"{part}.exc").write_text("")
    for part in ("noun", "verb", "adv"):
        (folder / f"data.{part}").write_text("")
    (folder / "index.adj").write_text("big a 1 1 ! 1 0 00000010  \nsmall a 1 1 ! 1 0 00000020  \n")
    shutil.copyfile(path, folder / "data.adj")
    WordNet.open(folder)


def make_zip(_: Path) -> list[bytes]:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in ("noun", "verb", "adj", "adv"):
            archive.writestr(f"dict/index.{part}", INDEX if part == "noun" else "")
            archive.writestr(f"dict/{part}.exc", "dogs dog\n")
    return [data.getvalue()]


DATA = (
    "00000010 00 a 01 big 0 001 ! 00000020 a 0101 | large\n"
    "00000020 00 a 01 small 0 001 ! 00000010 a 0101 | little\n"
)
add("wordnet lmf", open_wordnet, [LMF], ".xml")
add("wordnet zip", open_wordnet, make_zip, ".zip")
add("wordnet index", open_wordnet_folder, [INDEX])
add("wordnet data", open_wordnet_pointers, [DATA])

# Encoders.


def open_json_encoder(path: Path) -> None:
    from paragauge.encode.model_files import read_object, read_pooling

    read_object(path)
    read_pooling(path)


def read_safetensors(path: Path) -> None:
    from paragauge.encode.bert_weights import _map

    _map(path)


def make_safetensors(_: Path) -> list[bytes]:
    header = b'{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {}}'
    return [len(header).to_bytes(8, "little") + header + bytes(24)]


add("safetensors", read_safetensors, make_safetensors, ".safetensors")
add(
    "pooling",
    open_json_encoder,
    ['{"pooling_mode_mean_tokens": true, "word_embedding_dimension": 3}'],
    ".json",
)

# Collections.

DEMO = (EXAMPLES / "collect" / "clips.toml").read_text(encoding="utf-8")


def read_campaign_file(path: Path) -> None:
    from paragauge.collect.campaigns.campaign_file import read_campaign

    read_campaign(path)


def read_item_table(path: Path) -> None:
    from paragauge.collect.campaigns.item_tables import read_items

    read_items(path, "paraphrase")


def read_descriptions(path: Path) -> None:
    from paragauge.collect.corpus.corpus_tables import read_corpus

    read_corpus(path)


def read_mturk_answers(path: Path) -> None:
    from paragauge.collect.mturk.external_question import read_answers

    read_answers(path.read_bytes().decode("utf-8", "replace"))


def upload_campaign(path: Path) -> None:
    from paragauge.collect.web.http.uploads import read_campaign_upload

    read_campaign_upload(path.read_bytes())


def upload_items(path: Path) -> None:
    from paragauge.collect.web.http.uploads import read_item_upload

    read_item_upload(path.read_bytes(), "paraphrase")


def open_store(path: Path) -> int:
    from paragauge.cli.main import run

    for left in path.parent.glob(f"{path.name}-*"):  # journals
        left.unlink()
    return run(["collect", "check", str(path)])


def make_store(folder: Path) -> list[bytes]:
    from paragauge.cli.main import run

    campaign = str(EXAMPLES / "collect" / "clips.toml")
    if run(["collect", "init", str(folder / "seed.db"), "--campaign", campaign]):
        raise SystemExit("collect init failed")
    return [(folder / "seed.db").read_bytes()]


def make_campaigns(folder: Path) -> list[str]:
    shutil.copyfile(EXAMPLES / "collect" / "clips.tsv", folder / "clips.tsv")
    return [DEMO]


add("campaign", read_campaign_file, make_campaigns, ".toml")
add(
    "items jsonl",
    read_item_table,
    ['{"key": "1", "text": "a b c"}\n{"key": "2", "text": "d"}\n'],
    ".jsonl",
)
add("items tsv", read_item_table, ["key\ttext\n1\ta b c\n2\td e\n"], ".tsv")
add("campaign upload", upload_campaign, ['slug = "birds"\nkind = "describe"\ntitle = "Birds"\n'])
add("item upload", upload_items, ["key\ttext\ns1\tA dog runs.\n", '{"key": "1", "text": "a"}\n'])
add("store", open_store, make_store, ".db")
add("descriptions", read_descriptions, [head(EXAMPLES / "collect" / "descriptions.tsv", 8)], ".tsv")

# Options that hold numbers and small languages.


def parse_options(path: Path) -> None:
    from paragauge.engine.memory_size import parse_size
    from paragauge.errors import ParagaugeError
    from paragauge.generate.compression_pairs import parse_ratio, parse_sizes
    from paragauge.metrics.base import Metric

    text = path.read_bytes().decode("utf-8", "replace")
    for parse in (parse_size, parse_ratio, lambda t: parse_sizes([t]), lambda t: Metric.from_spec(t)):
        with contextlib.suppress(ParagaugeError):
            parse(text)


add("options", parse_options, ["4GB", "0.7:0.9", "dev=100", "bleu:order=4,smooth=exp", "pinc:order=3"])
