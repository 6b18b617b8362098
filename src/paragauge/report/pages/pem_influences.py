"""What a PEM rating depends on, as an HTML table: each feature and how it changes the rating."""

from __future__ import annotations

from html import escape

from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.report.drawing.canvas import Rect, Scene, Style
from paragauge.report.pages.blocks.html import Cell, decorative_svg, paragraph, sortable_table

REACH, THICK = 60.0, 12.0  # a bar, in pixels from the middle
INFLUENCE = (
    "Change is the rating that is predicted, minus the one predicted if the feature (in bold rows: all "
    "features of the group) had its mean in training and the others stayed as they are. It describes "
    "the regression and implies no cause; changes do not add up to the rating, and of features that go "
    "together each alone may seem to do little."
)
BAGS = {
    "pivot": "pivot n-grams",
    "pivot1": "pivot words",
    "word1": "pivot words, translated word by word",
    "word1_idf": "pivot words, translated word by word, rare ones counting more",
    "target": "n-grams of the sentences",
    "target1": "words of the sentences",
    "target1_idf": "words of the sentences, rare ones counting more",
    "letters": "character n-grams of the sentences",
}
OTHERS = {
    "copy": "1 if the candidate is the source itself, but for case, punctuation and white space",
    "fluency": "how well the sentence reads",
    "adequacy": "how much of the meaning is kept",
    "dissimilarity": "share of new wording",
    "length": "ln of the number of words in the source",
    "length_ratio": "ln of the candidate's words divided by the source's",
}


def influences(explanation: PEMExplanation) -> str:
    """The table, with the groups of features before their members."""
    changes = [group.change for group in explanation.influences]
    changes += [feature.change for feature in explanation.features]
    reach = max([1e-9, *map(abs, changes)])
    features = {feature.name: feature for feature in explanation.features}
    rows = []
    for group in explanation.influences:
        if len(group.features) > 1:
            title = Cell(f"<b>{escape(group.name)}</b>", group.name)
            count = Cell.text(f"all {len(group.features)} together", "soft about")
            rows.append(
                [title, count, *[Cell.number(None)] * 3, *_change(explanation, group.change, reach)]
            )
        for name in group.features:
            feature = features[name]
            rows.append(
                [
                    Cell(f"<code>{escape(name)}</code>", name),
                    Cell.text(about_feature(name), "soft about"),
                    Cell.number(feature.value, ".3f"),
                    Cell.number(feature.mean, ".3f"),
                    Cell.number(feature.standard, "+.2f"),
                    *_change(explanation, feature.change, reach),
                ]
            )
    points = [] if explanation.in_points else ["of 100"]
    header = ["feature", "of", "value", "mean", "std. dev.", "change", *points, ""]
    usual = f"With all features at their means the rating would be {explanation.usual:.2f}."
    return paragraph(INFLUENCE, "soft") + paragraph(usual, "soft") + sortable_table(header, rows)


def about_feature(name: str) -> str:
    """What a feature measures, in a few words; empty for an unknown one.

    >>> about_feature("pivot1_recall"), about_feature("length"), about_feature("new")
    ('recall of pivot words', 'ln of the number of words in the source', '')
    """
    bag, _, measure = name.rpartition("_")
    if name in OTHERS:
        return OTHERS[name]
    return f"{measure.replace('f1', 'F1')} of {BAGS[bag]}" if bag in BAGS else ""


def _change(explanation: PEMExplanation, change: float, reach: float) -> list[Cell]:
    length = REACH * abs(change) / reach
    start = REACH - length if change < 0 else REACH
    scene = Scene(2 * REACH, THICK, "").line(REACH, 0, REACH, THICK, "soft")
    scene.add(Rect(start, 2, length, THICK - 4, Style(fill="series1" if change < 0 else "series0")))
    points = [] if explanation.in_points else [Cell.number(explanation.points(change), "+.2f")]
    return [
        Cell.number(change, "+.3f"),
        *points,
        Cell(decorative_svg(scene, "bar"), change),
    ]
