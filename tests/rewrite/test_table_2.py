"""Table 2 of Kauchak and Barzilay (2006): with what ships, and with classifiers of a small text."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.rewrite.context.context_decision import Decision
from paragauge.rewrite.context.context_model import ContextModel
from paragauge.rewrite.context.context_train import train_context
from paragauge.rewrite.rewrite_method import rewrite
from paragauge.rewrite.rewriter import Rewriter

REFERENCE = (
    "It is hard to believe that such tremendous changes have taken place for those people and lands "
    "that I have never stopped missing while living abroad."
)
OUTPUT = (
    "For someone born here but has been sentimentally attached to a foreign country far from home, "
    "it is difficult to believe this kind of changes."
)
# "take place" often, and typical contexts of home and difficult.
TEXT = [
    "the talks will take place in june",
    "such changes have taken place here",
    "the game took place at night",
    "we went home after work",
    "she stayed at home with them",
    "they came home late",
    "it is difficult to say why",
    "it was difficult to believe that",
    "this is a difficult thing to do",
    "it is hard to say",
]


@pytest.fixture(scope="module", name="model")
def _model(tmp_path_factory: pytest.TempPathFactory) -> ContextModel:
    folder = tmp_path_factory.mktemp("contexts")
    text = Path(folder, "text.txt")
    text.write_text("".join(f"{line}\n" for line in TEXT * 60), encoding="utf-8")
    train_context([text], words=["difficult", "home", "hard", "place"], threads=1).save(
        folder / "model"
    )
    return ContextModel.open(folder / "model", decision=Decision(0, 0, 0))


def test_table_2_with_what_ships() -> None:
    rewriting = rewrite([REFERENCE], [OUTPUT])
    assert [(proposal.old, proposal.new, proposal.verdict) for proposal in rewriting] == [
        ("hard", "difficult", "accepted"),
        ("place", "home", "refused"),
    ]
    assert rewriting.references[0] == [REFERENCE.replace("hard", "difficult")]


@pytest.mark.parametrize("built_in", [True, False])
def test_only_hard_is_replaced(model: ContextModel, built_in: bool) -> None:
    judge = ContextModel.default() if built_in else model
    rewriting = Rewriter(filters=(judge,)).run([REFERENCE], [OUTPUT])
    assert [(proposal.old, proposal.new, proposal.verdict) for proposal in rewriting] == [
        ("hard", "difficult", "accepted"),
        ("place", "home", "refused"),
    ]
    assert rewriting.references[0] == [REFERENCE.replace("hard", "difficult")]
