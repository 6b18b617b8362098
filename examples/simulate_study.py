"""Simulate the ratings of Liu, Dahlmeier and Ng (2010): 300 sources, four systems, three judges.

The sentences are those of this folder. The ratings are SIMULATED: no person gave them. They are
computed from how a sentence was made and from the words it shares with its source, with noise that
differs from judge to judge. They have the shape of the paper's data, so that its tables and figures can
be drawn, and they are evidence of nothing.

    python examples/simulate_study.py FOLDER

writes sources.txt, human1.txt, human2.txt, machine1.txt, machine2.txt, items.tsv (the same texts, for
`paragauge collect`) and ratings.tsv. Every run writes the same files.
"""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent
SOURCES = 300
CRITERIA = ("adequacy", "fluency", "dissimilarity", "overall")
# What each judge adds to every rating, and the standard deviation of the noise.
JUDGES = {"sim-A": (0.0, 0.8), "sim-B": (-0.3, 1.0), "sim-C": (0.2, 0.9)}
SYSTEMS = ("human1", "human2", "machine1", "machine2")


def read_lines(name: str) -> list[str]:
    """The lines of a file of this folder."""
    return (EXAMPLES / name).read_text(encoding="utf-8").rstrip("\n").split("\n")


def list_sources() -> list[tuple[str, list[str], str]]:
    """Sources, with good paraphrases of each and one that changes a word or two.

    The paraphrases of one sentence serve as sources of each other: three from each of the first
    sentences, then two, in the order of the sentences.
    """
    groups = [
        [source, *references.split("\t")]
        for source, references in zip(
            read_lines("sources.txt"), read_lines("references.tsv"), strict=True
        )
    ]
    edits = read_lines("edits.txt")
    threes = SOURCES - 2 * len(groups)
    rows = []
    for number, texts in enumerate(groups):
        for k in range(3 if number < threes else 2):
            others = texts[k + 1 :] + texts[:k]
            rows.append((texts[k], others, edits[number] if k == 0 else others[-1]))
    return rows


def translate_badly(text: str, harm: float, words: list[str], draw: random.Random) -> str:
    """The text with words dropped, exchanged with their neighbors, or replaced by any other word."""
    tokens = text.split()
    result: list[str] = []
    for token in tokens:
        chance = draw.random()
        if chance < harm / 3 and len(tokens) > 3:
            continue
        if chance < 2 * harm / 3 and result:
            result.insert(len(result) - 1, token)
        elif chance < harm:
            result.append(draw.choice(words))
        else:
            result.append(token)
    return " ".join(result or tokens)


def share_of_pairs(text: str, source: str) -> float:
    """The share of a sentence's words and pairs of words that its source has too."""

    def parts(line: str) -> set[str]:
        words = line.lower().split()
        return {*words, *(f"{a} {b}" for a, b in itertools.pairwise(words))}

    own = parts(text)
    return len(own & parts(source)) / len(own)


def rate(text: str, source: str, harm: float) -> dict[str, float]:
    """What a judge without noise would say, from 1 to 5.

    A perfect paraphrase that shares nothing with its source gets 5 overall, a copy 2, and a sentence
    without its meaning 1, as the controls of the paper do.
    """
    adequacy = 5 - 7 * harm
    fluency = 5 - 9 * harm
    dissimilarity = 1 + 4 * min(1.0, 1.3 * (1 - share_of_pairs(text, source)))
    least = max(0.0, min(adequacy, fluency) - 1) / 4
    overall = 1 + least * (1 + 3 * (dissimilarity - 1) / 4)
    return dict(zip(CRITERIA, (adequacy, fluency, dissimilarity, overall), strict=True))


def simulate(folder: Path) -> None:
    """Write the files of the study into a folder."""
    draw = random.Random(2010)  # noqa: S311  # no secrets here
    rows = list_sources()
    words = sorted({word for source, _, _ in rows for word in source.split()})
    outputs: dict[str, list[str]] = {name: [] for name in SYSTEMS}
    items = ["key\tsource\tsystem\tcandidate"]
    table = ["\t".join(("segment", "system", "judge", *CRITERIA))]
    for number, (source, others, edited) in enumerate(rows, 1):
        harms = {"human1": 0.0, "human2": 0.0, "machine1": 0.25, "machine2": 0.45}
        harms = {name: harm * draw.uniform(0.4, 1.6) for name, harm in harms.items()}
        outputs["human1"].append(others[0])
        outputs["human2"].append(edited)
        outputs["machine1"].append(translate_badly(source, harms["machine1"], words, draw))
        outputs["machine2"].append(translate_badly(others[-1], harms["machine2"], words, draw))
        for name, lines in outputs.items():
            items.append(f"{number}\t{source}\t{name}\t{lines[-1]}")
            ratings = rate(lines[-1], source, harms[name])
            for judge, (bias, noise) in JUDGES.items():
                values = [round(value + bias + draw.gauss(0, noise)) for value in ratings.values()]
                cells = [str(min(5, max(1, value))) for value in values]
                table.append("\t".join((str(number), name, judge, *cells)))
    folder.mkdir(parents=True, exist_ok=True)
    files = {"sources.txt": [source for source, _, _ in rows], "items.tsv": items}
    files["ratings.tsv"] = table
    files |= {f"{name}.txt": lines for name, lines in outputs.items()}
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(
        f"{folder}: {len(rows)} sources, {len(SYSTEMS)} systems, {len(table) - 1:,} simulated ratings"
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("expected a folder: python examples/simulate_study.py FOLDER")
    simulate(Path(sys.argv[1]))
