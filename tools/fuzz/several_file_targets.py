"""More targets: folders of several files, parts of archives, and tables in other formats.

A seed with several files has each after a line `@@ NAME`. Parts of an archive are damaged before they
are packed, as its checksums would hide them from what reads them.
"""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from targets import INDEX, add, make_excel, read_judgments, read_table

MARK = b"\n@@ "
MOST_FILES = 64


def join(files: Mapping[str, bytes]) -> bytes:
    """Files in one seed."""
    return b"".join(MARK + name.encode() + b"\n" + content for name, content in files.items())


def divide(data: bytes) -> dict[str, bytes]:
    """The files in a damaged seed; of the same name, the last."""
    files = {}
    for part in data.split(MARK)[1 : MOST_FILES + 1]:
        name, _, content = part.partition(b"\n")
        files[name.decode("utf-8", "replace")] = content
    return files


def unzip(data: bytes) -> bytes:
    """The parts of an archive in one seed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return join({name: archive.read(name) for name in archive.namelist()})


def with_archive(run: Callable[[Path], object]) -> Callable[[Path], object]:
    """The reader, of archives that are packed from a damaged seed first."""

    def check(path: Path) -> object:
        files = divide(path.read_bytes())
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name.replace("\0", "_")[:200] or "_", content)
        return run(path)

    return check


def with_folder(run: Callable[[Path], object], known: Mapping[str, bytes]) -> Callable[[Path], object]:
    """The reader, of a folder with the files of a damaged seed whose names are known."""

    def check(path: Path) -> object:
        folder = path.parent / "several"
        shutil.rmtree(folder, ignore_errors=True)
        files = divide(path.read_bytes())
        for name in known:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if name in files:
                place.write_bytes(files[name])
        return run(folder)

    return check


# Excel and zip archives, from the inside.

CELLS = ("segment", "system", "overall"), ("1", "a", "2.5"), ("2", "a", "3")


def make_ratings_sheet(folder: Path) -> list[bytes]:
    """A workbook with ratings."""
    book = divide(unzip(make_excel(folder)[0]))
    rows = "".join(
        f'<row r="{n}">'
        + "".join(
            f'<c r="{"ABC"[at]}{n}" t="inlineStr"><is><t>{text}</t></is></c>'
            if n == 1 or at < 2
            else f'<c r="{"ABC"[at]}{n}"><v>{text}</v></c>'
            for at, text in enumerate(row)
        )
        + "</row>"
        for n, row in enumerate(CELLS, 1)
    )
    head, _, rest = book["xl/worksheets/sheet1.xml"].partition(b"<sheetData>")
    _, _, tail = rest.partition(b"</sheetData>")
    merged = b'</sheetData><mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>'
    book["xl/worksheets/sheet1.xml"] = head + b"<sheetData>" + rows.encode() + merged + tail
    return [join(book)]


def read_wordnet_archive(path: Path) -> None:
    from paragauge.lexicon.wordnet import WordNet

    WordNet.open(path)


def make_wordnet_parts(_: Path) -> list[bytes]:
    files: dict[str, bytes] = {}
    for part in ("noun", "verb", "adj", "adv"):
        files[f"dict/index.{part}"] = INDEX.encode() if part == "noun" else b""
        files[f"dict/{part}.exc"] = b"dogs dog\n"
    return [join(files)]


add("excel parts", with_archive(read_judgments), make_ratings_sheet, ".xlsx")
add("wordnet zip parts", with_archive(read_wordnet_archive), make_wordnet_parts, ".zip")

# Tables in one array of JSON, and the formats that only tables of ratings were not tried with.

ARRAY = (
    '[{"segment": 1, "system": "a", "judge": "j", "semantic": 3},\n'
    ' {"segment": 2, "system": "a", "judge": "k", "semantic": 4.5}]\n'
)
add("records json", read_table, [ARRAY], ".json")
add("evalset json", read_judgments, [ARRAY], ".json")

# Test sets of WMT.

WMT = {
    "sources/de-en.txt": b"Hallo\nWelt\n",
    "documents/de-en.docs": b"news\td1\nnews\td1\n",
    "references/de-en.refA.txt": b"Hello\nWorld\n",
    "system-outputs/de-en/mine.txt": b"Hullo\nWorld\n",
    "system-outputs/de-en/theirs.txt": b"Hi\nGlobe\n",
    "human-scores/de-en.mqm.seg.score": b"mine\t-1\nmine\tNone\ntheirs\t0\ntheirs\t-5\n",
    "human-scores/de-en.mqm.sys.score": b"mine\t-1\ntheirs\t-2.5\n",
    "metric-scores/de-en/BLEU-refA.seg.score": b"mine\t20.5\nmine\t3\ntheirs\t1\ntheirs\t2\n",
}


def read_test_set(folder: Path) -> None:
    from paragauge.meta.sets.wmt_folder import read_wmt

    read_wmt(folder)


add("wmt", with_folder(read_test_set, WMT), [join(WMT)])

# Several candidates, several translations, scores of other programs.

PARALLEL = {"a.tsv": b"a dog\ta hound\n\nx\n", "b.txt": b"one\ntwo\nthree\n"}


def read_several_candidates(folder: Path) -> None:
    from paragauge.text.corpus import Corpus

    corpus = Corpus({"a": folder / "a.tsv"}, sources=[folder / "b.txt"], several=True)
    for _ in corpus.batches():
        pass


def read_several_translations(folder: Path) -> None:
    from paragauge.grammar.sentence_pairs import read_translations

    read_translations([folder / "a.tsv", folder / "b.txt"], empty="skip")


COMET = {
    "printed": b"mine\tSegment 0\tscore: 0.81\nmine\tSegment 1\tscore: 0.5\nmine\tscore: 0.6\n",
    "list.json": b'{"mine": [{"src": "a", "mt": "b", "COMET": 0.8}, {"src": "c", "COMET": 1}]}',
    "numbers": b"0.5\n0.7\n",
}


def read_scores_of_programs(folder: Path) -> None:
    from paragauge.metrics.outside.score_files import read_score_files

    for source in (folder / "printed", folder / "list.json", f"BLEURT:mine={folder / 'numbers'}"):
        read_score_files([source], ["mine"])


def read_weights_file(path: Path) -> None:
    from paragauge.generate.weights import read_weights

    read_weights(path, ["LM", "WordPenalty"])


add("candidates", with_folder(read_several_candidates, PARALLEL), [join(PARALLEL)])
add("translations", with_folder(read_several_translations, PARALLEL), [join(PARALLEL)])
add("score files", with_folder(read_scores_of_programs, COMET), [join(COMET)])
add("weights", read_weights_file, ["WordPenalty\t-1\nLM\t0.5\n"], ".tsv")
